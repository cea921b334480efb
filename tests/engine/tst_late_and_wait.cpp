// What becomes of a report that a fenced worker brings too late (I1c), wait steps and signals, and
// answers that come when nobody asked.
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestLateAndWait : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLateSuccessSettlesAnOpenQuestion_data();
    void aLateSuccessSettlesAnOpenQuestion();
    void aLateSuccessDuringAVerifyIsNotForgotten();
    void aLateSuccessAfterAbsentIsNotSentAgain();
    void aLateSuccessOfAFailedStepIsForAPerson();
    void aLateSuccessAfterASecondSendIsSuspected();
    void aLateSuccessAtADeduplicatingDependencyIsNoNews();
    void aLateSuccessPastTheRetentionIsSuspected();
    void aSecondLateSuccessIsSuspected_data();
    void aSecondLateSuccessIsSuspected();
    void anAnswerThatOutlivedItsKeyIsSuspected_data();
    void anAnswerThatOutlivedItsKeyIsSuspected();
    void aCompensationThatOutlivedItsKeyIsSuspected();
    void aLateDoubtIsAskedAboutBeforeSendingAgain();
    void anAbsentFromBeforeALateDoubtProvesNothing();
    void aLateDoubtBesideASecondSendIsSuspected();
    void aLateReadIsNoEffect();
    void aLateFailureIsOnlyRecorded();
    void aWaitEndsAtItsInstant();
    void aWaitEndsWithItsEvent();
    void aWaitForAnEventTimesOut_data();
    void aWaitForAnEventTimesOut();
    void aSignalNobodyWaitsForIsRefused();
    void outputsThatComeTooEarlyAreIgnored();
    void aStaleReportIsReplayed();
};

namespace
{
using Verdict = Resolve::Verdict;

LateReport lateSuccess(const char *step, int attempt)
{
    LateReport report;
    report.step = QString::fromLatin1(step);
    report.attempt = attempt;
    report.receipt = {{QStringLiteral("id"), QStringLiteral("late")}};
    return report;
}

LateReport lateDoubt(const char *step, int attempt)
{
    LateReport report = lateSuccess(step, attempt);
    report.failureClass = FailureClass::ambiguous;
    report.receipt = {};
    return report;
}
} // namespace

void TestLateAndWait::aLateSuccessSettlesAnOpenQuestion_data()
{
    QTest::addColumn<int>("protection");
    QTest::newRow("in review") << int(Protection::none);
    QTest::newRow("settling") << int(Protection::probe);
    QTest::newRow("waiting to send again") << int(Protection::native);
}

void TestLateAndWait::aLateSuccessSettlesAnOpenQuestion()
{
    QFETCH(int, protection);
    const bool verify = Protection(protection) == Protection::probe;
    Story story(workflow({writes("pay", Protection(protection), verify)}));
    story.start();
    story.takeOver();
    QVERIFY(story.turn(lateSuccess("pay", 1)).accepted());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QCOMPARE(story.forward("pay").receipt.value(QStringLiteral("id")).toString(),
             QStringLiteral("late"));
    QVERIFY(story.forward("pay").reviewId.isEmpty());
    QCOMPARE(story.sent("pay"), 1);
}

// The proof arrived while the verify was out. If the verify then says "absent", they contradict
// each other.
void TestLateAndWait::aLateSuccessDuringAVerifyIsNotForgotten()
{
    Story story(workflow({writes("pay", Protection::probe, true)}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    QCOMPARE(story.phase("pay"), QStringLiteral("verifying"));
    story.turn(lateSuccess("pay", 1));
    if (story.isOpen())
        story.end(absent());
    for (int i = 0; i < 5; ++i)
        story.pass(minute);
    QVERIFY2(story.sent("pay") == 1, "it happened, and we were told");
}

void TestLateAndWait::aLateSuccessAfterAbsentIsNotSentAgain()
{
    Story story(workflow({writes("pay", Protection::probe, true)}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(absent());
    QCOMPARE(story.phase("pay"), QStringLiteral("waiting"));
    story.turn(lateSuccess("pay", 1));
    for (int i = 0; i < 5; ++i)
        story.pass(minute);
    QVERIFY2(story.sent("pay") == 1, "it happened, and we were told before sending again");
}

void TestLateAndWait::aLateSuccessOfAFailedStepIsForAPerson()
{
    StepPolicy pay = writes("pay", Protection::probe, true);
    pay.forward.retry.attempts = 1;
    Story story(workflow({pay}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(absent());
    QCOMPARE(story.status(), QStringLiteral("failed"));
    story.turn(lateSuccess("pay", 1));
    QCOMPARE(story.opened(ReviewKind::conflict), 1);
    QCOMPARE(story.lastEntry(EntryKind::reviewOpened)->reason,
             QStringLiteral("late_effect_suspected"));
}

void TestLateAndWait::aLateSuccessAfterASecondSendIsSuspected()
{
    Story story(workflow({writes("pay", Protection::probe, true)}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(absent());
    story.passUntilDue();
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    story.turn(lateSuccess("pay", 1));
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QCOMPARE(story.opened(ReviewKind::conflict), 1);
    const Entry opened = *story.lastEntry(EntryKind::reviewOpened);
    QCOMPARE(opened.reason, QStringLiteral("late_effect_suspected"));
    // It stands beside the run and can be put away.
    QVERIFY(story.resolve(opened.reviewId, Verdict::dismiss).accepted());
}

void TestLateAndWait::aLateSuccessAtADeduplicatingDependencyIsNoNews()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(done());
    story.turn(lateSuccess("pay", 1));
    QCOMPARE(story.opened(ReviewKind::conflict), 0);
}

// The destination has forgotten the key by then, so that both may have been carried out.
void TestLateAndWait::aLateSuccessPastTheRetentionIsSuspected()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    story.pass(2 * day);
    story.turn(lateSuccess("pay", 1));
    QCOMPARE(story.opened(ReviewKind::conflict), 1);
    QCOMPARE(story.lastEntry(EntryKind::reviewOpened)->reason,
             QStringLiteral("late_effect_suspected"));
}

// The first attempt's late answer settled the step while the second stood frozen.
void TestLateAndWait::aSecondLateSuccessIsSuspected_data()
{
    QTest::addColumn<int>("protection");
    QTest::addColumn<bool>("past");
    QTest::addColumn<int>("items");
    QTest::newRow("asked about") << int(Protection::probe) << false << 1;
    QTest::newRow("deduplicated") << int(Protection::native) << false << 0;
    QTest::newRow("forgotten") << int(Protection::native) << true << 1;
    QTest::newRow("natural") << int(Protection::natural) << true << 0;
}

void TestLateAndWait::aSecondLateSuccessIsSuspected()
{
    QFETCH(int, protection);
    QFETCH(bool, past);
    QFETCH(int, items);
    const bool verify = Protection(protection) == Protection::probe;
    Story story(workflow({writes("pay", Protection(protection), verify)}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    if (verify) {
        story.end(absent());
        story.passUntilDue();
    }
    QCOMPARE(story.sent("pay"), 2);
    story.takeOver();
    story.turn(lateSuccess("pay", 1));
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    if (past)
        story.pass(2 * day);
    const int before = story.opened(ReviewKind::conflict);
    story.turn(lateSuccess("pay", 2));
    QCOMPARE(story.opened(ReviewKind::conflict) - before, items);
}

// A worker stood still between its last look and its first byte, nobody took its run, and it sent
// when the destination had forgotten the first try.
void TestLateAndWait::anAnswerThatOutlivedItsKeyIsSuspected_data()
{
    QTest::addColumn<int>("protection");
    QTest::addColumn<AttemptEnded>("first");
    QTest::addColumn<qint64>("stoodFor");
    QTest::addColumn<AttemptEnded>("second");
    QTest::addColumn<int>("items");
    const int native = int(Protection::native);
    const qint64 past = day + minute;
    QTest::newRow("it worked") << native << broken("timeout") << past << done() << 1;
    QTest::newRow("nobody knows") << native << broken("timeout") << past << broken("reset") << 1;
    QTest::newRow("it said yes, unreadably")
        << native << broken("timeout") << past << unreadable() << 1;
    QTest::newRow("refused") << native << broken("timeout") << past << answered(422) << 0;
    QTest::newRow("no byte left") << native << broken("timeout") << past << unsent("refused") << 0;
    QTest::newRow("nothing before it was in doubt")
        << native << answered(429) << past << done() << 0;
    QTest::newRow("it took its time") << native << broken("timeout") << 10 * second << done() << 0;
    QTest::newRow("natural") << int(Protection::natural) << broken("timeout") << past << done()
                             << 0;
}

void TestLateAndWait::anAnswerThatOutlivedItsKeyIsSuspected()
{
    QFETCH(int, protection);
    QFETCH(AttemptEnded, first);
    QFETCH(qint64, stoodFor);
    QFETCH(AttemptEnded, second);
    QFETCH(int, items);
    Story story(workflow({writes("pay", Protection(protection)), writes("ship")}));
    story.start();
    story.end(first);
    story.passUntilDue();
    QCOMPARE(story.sent("pay"), 2);
    story.now += stoodFor;
    story.end(second);
    QCOMPARE(story.opened(ReviewKind::conflict), items);
    if (items > 0) {
        QCOMPARE(story.lastEntry(EntryKind::reviewOpened)->detail["standalone"], true);
        QCOMPARE(story.run.standaloneReviews.size(), 1);
    }
    // The doubt is a person's; the run goes on with what it was told.
    QCOMPARE(story.sent("ship"), second.status == 200 && second.readable ? 1 : 0);
}

void TestLateAndWait::aCompensationThatOutlivedItsKeyIsSuspected()
{
    Story story(workflow({undoable(writes("pay"))}));
    story.start();
    story.end(done());
    QVERIFY(story.compensate().accepted());
    story.end(broken("timeout"));
    story.passUntilDue();
    QCOMPARE(story.sent("pay", Direction::compensate), 2);
    story.now += day + minute;
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    QCOMPARE(story.opened(ReviewKind::conflict), 1);
    QCOMPARE(story.lastEntry(EntryKind::reviewOpened)->direction, Direction::compensate);
}

// It was asked about and absent; then the frozen worker sent it all the same and heard nothing.
void TestLateAndWait::aLateDoubtIsAskedAboutBeforeSendingAgain()
{
    Story story(workflow({writes("pay", Protection::probe, true)}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(absent());
    QCOMPARE(story.phase("pay"), QStringLiteral("waiting"));
    QVERIFY(story.turn(lateDoubt("pay", 1)).accepted());
    QCOMPARE(story.phase("pay"), QStringLiteral("settling"));
    story.passUntilDue();
    story.end(found());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.opened(ReviewKind::conflict), 0);
}

// The verify was out when the frozen worker sent: its "absent" came too early to be believed.
void TestLateAndWait::anAbsentFromBeforeALateDoubtProvesNothing()
{
    StepPolicy pay = writes("pay", Protection::probe, true);
    pay.forward.settleAfter = minute;
    Story story(workflow({pay}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    QCOMPARE(story.phase("pay"), QStringLiteral("verifying"));
    story.turn(lateDoubt("pay", 1));
    story.end(absent());
    QCOMPARE(story.phase("pay"), QStringLiteral("settling"));
    QCOMPARE(nextDue(story.run), story.now + minute);
    story.passUntilDue();
    story.end(absent());
    QCOMPARE(story.phase("pay"), QStringLiteral("waiting"));
}

void TestLateAndWait::aLateDoubtBesideASecondSendIsSuspected()
{
    Story story(workflow({writes("pay", Protection::probe, true)}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(absent());
    story.passUntilDue();
    QCOMPARE(story.sent("pay"), 2);
    story.turn(lateDoubt("pay", 1));
    QCOMPARE(story.opened(ReviewKind::conflict), 1);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestLateAndWait::aLateReadIsNoEffect()
{
    Story story(workflow({reads("look")}));
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(done());
    story.turn(lateSuccess("look", 1));
    QCOMPARE(story.opened(ReviewKind::conflict), 0);
}

void TestLateAndWait::aLateFailureIsOnlyRecorded()
{
    Story story(workflow({writes("pay", Protection::none)}));
    story.start();
    story.takeOver();
    LateReport report = lateSuccess("pay", 1);
    report.failureClass = FailureClass::transient;
    QVERIFY(story.turn(report).accepted());
    QCOMPARE(story.status(), QStringLiteral("review"));
    QVERIFY(story.forward("pay").ambiguous);
    QVERIFY(story.lastEntry(EntryKind::lateReport));
}

void TestLateAndWait::aWaitEndsAtItsInstant()
{
    StepPolicy wait = kind("wait", StepKind::wait);
    wait.wait.duration = hour;
    Story story(workflow({wait, writes("ship")}));
    story.start();
    QCOMPARE(story.status(), QStringLiteral("waiting"));
    story.pass(hour - 1);
    QCOMPARE(story.sent("ship"), 0);
    QVERIFY2(!story.retry().accepted(), "a wait is no retry");
    story.pass(1);
    QCOMPARE(story.sent("ship"), 1);
}

void TestLateAndWait::aWaitEndsWithItsEvent()
{
    StepPolicy wait = kind("wait", StepKind::wait);
    wait.wait.event = QStringLiteral("paid");
    Story story(workflow({wait, writes("ship")}));
    story.start();
    QCOMPARE(nextDue(story.run), never);
    const Signal other{QStringLiteral("hook"), QStringLiteral("refunded"), {}};
    QCOMPARE(story.turn(other).kind, Outcome::Kind::rejected);
    const Signal paid{QStringLiteral("hook"), QStringLiteral("paid"), {{QStringLiteral("sum"), 7}}};
    QVERIFY(story.turn(paid).accepted());
    QCOMPARE(story.forward("wait").receipt.value(QStringLiteral("sum")).toInt(), 7);
    QCOMPARE(story.sent("ship"), 1);
    QCOMPARE(story.turn(paid).kind, Outcome::Kind::rejected);
}

void TestLateAndWait::aWaitForAnEventTimesOut_data()
{
    QTest::addColumn<bool>("fail");
    QTest::newRow("fails") << true;
    QTest::newRow("goes on") << false;
}

void TestLateAndWait::aWaitForAnEventTimesOut()
{
    QFETCH(bool, fail);
    StepPolicy wait = kind("wait", StepKind::wait);
    wait.wait.event = QStringLiteral("paid");
    wait.wait.timeout = hour;
    wait.wait.failOnTimeout = fail;
    Story story(workflow({wait, writes("ship")}));
    story.start();
    story.passUntilDue();
    QCOMPARE(story.sent("ship"), fail ? 0 : 1);
    QCOMPARE(story.phase("wait"), fail ? QStringLiteral("failed") : QStringLiteral("succeeded"));
}

void TestLateAndWait::aSignalNobodyWaitsForIsRefused()
{
    Story story(workflow({writes("pay")}));
    story.start();
    const Signal paid{QStringLiteral("hook"), QStringLiteral("paid"), {}};
    QCOMPARE(story.turn(paid).kind, Outcome::Kind::rejected);
}

void TestLateAndWait::outputsThatComeTooEarlyAreIgnored()
{
    Policy policy = workflow({writes("pay")});
    policy.hasOutputs = true;
    Story story(policy);
    story.start();
    QCOMPARE(story.turn(Collected{}).kind, Outcome::Kind::replayed);
    QVERIFY(story.isOpen());
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QVERIFY(!story.run.outputs.isEmpty());
    QCOMPARE(story.turn(Collected{}).kind, Outcome::Kind::replayed);
}

void TestLateAndWait::aStaleReportIsReplayed()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.end(answered(429));
    Ended stale = done();
    stale.step = QStringLiteral("pay");
    stale.attempt = 1;
    QCOMPARE(story.turn(stale).kind, Outcome::Kind::replayed);
    story.passUntilDue();
    QCOMPARE(story.turn(stale).kind, Outcome::Kind::replayed);
    QVERIFY(story.isOpen());
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestLateAndWait)
#include "tst_late_and_wait.moc"
