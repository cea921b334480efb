// Cancelling, in every state a run can be in: what was not sent is dropped, what was done is
// undone, what is unknown is settled first, and nothing new is sent after the person said stop.
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestCancel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beforeAnyEffectItIsCancelled_data();
    void beforeAnyEffectItIsCancelled();
    void afterAnEffectItIsCompensated();
    void whatIsInFlightEndsFirst_data();
    void whatIsInFlightEndsFirst();
    void anUnknownOutcomeHasToBeSettledFirst_data();
    void anUnknownOutcomeHasToBeSettledFirst();
    void aSecondCancelIsReplayed();
    void whatHasEndedCannotBeCancelled();
    void aCompensatingRunCannotBeCancelled();
    void nothingNewIsSentWhileADetachedAttemptEnds_data();
    void nothingNewIsSentWhileADetachedAttemptEnds();
    void theNextStepDoesNotStart();
    void anAmbiguityAfterCancelIsVerifiedThenUndone();
};

void TestCancel::beforeAnyEffectItIsCancelled_data()
{
    QTest::addColumn<QByteArray>("state");
    for (const char *state :
         {"held", "paused", "waiting", "asking", "wait step", "conflict", "gated"})
        QTest::newRow(state) << QByteArray(state);
}

void TestCancel::beforeAnyEffectItIsCancelled()
{
    QFETCH(QByteArray, state);
    StepPolicy pay = writes("pay");
    if (state == "asking")
        pay.forward.approval = ApprovalPolicy{};
    if (state == "wait step") {
        pay = kind("pay", StepKind::wait);
        pay.wait.event = QStringLiteral("paid");
    }
    Story story(workflow({pay}));
    if (state == "held" || state == "paused")
        story.gates.pauses = {
            Pause{{}, {}, state == "held" ? PauseDepth::intake : PauseDepth::all}};
    if (state == "conflict")
        story.ledger[QStringLiteral("pay")] = LedgerAnswered::Outcome::otherRequest;
    if (state == "gated")
        story.ledger[QStringLiteral("pay")] = LedgerAnswered::Outcome::processing;
    story.start(state == "held");
    if (state == "waiting")
        story.end(answered(429));
    QVERIFY(!story.isOpen());
    QVERIFY(story.cancel().accepted());
    QCOMPARE(story.status(), QStringLiteral("cancelled"));
    QVERIFY(!story.isOpen());
    QCOMPARE(story.opened(ReviewKind::deadLetter), 0);
    for (const Step &step : std::as_const(story.run.steps))
        QVERIFY2(step.forward.reviewId.isEmpty(), "its review is closed");
}

void TestCancel::afterAnEffectItIsCompensated()
{
    StepPolicy ship = writes("ship");
    ship.forward.approval = ApprovalPolicy{};
    Story story(workflow({undoable(writes("pay")), ship}));
    story.start();
    story.end(done());
    QVERIFY(story.cancel().accepted());
    QCOMPARE(story.status(), QStringLiteral("compensating"));
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestCancel::whatIsInFlightEndsFirst_data()
{
    QTest::addColumn<Ended>("ended");
    QTest::addColumn<QString>("status");
    QTest::addColumn<int>("undone");
    QTest::newRow("it worked") << done() << QStringLiteral("compensating") << 1;
    QTest::newRow("refused") << answered(422) << QStringLiteral("cancelled") << 0;
    QTest::newRow("throttled") << answered(429) << QStringLiteral("cancelled") << 0;
    QTest::newRow("not sent") << unsent("dns_failure") << QStringLiteral("cancelled") << 0;
    QTest::newRow("no credentials") << answered(401) << QStringLiteral("cancelled") << 0;
}

void TestCancel::whatIsInFlightEndsFirst()
{
    QFETCH(Ended, ended);
    QFETCH(QString, status);
    QFETCH(int, undone);
    Story story(workflow({undoable(writes("pay")), writes("ship")}));
    story.start();
    QVERIFY(story.cancel().accepted());
    QVERIFY2(story.isOpen(), "an attempt in flight cannot be called back");
    QVERIFY(!story.run.compensating);
    story.end(ended);
    QCOMPARE(story.status(), status);
    QCOMPARE(story.sent("pay", Direction::compensate), undone);
    QCOMPARE(story.sent("ship"), 0);
}

void TestCancel::anUnknownOutcomeHasToBeSettledFirst_data()
{
    QTest::addColumn<int>("protection");
    QTest::newRow("a person's") << int(Protection::none);
    QTest::newRow("settling") << int(Protection::probe);
    QTest::newRow("to be sent again") << int(Protection::native);
}

void TestCancel::anUnknownOutcomeHasToBeSettledFirst()
{
    QFETCH(int, protection);
    const bool verify = Protection(protection) == Protection::probe;
    Story story(workflow({undoable(writes("pay", Protection(protection), verify))}));
    story.start();
    story.end(broken("timeout"));
    const Outcome outcome = story.cancel();
    QCOMPARE(outcome.kind, Outcome::Kind::rejected);
    QVERIFY(outcome.reason.contains(QStringLiteral("pay")));
    QVERIFY(story.forward("pay").ambiguous);
}

void TestCancel::aSecondCancelIsReplayed()
{
    Story story(workflow({writes("pay")}));
    story.start();
    QVERIFY(story.cancel().accepted());
    QCOMPARE(story.cancel().kind, Outcome::Kind::replayed);
}

void TestCancel::whatHasEndedCannotBeCancelled()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.end(done());
    QCOMPARE(story.cancel().kind, Outcome::Kind::rejected);
    Story failed(workflow({writes("pay")}));
    failed.start();
    failed.end(answered(422));
    QCOMPARE(failed.cancel().kind, Outcome::Kind::rejected);
}

void TestCancel::aCompensatingRunCannotBeCancelled()
{
    Story story(workflow({undoable(writes("pay")), writes("ship")}));
    story.start();
    story.end(done());
    story.end(answered(422));
    QCOMPARE(story.cancel().kind, Outcome::Kind::rejected);
}

void TestCancel::nothingNewIsSentWhileADetachedAttemptEnds_data()
{
    QTest::addColumn<QByteArray>("state");
    for (const char *state : {"waiting", "asking", "gated", "conflict"})
        QTest::newRow(state) << QByteArray(state);
}

// A detached attempt is open, so the cancel waits for it; the critical path must not go on
// meanwhile.
void TestCancel::nothingNewIsSentWhileADetachedAttemptEnds()
{
    QFETCH(QByteArray, state);
    StepPolicy slow = writes("slow");
    slow.detached = true;
    slow.forward.dependency = QStringLiteral("other");
    StepPolicy pay = writes("pay");
    if (state == "asking")
        pay.forward.approval = ApprovalPolicy{};
    Story story(workflow({slow, pay}));
    if (state == "gated")
        story.gates.pauses = {Pause{{}, QStringLiteral("payments"), PauseDepth::writes}};
    if (state == "conflict")
        story.ledger[QStringLiteral("pay")] = LedgerAnswered::Outcome::otherRequest;
    story.start();
    if (state == "waiting")
        story.end(answered(429), "pay");
    const int before = story.sent("pay");
    QVERIFY(story.cancel().accepted());
    story.gates.pauses.clear();
    story.ledger.clear();
    if (state == "asking")
        story.approve("pay");
    if (state == "conflict")
        story.resolve("pay", Resolve::Verdict::retry);
    story.pass(minute);
    QCOMPARE(story.sent("pay"), before);
    story.end(done(), "slow");
    QVERIFY(story.status() == QLatin1String("cancelled") ||
            story.status() == QLatin1String("compensated"));
}

void TestCancel::theNextStepDoesNotStart()
{
    Story story(workflow({writes("pay"), writes("ship")}));
    story.start();
    story.cancel();
    story.end(done());
    QCOMPARE(story.sent("ship"), 0);
    QVERIFY(isFinal(story.run.status));
}

void TestCancel::anAmbiguityAfterCancelIsVerifiedThenUndone()
{
    Story story(workflow({undoable(writes("pay", Protection::probe, true)), writes("ship")}));
    story.start();
    story.cancel();
    story.end(broken("timeout"));
    QCOMPARE(story.sent("pay", Direction::compensate), 0);
    story.passUntilDue();
    story.end(found());
    QCOMPARE(story.sent("pay", Direction::compensate), 1);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    // And when it did not happen, it is not tried again.
    Story gone(workflow({undoable(writes("pay", Protection::probe, true)), writes("ship")}));
    gone.start();
    gone.cancel();
    gone.end(broken("timeout"));
    gone.passUntilDue();
    gone.end(absent());
    QCOMPARE(gone.status(), QStringLiteral("cancelled"));
    QCOMPARE(gone.sent("pay"), 1);
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestCancel)
#include "tst_cancel.moc"
