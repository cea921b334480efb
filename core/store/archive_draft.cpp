#include "store/archive_draft.h"

#include "store/row_reader.h"

#include <QFile>
#include <algorithm>

namespace holdfast::store
{

using namespace ports;

namespace
{
constexpr int wholeMax = 1'000'000; // rows of one kind that a run may have
}

Result<void> ArchiveDraft::copyRun(const WholeRun &run)
{
    const auto put = [this](const char *name, const QVariantList &values) -> Result<void> {
        const Result<int> inserted = change(name, values);
        return inserted ? Result<void>() : Result<void>(inserted.error());
    };
    if (const Result<void> done = put("copy_run", valuesOf(run.run)); !done)
        return done;
    for (const JournalRow &row : run.journal) {
        if (const Result<void> done =
                put("copy_journal", {row.id, row.runId, row.seq, row.at, textValue(row.worker),
                                     row.fence, journalValue(row.entries)});
            !done)
            return done;
    }
    for (const ReviewRow &row : run.reviews) {
        if (const Result<void> done = put("copy_review", allValuesOf(row)); !done)
            return done;
    }
    for (const CommandRow &row : run.commands) {
        if (const Result<void> done = put("insert_command", valuesOf(row)); !done)
            return done;
    }
    for (const LedgerRow &row : run.ledger) {
        if (const Result<void> done = put("replace_ledger", valuesOf(row)); !done)
            return done;
    }
    for (const AuditRow &row : run.audit) {
        if (const Result<void> done = put("copy_audit", valuesOf(row)); !done)
            return done;
    }
    return {};
}

Result<void> ArchiveDraft::copy(const QVector<WholeRun> &runs)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        for (const WholeRun &run : runs) {
            if (const Result<void> copied = copyRun(run); !copied)
                return copied.error();
        }
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> ArchiveDraft::copy(const ArchiveDefinitions &definitions)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        for (const WorkflowRow &row : definitions.workflows) {
            if (const Result<int> copied = change("copy_workflow", valuesOf(row)); !copied)
                return copied.error();
        }
        for (const DependencyRow &row : definitions.dependencies) {
            if (const Result<int> copied = change("copy_dependency", valuesOf(row)); !copied)
                return copied.error();
        }
        const Result<int> indexed = change("index_copied_ledger");
        return indexed ? Result<bool>(true) : Result<bool>(indexed.error());
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> ArchiveDraft::finish()
{
    // Statements that are still prepared would keep the log in use.
    const QString path = describe().mid(7);
    close();
    if (const Result<void> opened = open(); !opened)
        return opened;
    const Result<void> alone = m_connection.direct(QStringLiteral("pragma journal_mode=delete"));
    close();
    QFile::remove(path + QStringLiteral(".lock"));
    return alone;
}

Result<QVector<RunVersion>> ArchiveDraft::runsAfter(const QString &runId, int limit)
{
    return list("copied_runs", {textValue(runId), limit}, readRunVersion);
}

Result<WholeRun> ArchiveDraft::whole(const QString &runId)
{
    WholeRun whole;
    const auto row = run(runId);
    if (!row || !*row)
        return row ? model::notFound(QStringLiteral("run %1 is not in the archive").arg(runId))
                   : row.error();
    whole.run = **row;
    ReviewFilter filter;
    filter.runId = runId;
    filter.onlyOpen = false;
    filter.limit = wholeMax;
    const auto entries = journal(runId);
    const auto items = reviews(filter);
    const auto told = commandsOf(runId);
    const auto keys = list("copied_ledger", {textValue(runId)}, readLedger);
    const auto audited = auditOf({{}, {}, runId, 0, wholeMax});
    for (const auto &error :
         {entries ? QString() : entries.error().message, items ? QString() : items.error().message,
          told ? QString() : told.error().message, keys ? QString() : keys.error().message,
          audited ? QString() : audited.error().message}) {
        if (!error.isEmpty())
            return Error{ErrorKind::corrupt, error};
    }
    whole.journal = *entries;
    whole.reviews = *items;
    whole.commands = *told;
    whole.ledger = *keys;
    whole.audit = audited->rows;
    std::reverse(whole.audit.begin(), whole.audit.end());
    return whole;
}

Result<ArchiveDefinitions> ArchiveDraft::definitions()
{
    const auto workflows = list("copied_workflows", {}, readWorkflow);
    if (!workflows)
        return workflows.error();
    const auto dependencies = list("copied_dependencies", {}, readDependency);
    if (!dependencies)
        return dependencies.error();
    return ArchiveDefinitions{*workflows, *dependencies};
}

Result<void> ArchiveDraft::bringUpToDate(const QString &path)
{
    ArchiveDraft draft(path);
    if (const Result<void> opened = draft.open(); !opened)
        return opened;
    return draft.finish();
}

int ArchiveDraft::newestSchema() { return Statements::of(Dialect::sqlite).newestSchema(); }

} // namespace holdfast::store
