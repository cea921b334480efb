#include "ui/runs/run_line.h"

#include "ui/widgets/times.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;

namespace
{
QJsonValue instantJson(model::Instant instant)
{
    return instant == model::never ? QJsonValue() : QJsonValue(model::instantText(instant));
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}
} // namespace

RunLine RunLine::fromJson(const QJsonObject &run)
{
    RunLine line;
    line.runId = run["run_id"_L1].toString();
    line.workflow = run["workflow"_L1].toString();
    line.version = run["version"_L1].toInt();
    line.eventId = run["event_id"_L1].toString();
    line.status = run["status"_L1].toString();
    line.step = run["step"_L1].toString();
    line.reason = run["reason"_L1].toString();
    line.retryCount = run["retry_count"_L1].toInt();
    line.createdAt = widgets::instantOf(run["created_at"_L1]);
    line.startedAt = widgets::instantOf(run["started_at"_L1]);
    line.finishedAt = widgets::instantOf(run["finished_at"_L1]);
    line.duration = run["duration_ms"_L1].toInteger(-1);
    return line;
}

QJsonObject RunLine::toJson() const
{
    return {{u"run_id"_s, runId},
            {u"workflow"_s, workflow},
            {u"version"_s, version},
            {u"event_id"_s, eventId},
            {u"status"_s, status},
            {u"step"_s, textOrNull(step)},
            {u"reason"_s, textOrNull(reason)},
            {u"retry_count"_s, retryCount},
            {u"created_at"_s, instantJson(createdAt)},
            {u"started_at"_s, instantJson(startedAt)},
            {u"finished_at"_s, instantJson(finishedAt)},
            {u"duration_ms"_s, duration < 0 ? QJsonValue() : QJsonValue(duration)}};
}

QString RunLine::link() const { return u"holdfast://run/"_s + runId; }

model::Millis RunLine::age(model::Instant now) const
{
    if (duration >= 0)
        return duration;
    const model::Instant from = startedAt == model::never ? createdAt : startedAt;
    if (from == model::never)
        return -1;
    return std::max<model::Millis>((finishedAt == model::never ? now : finishedAt) - from, 0);
}

RunLines linesOf(const QJsonObject &answer)
{
    RunLines lines;
    const QJsonArray runs = answer["runs"_L1].toArray();
    lines.reserve(runs.size());
    for (const QJsonValue &run : runs)
        lines.append(RunLine::fromJson(run.toObject()));
    return lines;
}

} // namespace holdfast::runs
