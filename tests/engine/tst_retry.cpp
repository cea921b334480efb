// When a failed attempt is tried again, how often, and what bounds it: C2, I20, and the deadline of
// §11.
#include "engine/engine_fixture.h"
#include "engine/retry.h"

namespace holdfast::tests
{

class TestRetry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theDelayGrowsAndIsCapped_data();
    void theDelayGrowsAndIsCapped();
    void aHugeDelaySaturates();
    void fullJitterStaysWithinTheDelayAndIsTheSameEachTime();
    void jitterSpreadsOverRunsStepsAndAttempts();
    void aLongerRetryAfterWins();
    void aShorterRetryAfterDoesNotShortenTheWait();
    void attemptsCountTheFirstTry_data();
    void attemptsCountTheFirstTry();
    void aRetryWaitsForItsInstant();
    void retryAfterReachesTheSchedule();
    void aPermanentFailureIsNeverRetried();
    void whatIsExhaustedBecomesADeadLetter();
    void whatIsExhaustedAfterAnEffectIsCompensatedInstead();
    void oneAttemptMeansNoRetry();
    void credentialsUseUpNoTry();
    void aReadTakenOverIsRetriedAndCounts();
    void aSpentBudgetWaitsAndDoesNotFail();
    void theDeadlineStopsARetryOfAStepWithoutEffect();
    void theDeadlineStopsTheNextStep();
    void theDeadlineDoesNotStopStepsThatMayFail();
    void theDeadlineStopsAWait();
    void theDeadlineNeverStopsAVerify();
    void theDeadlineNeverStopsACompensation();
    void timeInReviewIsLeftOut_data();
    void timeInReviewIsLeftOut();
    void timeInApprovalIsLeftOut();
    void timeInAPauseIsLeftOut();
    void timeHeldAtTheDoorIsLeftOut();
    void aRetryByHandStartsTheDeadlineAnew();
    void aRetryByHandKeepsKeyAndBytes();
};

void TestRetry::theDelayGrowsAndIsCapped_data()
{
    QTest::addColumn<int>("attempt");
    QTest::addColumn<qint64>("expected");
    const qint64 delays[] = {2000, 4000, 8000, 16000, 32000, 60000, 60000};
    for (int i = 0; i < 7; ++i)
        QTest::addRow("after attempt %d", i + 1) << i + 1 << delays[i];
    QTest::newRow("after attempt 100000") << 100000 << qint64(60000);
}

void TestRetry::theDelayGrowsAndIsCapped()
{
    QFETCH(int, attempt);
    QFETCH(qint64, expected);
    const RetryPolicy policy{10, 2 * second, 200, minute, false};
    QCOMPARE(retryDelay(policy, {QStringLiteral("r"), QStringLiteral("s"), {}, attempt, -1}),
             expected);
}

void TestRetry::aHugeDelaySaturates()
{
    const RetryPolicy policy{100, 3650 * day, 100000, 3650 * day, false};
    QCOMPARE(retryDelay(policy, {{}, {}, {}, 99, -1}), 3650 * day);
    const RetryPolicy none{3, 0, 200, minute, true};
    QVERIFY(retryDelay(none, {{}, {}, {}, 1, -1}) == 0);
}

void TestRetry::fullJitterStaysWithinTheDelayAndIsTheSameEachTime()
{
    const RetryPolicy policy{10, 2 * second, 200, minute, true};
    const RetryPolicy plain{10, 2 * second, 200, minute, false};
    bool low = false;
    bool high = false;
    for (int i = 0; i < 500; ++i) {
        const RetryQuestion question{QString::number(i), QStringLiteral("s"), {}, 1 + i % 6, -1};
        const Millis delay = retryDelay(policy, question);
        const Millis most = retryDelay(plain, question);
        QVERIFY(delay >= 0 && delay <= most);
        QCOMPARE(retryDelay(policy, question), delay);
        low = low || delay < most / 4;
        high = high || delay > most - most / 4;
    }
    QVERIFY2(low && high, "jitter uses the whole range");
}

void TestRetry::jitterSpreadsOverRunsStepsAndAttempts()
{
    QSet<quint64> seen;
    for (int i = 0; i < 100; ++i) {
        seen.insert(jitterHash(QString::number(i), QStringLiteral("s"), Direction::forward, 1));
        seen.insert(jitterHash(QStringLiteral("r"), QString::number(i), Direction::forward, 1));
        seen.insert(
            jitterHash(QStringLiteral("r"), QStringLiteral("s"), Direction::forward, i + 1));
        seen.insert(jitterHash(QStringLiteral("r"), QStringLiteral("s"), Direction::verify, i + 1));
    }
    QCOMPARE(seen.size(), 400);
}

void TestRetry::aLongerRetryAfterWins()
{
    const RetryPolicy policy{4, 2 * second, 200, minute, true};
    QCOMPARE(retryDelay(policy, {{}, {}, {}, 1, hour}), hour);
}

void TestRetry::aShorterRetryAfterDoesNotShortenTheWait()
{
    const RetryPolicy policy{4, 2 * second, 200, minute, false};
    QCOMPARE(retryDelay(policy, {{}, {}, {}, 1, 0}), 2 * second);
    QCOMPARE(retryDelay(policy, {{}, {}, {}, 1, second}), 2 * second);
}

void TestRetry::attemptsCountTheFirstTry_data()
{
    QTest::addColumn<Ended>("ended");
    QTest::addColumn<bool>("write");
    QTest::newRow("read, 500") << answered(500) << false;
    QTest::newRow("read, timeout") << broken("timeout") << false;
    QTest::newRow("write, 429") << answered(429) << true;
    QTest::newRow("write, connection refused") << unsent("connect_refused") << true;
}

void TestRetry::attemptsCountTheFirstTry()
{
    QFETCH(Ended, ended);
    QFETCH(bool, write);
    Story story(workflow({write ? writes("pay", Protection::none) : reads("pay")}));
    story.start();
    for (int i = 1; i < 3; ++i) {
        story.end(ended);
        QCOMPARE(story.phase("pay"), QStringLiteral("waiting"));
        story.passUntilDue();
        QCOMPARE(story.sent("pay"), i + 1);
    }
    story.end(ended);
    QCOMPARE(story.phase("pay"), QStringLiteral("failed"));
    QCOMPARE(story.sent("pay"), 3);
    QCOMPARE(story.status(), QStringLiteral("failed"));
    QCOMPARE(story.run.retryCount, 2);
}

void TestRetry::aRetryWaitsForItsInstant()
{
    Story story(workflow({reads("look")}));
    story.start();
    story.end(answered(500));
    story.pass(second - 1);
    QCOMPARE(story.sent("look"), 1);
    story.pass(1);
    QCOMPARE(story.sent("look"), 2);
    story.end(answered(500));
    story.pass(2 * second - 1);
    QCOMPARE(story.sent("look"), 2);
    story.pass(1);
    QCOMPARE(story.sent("look"), 3);
}

void TestRetry::retryAfterReachesTheSchedule()
{
    Story story(workflow({writes("pay")}));
    story.start();
    Ended busy = answered(429);
    busy.retryAfter = 40 * second;
    story.end(busy);
    QCOMPARE(nextDue(story.run), story.now + 40 * second);
    story.passUntilDue();
    Ended broke = answered(503);
    broke.retryAfter = 50 * second;
    story.end(broke);
    QCOMPARE(nextDue(story.run), story.now + 50 * second);
}

void TestRetry::aPermanentFailureIsNeverRetried()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.end(answered(422));
    QCOMPARE(story.status(), QStringLiteral("failed"));
    story.pass(day);
    QCOMPARE(story.sent("pay"), 1);
}

void TestRetry::whatIsExhaustedBecomesADeadLetter()
{
    StepPolicy step = reads("look");
    step.forward.retry.attempts = 2;
    Story story(workflow({step}));
    story.start();
    story.end(answered(500));
    story.passUntilDue();
    story.end(answered(500));
    QCOMPARE(story.status(), QStringLiteral("failed"));
    QVERIFY(!story.run.deadLetterId.isEmpty());
    QCOMPARE(story.opened(ReviewKind::deadLetter), 1);
    QCOMPARE(story.run.failedStep, QStringLiteral("look"));
    QCOMPARE(story.run.reason, QStringLiteral("server_error"));
}

void TestRetry::whatIsExhaustedAfterAnEffectIsCompensatedInstead()
{
    Story story(workflow({undoable(writes("reserve")), writes("pay")}));
    story.start();
    story.end(done());
    story.end(answered(422));
    QCOMPARE(story.status(), QStringLiteral("compensating"));
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    QCOMPARE(story.opened(ReviewKind::deadLetter), 0);
}

void TestRetry::oneAttemptMeansNoRetry()
{
    StepPolicy step = reads("look");
    step.forward.retry.attempts = 1;
    Story story(workflow({step}));
    story.start();
    story.end(broken("timeout"));
    QCOMPARE(story.status(), QStringLiteral("failed"));
}

void TestRetry::credentialsUseUpNoTry()
{
    Story story(workflow({writes("pay")}));
    story.start();
    for (int i = 0; i < 6; ++i) {
        story.end(answered(401));
        QCOMPARE(story.status(), QStringLiteral("waiting"));
        QCOMPARE(story.trips.size(), i + 1);
        QCOMPARE(story.trips.last().dependency, QStringLiteral("payments"));
        story.passUntilDue();
    }
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestRetry::aReadTakenOverIsRetriedAndCounts()
{
    Story story(workflow({reads("look")}));
    story.start();
    story.takeOver();
    QCOMPARE(story.phase("look"), QStringLiteral("waiting"));
    story.passUntilDue();
    story.takeOver();
    story.passUntilDue();
    QCOMPARE(story.sent("look"), 3);
    story.takeOver();
    QCOMPARE(story.status(), QStringLiteral("failed"));
}

void TestRetry::aSpentBudgetWaitsAndDoesNotFail()
{
    Story story(workflow({reads("look")}));
    story.gate().retries = 0;
    story.start();
    story.end(answered(500));
    for (int i = 0; i < 20; ++i)
        story.pass(minute);
    QCOMPARE(story.sent("look"), 1);
    QCOMPARE(story.status(), QStringLiteral("waiting"));
    QCOMPARE(story.forward("look").gate, QStringLiteral("budget"));
    story.gate().retries = 1000;
    story.pass(minute);
    QCOMPARE(story.sent("look"), 2);
}

void TestRetry::theDeadlineStopsARetryOfAStepWithoutEffect()
{
    Story story(workflow({writes("pay")}, 10 * second));
    story.start();
    Ended busy = answered(429);
    busy.retryAfter = hour;
    story.end(busy);
    QCOMPARE(nextDue(story.run), story.now + 10 * second);
    story.passUntilDue();
    QCOMPARE(story.status(), QStringLiteral("failed"));
    QCOMPARE(story.run.reason, QStringLiteral("deadline_exceeded"));
    QCOMPARE(story.sent("pay"), 1);
}

void TestRetry::theDeadlineStopsTheNextStep()
{
    Story story(workflow({undoable(writes("reserve")), writes("pay")}, 10 * second));
    story.start();
    story.now += 11 * second;
    story.end(done());
    QCOMPARE(story.sent("pay"), 0);
    QCOMPARE(story.run.failedStep, QStringLiteral("pay"));
    QCOMPARE(story.sent("reserve", Direction::compensate), 1);
}

void TestRetry::theDeadlineDoesNotStopStepsThatMayFail()
{
    StepPolicy mail = writes("mail");
    mail.onFailure = OnFailure::continueRun;
    Story story(workflow({writes("pay"), mail, mail}, 10 * second));
    story.policy.steps[2].step = QStringLiteral("tweet");
    story.start();
    story.now += 11 * second;
    story.end(done());
    for (int i = 0; i < 3 && !isFinal(story.run.status); ++i)
        story.pass(second);
    QCOMPARE(story.status(), QStringLiteral("succeeded_partial"));
    QCOMPARE(story.sent("mail") + story.sent("tweet"), 0);
}

void TestRetry::theDeadlineStopsAWait()
{
    StepPolicy wait = kind("hold", StepKind::wait);
    wait.wait.event = QStringLiteral("paid");
    Story story(workflow({wait}, minute));
    story.start();
    QCOMPARE(nextDue(story.run), story.now + minute);
    story.passUntilDue();
    QCOMPARE(story.status(), QStringLiteral("failed"));
    QCOMPARE(story.run.reason, QStringLiteral("deadline_exceeded"));
}

void TestRetry::theDeadlineNeverStopsAVerify()
{
    Story story(workflow({writes("pay", Protection::probe, true)}, 10 * second));
    story.start();
    story.end(broken("timeout"));
    story.pass(hour);
    QCOMPARE(story.sent("pay", Direction::verify), 1);
    story.end(answered(500));
    story.pass(hour);
    QCOMPARE(story.sent("pay", Direction::verify), 2);
    story.end(found());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestRetry::theDeadlineNeverStopsACompensation()
{
    Story story(workflow({undoable(writes("reserve")), writes("pay")}, 10 * second));
    story.start();
    story.end(done());
    story.now += hour;
    story.end(answered(422));
    story.end(answered(429));
    story.passUntilDue();
    QCOMPARE(story.sent("reserve", Direction::compensate), 2);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestRetry::timeInReviewIsLeftOut_data()
{
    QTest::addColumn<QByteArray>("why");
    QTest::newRow("ambiguous") << QByteArray("ambiguous");
    QTest::newRow("conflict") << QByteArray("conflict");
    QTest::newRow("on_failure: review") << QByteArray("dead_letter");
}

void TestRetry::timeInReviewIsLeftOut()
{
    QFETCH(QByteArray, why);
    StepPolicy pay = writes("pay", Protection::none);
    pay.onFailure = OnFailure::review;
    Story story(workflow({pay}, 10 * minute));
    if (why == "conflict")
        story.ledger[QStringLiteral("pay")] = LedgerAnswered::Outcome::otherRequest;
    story.start();
    if (why == "ambiguous")
        story.end(broken("timeout"));
    if (why == "dead_letter")
        story.end(answered(422));
    QCOMPARE(story.status(), QStringLiteral("review"));
    QCOMPARE(story.review("pay"), QString::fromLatin1(why));
    story.pass(3 * day);
    story.ledger.clear();
    story.resolve("pay", why == "ambiguous" ? Resolve::Verdict::absent : Resolve::Verdict::retry);
    QCOMPARE(story.status(), QStringLiteral("running"));
    QVERIFY(story.isOpen());
    QVERIFY(story.run.deadlineAt > story.now);
    QVERIFY(story.run.deadlineAt <= story.now + 10 * minute);
}

void TestRetry::timeInApprovalIsLeftOut()
{
    StepPolicy pay = writes("pay");
    pay.forward.approval = ApprovalPolicy{{}, 7 * day, true, false};
    Story story(workflow({pay}, 10 * minute));
    story.start();
    story.pass(3 * day);
    QVERIFY(story.approve("pay").accepted());
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.run.deadlineAt, story.now + 10 * minute);
}

void TestRetry::timeInAPauseIsLeftOut()
{
    Story story(workflow({writes("pay")}, 10 * minute));
    story.gates.pauses = {Pause{}};
    story.start();
    QCOMPARE(story.status(), QStringLiteral("held"));
    story.pass(3 * day);
    story.gates.pauses.clear();
    story.pass(second);
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.run.deadlineAt, story.now + 10 * minute);
}

void TestRetry::timeHeldAtTheDoorIsLeftOut()
{
    Story story(workflow({writes("pay")}, 10 * minute));
    story.gates.pauses = {Pause{{}, {}, PauseDepth::intake}};
    story.start(true);
    story.pass(3 * day);
    QCOMPARE(story.status(), QStringLiteral("held"));
    QCOMPARE(story.sent("pay"), 0);
    story.gates.pauses.clear();
    story.pass(second);
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.run.deadlineAt, story.now + 10 * minute);
}

void TestRetry::aRetryByHandStartsTheDeadlineAnew()
{
    Story story(workflow({writes("pay")}, 10 * minute));
    story.start();
    story.end(answered(422));
    story.pass(3 * hour);
    QVERIFY(story.retry().accepted());
    QCOMPARE(story.status(), QStringLiteral("running"));
    QCOMPARE(story.run.deadlineAt, story.now + 10 * minute);
    QVERIFY(story.run.deadLetterId.isEmpty());
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestRetry::aRetryByHandKeepsKeyAndBytes()
{
    Story story(workflow({writes("pay")}));
    story.start();
    const QString key = story.forward("pay").key;
    const QJsonObject request = story.forward("pay").request.toJson();
    story.end(answered(422));
    story.retry();
    QCOMPARE(story.sent("pay"), 2);
    QCOMPARE(story.forward("pay").key, key);
    QCOMPARE(story.forward("pay").request.toJson(), request);
    QCOMPARE(story.lastEntry(EntryKind::intent)->key, key);
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestRetry)
#include "tst_retry.moc"
