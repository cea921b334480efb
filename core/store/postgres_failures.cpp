// Failures of a turn on PostgreSQL, each kind in one statement and in the order of ids, so that two
// workers cannot wait for each other; and a person's decision, which the database itself checks.
#include "store/postgres_array.h"
#include "store/postgres_store.h"
#include "store/row_reader.h"

#include <algorithm>
#include <map>

namespace holdfast::store
{

using namespace ports;

Result<void> PostgresStore::writeFailures(const TurnWrites &writes, const QSet<QString> &fenced)
{
    std::map<QString, FailureGroupRow> groups;
    PostgresColumns failures(6);
    for (const FailureSeen &seen : writes.failures) {
        const FailureRow &row = seen.failure;
        if (fenced.contains(row.runId))
            continue;
        FailureGroupRow &group = groups.emplace(seen.group.id, seen.group).first->second;
        group.firstAt = std::min(group.firstAt, seen.group.firstAt);
        failures.addRow(
            {row.groupId, row.runId, row.version, row.firstAt, row.lastAt, row.occurrences});
    }
    PostgresColumns columns(9);
    for (const auto &[id, group] : groups)
        columns.addRow(valuesOf(group));
    if (const Result<void> sent = send("add_failure_groups", columns); !sent)
        return sent;
    if (const Result<void> sent = send("add_failures", failures); !sent)
        return sent;
    PostgresColumns outcomes(2);
    for (const RunOutcome &outcome : writes.outcomes) {
        if (!fenced.contains(outcome.runId))
            outcomes.addRow({outcome.runId, textValue(outcome.outcome)});
    }
    return send("set_outcomes", outcomes);
}

Result<bool> PostgresStore::decideGroup(const GroupDecision &decision)
{
    const Result<int> changed =
        change("decide_group",
               {textValue(decision.group), textValue(decision.act), decision.version,
                textValue(decision.owner), listText(decision.tags), textValue(decision.text),
                textValue(decision.into), textValue(decision.by), decision.at});
    return changed ? Result<bool>(*changed > 0) : Result<bool>(changed.error());
}

} // namespace holdfast::store
