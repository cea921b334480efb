// Lists and counts of runs. A filter is answered from the index that narrows most; what is left
// over is compared row by row, and a page looks at a bounded number of rows.
#include "store/row_reader.h"
#include "store/run_filter.h"
#include "store/sql_store.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;

namespace
{
constexpr qsizetype walkedOneByOneMax = 2; // workflows

// Ids run ahead of the clock where it was set back; further than this it never is.
constexpr Millis aheadMax = model::hour;

// As the residue compares it: |workflow/step|workflow/step|
QString standsAtText(const QVector<WorkflowStep> &steps)
{
    QString text = QStringLiteral("");
    for (const WorkflowStep &step : steps)
        text += u'|' + step.workflow + u'/' + step.step;
    return text.isEmpty() ? text : text + u'|';
}

// An index by a name and the id is walked in pairs of both.
QVariantList pairsOf(const QVariantList &narrowedBy, const QVariant &below, const QVariant &from)
{
    return (narrowedBy + QVariantList{below}) + narrowedBy + QVariantList{from};
}

QVariantList residueOf(const RunFilter &filter)
{
    const QVariant workflow = textValue(filter.workflow);
    const QVariant step = textValue(filter.step);
    const QVariant reason = textValue(filter.reason);
    const QVariant standsAt = standsAtText(filter.standsAt);
    return {filter.since, filter.since, filter.until, filter.until, workflow, workflow,
            step,         step,         reason,       reason,       standsAt, standsAt};
}

bool isNewer(const RunRow &a, const RunRow &b) { return a.runId > b.runId; }

void sortNewestFirst(QVector<RunRow> &rows)
{
    std::sort(rows.begin(), rows.end(), isNewer);
    const auto isSame = [](const RunRow &a, const RunRow &b) { return a.runId == b.runId; };
    rows.erase(std::unique(rows.begin(), rows.end(), isSame), rows.end());
}

RunPage pageOf(QVector<RunRow> rows, int limit, const QString &stoppedAt)
{
    RunPage page;
    rows.removeIf([&stoppedAt](const RunRow &row) { return row.runId < stoppedAt; });
    page.cursor = rows.size() > limit ? rows.at(limit - 1).runId : stoppedAt;
    rows.resize(std::min<qsizetype>(rows.size(), limit));
    page.rows = rows;
    return page;
}
} // namespace

// What is named by an id is looked up: a handful of rows at most.
Result<std::optional<QVector<RunRow>>> SqlStore::runsByName(const RunFilter &filter)
{
    using Answer = std::optional<QVector<RunRow>>;
    if (!filter.runIds && filter.eventId.isEmpty() && filter.ids.isEmpty())
        return Answer();
    const QString either = filter.ids.isEmpty() ? QString() : filter.ids.first();
    const QString eventId = filter.eventId.isEmpty() ? either : filter.eventId;
    QVector<RunRow> found;
    if (!filter.runIds) {
        const Result<QVector<RunRow>> rows = list("runs_of_event", {eventId}, readRun);
        if (!rows)
            return rows.error();
        found = *rows;
    }
    for (const QString &runId : filter.runIds.value_or(QStringList{either})) {
        const Result<std::optional<RunRow>> row = run(runId);
        if (!row)
            return row.error();
        if (*row)
            found.append(**row);
    }
    found.removeIf([&filter](const RunRow &row) { return !matches(row, filter); });
    for (const RunRow &row : QVector<RunRow>(found)) {
        const Result<bool> isIn = isInGroups(row, filter.groups);
        if (!isIn)
            return isIn.error();
        if (!*isIn)
            found.removeIf([&row](const RunRow &other) { return other.runId == row.runId; });
    }
    sortNewestFirst(found);
    return Answer(found);
}

Result<bool> SqlStore::isInGroups(const RunRow &row, const QStringList &groups)
{
    for (const QString &group : groups) {
        const Result<qint64> found = number("run_in_group", {group, row.runId});
        if (!found || *found > 0)
            return found ? Result<bool>(true) : Result<bool>(found.error());
    }
    return groups.isEmpty();
}

Result<QVariantList> SqlStore::idsOf(const RunFilter &filter) const
{
    QString below = filter.cursor.isEmpty() ? highestRunId() : filter.cursor;
    if (!isRunId(below))
        return model::invalid(QStringLiteral("the cursor %1 is not a run id").arg(below));
    if (filter.until != model::never)
        below = std::min(below, lowestIdAt(filter.until + aheadMax));
    const QString from = filter.since == model::never ? lowestRunId() : lowestIdAt(filter.since);
    return QVariantList{below, from};
}

QVector<SqlStore::RunRange> SqlStore::rangesOfGroups(const RunFilter &filter)
{
    const QString statuses =
        filter.statuses.isEmpty() ? QStringLiteral("") : u'|' + filter.statuses.join(u'|') + u'|';
    QVector<RunRange> ranges;
    for (const QString &group : filter.groups)
        ranges.append({"runs_of_group",
                       "count_of_group",
                       "bound_of_group",
                       {group},
                       true, // its archived runs have failures, but are no rows to list
                       {statuses, statuses}});
    return ranges;
}

QVector<SqlStore::RunRange> SqlStore::rangesOf(const RunFilter &filter)
{
    if (!filter.groups.isEmpty())
        return rangesOfGroups(filter);
    const bool beside = !filter.step.isEmpty() || !filter.standsAt.isEmpty();
    QVector<RunRange> ranges;
    for (const QString &status : filter.statuses) {
        const bool residue = beside || !filter.workflow.isEmpty() || !filter.reason.isEmpty();
        ranges.append({"runs_of_status", "count_of_status", "bound_of_status", {status}, residue});
    }
    if (!ranges.isEmpty())
        return ranges;
    if (!filter.reason.isEmpty()) {
        const bool residue = beside || !filter.workflow.isEmpty();
        return {{"runs_of_reason", "count_of_reason", "bound_of_reason", {filter.reason}, residue}};
    }
    QStringList workflows{filter.workflow};
    if (filter.workflow.isEmpty()) {
        workflows.clear();
        for (const WorkflowStep &step : filter.standsAt)
            workflows.append(step.workflow);
        workflows.removeDuplicates();
    }
    // Many of them are most of what there is: one walk over all runs finds more with fewer
    // questions.
    if (workflows.size() > walkedOneByOneMax)
        workflows.clear();
    for (const QString &workflow : std::as_const(workflows))
        ranges.append(
            {"runs_of_workflow", "count_of_workflow", "bound_of_workflow", {workflow}, beside});
    if (ranges.isEmpty())
        ranges.append({"runs_newest", "count_newest", "bound_newest", {}, beside});
    return ranges;
}

Result<QString> SqlStore::boundOf(const RunRange &range, const QVariantList &ids, qsizetype ranges)
{
    if (!range.hasResidue)
        return QString();
    const qsizetype share = std::max<qsizetype>(m_examinedMax / ranges, 1);
    const Result<QSqlQuery *> found = query(
        range.bound, pairsOf(range.narrowedBy, ids.first(), ids.last()) + QVariantList{share - 1});
    if (!found)
        return found.error();
    const QString bound = (*found)->next() ? (*found)->value(0).toString() : QString();
    (*found)->finish();
    return bound;
}

Result<QVector<RunRow>> SqlStore::runs(const RunFilter &filter)
{
    Result<std::optional<QVector<RunRow>>> named = runsByName(filter);
    if (!named)
        return named.error();
    if (*named)
        return pageOf(**named, filter.limit, {}).rows;
    const Result<QVariantList> ids = idsOf(filter);
    if (!ids)
        return ids.error();
    QVector<RunRow> rows;
    for (const RunRange &range : rangesOf(filter)) {
        const Result<QVector<RunRow>> part =
            list(range.page,
                 pairsOf(range.narrowedBy, ids->first(), ids->last()) + residueOf(filter) +
                     range.alsoAsked + QVariantList{filter.limit},
                 readRun);
        if (!part)
            return part.error();
        rows += *part;
    }
    sortNewestFirst(rows);
    return pageOf(rows, filter.limit, {}).rows;
}

Result<RunPage> SqlStore::runPage(const RunFilter &filter)
{
    Result<std::optional<QVector<RunRow>>> named = runsByName(filter);
    if (!named)
        return named.error();
    if (*named)
        return pageOf(**named, filter.limit, {});
    Result<QVariantList> ids = idsOf(filter);
    if (!ids)
        return ids.error();
    QVector<RunRow> rows;
    QString stoppedAt;
    const QVector<RunRange> ranges = rangesOf(filter);
    for (const RunRange &range : ranges) {
        const Result<QString> bound = boundOf(range, *ids, ranges.size());
        if (!bound)
            return bound.error();
        const QVariant from = bound->isEmpty() ? ids->last() : QVariant(*bound);
        const Result<QVector<RunRow>> part =
            list(range.page,
                 pairsOf(range.narrowedBy, ids->first(), from) + residueOf(filter) +
                     range.alsoAsked + QVariantList{filter.limit + 1},
                 readRun);
        if (!part)
            return part.error();
        rows += *part;
        // What another range has below this is for the next page, or it would come out of order.
        if (part->size() <= filter.limit)
            stoppedAt = std::max(stoppedAt, *bound);
    }
    sortNewestFirst(rows);
    return pageOf(rows, filter.limit, stoppedAt);
}

Result<RunCount> SqlStore::countRuns(const RunFilter &filter, qint64 most)
{
    Result<std::optional<QVector<RunRow>>> named = runsByName(filter);
    if (!named)
        return named.error();
    if (*named)
        return RunCount{(*named)->size(), false};
    // A run may stand in several of them, and is one.
    if (filter.groups.size() > 1) {
        RunFilter all = filter;
        all.limit = int(most) + 1;
        const Result<QVector<RunRow>> rows = runs(all);
        if (!rows)
            return rows.error();
        return RunCount{std::min<qint64>(rows->size(), most), rows->size() > most};
    }
    const Result<QVariantList> ids = idsOf(filter);
    if (!ids)
        return ids.error();
    RunCount counted;
    const QVector<RunRange> ranges = rangesOf(filter);
    for (const RunRange &range : ranges) {
        const Result<QString> bound = boundOf(range, *ids, ranges.size());
        if (!bound)
            return bound.error();
        const QVariant from = bound->isEmpty() ? ids->last() : QVariant(*bound);
        const Result<qint64> part =
            number(range.count, pairsOf(range.narrowedBy, ids->first(), from) + residueOf(filter) +
                                    range.alsoAsked + QVariantList{most + 1 - counted.count});
        if (!part)
            return part.error();
        counted.count += *part;
        counted.capped = counted.capped || !bound->isEmpty();
        if (counted.count > most)
            return RunCount{most, true};
    }
    return counted;
}

Result<QStringList> SqlStore::runReasons(int limit)
{
    const Result<QSqlQuery *> found = query("run_reasons", {limit});
    if (!found)
        return found.error();
    QStringList reasons;
    while ((*found)->next())
        reasons.append((*found)->value(0).toString());
    (*found)->finish();
    return reasons;
}

} // namespace holdfast::store
