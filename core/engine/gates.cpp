#include "engine/gates.h"

#include "engine/ramp.h"
#include "model/names.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
constexpr std::array<Name<PauseDepth>, 3> pauseDepths{
    {{PauseDepth::intake, u"intake"}, {PauseDepth::writes, u"writes"}, {PauseDepth::all, u"all"}}};
constexpr std::array<Name<BreakerState>, 3> breakerStates{{{BreakerState::closed, u"closed"},
                                                           {BreakerState::open, u"open"},
                                                           {BreakerState::halfOpen, u"half_open"}}};

// How long something held by a full limit waits before it looks again.
constexpr Millis limitPoll = 100;
constexpr Millis budgetPoll = second;

bool covers(const Pause &pause, const GateQuestion &question)
{
    if (!pause.workflow.isEmpty() && pause.workflow != question.workflow)
        return false;
    return pause.dependency.isEmpty() || pause.dependency == question.dependency;
}

bool isWrite(const GateQuestion &question)
{
    switch (question.direction) {
    case Direction::forward: return question.effect != Effect::read;
    case Direction::compensate: return true;
    case Direction::verify:
    case Direction::snapshot: return false;
    }
    Q_UNREACHABLE();
}

bool stops(const Pause &pause, const GateQuestion &question)
{
    switch (pause.depth) {
    case PauseDepth::intake: return false;
    case PauseDepth::writes: return isWrite(question);
    case PauseDepth::all: return true;
    }
    Q_UNREACHABLE();
}

// Both are older than any run that came after the pause, and ids are ordered by time.
bool isAdmitted(const Pause &pause, const QString &runId)
{
    return !runId.isEmpty() && !pause.admits.isEmpty() && runId <= pause.admits;
}

GateAnswer closed(const char *gate, Instant due) { return {false, QString::fromLatin1(gate), due}; }

GateAnswer askLimits(const DependencyGate &gate, const GateQuestion &question, Instant now)
{
    const LimitPolicy &limit = gate.limit;
    const Millis later = Millis(question.jitter % quint64(limitPoll + gate.spread));
    if (limit.concurrency > 0 && gate.inFlight + gate.elsewhere >= limit.concurrency)
        return closed("limit", now + limitPoll + later);
    if (limit.ratePerSecond > 0 && gate.calls >= limit.ratePerSecond)
        return closed("limit", std::max(now + 1, gate.oldestCall + second) + later);
    if (question.isRetry && gate.retries < 1000)
        return closed("budget", now + budgetPoll + Millis(question.jitter % budgetPoll));
    return {};
}

GateAnswer askBreaker(const DependencyGate &gate, const GateQuestion &question, Instant now)
{
    switch (gate.breaker.state) {
    case BreakerState::closed: return {};
    case BreakerState::open:
        if (now >= gate.breaker.openUntil)
            return {};
        return closed("breaker", gate.breaker.openUntil + Millis(question.jitter % 1000));
    case BreakerState::halfOpen:
        if (gate.breaker.trialUntil == never || now >= gate.breaker.trialUntil)
            return {};
        return closed("breaker", std::min(gate.breaker.trialUntil,
                                          now + second + Millis(question.jitter % 1000)));
    }
    Q_UNREACHABLE();
}
} // namespace

QString pauseDepthName(PauseDepth depth) { return nameOf(pauseDepths, depth); }
std::optional<PauseDepth> pauseDepthFromName(const QString &name)
{
    return valueOf(pauseDepths, name);
}
Pause pauseFrom(const QString &scope, const QString &target, const QString &depth,
                const QString &ramp)
{
    Pause pause;
    if (scope == u"workflow")
        pause.workflow = target;
    if (scope == u"dependency")
        pause.dependency = target;
    pause.depth = pauseDepthFromName(depth).value_or(PauseDepth::all);
    if (!ramp.isEmpty())
        pause.admits = Ramp::fromText(ramp).admits();
    return pause;
}
QString breakerStateName(BreakerState state) { return nameOf(breakerStates, state); }
std::optional<BreakerState> breakerStateFromName(const QString &name)
{
    return valueOf(breakerStates, name);
}

Breaker afterAttempt(Breaker breaker, const BreakerPolicy &policy, bool failed,
                     const QString &reason, Instant now)
{
    const auto open = [&] {
        breaker = {BreakerState::open, {}, now + policy.openFor, never, reason};
    };
    switch (breaker.state) {
    case BreakerState::closed:
        if (!failed)
            return breaker;
        breaker.failures.erase(
            std::remove_if(breaker.failures.begin(), breaker.failures.end(),
                           [&](Instant at) { return at <= now - policy.within; }),
            breaker.failures.end());
        breaker.failures.append(now);
        if (breaker.failures.size() >= policy.failures)
            open();
        return breaker;
    case BreakerState::open:
        // Whatever was under way when it opened says nothing about now.
        return breaker;
    case BreakerState::halfOpen:
        if (failed)
            open();
        else
            breaker = {};
        return breaker;
    }
    Q_UNREACHABLE();
}

GateAnswer ask(const Gates &gates, const GateQuestion &question, Instant now)
{
    for (const Pause &pause : gates.pauses) {
        if (covers(pause, question) && stops(pause, question) && !isAdmitted(pause, question.runId))
            return closed("pause", never);
    }
    if (!gates.maySend)
        return closed("no_worker", now);
    const auto found = gates.dependencies.constFind(question.dependency);
    if (found == gates.dependencies.constEnd())
        return {};
    const GateAnswer breaker = askBreaker(*found, question, now);
    return breaker.open ? askLimits(*found, question, now) : breaker;
}

void spend(Gates &gates, const GateQuestion &question, Instant now)
{
    const auto found = gates.dependencies.find(question.dependency);
    if (found == gates.dependencies.end())
        return;
    ++found->inFlight;
    if (found->calls++ == 0)
        found->oldestCall = now;
    ++found->used.calls;
    if (question.isRetry) {
        found->retries -= 1000;
        ++found->used.retries;
    } else {
        found->used.earned += found->limit.retryRatioPercent * 10;
    }
    // Past its time an open breaker lets one trial through; everyone else waits for what it shows.
    if (found->breaker.state != BreakerState::closed) {
        found->breaker.state = BreakerState::halfOpen;
        found->breaker.trialUntil = now + question.timeout + second;
    }
}

bool concerns(const Pause &pause, const GateQuestion &question)
{
    return covers(pause, question) && (pause.depth == PauseDepth::intake || stops(pause, question));
}

bool isIntakePaused(const Gates &gates, const QString &workflow, const QString &runId)
{
    return std::any_of(gates.pauses.cbegin(), gates.pauses.cend(), [&](const Pause &pause) {
        return pause.depth == PauseDepth::intake && pause.dependency.isEmpty() &&
               (pause.workflow.isEmpty() || pause.workflow == workflow) &&
               !isAdmitted(pause, runId);
    });
}

} // namespace holdfast::engine
