// The gates of a turn as values: pauses, breakers, budgets and limits. They are read under a lock
// by the runtime; whether they let an intent through is decided here, and spending is told back to
// them.
#pragma once

#include "engine/quota.h"
#include "model/run.h"

#include <QMap>
#include <QVector>

namespace holdfast::engine
{

using namespace model;

enum class PauseDepth { intake, writes, all };
QString pauseDepthName(PauseDepth depth);
std::optional<PauseDepth> pauseDepthFromName(const QString &name);

struct Pause {
    QString workflow;   // set: only this workflow
    QString dependency; // set: only this dependency
    PauseDepth depth = PauseDepth::writes;
    QString admits{}; // the newest run that its ramp lets through; empty: none
};
// From what a pause is kept as. A depth this version does not know stops everything rather than
// nothing.
Pause pauseFrom(const QString &scope, const QString &target, const QString &depth,
                const QString &ramp);

enum class BreakerState { closed, open, halfOpen };
QString breakerStateName(BreakerState state);
std::optional<BreakerState> breakerStateFromName(const QString &name);

// One per dependency, shared by every worker.
struct Breaker {
    BreakerState state = BreakerState::closed;
    QVector<Instant> failures; // within the window, oldest first; at most as many as trip it
    Instant openUntil = never;
    Instant trialUntil = never; // the one trial under way while half open
    QString reason;

    bool operator==(const Breaker &) const = default;
};

// An attempt ended: transient and ambiguous failures count, anything else shows that the dependency
// lives.
Breaker afterAttempt(Breaker breaker, const BreakerPolicy &policy, bool failed,
                     const QString &reason, Instant now);

// What one dependency lets through. The limits hold for all workers together; what others use of
// them is as it was read, and is made sure of before the intents are committed.
struct DependencyGate {
    Breaker breaker;
    BreakerPolicy breakerPolicy;
    LimitPolicy limit;
    int inFlight = 0;           // of this worker
    int elsewhere = 0;          // places that other workers hold
    int calls = 0;              // by all, within the last second
    Instant oldestCall = never; // of those
    qint64 retries = 0;         // thousandths that are left
    Millis spread = 0;          // those who find no room look again within so much more
    // By the intents decided since this was read.
    struct Use {
        int calls = 0;
        int retries = 0;
        qint64 earned = 0; // thousandths of a retry
    } used;
    int revision = 0;
    int compatibleSince = 0; // origin and protection are unchanged since this revision
};

struct Gates {
    QVector<Pause> pauses;
    QMap<QString, DependencyGate> dependencies;
    bool maySend = true; // false where a decision is applied without a worker
};

// What an operation asks before its intent.
struct GateQuestion {
    QString runId; // empty: a run that does not exist yet
    QString workflow;
    QString dependency;
    Direction direction = Direction::forward;
    Effect effect = Effect::read;
    bool isRetry = false;
    Millis timeout = 0;
    quint64 jitter = 0; // spreads those who wait for the same gate
};

struct GateAnswer {
    bool open = true;
    QString gate;        // pause breaker limit budget no_worker
    Instant due = never; // never: opens by a person's act
};

GateAnswer ask(const Gates &gates, const GateQuestion &question, Instant now);
// The intent was decided: takes what it uses.
void spend(Gates &gates, const GateQuestion &question, Instant now);

// Whether this pause concerns it, whatever its ramp lets through.
bool concerns(const Pause &pause, const GateQuestion &question);

// An empty run id asks for a run that is about to be accepted.
bool isIntakePaused(const Gates &gates, const QString &workflow, const QString &runId);

} // namespace holdfast::engine
