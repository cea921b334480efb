// Failure groups: what runs have in each, from one index for a window, and what people decided.
#include "store/row_reader.h"
#include "store/sql_store.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;

namespace
{
QVariantList windowOf(Instant since, Instant until)
{
    return {since / model::day, (until - 1) / model::day, since, until};
}
} // namespace

Result<bool> SqlStore::decideGroup(const GroupDecision &decision)
{
    return atomically<bool>([&]() -> Result<bool> {
        const QVariant id = textValue(decision.group);
        const auto changed = [&]() -> Result<int> {
            if (decision.act == QLatin1String("assign"))
                return change("set_group_owner", {textValue(decision.owner), id});
            if (decision.act == QLatin1String("tag"))
                return change("set_group_tags", {listText(decision.tags), id});
            if (decision.act == QLatin1String("note"))
                return change("set_group_note", {textValue(decision.text), id});
            if (decision.act == QLatin1String("merge"))
                return change("merge_group", {textValue(decision.into), id});
            if (decision.act == QLatin1String("unmerge"))
                return change("unmerge_group", {id});
            const bool resolves = decision.act == QLatin1String("resolve");
            const bool archives = decision.act == QLatin1String("archive");
            return change("set_group_disposition", {resolves   ? QStringLiteral("resolved")
                                                    : archives ? QStringLiteral("archived")
                                                               : QStringLiteral(""),
                                                    resolves ? decision.version : 0,
                                                    textValue(decision.by), decision.at, id});
        }();
        if (!changed)
            return changed.error();
        if (*changed > 0 && decision.act == QLatin1String("note")) {
            const Result<int> added =
                change("add_group_note", {id, decision.at, decision.by, textValue(decision.text)});
            if (!added)
                return added.error();
        }
        return *changed > 0;
    });
}

Result<QVector<FailureCount>> SqlStore::failureCounts(Instant since, Instant until)
{
    return list("failure_counts", windowOf(since, until), readFailureCount);
}

Result<QVector<FailureCount>> SqlStore::failureCountsOf(const QStringList &groups, Instant since,
                                                        Instant until)
{
    return list("failure_counts_of", QVariantList{listText(groups)} + windowOf(since, until),
                readFailureCount);
}

Result<qint64> SqlStore::failingRuns(Instant since, Instant until)
{
    return number("failing_runs", windowOf(since, until));
}

Result<QVector<FailureGroupRow>> SqlStore::failureGroups(const QStringList &ids)
{
    return list("failure_groups", {listText(ids)}, readFailureGroup);
}

Result<QVector<FailureGroupRow>> SqlStore::newestFailureGroups(int limit)
{
    return list("newest_failure_groups", {limit}, readFailureGroup);
}

Result<QStringList> SqlStore::regressedGroups(const QStringList &ids)
{
    const Result<QSqlQuery *> found = query("regressed_groups", {listText(ids)});
    if (!found)
        return found.error();
    QStringList regressed;
    while ((*found)->next())
        regressed.append((*found)->value(0).toString());
    (*found)->finish();
    return regressed;
}

Result<QVector<FailureRow>> SqlStore::failuresOfGroup(const QString &group, int limit)
{
    return list("failures_of_group", {textValue(group), limit}, readFailure);
}

Result<QVector<FailureRow>> SqlStore::failuresOfRun(const QString &runId)
{
    if (!isRunId(runId))
        return QVector<FailureRow>();
    return list("failures_of_run", {runId}, readFailure);
}

Result<QVector<int>> SqlStore::failureVersions(const QString &group)
{
    const Result<QSqlQuery *> found = query("failure_versions", {textValue(group)});
    if (!found)
        return found.error();
    QVector<int> versions;
    while ((*found)->next())
        versions.append((*found)->value(0).toInt());
    (*found)->finish();
    return versions;
}

Result<QVector<GroupNoteRow>> SqlStore::groupNotes(const QString &group)
{
    return list("group_notes", {textValue(group)}, readGroupNote);
}

Result<void> SqlStore::replaceFailures(const QString &runId, const QVector<FailureSeen> &failures)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        if (const Result<int> deleted = change("delete_failures_of_run", {runId}); !deleted)
            return deleted.error();
        for (const FailureSeen &seen : failures) {
            const FailureRow &row = seen.failure;
            if (const Result<int> put = change("put_failure_group", valuesOf(seen.group)); !put)
                return put.error();
            const Result<int> put =
                change("put_failure", {row.groupId, runId, row.version, row.firstAt, row.lastAt,
                                       row.occurrences, textValue(row.outcome)});
            if (!put)
                return put.error();
        }
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

} // namespace holdfast::store
