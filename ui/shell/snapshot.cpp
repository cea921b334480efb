#include "ui/shell/snapshot.h"

#include <QJsonArray>
#include <QJsonObject>

namespace holdfast::shell
{

namespace
{
using namespace Qt::StringLiterals;

model::Instant instantIn(const QJsonObject &object, QLatin1String name)
{
    return model::parseInstant(object.value(name).toString()).value_or(model::never);
}

model::Result<QJsonArray> listIn(const QJsonValue &answer, QLatin1String name)
{
    const QJsonValue list = answer.toObject().value(name);
    if (!list.isArray())
        return model::Error{model::ErrorKind::unsupported,
                            u"The engine's answer holds no list named %1."_s.arg(name)};
    return list.toArray();
}

// A count, or a list whose length is the count.
int countIn(const QJsonObject &object, QLatin1String name)
{
    const QJsonValue value = object.value(name);
    return value.isArray() ? int(value.toArray().size()) : value.toInt();
}
} // namespace

int Snapshot::reviewsCounted() const
{
    int count = 0;
    for (const int ofKind : reviewsByKind)
        count += ofKind;
    return count;
}

model::Result<QVector<RunLine>> runLines(const QJsonValue &answer)
{
    const auto list = listIn(answer, "runs"_L1);
    if (!list)
        return list.error();
    QVector<RunLine> lines;
    for (const QJsonValue &item : *list) {
        const QJsonObject run = item.toObject();
        RunLine line;
        line.runId = run.value("run_id"_L1).toString();
        line.workflow = run.value("workflow"_L1).toString();
        line.version = run.value("version"_L1).toInt();
        line.status = run.value("status"_L1).toString();
        line.eventId = run.value("event_id"_L1).toString();
        line.step = run.value("step"_L1).toString();
        line.reason = run.value("reason"_L1).toString();
        line.retryCount = run.value("retry_count"_L1).toInt();
        line.startedAt = instantIn(run, "started_at"_L1);
        line.updatedAt = instantIn(run, "updated_at"_L1);
        if (line.updatedAt == model::never) // an ended run was last touched when it ended
            line.updatedAt = instantIn(run, "finished_at"_L1);
        lines << line;
    }
    return lines;
}

model::Result<void> readSummary(const QJsonValue &answer, Snapshot &snapshot)
{
    const QJsonObject summary = answer.toObject();
    if (!summary.value("reviews"_L1).isDouble())
        return model::Error{model::ErrorKind::unsupported,
                            u"The engine's summary does not count what waits for a person."_s};
    snapshot.reviewTotal = summary.value("reviews"_L1).toInt();
    snapshot.pendingCommands = summary.value("pending_commands"_L1).toInt();
    return {};
}

model::Result<QMap<QString, int>> reviewCounts(const QJsonValue &answer)
{
    const auto list = listIn(answer, "reviews"_L1);
    if (!list)
        return list.error();
    QMap<QString, int> counts;
    for (const QJsonValue &item : *list)
        ++counts[item.toObject().value("kind"_L1).toString()];
    return counts;
}

model::Result<QVector<PauseLine>> pauseLines(const QJsonValue &answer)
{
    const auto list = listIn(answer, "pauses"_L1);
    if (!list)
        return list.error();
    QVector<PauseLine> lines;
    for (const QJsonValue &item : *list) {
        const QJsonObject pause = item.toObject();
        PauseLine line;
        line.scope = pause.value("scope"_L1).toString();
        line.target = pause.value("target"_L1).toString();
        line.depth = pause.value("depth"_L1).toString();
        line.reason = pause.value("reason"_L1).toString();
        line.actor = pause.value("actor"_L1).toString();
        line.at = instantIn(pause, "at"_L1);
        line.inFlight = countIn(pause, "in_flight"_L1);
        line.startedSince = countIn(pause, "started_since"_L1);
        lines << line;
    }
    return lines;
}

} // namespace holdfast::shell
