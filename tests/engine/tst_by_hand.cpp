// Compensation by hand (D5), and failures that do not compensate: on_failure continue and review,
// detached.
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestByHand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byHandForTheWholeRun();
    void byHandForChosenSteps();
    void byHandAfterAFailedCompensationWasDismissed();
    void byHandForOtherStepsDoesNotRetryTheFailedOne();
    void byHandForAllAfterAChosenOneFailedKeepsTheOrder();
    void byHandIsRefusedWhereItMakesNoSense_data();
    void byHandIsRefusedWhereItMakesNoSense();
    void thePlanSaysWhatWouldBeDone();
    void onFailureContinueGoesOn();
    void onFailureReviewAsksFirst();
    void aDetachedFailureIsPartialAndNeverCompensates();
    void aDismissedConflictOfADetachedStepIsPartial_data();
    void aDismissedConflictOfADetachedStepIsPartial();
    void aRunEndsAfterItsDetachedSteps();
    void aDetachedStepWithASnapshotGoesOn();
};

namespace
{
Policy orderCase()
{
    StepPolicy ship = writes("ship");
    return workflow({undoable(writes("reserve")), undoable(writes("charge")), ship});
}

const QStringList chargeThenReserve{QStringLiteral("charge"), QStringLiteral("reserve")};

Story refundFailed()
{
    Story story(orderCase());
    story.start();
    story.end(done());
    story.end(done());
    story.end(answered(422));
    story.end(answered(403));
    return story;
}
} // namespace

void TestByHand::byHandForTheWholeRun()
{
    Story story(orderCase());
    story.start();
    for (int i = 0; i < 3; ++i)
        story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QVERIFY(story.compensate().accepted());
    story.end(done());
    story.end(done());
    QCOMPARE(story.sentInOrder(Direction::compensate), chargeThenReserve);
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    QVERIFY(!story.compensate().accepted());
}

void TestByHand::byHandForChosenSteps()
{
    Story story(orderCase());
    story.start();
    for (int i = 0; i < 3; ++i)
        story.end(done());
    QVERIFY(story.compensate({QStringLiteral("reserve")}).accepted());
    story.end(done());
    QCOMPARE(story.sentInOrder(Direction::compensate), QStringList{QStringLiteral("reserve")});
    QVERIFY2(story.status() != QLatin1String("compensated"), "I16: the charge stands");
    QVERIFY(isFinal(story.run.status));
    QVERIFY(story.compensate().accepted());
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    QCOMPARE(story.sent("reserve", Direction::compensate), 1);
}

void TestByHand::byHandAfterAFailedCompensationWasDismissed()
{
    Story story = refundFailed();
    QVERIFY(story.resolve("charge", Resolve::Verdict::dismiss, Direction::compensate).accepted());
    QCOMPARE(story.status(), QStringLiteral("compensation_failed"));
    if (story.compensate().accepted()) {
        QVERIFY2(story.isOpen(), "accepted, so something has to happen");
        story.end(done());
        story.end(done());
        QCOMPARE(story.status(), QStringLiteral("compensated"));
    } else {
        QCOMPARE(story.status(), QStringLiteral("compensation_failed"));
    }
}

void TestByHand::byHandForOtherStepsDoesNotRetryTheFailedOne()
{
    Story story = refundFailed();
    story.compensate({QStringLiteral("reserve")});
    QVERIFY2(story.sent("charge", Direction::compensate) == 1, "nobody asked for the refund");
}

// I14: the chosen one failed first; asked for the rest, the engine still undoes one at a time,
// latest first.
void TestByHand::byHandForAllAfterAChosenOneFailedKeepsTheOrder()
{
    Story story(orderCase());
    story.start();
    for (int i = 0; i < 3; ++i)
        story.end(done());
    story.compensate({QStringLiteral("reserve")});
    story.end(answered(403));
    QCOMPARE(story.status(), QStringLiteral("compensation_failed"));
    if (!story.compensate().accepted())
        return; // "retry or waive the failed one first" is an answer too
    QCOMPARE(story.sends.last().step, QStringLiteral("charge"));
    story.pass(minute);
    QCOMPARE(story.sent("reserve", Direction::compensate), 1);
    story.end(done(), "charge");
    QCOMPARE(story.sent("reserve", Direction::compensate), 2);
    story.end(done(), "reserve");
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestByHand::byHandIsRefusedWhereItMakesNoSense_data()
{
    QTest::addColumn<QByteArray>("state");
    for (const char *state : {"running", "waiting", "held", "cancelled", "nothing", "unknown step"})
        QTest::newRow(state) << QByteArray(state);
}

void TestByHand::byHandIsRefusedWhereItMakesNoSense()
{
    QFETCH(QByteArray, state);
    Story story(state == "nothing" ? workflow({reads("look")}) : orderCase());
    if (state == "held")
        story.gates.pauses = {Pause{}};
    story.start();
    if (state == "waiting")
        story.end(answered(429));
    if (state == "cancelled") {
        story.end(answered(429));
        story.cancel();
    }
    if (state == "nothing")
        story.end(done());
    if (state == "unknown step") {
        for (int i = 0; i < 3; ++i)
            story.end(done());
    }
    const QStringList steps =
        state == "unknown step" ? QStringList{QStringLiteral("nonsense")} : QStringList{};
    QCOMPARE(story.compensate(steps).kind, Outcome::Kind::rejected);
    QCOMPARE(story.sentInOrder(Direction::compensate), QStringList());
}

void TestByHand::thePlanSaysWhatWouldBeDone()
{
    StepPolicy mail = writes("mail");
    mail.irreversible = true;
    mail.correction = QStringLiteral("send an apology");
    Story story(
        workflow({reads("look"), undoable(writes("reserve")), undoable(writes("charge")), mail}));
    story.start();
    for (int i = 0; i < 4; ++i)
        story.end(done());
    QStringList plan;
    for (const PlannedStep &planned : planCompensation(story.run, story.policy, {}))
        plan.append(planned.step + u':' + plannedVerdictName(planned.verdict));
    const QStringList expected{
        QStringLiteral("mail:cannot"), QStringLiteral("charge:will_compensate"),
        QStringLiteral("reserve:will_compensate"), QStringLiteral("look:nothing_to_do")};
    QCOMPARE(plan, expected);
}

void TestByHand::onFailureContinueGoesOn()
{
    StepPolicy mail = writes("mail");
    mail.onFailure = OnFailure::continueRun;
    Story story(workflow({undoable(writes("charge")), mail, writes("ship")}));
    story.start();
    story.end(done());
    story.end(answered(422));
    QCOMPARE(story.sent("ship"), 1);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded_partial"));
    QCOMPARE(story.sent("charge", Direction::compensate), 0);
}

void TestByHand::onFailureReviewAsksFirst()
{
    StepPolicy ship = writes("ship");
    ship.onFailure = OnFailure::review;
    for (const char *verdict : {"retry", "waive", "dismiss"}) {
        Story story(workflow({undoable(writes("charge")), ship}));
        story.start();
        story.end(done());
        story.end(answered(422));
        QCOMPARE(story.status(), QStringLiteral("review"));
        QCOMPARE(story.review("ship"), QStringLiteral("dead_letter"));
        QCOMPARE(story.sent("charge", Direction::compensate), 0);
        if (qstrcmp(verdict, "retry") == 0) {
            QVERIFY(story.resolve("ship", Resolve::Verdict::retry).accepted());
            story.end(done());
            QCOMPARE(story.status(), QStringLiteral("succeeded"));
        } else if (qstrcmp(verdict, "waive") == 0) {
            QVERIFY(story.resolve("ship", Resolve::Verdict::waive).accepted());
            QCOMPARE(story.status(), QStringLiteral("succeeded_partial"));
        } else {
            QVERIFY(story.resolve("ship", Resolve::Verdict::dismiss).accepted());
            story.end(done());
            QCOMPARE(story.status(), QStringLiteral("compensated"));
        }
    }
}

void TestByHand::aDetachedFailureIsPartialAndNeverCompensates()
{
    StepPolicy enrich = writes("enrich");
    enrich.detached = true;
    Story story(workflow({undoable(writes("charge")), enrich, writes("ship")}));
    story.start();
    story.end(done());
    QCOMPARE(story.sent("ship"), 1);
    story.end(answered(422), "enrich");
    QVERIFY(!story.run.compensating);
    story.end(done(), "ship");
    QCOMPARE(story.status(), QStringLiteral("succeeded_partial"));
    QCOMPARE(story.sent("charge", Direction::compensate), 0);
}

void TestByHand::aDismissedConflictOfADetachedStepIsPartial_data()
{
    QTest::addColumn<bool>("detached");
    QTest::newRow("detached") << true;
    QTest::newRow("on_failure: continue") << false;
}

// The person gives the step up; a step whose failure does not matter to the others undoes nothing.
void TestByHand::aDismissedConflictOfADetachedStepIsPartial()
{
    QFETCH(bool, detached);
    StepPolicy enrich = writes("enrich");
    enrich.detached = detached;
    enrich.onFailure = detached ? OnFailure::compensate : OnFailure::continueRun;
    Story story(workflow({undoable(writes("charge")), enrich, writes("ship")}));
    story.ledger[QStringLiteral("enrich")] = LedgerAnswered::Outcome::otherRequest;
    story.start();
    story.end(done(), "charge");
    QCOMPARE(story.review("enrich"), QStringLiteral("conflict"));
    QVERIFY(story.resolve("enrich", Resolve::Verdict::dismiss).accepted());
    QVERIFY(!story.run.compensating);
    story.end(done(), "ship");
    QCOMPARE(story.status(), QStringLiteral("succeeded_partial"));
}

void TestByHand::aRunEndsAfterItsDetachedSteps()
{
    StepPolicy enrich = writes("enrich");
    enrich.detached = true;
    Story story(workflow({enrich, writes("ship")}));
    story.start();
    story.end(done(), "ship");
    QVERIFY(!isFinal(story.run.status));
    story.end(done(), "enrich");
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestByHand::aDetachedStepWithASnapshotGoesOn()
{
    StepPolicy enrich = writes("enrich");
    enrich.detached = true;
    enrich.hasSnapshot = true;
    Story story(workflow({enrich, writes("ship")}));
    story.start();
    QCOMPARE(story.sent("enrich", Direction::snapshot), 1);
    story.end(done(), "enrich");
    for (int i = 0; i < 3; ++i)
        story.pass(second);
    QCOMPARE(story.sent("enrich"), 1);
    story.end(done(), "enrich");
    story.end(done(), "ship");
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestByHand)
#include "tst_by_hand.moc"
