// Resuming by stages: how many held runs are let through a pause, and whether more may follow. A
// ramp belongs to a pause and is started by a person; it lets runs through oldest first. Run ids
// are ordered by time, so whether a run is let through is one comparison.
#pragma once

#include "model/time.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

namespace holdfast::engine
{

using namespace model;

enum class RampState { none, ramping, holding, repaused };
QString rampStateName(RampState state);

struct RampStage {
    QString label;   // "5" or "10 %"
    QString admits;  // the newest run let through; empty for the last, which lifts the pause
    qint64 runs = 0; // let through in all when it is reached

    bool operator==(const RampStage &) const = default;
};

struct Ramp {
    RampState state = RampState::none;
    QVector<RampStage> stages;
    int stage = 0;
    Instant since = never; // when this stage began
    qint64 mark = 0;       // the journal is read up to here
    qint64 ok = 0;         // attempts of this stage that ended well
    qint64 failed = 0;
    QString note; // why it was stopped

    bool operator==(const Ramp &) const = default;
    bool isUnderWay() const { return state == RampState::ramping || state == RampState::holding; }
    bool isDone() const { return isUnderWay() && stage + 1 >= stages.size(); }
    QString admits() const; // the newest run let through; empty: none
    qint64 admitted() const;

    // Kept as text beside the pause; no ramp is the empty text.
    QString toText() const;
    static Ramp fromText(const QString &text);
};

// What a person does to a ramp that is under way.
enum class RampAct { hold, go, repause };
std::optional<RampAct> rampActFromName(const QString &name);

// What was seen since the last look.
struct RampLook {
    qint64 mark = 0;
    qint64 ok = 0;
    qint64 failed = 0;
    QString failure;      // reason code of the last one that failed
    QString openBreaker;  // of a dependency in the pause's scope
    bool anyMoves = true; // some run that was let through is still on its way
};

// 1, 5, 10 %, 50 % and all of those held; stages that would let nobody new through are left out.
Ramp startRamp(const QStringList &heldOldestFirst, qint64 mark, Instant now);
// Goes on when the stage has shown enough, stops when too much of it failed.
Ramp afterLook(Ramp ramp, const RampLook &look, Instant now);
// Nothing: the act does not fit the state.
std::optional<Ramp> afterAct(Ramp ramp, RampAct act, const QString &by);

} // namespace holdfast::engine
