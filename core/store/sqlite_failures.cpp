// Failures of a turn on SQLite.
#include "store/row_reader.h"
#include "store/sqlite_store.h"

namespace holdfast::store
{

using namespace ports;

Result<void> SqliteStore::writeFailures(const TurnWrites &writes, const QSet<QString> &fenced)
{
    for (const FailureSeen &seen : writes.failures) {
        const FailureRow &row = seen.failure;
        const FailureGroupRow &group = seen.group;
        if (fenced.contains(row.runId))
            continue;
        const Result<int> grouped = m_connection.changeTo(
            "add_failure_group", group.id, group.workflow, group.step, group.direction,
            group.failureClass, group.reason, group.message, group.dependency, group.firstAt);
        if (!grouped)
            return grouped.error();
        const Result<int> added =
            m_connection.changeTo("add_failure", row.groupId, row.runId, row.version, row.firstAt,
                                  row.lastAt, row.occurrences);
        if (!added)
            return added.error();
    }
    for (const RunOutcome &outcome : writes.outcomes) {
        if (fenced.contains(outcome.runId))
            continue;
        const Result<int> set =
            m_connection.changeTo("set_outcome", outcome.outcome, outcome.runId);
        if (!set)
            return set.error();
    }
    return {};
}

} // namespace holdfast::store
