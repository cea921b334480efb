// Goal: no order of events breaks a promise. Method: random workflows meet random reports,
// commands, pauses, takeovers and late reports, from a seed. The world keeps its own books; after
// every decision the fixture checks folding, determinism and the invariants, and the walk checks
// the books: at most one effect per key (I1), no false "failed" (I4), reverse order (I14), nothing
// confirmed is forgotten (I16). Then the faults stop, and every run has to come to rest (I18); then
// people answer, and every run has to end.
#include "engine/engine_fixture.h"
#include "engine/walk_world.h"

namespace holdfast::tests
{

namespace
{
class Walk
{
public:
    explicit Walk(quint64 seed) : m_dice(seed), m_story(PolicyDice(m_dice).workflowOf())
    {
        m_story.failsTest = false;
        m_honest = !m_dice.oneIn(5);
        for (const StepPolicy &step : std::as_const(m_story.policy.steps)) {
            if (m_dice.oneIn(3))
                m_story.skips.insert(step.step);
            if (m_dice.oneIn(4))
                m_story.checksFalse.insert(step.step);
            if (m_dice.oneIn(12))
                m_story.ledger[step.step] = LedgerAnswered::Outcome(m_dice.below(7));
        }
        for (const char *dependency : {"payments", "mail"}) {
            DependencyGate &gate = m_story.gate(dependency);
            gate.breakerPolicy = {2 + m_dice.below(4), minute, 30 * second};
            gate.limit.concurrency = m_dice.below(3);
        }
    }

    int decisions() const { return m_story.decisions; }
    const QStringList &problems() const { return m_story.problems; }
    QByteArray shown() const { return picture(m_story.run); }

    void go()
    {
        const bool held = m_dice.oneIn(10);
        if (held)
            m_story.gates.pauses = {Pause{{}, {}, PauseDepth::intake}};
        m_story.start(held);
        for (int i = 0; i < 45 && problems().isEmpty(); ++i) {
            chaos();
            checkBooks();
        }
        calm();
        comeToRest(false);
        comeToRest(true);
    }

private:
    const OperationPolicy &policyOf(const Step &step, bool undo) const
    {
        const auto found =
            std::find_if(m_story.policy.steps.cbegin(), m_story.policy.steps.cend(),
                         [&](const StepPolicy &candidate) { return candidate.step == step.step; });
        return undo ? *found->undo : found->forward;
    }

    QVector<Step> openSteps() const
    {
        QVector<Step> open;
        for (const Step &step : m_story.run.steps) {
            if (openAttempt(step))
                open.append(step);
        }
        return open;
    }

    Ended outcomeOf(const Step &step, bool calmly)
    {
        const Direction direction = openAttempt(step)->direction;
        const bool undo = direction == Direction::compensate ||
                          (direction == Direction::verify && step.undo.phase != Phase::idle);
        const OperationPolicy &policy = policyOf(step, undo);
        const QString key = undo ? step.undo.key : step.forward.key;
        Ended ended;
        if (direction == Direction::verify)
            ended = m_world.verify(m_dice, key, calmly);
        else if (direction == Direction::snapshot || policy.effect == Effect::read)
            ended = World::read(m_dice, calmly);
        else
            ended = m_world.write(m_dice, policy, key, calmly);
        if (policy.kind == StepKind::command && ended.error.isEmpty())
            ended.status = ended.status / 100 == 2 ? 0 : ended.status == 429 ? 75 : 1;
        return ended;
    }

    void endOne(bool calmly)
    {
        const QVector<Step> open = openSteps();
        if (open.isEmpty())
            return;
        const Step step = open.at(m_dice.below(int(open.size())));
        const Ended ended = outcomeOf(step, calmly);
        m_story.end(ended, step.step.toLatin1().constData());
    }

    // The worker dies or freezes: what it sent may have been done, and may be told late.
    void loseWorker()
    {
        for (const Step &step : openSteps()) {
            const Attempt open = *openAttempt(step);
            const Ended ended = outcomeOf(step, false);
            const bool isAction =
                open.direction == Direction::forward || open.direction == Direction::compensate;
            LateReport report;
            report.step = step.step;
            report.direction = open.direction;
            report.attempt = open.number;
            report.failureClass = ended.readable && ended.error.isEmpty() ? FailureClass::none
                                                                          : FailureClass::ambiguous;
            report.receipt = ended.receipt;
            if (isAction && m_dice.oneIn(3))
                m_late.append(report);
        }
        m_story.takeOver();
    }

    void chaos()
    {
        const int choice = m_dice.below(100);
        if (choice < 45 && m_story.isOpen())
            endOne(false);
        else if (choice < 50 && m_story.isOpen())
            loseWorker();
        else if (choice < 70)
            tick();
        else if (choice < 75)
            togglePause();
        else if (choice < 78 && !m_late.isEmpty())
            m_story.turn(m_late.takeFirst());
        else if (choice < 90)
            person();
        else
            command();
    }

    void tick()
    {
        const Instant due = nextDue(m_story.run);
        if (due != never && m_dice.percent(80))
            m_story.now = std::max(m_story.now, due);
        else
            m_story.now += m_dice.oneIn(30) ? 30 * hour : m_dice.below(20) * second;
        m_story.turn(Tick{});
    }

    void togglePause()
    {
        if (!m_story.gates.pauses.isEmpty() && m_dice.oneIn(2)) {
            m_story.gates.pauses.removeFirst();
            return;
        }
        Pause pause{{}, {}, PauseDepth(m_dice.below(3))};
        if (m_dice.oneIn(2))
            pause.dependency = QStringLiteral("payments");
        m_story.gates.pauses.append(pause);
    }

    // A person answers one of the open items; an honest one has looked at the books.
    bool person()
    {
        for (const Step &step : std::as_const(m_story.run.steps)) {
            for (const bool undo : {false, true}) {
                const Operation operation = undo ? step.undo : step.forward;
                if (operation.reviewKind) {
                    answer(operation, *operation.reviewKind);
                    return true;
                }
            }
        }
        if (m_story.run.deadLetterId.isEmpty())
            return false;
        m_story.resolve(m_story.run.deadLetterId, m_dice.oneIn(3) && !m_isCalm
                                                      ? Resolve::Verdict::retry
                                                      : Resolve::Verdict::dismiss);
        return true;
    }

    void answer(const Operation &operation, ReviewKind reviewKind)
    {
        const QString actor = QStringLiteral("ada");
        switch (reviewKind) {
        case ReviewKind::approval:
            if (m_dice.percent(70))
                m_story.turn(Approve{actor, {}, operation.reviewId, operation.hash});
            else
                m_story.turn(Reject{actor, {}, operation.reviewId});
            return;
        case ReviewKind::ambiguous: {
            const bool happened = m_honest ? m_world.happened(operation.key) : m_dice.oneIn(2);
            auto verdict = happened ? Resolve::Verdict::happened : Resolve::Verdict::absent;
            if (!m_isCalm && m_dice.oneIn(5))
                verdict = Resolve::Verdict::verify;
            const Outcome outcome = m_story.resolve(operation.reviewId, verdict);
            if (verdict == Resolve::Verdict::absent && outcome.accepted())
                ++m_absents[operation.key];
            return;
        }
        case ReviewKind::conflict:
        case ReviewKind::deadLetter:
        case ReviewKind::compensationFailed:
        case ReviewKind::tripwire: break;
        }
        const Resolve::Verdict verdicts[] = {Resolve::Verdict::waive, Resolve::Verdict::retry,
                                             Resolve::Verdict::dismiss};
        m_story.resolve(operation.reviewId, verdicts[m_isCalm ? 0 : m_dice.below(3)]);
    }

    void command()
    {
        switch (m_dice.below(7)) {
        case 0: m_story.cancel(); return;
        case 1: m_story.retry(); return;
        case 2: m_story.compensate(); return;
        case 3: {
            const StepPolicy &step =
                m_story.policy.steps.at(m_dice.below(int(m_story.policy.steps.size())));
            m_story.compensate({step.step});
            return;
        }
        case 4: m_story.turn(Signal{{}, QStringLiteral("paid"), {}}); return;
        case 5: m_story.turn(Note{QStringLiteral("ada"), QStringLiteral("hm")}); return;
        default: m_story.gates.maySend = m_dice.percent(70); return;
        }
    }

    void checkBooks()
    {
        for (const Step &step : std::as_const(m_story.run.steps)) {
            const QString &key = step.forward.key;
            for (const QString &any : {key, step.undo.key}) {
                const int allowed = 1 + (m_honest ? 0 : m_absents.value(any));
                if (!any.isEmpty() && m_world.times(any) > allowed)
                    m_story.problem(QStringLiteral("I1: %1 happened %2 times")
                                        .arg(any)
                                        .arg(m_world.times(any)));
            }
            const bool failed = step.forward.phase == Phase::failed;
            if (m_honest && failed && m_world.happened(key))
                m_story.problem(QStringLiteral("I4: %1 failed, and it happened").arg(key));
            checkUndone(step);
        }
    }

    // I16 from the books: what happened, was ours, and could be undone, was undone or waived.
    void checkUndone(const Step &step)
    {
        const auto rules =
            std::find_if(m_story.policy.steps.cbegin(), m_story.policy.steps.cend(),
                         [&](const StepPolicy &candidate) { return candidate.step == step.step; });
        const bool owed = rules->undo && m_world.happened(step.forward.key) && !step.waived;
        if (m_honest && m_story.run.status == RunStatus::compensated && owed &&
            !m_world.happened(step.undo.key))
            m_story.problem(QStringLiteral("I16: %1 stands in a compensated run").arg(step.step));
    }

    void calm()
    {
        m_isCalm = true;
        m_story.gates.pauses.clear();
        m_story.gates.maySend = true;
        m_story.ledger.clear();
        m_late.clear();
        for (const char *dependency : {"payments", "mail"}) {
            m_story.gate(dependency).breaker = {};
            m_story.gate(dependency).limit.concurrency = 0;
        }
    }

    // A person, an event or an approval is what it waits for; the engine has nothing left to do.
    bool rests() const
    {
        const Run &run = m_story.run;
        if (isFinal(run.status) || run.status == RunStatus::review)
            return true;
        return run.status == RunStatus::waiting && nextDue(run) == never;
    }

    void comeToRest(bool peopleAnswer)
    {
        for (int i = 0; i < 400 && problems().isEmpty(); ++i) {
            checkBooks();
            if (m_story.isOpen()) {
                endOne(true);
                continue;
            }
            const bool waitsForApproval = std::any_of(
                m_story.run.steps.cbegin(), m_story.run.steps.cend(), [](const Step &step) {
                    return step.forward.phase == Phase::asking || step.undo.phase == Phase::asking;
                });
            if (peopleAnswer && (rests() || waitsForApproval) && !isFinal(m_story.run.status)) {
                if (!person())
                    m_story.turn(Signal{{}, QStringLiteral("paid"), {}});
                continue;
            }
            if (rests())
                return;
            const Instant due = nextDue(m_story.run);
            m_story.now = std::max(m_story.now + 2 * second, due);
            m_story.turn(Tick{});
        }
        if (problems().isEmpty())
            m_story.problem(QStringLiteral("I18: the run never came to rest, it is %1")
                                .arg(runStatusName(m_story.run.status)));
    }

    Dice m_dice;
    Story m_story;
    World m_world;
    QVector<LateReport> m_late;
    QMap<QString, int> m_absents; // a person's "absent", by key
    bool m_honest = true;
    bool m_isCalm = false;
};
} // namespace

class TestWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noOrderOfEventsBreaksAPromise();
    void theSameSeedWalksTheSameWay();
};

void TestWalk::noOrderOfEventsBreaksAPromise()
{
    const int seeds = qEnvironmentVariableIntValue("HOLDFAST_SEEDS");
    const int first = qEnvironmentVariableIntValue("HOLDFAST_SEED");
    int decisions = 0;
    int broken = 0;
    for (int seed = first; seed < first + (seeds > 0 ? seeds : 600); ++seed) {
        Walk walk(quint64(seed) + 1);
        walk.go();
        decisions += walk.decisions();
        if (walk.problems().isEmpty())
            continue;
        ++broken;
        if (broken <= 12)
            qWarning("seed %d, decision %d: %s", seed, walk.decisions(),
                     qPrintable(walk.problems().first()));
        if (seeds == 1)
            qWarning("%s", walk.shown().constData());
    }
    qInfo("%d decisions", decisions);
    QVERIFY2(seeds > 0 || decisions >= 20000, "the walk is too short to mean anything");
    QVERIFY2(broken == 0, qPrintable(QStringLiteral("%1 seeds broke a promise").arg(broken)));
}

void TestWalk::theSameSeedWalksTheSameWay()
{
    for (const quint64 seed : {7, 77, 777}) {
        Walk once(seed);
        Walk twice(seed);
        once.go();
        twice.go();
        QCOMPARE(once.shown(), twice.shown());
        QCOMPARE(once.decisions(), twice.decisions());
    }
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestWalk)
#include "tst_walk.moc"
