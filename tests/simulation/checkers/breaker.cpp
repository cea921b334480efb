// I12a: one breaker per service, whoever sends. Counted here again from what was committed: while
// it is open nothing starts, and past its time one trial starts and everybody else waits for what
// it shows.
#include "simulation/checkers/all.h"

#include <algorithm>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
struct State {
    enum class Phase { closed, open, halfOpen } phase = Phase::closed;
    QVector<Instant> failures;
    Instant openUntil = model::never;
    Instant trialUntil = model::never;

    bool operator==(const State &) const = default;
};

void end(State &state, bool failed, Instant at, const model::BreakerPolicy &policy)
{
    using Phase = State::Phase;
    if (state.phase == Phase::open || (state.phase == Phase::closed && !failed))
        return;
    if (state.phase == Phase::halfOpen && !failed) {
        state = {};
        return;
    }
    state.failures.append(at);
    while (state.failures.first() <= at - policy.within)
        state.failures.removeFirst();
    if (state.phase == Phase::halfOpen || state.failures.size() >= policy.failures)
        state = {Phase::open, {}, at + policy.openFor, model::never};
}

// False: it was not to start.
bool start(State &state, Millis timeout, Instant at)
{
    using Phase = State::Phase;
    if (state.phase == Phase::closed)
        return true;
    const Instant until = state.phase == Phase::open ? state.openUntil : state.trialUntil;
    if (until != model::never && at < until)
        return false;
    state.phase = Phase::halfOpen;
    state.trialUntil = at + timeout + model::second;
    return true;
}

// What came first within a commit is not written down, so there may be several ways it stands; one
// by which all of it was right is enough.
class Watch
{
public:
    Watch(const QString &service, const model::BreakerPolicy &policy)
        : m_service(service), m_policy(policy)
    {
    }

    void force(const ports::BreakerRow &row)
    {
        State forced;
        if (row.state == "open"_L1)
            forced = {State::Phase::open, {}, row.openUntil, model::never};
        m_states = {forced};
    }

    // All intents and ends of one commit at once.
    void commit(Evidence &evidence, Instant at, const QVector<Millis> &starts,
                const QVector<bool> &ends)
    {
        const QVector<State> after = played(at, starts, ends);
        if (!after.isEmpty()) {
            m_states = after;
            return;
        }
        evidence.add("I12a", u"at %1 not all of %2 attempts were to start at %3"_s
                                 .arg(model::instantText(at))
                                 .arg(starts.size())
                                 .arg(m_service));
        for (const bool failed : ends)
            m_states = ended(m_states, failed, at);
    }

private:
    // In every order of so many starts, failures and successes, one at a time.
    QVector<State> played(Instant at, const QVector<Millis> &starts, const QVector<bool> &ends)
    {
        const Millis timeout =
            starts.isEmpty() ? 0 : *std::min_element(starts.cbegin(), starts.cend());
        const qsizetype failures = ends.count(true);
        const qsizetype successes = ends.count(false);
        // By how many have failed and how many have ended well.
        QVector<QVector<QVector<State>>> after(failures + 1,
                                               QVector<QVector<State>>(successes + 1));
        after[0][0] = m_states;
        for (qsizetype started = 0;; ++started) {
            for (qsizetype failed = 0; failed <= failures; ++failed) {
                for (qsizetype well = 0; well <= successes; ++well) {
                    const QVector<State> states = after[failed][well];
                    if (failed < failures)
                        add(after[failed + 1][well], ended(states, true, at));
                    if (well < successes)
                        add(after[failed][well + 1], ended(states, false, at));
                }
            }
            if (started == starts.size())
                return after.last().last();
            for (QVector<QVector<State>> &row : after) {
                for (QVector<State> &states : row)
                    states = begun(states, timeout, at);
            }
        }
    }
    QVector<State> ended(QVector<State> states, bool failed, Instant at) const
    {
        for (State &state : states)
            end(state, failed, at, m_policy);
        return states;
    }
    static QVector<State> begun(const QVector<State> &states, Millis timeout, Instant at)
    {
        QVector<State> next;
        for (State state : states) {
            if (start(state, timeout, at))
                add(next, {state});
        }
        return next;
    }
    static void add(QVector<State> &states, const QVector<State> &more)
    {
        for (const State &state : more) {
            if (!states.contains(state))
                states.append(state);
        }
    }

    const QString m_service;
    const model::BreakerPolicy m_policy;
    QVector<State> m_states{State()};
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
                    watch.force(gate->breaker);
            }
            watch.commit(evidence, moves.at, moves.starts, moves.ends);
        }
    }
}

} // namespace holdfast::simulation
