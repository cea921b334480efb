// Retention: archives, which runs may go into one, and taking them out.
#include "store/row_reader.h"
#include "store/sql_store.h"

namespace holdfast::store
{

using namespace ports;

Result<bool> SqlStore::startArchive(const ArchiveRow &archive)
{
    return atomically<bool>([&]() -> Result<bool> {
        const Result<qint64> unfinished = number("unfinished_archive", {textValue(archive.id)});
        if (!unfinished || *unfinished > 0)
            return unfinished ? Result<bool>(false) : Result<bool>(unfinished.error());
        const Result<int> inserted = change("insert_archive", valuesOf(archive));
        if (!inserted || *inserted == 0)
            return inserted ? Result<bool>(false) : Result<bool>(inserted.error());
        const Result<int> dropped =
            change("drop_archives", {archive.startedAt, textValue(archive.id)});
        return dropped ? Result<bool>(true) : Result<bool>(dropped.error());
    });
}

Result<bool> SqlStore::setArchive(const ArchiveRow &archive, const QString &from)
{
    const Result<int> changed =
        change("set_archive", {textValue(archive.state), textValue(archive.note), archive.runs,
                               archive.size, textValue(archive.hash), jsonValue(archive.manifest),
                               instantValue(archive.writtenAt), instantValue(archive.endedAt),
                               textValue(archive.id), textValue(from)});
    return changed ? Result<bool>(*changed > 0) : Result<bool>(changed.error());
}

Result<QStringList> SqlStore::removeRuns(const ArchiveRow &archive, const QVector<RunVersion> &runs)
{
    QStringList gone;
    for (const RunVersion &run : runs) {
        const Result<int> kept =
            change("keep_archived", {textValue(archive.id), archive.before, run.runId, run.seq});
        if (!kept)
            return kept.error();
        if (*kept == 0)
            continue;
        for (const char *name :
             {"delete_journal", "delete_reviews", "delete_commands", "delete_run"}) {
            if (const Result<int> deleted = change(name, {run.runId}); !deleted)
                return deleted.error();
        }
        gone.append(run.runId);
    }
    return gone;
}

Result<QVector<ArchiveRow>> SqlStore::archives(int limit)
{
    return list("archives", {limit}, readArchive);
}

Result<std::optional<ArchiveRow>> SqlStore::archive(const QString &id)
{
    return one("archive_by_id", {textValue(id)}, readArchive);
}

Result<QVector<ArchiveVerdict>> SqlStore::archivable(Instant before, const QString &afterRunId,
                                                     int limit)
{
    return list("archivable", {before, afterRunId.isEmpty() ? lowestRunId() : afterRunId, limit},
                readArchiveVerdict);
}

Result<std::optional<ArchivedRunRow>> SqlStore::archivedRun(const QString &runId)
{
    if (!isRunId(runId))
        return std::optional<ArchivedRunRow>();
    return one("archived_run", {textValue(runId)}, readArchivedRun);
}

Result<QVector<CommandRow>> SqlStore::commandsOf(const QString &runId)
{
    if (!isRunId(runId))
        return QVector<CommandRow>();
    return list("commands_of_run", {textValue(runId)}, readCommand);
}

Result<Instant> SqlStore::sealedUntil() { return number("sealed_until"); }

} // namespace holdfast::store
