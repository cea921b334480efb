#include "engine/ramp.h"

#include "model/json.h"
#include "model/names.h"

#include <algorithm>

namespace holdfast::engine
{

using namespace Qt::StringLiterals;

namespace
{
constexpr std::array<Name<RampState>, 4> rampStates{{{RampState::none, u""},
                                                     {RampState::ramping, u"ramping"},
                                                     {RampState::holding, u"holding"},
                                                     {RampState::repaused, u"repaused"}}};
constexpr std::array<Name<RampAct>, 3> rampActs{
    {{RampAct::hold, u"hold"}, {RampAct::go, u"go"}, {RampAct::repause, u"repause"}}};

// However many a stage lets through, this many good ends are proof enough for the next.
constexpr qint64 proofMax = 20;
// One failure in this many ended attempts is what the outside always has; more is not.
constexpr qint64 failuresOneIn = 5;

Ramp repaused(Ramp ramp, const QString &note)
{
    ramp.state = RampState::repaused;
    ramp.note = note;
    return ramp;
}

qint64 runsOfStage(const Ramp &ramp)
{
    const qint64 before = ramp.stage > 0 ? ramp.stages.at(ramp.stage - 1).runs : 0;
    return ramp.stages.at(ramp.stage).runs - before;
}
} // namespace

QString rampStateName(RampState state) { return nameOf(rampStates, state); }
std::optional<RampAct> rampActFromName(const QString &name) { return valueOf(rampActs, name); }

QString Ramp::admits() const { return isUnderWay() ? stages.at(stage).admits : QString(); }

qint64 Ramp::admitted() const { return stages.isEmpty() ? 0 : stages.at(stage).runs; }

QString Ramp::toText() const
{
    if (state == RampState::none)
        return {};
    QJsonArray list;
    for (const RampStage &each : stages)
        list.append(QJsonObject{
            {u"label"_s, each.label}, {u"admits"_s, each.admits}, {u"runs"_s, each.runs}});
    return QString::fromUtf8(compactJson(QJsonObject{{u"state"_s, rampStateName(state)},
                                                     {u"stages"_s, list},
                                                     {u"stage"_s, stage},
                                                     {u"since"_s, since},
                                                     {u"mark"_s, mark},
                                                     {u"ok"_s, ok},
                                                     {u"failed"_s, failed},
                                                     {u"note"_s, note}}));
}

// What cannot be read lets nobody through.
Ramp Ramp::fromText(const QString &text)
{
    Ramp ramp;
    if (text.isEmpty())
        return ramp;
    const auto parsed = parseJsonObject(text.toUtf8(), {.bytes = text.size() * 4});
    if (!parsed)
        return ramp;
    for (const QJsonValue &each : parsed->value("stages"_L1).toArray())
        ramp.stages.append({each["label"_L1].toString(), each["admits"_L1].toString(),
                            each["runs"_L1].toInteger()});
    ramp.stage = parsed->value("stage"_L1).toInt();
    if (ramp.stage < 0 || ramp.stage >= ramp.stages.size())
        return {};
    ramp.state =
        valueOf(rampStates, parsed->value("state"_L1).toString()).value_or(RampState::repaused);
    ramp.since = parsed->value("since"_L1).toInteger();
    ramp.mark = parsed->value("mark"_L1).toInteger();
    ramp.ok = parsed->value("ok"_L1).toInteger();
    ramp.failed = parsed->value("failed"_L1).toInteger();
    ramp.note = parsed->value("note"_L1).toString();
    return ramp;
}

Ramp startRamp(const QStringList &held, qint64 mark, Instant now)
{
    const qint64 all = held.size();
    const auto share = [all](qint64 percent) { return (all * percent + 99) / 100; };
    const QPair<QString, qint64> wanted[] = {
        {u"1"_s, 1}, {u"5"_s, 5}, {u"10 %"_s, share(10)}, {u"50 %"_s, share(50)}};
    Ramp ramp;
    ramp.state = RampState::ramping;
    ramp.since = now;
    ramp.mark = mark;
    for (const auto &[label, runs] : wanted) {
        const qint64 before = ramp.stages.isEmpty() ? 0 : ramp.stages.last().runs;
        if (runs > before && runs < all)
            ramp.stages.append({label, held.at(runs - 1), runs});
    }
    ramp.stages.append({u"100 %"_s, {}, all});
    return ramp;
}

Ramp afterLook(Ramp ramp, const RampLook &look, Instant now)
{
    if (!ramp.isUnderWay())
        return ramp;
    ramp.mark = look.mark;
    ramp.ok += look.ok;
    ramp.failed += look.failed;
    if (!look.openBreaker.isEmpty())
        return repaused(ramp, u"the breaker of %1 opened"_s.arg(look.openBreaker));
    if (ramp.failed * failuresOneIn > ramp.ok + ramp.failed)
        return repaused(ramp, u"%1 of %2 attempts failed, the last with %3"_s.arg(ramp.failed)
                                  .arg(ramp.ok + ramp.failed)
                                  .arg(look.failure));
    const qint64 proof = std::min(runsOfStage(ramp), proofMax);
    const bool passed = ramp.ok >= proof || !look.anyMoves;
    if (ramp.state == RampState::ramping && passed && !ramp.isDone()) {
        ++ramp.stage;
        ramp.since = now;
        ramp.ok = 0;
        ramp.failed = 0;
    }
    return ramp;
}

std::optional<Ramp> afterAct(Ramp ramp, RampAct act, const QString &by)
{
    switch (act) {
    case RampAct::hold:
        if (ramp.state != RampState::ramping)
            return std::nullopt;
        ramp.state = RampState::holding;
        return ramp;
    case RampAct::go:
        if (ramp.state != RampState::holding)
            return std::nullopt;
        ramp.state = RampState::ramping;
        return ramp;
    case RampAct::repause:
        if (!ramp.isUnderWay())
            return std::nullopt;
        return repaused(ramp, u"paused again by %1"_s.arg(by));
    }
    Q_UNREACHABLE();
}

} // namespace holdfast::engine
