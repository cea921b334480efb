// What stands between a decision and an intent: pauses by scope and depth, the breaker with its one
// trial, concurrency, rate and the retry budget (I11, I12, I12a, §11 "Pause depths").
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestGates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPauseDepthStopsWhatItSays_data();
    void everyPauseDepthStopsWhatItSays();
    void everyPauseScopeCoversWhatItSays_data();
    void everyPauseScopeCoversWhatItSays();
    void intakeHoldsNewRunsAtTheDoorOnly();
    void aPausedRunIsHeldAndGoesOnAfterwards();
    void aPauseStopsACompensation();
    void aPauseOfWritesLetsAVerifyThrough();
    void aPauseOfEverythingStopsAVerify();
    void severalPausesStack();
    void lookingAgainAtAClosedGateAddsNothing_data();
    void lookingAgainAtAClosedGateAddsNothing();
    void aPauseDoesNotTouchWhatIsInFlight();
    void theBreakerOpensAfterItsFailures();
    void oldFailuresLeaveTheWindow();
    void permanentFailuresShowThatItLives();
    void anOpenBreakerSendsNothing();
    void halfOpenLetsOneTrialThroughInTotal();
    void aTrialThatWorksCloses();
    void aTrialThatFailsOpensAgain_data();
    void aTrialThatFailsOpensAgain();
    void aTrialThatIsLostDoesNotBlockForEver();
    void aVerifyIsATrialToo();
    void concurrencyCountsWhatIsOpen();
    void concurrencyCountsWhatOthersHold();
    void theRateIsSpent();
    void theRetryBudgetIsSpent();
    void thoseWhoWaitForALimitAreSpread();
    void firstTriesNeedNoBudget();
    void whereNothingMayBeSentADecisionStillCounts();
};

namespace
{
GateQuestion questionOf(Direction direction, Effect effect = Effect::write)
{
    GateQuestion question;
    question.workflow = QStringLiteral("order");
    question.dependency = QStringLiteral("payments");
    question.direction = direction;
    question.effect = effect;
    question.timeout = 10 * second;
    return question;
}

constexpr Instant noon = 1'700'000'000'000;
} // namespace

void TestGates::everyPauseDepthStopsWhatItSays_data()
{
    QTest::addColumn<int>("depth");
    QTest::addColumn<int>("direction");
    QTest::addColumn<int>("effect");
    QTest::addColumn<bool>("open");
    struct Row {
        PauseDepth depth;
        bool write;
        bool read;
    };
    for (const Row &row :
         {Row{PauseDepth::intake, true, true}, Row{PauseDepth::writes, false, true},
          Row{PauseDepth::all, false, false}}) {
        const auto add = [&](Direction direction, Effect effect, bool open) {
            QTest::addRow("%s %s %s", qPrintable(pauseDepthName(row.depth)),
                          qPrintable(directionName(direction)), qPrintable(effectName(effect)))
                << int(row.depth) << int(direction) << int(effect) << open;
        };
        add(Direction::forward, Effect::read, row.read);
        add(Direction::forward, Effect::write, row.write);
        add(Direction::forward, Effect::destructive, row.write);
        add(Direction::compensate, Effect::write, row.write);
        add(Direction::verify, Effect::read, row.read);
        add(Direction::snapshot, Effect::read, row.read);
    }
}

void TestGates::everyPauseDepthStopsWhatItSays()
{
    QFETCH(int, depth);
    QFETCH(int, direction);
    QFETCH(int, effect);
    QFETCH(bool, open);
    Gates gates;
    gates.pauses = {Pause{{}, {}, PauseDepth(depth)}};
    const GateAnswer answer = ask(gates, questionOf(Direction(direction), Effect(effect)), noon);
    QCOMPARE(answer.open, open);
    if (!open) {
        QCOMPARE(answer.gate, QStringLiteral("pause"));
        QCOMPARE(answer.due, never);
    }
}

void TestGates::everyPauseScopeCoversWhatItSays_data()
{
    QTest::addColumn<QString>("workflow");
    QTest::addColumn<QString>("dependency");
    QTest::addColumn<bool>("open");
    const QString order = QStringLiteral("order");
    const QString payments = QStringLiteral("payments");
    const QString other = QStringLiteral("other");
    QTest::newRow("everything") << QString() << QString() << false;
    QTest::newRow("this workflow") << order << QString() << false;
    QTest::newRow("another workflow") << other << QString() << true;
    QTest::newRow("this dependency") << QString() << payments << false;
    QTest::newRow("another dependency") << QString() << other << true;
    QTest::newRow("this dependency in this workflow") << order << payments << false;
    QTest::newRow("this dependency in another workflow") << other << payments << true;
}

void TestGates::everyPauseScopeCoversWhatItSays()
{
    QFETCH(QString, workflow);
    QFETCH(QString, dependency);
    QFETCH(bool, open);
    Gates gates;
    gates.pauses = {Pause{workflow, dependency, PauseDepth::writes}};
    QCOMPARE(ask(gates, questionOf(Direction::forward), noon).open, open);
    QCOMPARE(ask(gates, questionOf(Direction::compensate), noon).open, open);
}

void TestGates::intakeHoldsNewRunsAtTheDoorOnly()
{
    Gates gates;
    gates.pauses = {Pause{QStringLiteral("order"), {}, PauseDepth::intake}};
    QVERIFY(isIntakePaused(gates, QStringLiteral("order"), {}));
    QVERIFY(!isIntakePaused(gates, QStringLiteral("other"), {}));
    gates.pauses = {Pause{}};
    QVERIFY2(!isIntakePaused(gates, QStringLiteral("order"), {}),
             "a pause of writes is not one of intake");
    Story story(workflow({writes("pay"), writes("ship")}));
    story.start();
    story.gates.pauses = {Pause{{}, {}, PauseDepth::intake}};
    story.end(done());
    QCOMPARE(story.sent("ship"), 1);
}

void TestGates::aPausedRunIsHeldAndGoesOnAfterwards()
{
    Story story(workflow({reads("look"), writes("pay")}));
    story.gates.pauses = {Pause{}};
    story.start();
    QCOMPARE(story.status(), QStringLiteral("running"));
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("held"));
    QCOMPARE(story.sent("pay"), 0);
    QCOMPARE(nextDue(story.run), never);
    story.gates.pauses.clear();
    story.pass(0);
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.status(), QStringLiteral("running"));
}

void TestGates::aPauseStopsACompensation()
{
    Story story(workflow({undoable(writes("pay")), writes("ship")}));
    story.start();
    story.end(done());
    story.gates.pauses = {Pause{}};
    story.end(answered(422));
    QCOMPARE(story.sent("pay", Direction::compensate), 0);
    QCOMPARE(story.status(), QStringLiteral("held"));
    story.gates.pauses.clear();
    story.pass(0);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestGates::aPauseOfWritesLetsAVerifyThrough()
{
    Story story(workflow({writes("pay", Protection::probe, true)}));
    story.start();
    story.gates.pauses = {Pause{}};
    story.end(broken("timeout"));
    story.passUntilDue();
    QCOMPARE(story.sent("pay", Direction::verify), 1);
    story.end(absent());
    story.pass(minute);
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.status(), QStringLiteral("held"));
}

void TestGates::aPauseOfEverythingStopsAVerify()
{
    Story story(workflow({writes("pay", Protection::probe, true)}));
    story.start();
    story.gates.pauses = {Pause{{}, {}, PauseDepth::all}};
    story.end(broken("timeout"));
    story.pass(hour);
    QCOMPARE(story.sent("pay", Direction::verify), 0);
    QCOMPARE(story.status(), QStringLiteral("held"));
    story.gates.pauses.clear();
    story.pass(0);
    QCOMPARE(story.sent("pay", Direction::verify), 1);
}

void TestGates::severalPausesStack()
{
    Story story(workflow({writes("pay")}));
    story.gates.pauses = {Pause{}, Pause{{}, QStringLiteral("payments"), PauseDepth::writes}};
    story.start();
    story.gates.pauses.removeFirst();
    story.pass(minute);
    QCOMPARE(story.sent("pay"), 0);
    story.gates.pauses.clear();
    story.pass(0);
    QCOMPARE(story.sent("pay"), 1);
}

void TestGates::lookingAgainAtAClosedGateAddsNothing_data()
{
    QTest::addColumn<QByteArray>("gate");
    for (const char *gate : {"pause", "breaker", "limit", "rate", "ledger"})
        QTest::newRow(gate) << QByteArray(gate);
}

void TestGates::lookingAgainAtAClosedGateAddsNothing()
{
    QFETCH(QByteArray, gate);
    Story story(workflow({writes("pay")}));
    story.gate();
    if (gate == "pause")
        story.gates.pauses = {Pause{}};
    if (gate == "breaker")
        story.gate().breaker = {BreakerState::open, {}, story.now + day, never, {}};
    if (gate == "limit") {
        story.gate().limit.concurrency = 1;
        story.othersInFlight[QStringLiteral("payments")] = 1;
    }
    if (gate == "rate") {
        story.gate().limit.ratePerSecond = 1;
        story.gate().calls = 1;
    }
    if (gate == "ledger")
        story.ledger[QStringLiteral("pay")] = LedgerAnswered::Outcome::processing;
    story.start();
    QVERIFY(!story.isOpen());
    const qsizetype before = story.journal.size();
    for (int i = 0; i < 20; ++i)
        story.pass(minute);
    QCOMPARE(story.journal.size(), before);
    QCOMPARE(story.sent("pay"), 0);
    QCOMPARE(story.forward("pay").gate,
             gate == "rate" ? QStringLiteral("limit") : QString::fromLatin1(gate));
}

void TestGates::aPauseDoesNotTouchWhatIsInFlight()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.gates.pauses = {Pause{{}, {}, PauseDepth::all}};
    story.pass(second);
    QVERIFY(story.isOpen());
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestGates::theBreakerOpensAfterItsFailures()
{
    Breaker breaker;
    const BreakerPolicy policy{3, minute, 30 * second};
    for (int i = 0; i < 2; ++i)
        breaker = afterAttempt(breaker, policy, true, QStringLiteral("timeout"), noon + i);
    QCOMPARE(breaker.state, BreakerState::closed);
    breaker = afterAttempt(breaker, policy, true, QStringLiteral("timeout"), noon + 2);
    QCOMPARE(breaker.state, BreakerState::open);
    QCOMPARE(breaker.openUntil, noon + 2 + 30 * second);
    QCOMPARE(breaker.reason, QStringLiteral("timeout"));
}

void TestGates::oldFailuresLeaveTheWindow()
{
    Breaker breaker;
    const BreakerPolicy policy{3, minute, 30 * second};
    for (int i = 0; i < 10; ++i)
        breaker = afterAttempt(breaker, policy, true, {}, noon + i * 31 * second);
    QCOMPARE(breaker.state, BreakerState::closed);
    QVERIFY(breaker.failures.size() <= 3);
}

void TestGates::permanentFailuresShowThatItLives()
{
    Story story(workflow({writes("pay")}));
    story.gate().breakerPolicy = {1, minute, minute};
    story.start();
    story.end(answered(422));
    QCOMPARE(story.gate().breaker.state, BreakerState::closed);
}

void TestGates::anOpenBreakerSendsNothing()
{
    Story story(workflow({writes("pay")}));
    story.gate().breakerPolicy = {1, minute, 30 * second};
    story.start();
    story.end(broken("timeout"));
    QCOMPARE(story.gate().breaker.state, BreakerState::open);
    for (int i = 0; i < 29; ++i)
        story.pass(second);
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.status(), QStringLiteral("waiting"));
    story.pass(3 * second);
    QCOMPARE(story.sent("pay"), 2);
    QCOMPARE(story.gate().breaker.state, BreakerState::halfOpen);
}

void TestGates::halfOpenLetsOneTrialThroughInTotal()
{
    Gates gates;
    DependencyGate &gate = gates.dependencies[QStringLiteral("payments")];
    gate.breaker = {BreakerState::open, {}, noon, never, {}};
    QVERIFY(ask(gates, questionOf(Direction::forward), noon).open);
    QVERIFY(!ask(gates, questionOf(Direction::forward), noon - 1).open);
    spend(gates, questionOf(Direction::forward), noon);
    for (const Direction direction :
         {Direction::forward, Direction::verify, Direction::compensate}) {
        const GateAnswer answer = ask(gates, questionOf(direction), noon + 5 * second);
        QVERIFY(!answer.open);
        QCOMPARE(answer.gate, QStringLiteral("breaker"));
        QVERIFY(answer.due > noon + 5 * second);
    }
}

void TestGates::aTrialThatWorksCloses()
{
    Gates gates;
    DependencyGate &gate = gates.dependencies[QStringLiteral("payments")];
    gate.breaker = {BreakerState::open, {}, noon, never, QStringLiteral("timeout")};
    spend(gates, questionOf(Direction::forward), noon);
    gate.breaker = afterAttempt(gate.breaker, gate.breakerPolicy, false, {}, noon + second);
    QCOMPARE(gate.breaker, Breaker());
}

void TestGates::aTrialThatFailsOpensAgain_data()
{
    QTest::addColumn<Ended>("ended");
    QTest::newRow("transient") << answered(429);
    QTest::newRow("ambiguous") << broken("timeout");
}

void TestGates::aTrialThatFailsOpensAgain()
{
    QFETCH(Ended, ended);
    Story story(workflow({writes("pay")}));
    story.gate().breaker = {BreakerState::open, {}, story.now, never, {}};
    story.start();
    QCOMPARE(story.gate().breaker.state, BreakerState::halfOpen);
    story.end(ended);
    QCOMPARE(story.gate().breaker.state, BreakerState::open);
    QVERIFY(story.gate().breaker.openUntil > story.now);
}

void TestGates::aTrialThatIsLostDoesNotBlockForEver()
{
    Gates gates;
    DependencyGate &gate = gates.dependencies[QStringLiteral("payments")];
    gate.breaker = {BreakerState::open, {}, noon, never, {}};
    spend(gates, questionOf(Direction::forward), noon);
    QVERIFY(!ask(gates, questionOf(Direction::forward), noon + 10 * second).open);
    QVERIFY(ask(gates, questionOf(Direction::forward), noon + minute).open);
}

void TestGates::aVerifyIsATrialToo()
{
    Story story(workflow({writes("pay", Protection::probe, true)}));
    story.gate().breakerPolicy = {1, minute, minute};
    story.start();
    story.end(broken("timeout"));
    story.pass(10 * second);
    QCOMPARE(story.sent("pay", Direction::verify), 0);
    story.pass(2 * minute);
    QCOMPARE(story.sent("pay", Direction::verify), 1);
    story.end(found());
    QCOMPARE(story.gate().breaker.state, BreakerState::closed);
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestGates::concurrencyCountsWhatIsOpen()
{
    StepPolicy slow = writes("slow");
    slow.detached = true;
    Story story(workflow({slow, writes("pay")}));
    story.gate().limit.concurrency = 1;
    story.start();
    QCOMPARE(story.sent("slow"), 1);
    QCOMPARE(story.sent("pay"), 0);
    QCOMPARE(story.forward("pay").gate, QStringLiteral("limit"));
    story.end(done(), "slow");
    story.pass(second);
    QCOMPARE(story.sent("pay"), 1);
}

void TestGates::concurrencyCountsWhatOthersHold()
{
    Gates gates;
    DependencyGate &gate = gates.dependencies[QStringLiteral("payments")];
    gate.limit.concurrency = 3;
    gate.elsewhere = 2;
    QVERIFY(ask(gates, questionOf(Direction::forward), noon).open);
    spend(gates, questionOf(Direction::forward), noon);
    QCOMPARE(ask(gates, questionOf(Direction::forward), noon).gate, QStringLiteral("limit"));
    QCOMPARE(gate.used.calls, 1);
}

void TestGates::theRateIsSpent()
{
    Gates gates;
    DependencyGate &gate = gates.dependencies[QStringLiteral("payments")];
    gate.limit.ratePerSecond = 3;
    gate.calls = 1;
    gate.oldestCall = noon - 700;
    for (int i = 0; i < 2; ++i) {
        QVERIFY(ask(gates, questionOf(Direction::forward), noon).open);
        spend(gates, questionOf(Direction::forward), noon);
    }
    const GateAnswer answer = ask(gates, questionOf(Direction::forward), noon);
    QCOMPARE(answer.gate, QStringLiteral("limit"));
    QCOMPARE(answer.due, noon + 300); // when the oldest of them is a second old
}

void TestGates::theRetryBudgetIsSpent()
{
    Gates gates;
    DependencyGate &gate = gates.dependencies[QStringLiteral("payments")];
    gate.retries = 1999;
    GateQuestion retry = questionOf(Direction::forward);
    retry.isRetry = true;
    QVERIFY(ask(gates, retry, noon).open);
    spend(gates, retry, noon);
    QCOMPARE(ask(gates, retry, noon).gate, QStringLiteral("budget"));
    // What first tries earn is known to have been earned once they are committed.
    spend(gates, questionOf(Direction::forward), noon);
    QCOMPARE(gate.used.earned, 200);
    QCOMPARE(ask(gates, retry, noon).gate, QStringLiteral("budget"));
}

void TestGates::thoseWhoWaitForALimitAreSpread()
{
    Gates gates;
    DependencyGate &gate = gates.dependencies[QStringLiteral("payments")];
    gate.limit.concurrency = 1;
    gate.elsewhere = 1;
    gate.spread = 4 * second;
    Instant first = noon + hour;
    Instant last = noon;
    for (quint64 i = 0; i < 100; ++i) {
        GateQuestion question = questionOf(Direction::forward);
        question.jitter = i * 7919;
        const Instant due = ask(gates, question, noon).due;
        first = std::min(first, due);
        last = std::max(last, due);
    }
    QVERIFY(first >= noon + 100 && last - first > 3 * second && last < noon + 5 * second);
}

void TestGates::firstTriesNeedNoBudget()
{
    Story story(workflow({writes("pay")}));
    story.gate().retries = 0;
    story.start();
    QCOMPARE(story.sent("pay"), 1);
}

void TestGates::whereNothingMayBeSentADecisionStillCounts()
{
    Story story(workflow({writes("mail", Protection::none)}));
    story.start();
    story.end(broken("timeout"));
    story.gates.maySend = false;
    QVERIFY(story.resolve("mail", Resolve::Verdict::absent).accepted());
    QCOMPARE(story.sent("mail"), 1);
    QVERIFY(!story.forward("mail").ambiguous);
    story.gates.maySend = true;
    story.pass(second);
    QCOMPARE(story.sent("mail"), 2);
    // The same for a retry by hand of a run that waits.
    story.end(answered(429));
    story.gates.maySend = false;
    QVERIFY2(story.retry().kind != Outcome::Kind::rejected, "there is something to retry");
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestGates)
#include "tst_gates.moc"
