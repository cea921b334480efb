// What still waits for a person, what was compensated, and the failures as groups.
#include "control/arguments.h"
#include "control/group_view.h"
#include "control/question.h"
#include "control/report.h"
#include "insight/measures.h"

#include <QSet>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype itemsShown = 100;
constexpr int itemsRead = 2000;
constexpr int compensationsRead = 200;

QJsonObject itemJson(const ports::ReviewRow &row)
{
    return {{u"id"_s, row.id},
            {u"kind"_s, row.kind},
            {u"run_id"_s, textOrNull(row.runId)},
            {u"workflow"_s, row.workflow},
            {u"step"_s, row.step},
            {u"opened_at"_s, instantJson(row.openedAt)},
            {u"question"_s, questionText(row, nullptr)}};
}

// Open items that were opened before then, oldest first. A store gives the oldest; where there are
// more than those, the newest are looked for among all items of the time.
Result<QVector<ports::ReviewRow>> openBefore(Context &context, model::Instant until)
{
    ports::ReviewFilter filter;
    filter.limit = itemsRead;
    auto rows = context.store.reviews(filter);
    if (!rows)
        return rows.error();
    const bool isAll = rows->size() < itemsRead || rows->last().openedAt >= until;
    rows->removeIf([until](const auto &row) { return row.openedAt >= until; });
    if (isAll)
        return rows;
    filter.onlyOpen = false;
    filter.since = rows->last().openedAt;
    filter.until = until;
    const auto newest = context.store.reviews(filter);
    if (!newest)
        return newest.error();
    QSet<QString> known;
    for (const ports::ReviewRow &row : std::as_const(*rows))
        known.insert(row.id);
    for (const ports::ReviewRow &row : *newest) {
        if (row.decidedAt == model::never && !known.contains(row.id))
            rows->append(row);
    }
    return rows;
}

// How many are open, where all of them were opened before then; 0: not known.
Result<qint64> openItems(Context &context, model::Instant until)
{
    const auto now = context.store.now();
    if (!now)
        return now.error();
    if (until <= *now)
        return qint64(0);
    const auto pulse = context.store.pulse();
    if (!pulse)
        return pulse.error();
    qint64 sum = 0;
    for (const qint64 count : pulse->openReviewsByKind)
        sum += count;
    return sum;
}

// What people called it; as long as nobody did, what the machine calls it.
QString causeOf(const ports::FailureGroupRow &group)
{
    if (!group.tags.isEmpty())
        return group.tags.first();
    const QString code = group.reason.isEmpty() ? group.failureClass : group.reason;
    return u"(no tag) %1"_s.arg(code);
}

QJsonArray causesOf(const QVector<SeenGroup> &groups)
{
    QMap<QString, qint64> byCause;
    qint64 all = 0;
    for (const SeenGroup &group : groups) {
        byCause[causeOf(group.row)] += group.runs;
        all += group.runs;
    }
    QStringList causes = byCause.keys();
    std::stable_sort(causes.begin(), causes.end(), [&](const QString &a, const QString &b) {
        return byCause.value(a) > byCause.value(b);
    });
    QJsonArray list;
    qint64 sum = 0;
    for (const QString &cause : std::as_const(causes)) {
        const qint64 runs = byCause.value(cause);
        sum += runs;
        list.append(QJsonObject{{u"cause"_s, cause},
                                {u"runs"_s, runs},
                                {u"share"_s, numberOrNull(insight::shareOf(runs, all))},
                                {u"cumulative"_s, numberOrNull(insight::shareOf(sum, all))}});
    }
    return list;
}
} // namespace

// As they stand now: what was decided since is settled. The newest are shown first.
Result<void> addUnresolved(Context &context, const ReportSpan &span, QJsonObject &document)
{
    const auto rows = openBefore(context, span.until);
    if (!rows)
        return rows.error();
    qint64 all = rows->size();
    if (all >= itemsRead) {
        const auto open = openItems(context, span.until);
        if (!open)
            return open.error();
        all = std::max(all, *open);
    }
    QJsonArray list;
    for (auto row = rows->crbegin(); row != rows->crend() && list.size() < itemsShown; ++row)
        list.append(itemJson(*row));
    document.insert(u"unresolved"_s, list);
    document.insert(u"unresolved_more"_s, all - list.size());
    return {};
}

Result<void> addCompensations(Context &context, const ReportSpan &span, QJsonObject &document)
{
    const auto rows = context.store.undoneRuns(span.since, span.until, compensationsRead);
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::RunRow &row : rows->mid(0, itemsShown))
        list.append(QJsonObject{{u"run_id"_s, row.runId},
                                {u"workflow"_s, row.workflow},
                                {u"status"_s, model::runStatusName(row.status)},
                                {u"steps"_s, row.compensationCount},
                                {u"finished_at"_s, instantJson(row.finishedAt)}});
    document.insert(u"compensations"_s, list);
    qint64 all = rows->size();
    // Where not all were read, the counters know: they count a run again that ended so twice.
    const QJsonArray figures = document.value("figures"_L1).toArray();
    for (qsizetype i = 0, sum = 0; rows->size() == compensationsRead && i < figures.size(); ++i) {
        const QString name = figures.at(i)["name"_L1].toString();
        if (name == "runs_compensated"_L1 || name == "runs_compensation_failed"_L1)
            sum += figures.at(i)["now"_L1].toInteger();
        all = std::max<qint64>(all, sum);
    }
    document.insert(u"compensations_more"_s, all - list.size());
    return {};
}

Result<void> addGroups(Context &context, const ReportSpan &span, QJsonObject &document)
{
    const auto seen = groupsSeen(context, {span.since, span.until});
    if (!seen)
        return seen.error();
    QJsonArray list;
    for (const SeenGroup &group : seen->mid(0, itemsShown))
        list.append(groupJson(group));
    document.insert(u"groups"_s, list);
    document.insert(u"groups_more"_s, seen->size() - list.size());
    document.insert(u"causes"_s, causesOf(*seen));
    return {};
}

} // namespace holdfast::control
