// Reads both databases share.
#include "store/row_reader.h"
#include "store/sql_store.h"

#include <algorithm>
#include <limits>

namespace holdfast::store
{

using namespace ports;

Result<std::optional<RunRow>> SqlStore::run(const QString &runId)
{
    if (!isRunId(runId))
        return std::optional<RunRow>();
    return one("run_by_id", {runId}, readRun);
}

Result<std::optional<RunRow>> SqlStore::runByEvent(const QString &workflow, const QString &eventId)
{
    return one("run_by_event", {textValue(workflow), textValue(eventId)}, readRun);
}

Result<QVector<RunRow>> SqlStore::runsPage(const QString &afterRunId, int limit)
{
    const QString after = afterRunId.isEmpty() ? lowestRunId() : afterRunId;
    if (!isRunId(after))
        return model::invalid(QStringLiteral("the cursor %1 is not a run id").arg(after));
    return list("runs_page", {after, limit}, readRun);
}

Result<QVector<RunRow>> SqlStore::openRuns() { return list("open_runs", {}, readRun); }

Result<QVector<JournalRow>> SqlStore::journal(const QString &runId)
{
    if (!isRunId(runId))
        return QVector<JournalRow>();
    return list("journal_of_run", {runId}, readJournal);
}

Result<QVector<JournalRow>> SqlStore::journalAfter(qint64 id, int limit)
{
    return list("journal_after", {id, limit}, readJournal);
}

Result<QVector<ReviewRow>> SqlStore::reviews(const ReviewFilter &filter)
{
    const QVariant kind = textValue(filter.kind);
    const auto matches = [&filter](const ReviewRow &row) {
        return (!filter.onlyOpen || row.decidedAt == model::never) &&
               (filter.kind.isEmpty() || row.kind == filter.kind) &&
               (filter.runId.isEmpty() || row.runId == filter.runId);
    };
    if (!filter.id.isEmpty()) {
        const Result<std::optional<ReviewRow>> found = one("review_by_id", {filter.id}, readReview);
        if (!found)
            return found.error();
        return *found && matches(**found) ? QVector<ReviewRow>{**found} : QVector<ReviewRow>();
    }
    if (!filter.runId.isEmpty()) {
        if (!isRunId(filter.runId))
            return QVector<ReviewRow>();
        return list("reviews_of_run",
                    {filter.runId, filter.onlyOpen ? 1 : 0, kind, kind, filter.limit}, readReview);
    }
    if (filter.onlyOpen)
        return list("reviews_open", {kind, kind, filter.limit}, readReview);
    Result<QVector<ReviewRow>> newest =
        list("reviews_all",
             {kind, kind, textValue(filter.notKind), filter.since,
              filter.until == model::never ? std::numeric_limits<qint64>::max() : filter.until,
              filter.limit},
             readReview);
    if (newest)
        std::reverse(newest->begin(), newest->end());
    return newest;
}

Result<QVector<PauseRow>> SqlStore::pauses(bool onlyActive)
{
    return list(onlyActive ? "pauses_active" : "pauses_all", {}, readPause);
}

Result<QVector<BreakerRow>> SqlStore::breakers() { return list("breakers", {}, readBreaker); }

Result<QVector<LedgerRow>> SqlStore::ledger(const QString &key)
{
    return list("ledger_of_key", {textValue(key)}, readLedger);
}

Result<QVector<LedgerRow>> SqlStore::ledgerPage(const QString &afterOperation,
                                                const QString &afterKey, int limit)
{
    return list("ledger_page", {textValue(afterKey), textValue(afterOperation), limit}, readLedger);
}

Result<std::optional<CommandRow>> SqlStore::command(const QString &id)
{
    return one("command_by_id", {textValue(id)}, readCommand);
}

Result<QVector<AuditRow>> SqlStore::audit(qint64 afterSeq, int limit)
{
    return list("audit_after", {afterSeq, limit}, readAudit);
}

Result<QVector<OutboxRow>> SqlStore::undelivered(int limit)
{
    return list("outbox_undelivered", {limit}, readOutbox);
}

Result<std::optional<WorkflowRow>> SqlStore::workflow(const QString &name, int version)
{
    if (version == 0)
        return one("workflow_newest", {textValue(name)}, readWorkflow);
    return one("workflow_version", {textValue(name), version}, readWorkflow);
}

Result<QVector<WorkflowRow>> SqlStore::workflows() { return list("workflows", {}, readWorkflow); }

Result<std::optional<DependencyRow>> SqlStore::dependency(const QString &name, int revision)
{
    if (revision == 0)
        return one("dependency_newest", {textValue(name)}, readDependency);
    return one("dependency_revision", {textValue(name), revision}, readDependency);
}

Result<QVector<DependencyRow>> SqlStore::dependencies()
{
    return list("dependencies", {}, readDependency);
}

} // namespace holdfast::store
