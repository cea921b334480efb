// The engine: a pure, total function from a run and an event to what happens next. Time, ids and
// gates are arguments; nothing here asks a clock, a database, the network or a die.
//
// Effects come in two sorts. Prepare, ClaimKey and Collect are questions that the runtime answers
// within the same turn, by deciding again; Send and TripPause touch the world and are performed
// after the commit.
#pragma once

#include "engine/event.h"
#include "engine/gates.h"
#include "model/entry.h"

#include <variant>

namespace holdfast::engine
{

struct Prepare {
    QString step;
    Direction direction = Direction::forward; // forward or compensate
};

struct ClaimKey {
    QString step;
    Direction direction = Direction::forward;
};

struct Collect {
};

struct Send {
    QString step;
    Direction direction = Direction::forward;
    int attempt = 0;
    GateQuestion question;  // what it spends
    Instant before = never; // no byte may leave from here on: the deadline, or the key's age
};

// The dependency's credentials do not work: nobody should go on knocking.
struct TripPause {
    QString dependency;
    QString step;
    QString reason;
};

using Effects = QVector<std::variant<Prepare, ClaimKey, Collect, Send, TripPause>>;

struct Situation {
    Instant now = never;
    qint64 fence = 0;
    const Gates &gates;
};

struct Outcome {
    enum class Kind { accepted, replayed, rejected };
    Kind kind = Kind::accepted;
    Run next;
    Entries entries;
    Effects effects;
    Instant lookAgainAt = never; // a gate is still closed; the run row waits until then
    QString limitedBy;           // the dependency whose limit it waits for
    QString reason;              // of a rejection: what is wrong and what is safe to do

    bool accepted() const { return kind == Kind::accepted; }
};

Outcome decide(Run run, const Event &event, const Policy &policy, const Situation &situation);

// The first entry of a run. `held`: accepted while intake is paused.
Entry acceptedEntry(const Run &run, Instant now, Millis deadline, bool held);

// What compensating would do, step by step, in the order it would be done.
struct PlannedStep {
    enum class Verdict { willCompensate, nothingToDo, verifyFirst, cannot };
    QString step;
    Verdict verdict = Verdict::nothingToDo;
    QString why;
};
QString plannedVerdictName(PlannedStep::Verdict verdict);
QVector<PlannedStep> planCompensation(const Run &run, const Policy &policy,
                                      const QStringList &steps);

} // namespace holdfast::engine
