// Asking the target whether an ambiguous attempt happened: when it may be asked, what each answer
// leads to, and what a person can do about it (I1b, C4, N16, H5).
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestVerify : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aProbeIsNotAskedBeforeItSettles();
    void aProbeSettlesFromTakeoverPlusTimeout();
    void absentRetriesWithTheSameKey();
    void absentWithoutTriesLeftFails();
    void absentAfterTheDeadlineFails();
    void happenedKeepsTheReceiptOfTheVerify();
    void anInconclusiveVerifyUsesTheRetryThenAPerson_data();
    void anInconclusiveVerifyUsesTheRetryThenAPerson();
    void aVerifyTakenOverIsRepeated();
    void aVerifyWithoutCredentialsWaits();
    void aResultNobodyCouldReadThatIsAbsentContradictsItself();
    void aPersonsWordDuringAVerifyLeavesNothingOpen_data();
    void aPersonsWordDuringAVerifyLeavesNothingOpen();
    void aPersonCanAskForAnotherVerify();
};

namespace
{
StepPolicy probed(const char *name) { return writes(name, Protection::probe, true); }

// Asks until the verify gives up and a person has it.
void exhaustVerify(Story &story)
{
    for (int i = 0; i < 3; ++i) {
        story.passUntilDue();
        story.end(unclear());
    }
}
} // namespace

void TestVerify::aProbeIsNotAskedBeforeItSettles()
{
    Story story(workflow({probed("pay")}));
    story.start();
    story.now += 3 * second;
    story.end(broken("reset"));
    const Instant endedAt = story.now;
    QCOMPARE(nextDue(story.run), endedAt + 5 * second);
    for (int i = 0; i < 4; ++i)
        story.pass(second);
    story.pass(999);
    QCOMPARE(story.sent("pay", Direction::verify), 0);
    story.pass(1);
    QCOMPARE(story.sent("pay", Direction::verify), 1);
    QCOMPARE(story.sent("pay"), 1);
}

void TestVerify::aProbeSettlesFromTakeoverPlusTimeout()
{
    Story story(workflow({probed("pay")}));
    story.start();
    story.now += 20 * second;
    story.takeOver();
    QCOMPARE(nextDue(story.run), story.now + 10 * second + 5 * second);
}

void TestVerify::absentRetriesWithTheSameKey()
{
    Story story(workflow({probed("pay")}));
    story.start();
    const QString key = story.lastEntry(EntryKind::intent)->key;
    story.end(broken("timeout"));
    story.passUntilDue();
    story.end(absent());
    QVERIFY(!story.forward("pay").ambiguous);
    QCOMPARE(story.phase("pay"), QStringLiteral("waiting"));
    story.passUntilDue();
    QCOMPARE(story.sent("pay"), 2);
    QCOMPARE(story.lastEntry(EntryKind::intent)->key, key);
    QCOMPARE(story.lastEntry(EntryKind::intent)->attempt, 2);
}

void TestVerify::absentWithoutTriesLeftFails()
{
    StepPolicy step = probed("pay");
    step.forward.retry.attempts = 1;
    Story story(workflow({step}));
    story.start();
    story.end(broken("timeout"));
    story.passUntilDue();
    story.end(absent());
    QCOMPARE(story.status(), QStringLiteral("failed"));
    QCOMPARE(story.sent("pay"), 1);
}

void TestVerify::absentAfterTheDeadlineFails()
{
    Story story(workflow({probed("pay")}, 6 * second));
    story.start();
    story.end(broken("timeout"));
    story.pass(hour);
    story.end(absent());
    QCOMPARE(story.status(), QStringLiteral("failed"));
    QCOMPARE(story.run.reason, QStringLiteral("deadline_exceeded"));
}

void TestVerify::happenedKeepsTheReceiptOfTheVerify()
{
    Story story(workflow({probed("pay")}));
    story.start();
    story.end(unreadable());
    story.passUntilDue();
    Ended verdict = found();
    verdict.receipt = {{QStringLiteral("id"), QStringLiteral("inv-7")}};
    story.end(verdict);
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QCOMPARE(story.forward("pay").receipt.value(QStringLiteral("id")).toString(),
             QStringLiteral("inv-7"));
    QCOMPARE(story.run.duplicatesPrevented, 1);
}

void TestVerify::anInconclusiveVerifyUsesTheRetryThenAPerson_data()
{
    QTest::addColumn<Ended>("answer");
    QTest::newRow("neither true") << unclear();
    QTest::newRow("500") << answered(500);
    QTest::newRow("timeout") << broken("timeout");
    QTest::newRow("refused") << answered(403);
    QTest::newRow("not sent") << unsent("dns_failure");
}

void TestVerify::anInconclusiveVerifyUsesTheRetryThenAPerson()
{
    QFETCH(Ended, answer);
    Story story(workflow({probed("pay")}));
    story.start();
    story.end(broken("timeout"));
    for (int i = 0; i < 3; ++i) {
        story.passUntilDue();
        QCOMPARE(story.sent("pay", Direction::verify), i + 1);
        story.end(answer);
    }
    QCOMPARE(story.status(), QStringLiteral("review"));
    QCOMPARE(story.review("pay"), QStringLiteral("ambiguous"));
    story.pass(day);
    QCOMPARE(story.sent("pay", Direction::verify), 3);
    QCOMPARE(story.sent("pay"), 1);
}

void TestVerify::aVerifyTakenOverIsRepeated()
{
    Story story(workflow({probed("pay")}));
    story.start();
    story.end(broken("timeout"));
    story.passUntilDue();
    story.takeOver();
    if (!story.isOpen())
        story.passUntilDue();
    QCOMPARE(story.sent("pay", Direction::verify), 2);
    QVERIFY(story.forward("pay").ambiguous);
    story.end(found());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestVerify::aVerifyWithoutCredentialsWaits()
{
    Story story(workflow({probed("pay")}));
    story.start();
    story.end(broken("timeout"));
    for (int i = 0; i < 5; ++i) {
        story.passUntilDue();
        story.end(answered(401));
        QCOMPARE(story.phase("pay"), QStringLiteral("settling"));
        QCOMPARE(story.trips.size(), i + 1);
    }
    story.passUntilDue();
    story.end(unclear());
    QVERIFY2(story.status() != QLatin1String("review"), "refused credentials use up no try");
}

void TestVerify::aResultNobodyCouldReadThatIsAbsentContradictsItself()
{
    Story story(workflow({probed("pay")}));
    story.start();
    story.end(unreadable());
    story.passUntilDue();
    story.end(absent());
    QCOMPARE(story.status(), QStringLiteral("review"));
    QVERIFY(story.forward("pay").ambiguous);
    QCOMPARE(story.sent("pay"), 1);
}

void TestVerify::aPersonsWordDuringAVerifyLeavesNothingOpen_data()
{
    QTest::addColumn<int>("verdict");
    QTest::newRow("happened") << int(Resolve::Verdict::happened);
    QTest::newRow("absent") << int(Resolve::Verdict::absent);
}

// The person asked for another verify and then decided before its answer came (H5). Refused or
// recorded as a conflict: either will do, but no attempt may stay open for ever and nothing may end
// around it.
void TestVerify::aPersonsWordDuringAVerifyLeavesNothingOpen()
{
    QFETCH(int, verdict);
    Story story(workflow({probed("pay")}));
    story.start();
    story.end(broken("timeout"));
    exhaustVerify(story);
    QVERIFY(story.resolve("pay", Resolve::Verdict::verify).accepted());
    QCOMPARE(story.phase("pay"), QStringLiteral("verifying"));
    story.resolve("pay", Resolve::Verdict(verdict));
    if (story.phase("pay") == QLatin1String("verifying"))
        story.end(found());
    for (const Step &step : std::as_const(story.run.steps)) {
        for (const Attempt &attempt : step.attempts)
            QVERIFY(attempt.direction != Direction::verify || attempt.endedAt != never);
    }
}

void TestVerify::aPersonCanAskForAnotherVerify()
{
    Story story(workflow({probed("pay")}));
    story.start();
    story.end(broken("timeout"));
    exhaustVerify(story);
    const QString item = story.forward("pay").reviewId;
    QVERIFY(story.resolve("pay", Resolve::Verdict::verify).accepted());
    story.end(found());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QCOMPARE(story.lastEntry(EntryKind::reviewClosed)->reviewId, item);
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestVerify)
#include "tst_verify.moc"
