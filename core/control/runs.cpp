// Lists of runs, and one run whole.
#include "control/arguments.h"
#include "control/run_actions.h"
#include "control/run_query.h"
#include "control/run_view.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 pageDefault = 100;
constexpr qint64 runsPageMax = 200;
} // namespace

Result<QJsonValue> runs(Context &context)
{
    auto filter = runFilterOfArguments(context);
    if (!filter)
        return filter.error();
    const auto limit = integerOr(context.arguments(), "limit", pageDefault);
    if (!limit)
        return limit.error();
    if (*limit < 1 || *limit > runsPageMax)
        return model::invalid(u"limit must be between 1 and %1"_s.arg(runsPageMax));
    filter->limit = int(*limit);
    filter->cursor = context.arguments().value("cursor"_L1).toString();
    const auto page = context.store.runPage(*filter);
    if (!page)
        return page.error();
    QJsonArray list;
    for (const ports::RunRow &row : page->rows)
        list.append(runJson(row));
    return QJsonValue(QJsonObject{
        {u"runs"_s, list},
        {u"cursor"_s, page->cursor.isEmpty() ? QJsonValue() : QJsonValue(page->cursor)}});
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
    const auto dry = DryRun::on(context, *loaded);
    if (!dry)
        return dry.error();
    QJsonObject json = wholeRunJson(*loaded, *open);
    json.insert(u"actions"_s, actionsJson(context, *loaded, *dry));
    return QJsonValue(json);
}

} // namespace holdfast::control
