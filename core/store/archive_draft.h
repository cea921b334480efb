// The database inside an archive: a run database with whole runs in it and nothing else. Written
// once, by whoever makes the archive; after that it is only read.
#pragma once

#include "store/sqlite_store.h"

namespace holdfast::store
{

class ArchiveDraft : public SqliteStore
{
public:
    using SqliteStore::SqliteStore;

    // One transaction.
    Result<void> copy(const QVector<ports::WholeRun> &runs);
    Result<void> copy(const ports::ArchiveDefinitions &definitions);
    // Leaves one file without a log beside it.
    Result<void> finish();

    Result<QVector<ports::RunVersion>> runsAfter(const QString &runId, int limit);
    Result<ports::WholeRun> whole(const QString &runId);
    Result<ports::ArchiveDefinitions> definitions();

    // A copy that an older program made becomes one that this program reads.
    static Result<void> bringUpToDate(const QString &path);
    static int newestSchema();

private:
    Result<void> copyRun(const ports::WholeRun &run);
};

} // namespace holdfast::store
