// Retention on PostgreSQL. Differs because the rights live there: whether a run may go is judged by
// the function that takes it out, and its audit row is owed in the same transaction.
#include "store/postgres_array.h"
#include "store/postgres_store.h"
#include "store/row_reader.h"

namespace holdfast::store
{

using namespace ports;

Result<bool> PostgresStore::startArchive(const ArchiveRow &archive)
{
    const Result<int> started =
        change("start_archive", {textValue(archive.id), textValue(archive.file),
                                 textValue(archive.host), archive.before, textValue(archive.reason),
                                 textValue(archive.actor), archive.startedAt});
    return started ? Result<bool>(*started > 0) : Result<bool>(started.error());
}

Result<bool> PostgresStore::setArchive(const ArchiveRow &archive, const QString &from)
{
    const Instant at = archive.endedAt != model::never ? archive.endedAt : archive.writtenAt;
    const Result<int> changed = change(
        "set_archive", {textValue(archive.state), textValue(archive.note), archive.runs,
                        archive.size, textValue(archive.hash), jsonValue(archive.manifest), at,
                        textValue(archive.actor), textValue(archive.id), textValue(from)});
    return changed ? Result<bool>(*changed > 0) : Result<bool>(changed.error());
}

Result<QStringList> PostgresStore::removeRuns(const ArchiveRow &archive,
                                              const QVector<RunVersion> &runs)
{
    PostgresColumns columns(2);
    for (const RunVersion &run : runs)
        columns.addRow({run.runId, run.seq});
    const QVariantList values = QVariantList{textValue(archive.id)} + columns.values() +
                                QVariantList{textValue(archive.actor)};
    const auto gone =
        list<RunVersion>("remove_runs", values, [](const QSqlQuery &row) -> RunVersion {
            return {row.value(0).toString(), 0};
        });
    if (!gone)
        return gone.error();
    QStringList ids;
    for (const RunVersion &run : *gone)
        ids.append(run.runId);
    return ids;
}

} // namespace holdfast::store
