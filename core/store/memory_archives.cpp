#include "store/memory_store_impl.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;
using namespace Qt::StringLiterals;

Result<bool> MemoryStore::startArchive(const ArchiveRow &archive)
{
    return atomically<bool>([&]() -> Result<bool> {
        auto &archives = m_database->archives;
        for (const auto &[id, row] : archives) {
            if (id == archive.id || row.state == "written"_L1 || row.state == "removing"_L1)
                return false;
        }
        for (auto &[id, row] : archives) {
            if (row.state != "writing"_L1)
                continue;
            ArchiveRow dropped = row;
            dropped.state = u"dropped"_s;
            dropped.note = u"another archive was started"_s;
            dropped.endedAt = archive.startedAt;
            put(archives, id, dropped);
        }
        put(archives, archive.id, archive);
        return true;
    });
}

Result<bool> MemoryStore::setArchive(const ArchiveRow &archive, const QString &from)
{
    return atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->archives.find(archive.id);
        if (found == m_database->archives.end() || found->second.state != from)
            return false;
        ArchiveRow next = archive;
        next.actor = found->second.actor;
        put(m_database->archives, archive.id, next);
        return true;
    });
}

// Repeats the SQL's kept_for.
QString MemoryStore::keptFor(const RunRow &row, Instant before) const
{
    const MemoryDatabase &db = *m_database;
    if (row.finishedAt == model::never)
        return u"open"_s;
    if (row.finishedAt >= before || row.updatedAt >= before)
        return u"later"_s;
    if (!db.journal.empty() && db.journal.back().runId == row.runId)
        return u"newest"_s;
    for (const auto &[id, item] : db.reviews) {
        if (item.runId == row.runId && item.decidedAt == model::never)
            return u"review"_s;
    }
    for (const auto &[at, id] : db.pendingCommands) {
        if (db.commands.at(id).runId == row.runId)
            return u"command"_s;
    }
    for (const auto &[key, item] : db.batchItems) {
        const QString &state = db.batches.at(key.first).state;
        if (item.runId == row.runId && (state == "running"_L1 || state == "held"_L1) &&
            (item.state == "pending"_L1 || item.state == "recorded"_L1))
            return u"batch"_s;
    }
    return {};
}

Result<QStringList> MemoryStore::removeRuns(const ArchiveRow &archive,
                                            const QVector<RunVersion> &runs)
{
    return atomically<QStringList>([&]() -> Result<QStringList> {
        QStringList gone;
        for (const RunVersion &run : runs) {
            const auto found = m_database->runs.find(run.runId);
            if (found == m_database->runs.end() || found->second.seq != run.seq ||
                !keptFor(found->second, archive.before).isEmpty())
                continue;
            const RunRow row = found->second;
            removeRun(row, archive.id);
            gone.append(run.runId);
        }
        return gone;
    });
}

void MemoryStore::removeRun(const RunRow &row, const QString &archive)
{
    MemoryDatabase &db = *m_database;
    const MemoryDatabase::Pair event{row.eventId, row.workflow};
    put(db.archivedRuns, row.runId,
        {row.runId, archive, row.workflow, row.version, row.eventId, row.generation, row.inputHash,
         row.status, row.seq, row.createdAt, row.startedAt, row.finishedAt});
    put(db.archivedByEvent, event, row.runId);
    for (const size_t position : db.journalOfRun[row.runId]) {
        m_undo.push_back(
            [&db, position, old = db.journal[position]] { db.journal[position] = old; });
        db.journal[position].runId.clear();
        db.journal[position].entries.clear();
    }
    drop(db.journalOfRun, row.runId);
    const auto dropWhere = [&](auto &map) {
        QStringList ids;
        for (const auto &[id, each] : map) {
            if (each.runId == row.runId)
                ids.append(id);
        }
        for (const QString &id : ids)
            drop(map, id);
    };
    dropWhere(db.reviews);
    dropWhere(db.commands);
    drop(db.runsByEvent, event);
    index(row, false);
    m_undo.push_back([this, row] { index(row, true); });
    drop(db.runs, row.runId);
}

qint64 MemoryStore::removedBy(const QString &archive) const
{
    const auto &gone = m_database->archivedRuns;
    return std::count_if(gone.cbegin(), gone.cend(),
                         [&](const auto &entry) { return entry.second.archive == archive; });
}

Result<QVector<ArchiveRow>> MemoryStore::archives(int limit)
{
    const Hold hold(*this);
    QVector<ArchiveRow> rows;
    for (const auto &[id, row] : m_database->archives) {
        rows.append(row);
        rows.last().removed = removedBy(id);
    }
    std::sort(rows.begin(), rows.end(), [](const ArchiveRow &a, const ArchiveRow &b) {
        return std::pair(a.startedAt, a.id) > std::pair(b.startedAt, b.id);
    });
    return rows.mid(0, limit);
}

Result<std::optional<ArchiveRow>> MemoryStore::archive(const QString &id)
{
    const Hold hold(*this);
    const auto found = m_database->archives.find(id);
    if (found == m_database->archives.end())
        return std::optional<ArchiveRow>();
    ArchiveRow row = found->second;
    row.removed = removedBy(id);
    return std::optional<ArchiveRow>(row);
}

Result<QVector<ArchiveVerdict>> MemoryStore::archivable(Instant before, const QString &afterRunId,
                                                        int limit)
{
    const Hold hold(*this);
    QVector<ArchiveVerdict> rows;
    const auto &all = m_database->runs;
    for (auto entry = all.upper_bound(afterRunId); entry != all.end() && rows.size() < limit;
         ++entry) {
        const RunRow &row = entry->second;
        rows.append({row.runId, row.seq, keptFor(row, before)});
    }
    return rows;
}

Result<std::optional<ArchivedRunRow>> MemoryStore::archivedRun(const QString &runId)
{
    const Hold hold(*this);
    const auto found = m_database->archivedRuns.find(runId);
    return found == m_database->archivedRuns.end() ? std::optional<ArchivedRunRow>()
                                                   : std::optional<ArchivedRunRow>(found->second);
}

Result<QVector<CommandRow>> MemoryStore::commandsOf(const QString &runId)
{
    const Hold hold(*this);
    QVector<CommandRow> rows;
    for (const auto &[id, row] : m_database->commands) {
        if (row.runId == runId)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end(), [](const CommandRow &a, const CommandRow &b) {
        return std::pair(a.at, a.id) < std::pair(b.at, b.id);
    });
    return rows;
}

Result<Instant> MemoryStore::sealedUntil()
{
    const Hold hold(*this);
    Instant sealed = model::never;
    for (const auto &[id, row] : m_database->archives) {
        if (row.state == "removing"_L1 || row.state == "done"_L1)
            sealed = std::max(sealed, row.before);
    }
    return (sealed + model::minute - 1) / model::minute * model::minute;
}

} // namespace holdfast::store
