// Lists of runs, and one run whole.
#include "control/arguments.h"
#include "control/run_view.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 pageMax = 100;

Result<ports::RunFilter> filterOf(const QJsonObject &arguments)
{
    ports::RunFilter filter;
    const auto statuses = listOf(arguments, "status");
    if (!statuses)
        return statuses.error();
    for (const QString &status : *statuses) {
        if (!model::runStatusFromName(status))
            return model::invalid(u"%1 is no status of a run"_s.arg(status));
    }
    const auto since = instantOf(arguments, "since");
    if (!since)
        return since.error();
    const auto until = instantOf(arguments, "until");
    if (!until)
        return until.error();
    const auto limit = integerOr(arguments, "limit", pageMax);
    if (!limit)
        return limit.error();
    if (*limit < 1 || *limit > pageMax)
        return model::invalid(u"limit must be between 1 and %1"_s.arg(pageMax));
    filter.statuses = *statuses;
    filter.workflow = arguments.value("workflow"_L1).toString();
    filter.eventId = arguments.value("event_id"_L1).toString();
    filter.step = arguments.value("step"_L1).toString();
    filter.reason = arguments.value("reason"_L1).toString();
    filter.since = *since;
    filter.until = *until;
    filter.cursor = arguments.value("cursor"_L1).toString();
    filter.limit = int(*limit);
    return filter;
}
} // namespace

Result<QJsonValue> runs(Context &context)
{
    auto filter = filterOf(context.arguments());
    if (!filter)
        return filter.error();
    const int limit = filter->limit;
    // One more than shown tells whether there is a next page.
    filter->limit = limit + 1;
    const auto rows = context.store.runs(*filter);
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::RunRow &row : *rows) {
        if (list.size() < limit)
            list.append(runJson(row));
    }
    const bool more = rows->size() > limit;
    return QJsonValue(
        QJsonObject{{u"runs"_s, list},
                    {u"cursor"_s, more ? QJsonValue(rows->at(limit - 1).runId) : QJsonValue()}});
}

Result<QJsonValue> show(Context &context)
{
    const auto runId = requiredText(context.arguments(), "run");
    if (!runId)
        return runId.error();
    const auto loaded = loadRun(context, *runId);
    if (!loaded)
        return loaded.error();
    ports::ReviewFilter filter;
    filter.runId = *runId;
    const auto open = context.store.reviews(filter);
    if (!open)
        return open.error();
    return QJsonValue(wholeRunJson(*loaded, *open));
}

} // namespace holdfast::control
