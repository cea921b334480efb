// Signs of life, asked for several times a second by every console: each figure comes from an index
// and costs the same with ten runs as with a million.
#include "control/access.h"
#include "control/arguments.h"
#include "control/pause_scope.h"
#include "control/run_query.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 heldCountMax = 10'000;

QJsonObject reviewCounts(const ports::StorePulse &pulse)
{
    QJsonObject json;
    for (const QString &kind : {u"ambiguous"_s, u"approval"_s, u"compensation_failed"_s,
                                u"conflict"_s, u"dead_letter"_s, u"tripwire"_s})
        json.insert(kind, pulse.openReviewsByKind.value(kind));
    return json;
}

QJsonObject oldestReviews(const ports::StorePulse &pulse)
{
    QJsonObject json;
    for (auto oldest = pulse.oldestReviewByKind.cbegin(); oldest != pulse.oldestReviewByKind.cend();
         ++oldest)
        json.insert(oldest.key(), instantJson(*oldest));
    return json;
}

QJsonObject runCounts(const ports::StorePulse &pulse)
{
    QJsonObject json;
    for (const model::RunStatus status : model::allRunStatuses) {
        if (!model::isFinal(status)) {
            const QString name = model::runStatusName(status);
            json.insert(name, pulse.openRunsByStatus.value(name));
        }
    }
    return json;
}

Result<qint64> heldCount(Context &context, const ports::PauseRow &pause)
{
    ports::RunFilter filter;
    filter.statuses = {u"held"_s};
    if (pause.scope == "workflow"_L1)
        filter.workflow = pause.target;
    if (pause.scope == "dependency"_L1) {
        const auto steps = stepsCalling(context, pause.target);
        if (!steps)
            return steps.error();
        if (steps->isEmpty())
            return qint64(0);
        filter.standsAt = *steps;
    }
    const auto counted = context.store.countRuns(filter, heldCountMax);
    return counted ? Result<qint64>(counted->count) : Result<qint64>(counted.error());
}

Result<QJsonArray> pausesJson(Context &context, const ports::StorePulse &pulse)
{
    const auto rows = context.store.pauses(true);
    if (!rows)
        return rows.error();
    context.pauseWatch.keep(*rows);
    QJsonArray list;
    if (rows->isEmpty())
        return list;
    const auto open = context.store.openRuns();
    if (!open)
        return open.error();
    for (const ports::PauseRow &row : *rows) {
        const auto held = heldCount(context, row);
        if (!held)
            return held.error();
        const auto started = context.pauseWatch.startedSince(context, row, pulse.journal);
        if (!started)
            return started.error();
        QJsonObject json = pauseJson(row);
        json.insert(u"in_flight"_s, inFlightUnder(row, *open).size());
        json.insert(u"held"_s, *held);
        json.insert(u"started_since"_s, *started ? QJsonValue(**started) : QJsonValue());
        list.append(json);
    }
    return list;
}
} // namespace

Result<QJsonValue> pulse(Context &context)
{
    const auto marks = context.store.pulse();
    if (!marks)
        return marks.error();
    const auto pauseList = pausesJson(context, *marks);
    if (!pauseList)
        return pauseList.error();
    const auto breakers = context.store.breakers();
    if (!breakers)
        return breakers.error();
    QJsonArray open;
    for (const ports::BreakerRow &row : *breakers) {
        if (row.state != "closed"_L1)
            open.append(row.dependency);
    }
    return QJsonValue(QJsonObject{{u"refused"_s, rightsJson(context.store.rights())["refused"_L1]},
                                  {u"journal"_s, marks->journal},
                                  {u"audit"_s, marks->audit},
                                  {u"pending_commands"_s, marks->pendingCommands},
                                  {u"in_flight"_s, marks->inFlight},
                                  {u"reviews"_s, reviewCounts(*marks)},
                                  {u"oldest"_s, oldestReviews(*marks)},
                                  {u"runs"_s, runCounts(*marks)},
                                  {u"pauses"_s, *pauseList},
                                  {u"breakers_open"_s, open},
                                  {u"workers_alive"_s, marks->workersAlive}});
}

} // namespace holdfast::control
