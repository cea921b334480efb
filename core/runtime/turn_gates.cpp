// The gates of a turn as the database says they are.
#include "runtime/turn.h"

#include "engine/fold.h"
#include "engine/ramp.h"

#include <algorithm>

namespace holdfast::runtime
{

using model::Direction;
using model::Entry;
using model::EntryKind;

namespace
{
constexpr model::Millis catalogInterval = model::second;

engine::Breaker breakerOf(const ports::BreakerRow &row)
{
    engine::Breaker breaker;
    breaker.state = engine::breakerStateFromName(row.state).value_or(engine::BreakerState::closed);
    breaker.failures = row.failures;
    breaker.openUntil = row.openUntil;
    breaker.trialUntil = row.trialUntil;
    breaker.reason = row.reason;
    return breaker;
}

QString attemptName(const QString &runId, const QString &step, Direction direction, int attempt)
{
    return runId + QLatin1Char('/') + step +
           QStringLiteral("/%1/%2").arg(int(direction)).arg(attempt);
}

bool looksFailed(const model::CallResult &result)
{
    return !result.error.isEmpty() || result.status < 200 || result.status >= 300;
}
} // namespace

// The catalog is read once a second, and a run may be started sooner than that after its dependency
// was first deployed. No intent may be decided without the gate, the limits and the revision of
// what it calls.
Result<std::shared_ptr<const DeployedWorkflow>> Turn::deployedFor(const model::Run &run)
{
    auto deployed = m_catalog.workflow(m_store, run.workflow, run.version);
    if (!deployed)
        return deployed;
    const auto known = [this](const QString &name) { return m_gates.dependencies.contains(name); };
    const QStringList &calls = (*deployed)->calls;
    if (std::all_of(calls.cbegin(), calls.cend(), known))
        return deployed;
    if (const auto refreshed = m_catalog.refresh(m_store); !refreshed)
        return refreshed.error();
    for (const QString &name : calls) {
        const auto dependency = m_catalog.dependency(name);
        if (dependency && !known(name))
            fillGate(*dependency, m_breakersBefore.value(name));
    }
    return m_catalog.workflow(m_store, run.workflow, run.version);
}

QString Turn::dependencyOf(const Work &work, const model::CallResult &result) const
{
    for (const model::StepPolicy &policy : work.deployed->policy.steps) {
        if (policy.step != result.step)
            continue;
        const bool undo = result.direction == Direction::compensate && policy.undo;
        return undo ? policy.undo->dependency : policy.forward.dependency;
    }
    return {};
}

Result<void> Turn::loadGates(const QVector<model::CallResult> &results)
{
    m_askedAt = m_clock.monotonic();
    const auto rows = m_store.lockGates(m_options.worker);
    if (!rows)
        return rows.error();
    m_now = rows->now;
    m_lockedAt = m_clock.monotonic();
    m_leaseOfTurn = m_leaseUntil;
    readQuotas(rows->quotas);
    if (m_catalogReadAt == 0 || m_clock.monotonic() - m_catalogReadAt >= catalogInterval) {
        if (const auto refreshed = m_catalog.refresh(m_store); !refreshed)
            return refreshed.error();
        m_catalogReadAt = m_clock.monotonic();
    }
    m_gates.maySend = m_options.maySend;
    m_gates.pauses.clear();
    m_ramp = engine::RampState::none;
    for (const ports::PauseRow &row : rows->pauses) {
        m_gates.pauses.append(engine::pauseFrom(row.scope, row.target, row.depth, row.ramp));
        const engine::Ramp ramp = engine::Ramp::fromText(row.ramp);
        if (ramp.isUnderWay() && m_ramp != engine::RampState::ramping)
            m_ramp = ramp.state;
    }

    QStringList toLock;
    QMap<QString, engine::Breaker> breakers;
    for (const ports::BreakerRow &row : rows->breakers) {
        breakers.insert(row.dependency, breakerOf(row));
        if (row.state != QLatin1String("closed"))
            toLock.append(row.dependency);
    }
    for (const model::CallResult &result : results) {
        const auto found = workFor(result.runId);
        if (!found)
            return found.error();
        if (!*found || !looksFailed(result))
            continue;
        const QString dependency = dependencyOf(**found, result);
        if (!dependency.isEmpty() && !toLock.contains(dependency))
            toLock.append(dependency);
    }
    if (!toLock.isEmpty()) {
        toLock.sort();
        const auto locked = m_store.lockBreakers(toLock);
        if (!locked)
            return locked.error();
        for (const ports::BreakerRow &row : *locked)
            breakers.insert(row.dependency, breakerOf(row));
    }
    m_breakersBefore = breakers;
    for (const auto &deployed : m_catalog.dependencies())
        fillGate(*deployed, breakers.value(deployed->policy.dependency));
    countInFlight(results);
    return {};
}

void Turn::fillGate(const DeployedDependency &deployed, const engine::Breaker &breaker)
{
    engine::DependencyGate &gate = m_gates.dependencies[deployed.policy.dependency];
    gate.breaker = breaker;
    gate.breakerPolicy = deployed.policy.breaker;
    gate.limit = deployed.policy.limit;
    fillLimits(gate, deployed.policy.dependency);
    gate.revision = deployed.policy.revision;
    gate.compatibleSince = deployed.compatibleSince;
}

// What is open among our runs, less what has just ended. A result that is handed in again, because
// nobody knew whether its turn had taken, ends nothing a second time.
void Turn::countInFlight(const QVector<model::CallResult> &results)
{
    QSet<QString> ended;
    for (const model::CallResult &result : results)
        ended.insert(attemptName(result.runId, result.step, result.direction, result.attempt));
    for (const Loaded &loaded : std::as_const(m_owned)) {
        for (const ports::OpenAttempt &open : loaded.row.open) {
            const auto gate = m_gates.dependencies.find(open.dependency);
            if (gate != m_gates.dependencies.end() &&
                !ended.contains(
                    attemptName(loaded.row.runId, open.step, open.direction, open.attempt)))
                ++gate->inFlight;
        }
    }
}

void Turn::noteBreaker(const Work &work, const model::Entries &entries)
{
    for (const Entry &entry : entries) {
        const bool ended = entry.kind == EntryKind::attemptEnded ||
                           entry.kind == EntryKind::snapshotKept ||
                           (entry.kind == EntryKind::confirmed && entry.attempt > 0);
        if (!ended || entry.reason == QLatin1String("worker_lost"))
            continue;
        model::CallResult where;
        where.step = entry.step;
        where.direction = entry.direction;
        const auto gate = m_gates.dependencies.find(dependencyOf(work, where));
        if (gate == m_gates.dependencies.end())
            continue;
        const bool failed = entry.failureClass == model::FailureClass::transient ||
                            entry.failureClass == model::FailureClass::ambiguous;
        gate->breaker =
            engine::afterAttempt(gate->breaker, gate->breakerPolicy, failed, entry.reason, m_now);
    }
}

} // namespace holdfast::runtime
