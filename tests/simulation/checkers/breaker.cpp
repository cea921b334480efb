// I12a: one breaker per service, whoever sends. Counted here again from what was committed: while
// it is open nothing starts, and past its time one trial starts and everybody else waits for what
// it shows.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
class Watch
{
public:
    Watch(const QString &service, const model::BreakerPolicy &policy)
        : m_service(service), m_policy(policy)
    {
    }

    void force(const ports::BreakerRow &row, int order)
    {
        m_failures.clear();
        m_trialUntil = model::never;
        m_state = row.state == "open"_L1 ? State::open : State::closed;
        m_openUntil = row.openUntil;
        Q_UNUSED(order);
    }

    // All intents and ends of one commit at once: what ended in it is known before what starts.
    void commit(Evidence &evidence, Instant at, const QVector<Millis> &starts,
                const QVector<bool> &ends)
    {
        const int before = room(at);
        for (const bool failed : ends)
            end(failed, at);
        const int after = room(at);
        // In a turn that trips the breaker, what was decided before the last straw may still go.
        int allowed = std::max(before, after);
        // A trial, and in the same turn an attempt that ended well: that closes what the trial half
        // opened, and which came first within a commit is not written down.
        if (allowed == 1 && ends.contains(false))
            allowed = roomWhenClosed;
        if (int(starts.size()) > allowed)
            evidence.add("I12a", u"at %4 %1 attempts started at %2 where its breaker allowed %3"_s
                                     .arg(starts.size())
                                     .arg(m_service)
                                     .arg(allowed)
                                     .arg(model::instantText(at)));
        // What was decided while it was closed is no trial, though it was opened in the same turn.
        if (starts.isEmpty() || m_state == State::closed || before == roomWhenClosed)
            return;
        m_state = State::halfOpen;
        m_trialUntil = at + starts.last() + model::second;
        if (ends.contains(false))
            end(false, at);
    }

private:
    enum class State { closed, open, halfOpen };
    static constexpr int roomWhenClosed = 1000;

    int room(Instant at) const
    {
        switch (m_state) {
        case State::closed: return roomWhenClosed;
        case State::open: return at >= m_openUntil ? 1 : 0;
        case State::halfOpen: return m_trialUntil == model::never || at >= m_trialUntil ? 1 : 0;
        }
        Q_UNREACHABLE();
    }

    void end(bool failed, Instant at)
    {
        if (m_state == State::open || (m_state == State::closed && !failed))
            return;
        if (m_state == State::halfOpen && !failed) {
            m_state = State::closed;
            m_failures.clear();
            return;
        }
        m_failures.append(at);
        while (!m_failures.isEmpty() && m_failures.first() <= at - m_policy.within)
            m_failures.removeFirst();
        if (m_state == State::closed && m_failures.size() < m_policy.failures)
            return;
        m_state = State::open;
        m_openUntil = at + m_policy.openFor;
        m_trialUntil = model::never;
        m_failures.clear();
    }

    const QString m_service;
    const model::BreakerPolicy m_policy;
    State m_state = State::closed;
    QVector<Instant> m_failures;
    Instant m_openUntil = model::never;
    Instant m_trialUntil = model::never;
};

struct Moves {
    Instant at = model::never;
    QVector<Millis> starts; // and their time-outs
    QVector<bool> ends;
};

std::optional<bool> howItEnded(const model::Entry &entry)
{
    const bool ends = entry.kind == EntryKind::attemptEnded ||
                      entry.kind == EntryKind::snapshotKept ||
                      (entry.kind == EntryKind::confirmed && entry.attempt > 0);
    if (!ends || entry.reason == "worker_lost"_L1)
        return std::nullopt;
    return entry.failureClass == model::FailureClass::transient ||
           entry.failureClass == model::FailureClass::ambiguous;
}
} // namespace

void checkBreaker(Evidence &evidence)
{
    std::map<QString, std::map<int, Moves>> services; // by the order of the commit
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            const auto *policy =
                evidence.stage.operation(run.workflow, fact.entry.step, fact.entry.direction);
            if (!policy || policy->dependency.isEmpty())
                continue;
            const auto ended = howItEnded(fact.entry);
            const bool starts = fact.entry.kind == EntryKind::intent;
            if (!ended && !starts)
                continue;
            Moves &moves = services[policy->dependency][fact.order];
            moves.at = fact.entry.at;
            if (ended)
                moves.ends.append(*ended);
            else
                moves.starts.append(policy->timeout);
        }
    }
    for (const auto &[service, commits] : services) {
        Watch watch(service, evidence.stage.dependency(service).breaker);
        auto gate = evidence.record.gates.cbegin();
        for (const auto &[order, moves] : commits) {
            for (; gate != evidence.record.gates.cend() && gate->order < order; ++gate) {
                if (gate->kind == GateMove::Kind::breaker && gate->breaker.dependency == service)
                    watch.force(gate->breaker, gate->order);
            }
            watch.commit(evidence, moves.at, moves.starts, moves.ends);
        }
    }
}

} // namespace holdfast::simulation
