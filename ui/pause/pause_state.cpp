#include "ui/pause/pause_state.h"

#include "ui/widgets/times.h"

#include <QJsonArray>
#include <QLocale>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;

namespace
{
Ramp rampFrom(const QJsonValue &json)
{
    if (!json.isObject())
        return {};
    Ramp ramp;
    ramp.stage = json["stage"_L1].toInt();
    ramp.admitted = json["admitted"_L1].toInt();
    ramp.state = json["state"_L1].toString();
    ramp.note = json["note"_L1].toString();
    for (const QJsonValue &stage : json["stages"_L1].toArray())
        ramp.stages << stage.toString();
    return ramp;
}
} // namespace

PauseState PauseState::fromJson(const QJsonObject &json)
{
    const auto text = [&](QLatin1String name) { return json.value(name).toString(); };
    PauseState pause;
    pause.id = text("id"_L1);
    pause.scope = text("scope"_L1);
    pause.target = text("target"_L1);
    pause.depth = text("depth"_L1);
    pause.reason = text("reason"_L1);
    pause.actor = text("actor"_L1);
    pause.at = widgets::instantOf(json.value("at"_L1));
    pause.inFlight = json.value("in_flight"_L1).toInt();
    pause.held = json.value("held"_L1).toInt();
    pause.startedSince = json.value("started_since"_L1).toInt(-1);
    pause.ramp = rampFrom(json.value("ramp"_L1));
    pause.liftedAt = widgets::instantOf(json.value("lifted_at"_L1));
    pause.liftedBy = text("lifted_by"_L1);
    pause.liftedReason = text("lifted_reason"_L1);
    return pause;
}

QVector<PauseState> pausesFrom(const QJsonValue &list)
{
    QVector<PauseState> pauses;
    for (const QJsonValue &pause : list.toArray())
        pauses.append(PauseState::fromJson(pause.toObject()));
    return pauses;
}

QString scopeText(const QString &scope, const QString &target)
{
    if (scope == "workflow"_L1 || scope == "dependency"_L1)
        return scope + u' ' + target;
    return u"everything"_s;
}

QString gateText(const PauseState &pause)
{
    const bool isWorkflow = pause.scope == "workflow"_L1;
    const bool isDependency = pause.scope == "dependency"_L1;
    const QString of = isWorkflow     ? u" of "_s + pause.target
                       : isDependency ? u" to "_s + pause.target
                                      : QString();
    if (pause.depth == "intake"_L1)
        return u"new runs"_s + (isDependency ? u" that need "_s + pause.target : of);
    return (pause.depth == "all"_L1 ? u"everything"_s : u"all writes"_s) + of;
}

QString confirmWord(const PauseState &pause)
{
    return pause.target.isEmpty() ? u"everything"_s : pause.target;
}

QString countText(int count, const QString &one, const QString &many)
{
    return QLocale::c().toString(count) + u' ' + (count == 1 ? one : many);
}

const QVector<DepthText> &depthTexts()
{
    static const QVector<DepthText> texts{
        {u"writes"_s, u"Stop before the next write"_s,
         u"No write and no compensation is sent; reads and verifies go on."_s},
        {u"all"_s, u"Stop everything"_s, u"Nothing is sent, not even reads and verifies."_s},
        {u"intake"_s, u"Stop new runs"_s,
         u"New runs are accepted and held; runs under way go on."_s},
    };
    return texts;
}

} // namespace holdfast::pause
