// Reads in memory.
#include "store/memory_store_impl.h"
#include "store/run_filter.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;

namespace
{
template <typename Map>
auto valuesOf(const Map &map)
{
    QVector<typename Map::mapped_type> rows;
    for (const auto &[key, row] : map)
        rows.append(row);
    return rows;
}

template <typename Map>
std::optional<typename Map::mapped_type> find(const Map &map, const typename Map::key_type &key)
{
    const auto found = map.find(key);
    if (found == map.end())
        return std::nullopt;
    return found->second;
}
} // namespace

Result<std::optional<RunRow>> MemoryStore::run(const QString &runId)
{
    const Hold hold(*this);
    return find(m_database->runs, runId);
}

Result<std::optional<RunRow>> MemoryStore::runByEvent(const QString &workflow,
                                                      const QString &eventId)
{
    const Hold hold(*this);
    const auto runId = find(m_database->runsByEvent, {eventId, workflow});
    return runId ? find(m_database->runs, *runId) : std::optional<RunRow>();
}

Result<QVector<RunRow>> MemoryStore::runs(const RunFilter &filter)
{
    const Hold hold(*this);
    QVector<RunRow> rows;
    const auto &all = m_database->runs;
    for (auto entry = all.crbegin(); entry != all.crend() && rows.size() < filter.limit; ++entry) {
        if (matches(entry->second, filter) && isInGroups(entry->first, filter.groups))
            rows.append(entry->second);
    }
    return rows;
}

Result<QVector<RunRow>> MemoryStore::runsPage(const QString &afterRunId, int limit)
{
    const Hold hold(*this);
    QVector<RunRow> rows;
    const auto &all = m_database->runs;
    for (auto entry = all.upper_bound(afterRunId); entry != all.end() && rows.size() < limit;
         ++entry)
        rows.append(entry->second);
    return rows;
}

Result<QVector<RunRow>> MemoryStore::openRuns()
{
    const Hold hold(*this);
    QVector<RunRow> rows;
    for (const QString &runId : m_database->owned)
        rows.append(m_database->runs.at(runId));
    return rows;
}

QVector<JournalRow> MemoryStore::journalRows(const QString &runId) const
{
    QVector<JournalRow> rows;
    const auto found = m_database->journalOfRun.find(runId);
    if (found == m_database->journalOfRun.end())
        return rows;
    for (const size_t position : found->second)
        rows.append(m_database->journal.at(position));
    return rows;
}

Result<QVector<JournalRow>> MemoryStore::journal(const QString &runId)
{
    const Hold hold(*this);
    return journalRows(runId);
}

Result<QVector<JournalRow>> MemoryStore::journalAfter(qint64 id, int limit)
{
    const Hold hold(*this);
    QVector<JournalRow> rows;
    for (size_t i = size_t(std::max<qint64>(id, 0));
         i < m_database->journal.size() && rows.size() < limit; ++i) {
        if (!m_database->journal[i].runId.isEmpty())
            rows.append(m_database->journal[i]);
    }
    return rows;
}

Result<QVector<ReviewRow>> MemoryStore::reviews(const ReviewFilter &filter)
{
    const Hold hold(*this);
    QVector<ReviewRow> rows;
    for (const auto &[id, row] : m_database->reviews) {
        const bool inSpan = row.openedAt >= filter.since && row.kind != filter.notKind &&
                            (filter.until == model::never || row.openedAt < filter.until);
        if ((filter.onlyOpen ? row.decidedAt == model::never : inSpan) &&
            (filter.kind.isEmpty() || row.kind == filter.kind) &&
            (filter.runId.isEmpty() || row.runId == filter.runId) &&
            (filter.id.isEmpty() || id == filter.id))
            rows.append(row);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto &a, const auto &b) { return a.openedAt < b.openedAt; });
    const bool newest = !filter.onlyOpen && filter.runId.isEmpty();
    const qsizetype count = std::min<qsizetype>(rows.size(), filter.limit);
    return newest ? rows.last(count) : rows.first(count);
}

Result<QVector<PauseRow>> MemoryStore::pauses(bool onlyActive)
{
    const Hold hold(*this);
    QVector<PauseRow> rows = valuesOf(m_database->pauses);
    if (onlyActive)
        rows.removeIf([](const PauseRow &row) { return row.liftedAt != model::never; });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto &a, const auto &b) { return a.at < b.at; });
    return rows;
}

Result<QVector<BreakerRow>> MemoryStore::breakers()
{
    const Hold hold(*this);
    return valuesOf(m_database->breakers);
}

Result<QVector<LedgerRow>> MemoryStore::ledger(const QString &key)
{
    const Hold hold(*this);
    QVector<LedgerRow> rows;
    const auto &all = m_database->ledger;
    for (auto entry = all.lower_bound({key, QString()});
         entry != all.end() && entry->first.first == key; ++entry)
        rows.append(entry->second);
    return rows;
}

Result<QVector<LedgerRow>> MemoryStore::ledgerPage(const QString &afterOperation,
                                                   const QString &afterKey, int limit)
{
    const Hold hold(*this);
    QVector<LedgerRow> rows;
    const auto &all = m_database->ledger;
    for (auto entry = all.upper_bound({afterKey, afterOperation});
         entry != all.end() && rows.size() < limit; ++entry)
        rows.append(entry->second);
    return rows;
}

Result<std::optional<CommandRow>> MemoryStore::command(const QString &id)
{
    const Hold hold(*this);
    return find(m_database->commands, id);
}

Result<QVector<AuditRow>> MemoryStore::audit(qint64 afterSeq, int limit)
{
    const Hold hold(*this);
    QVector<AuditRow> rows;
    for (size_t i = size_t(std::max<qint64>(afterSeq, 0));
         i < m_database->audit.size() && rows.size() < limit; ++i)
        rows.append(m_database->audit[i]);
    return rows;
}

Result<QVector<RollupRow>> MemoryStore::rollups(Instant since, Instant until)
{
    const Hold hold(*this);
    QVector<RollupRow> rows;
    for (const auto &[key, counts] : m_database->rollups) {
        const auto &[minute, workflow, step, dependency, worker] = key;
        if (minute >= since && (until == model::never || minute < until))
            rows.append({minute, workflow, step, dependency, worker, counts});
    }
    return rows;
}

Result<QVector<OutboxRow>> MemoryStore::undelivered(int limit)
{
    const Hold hold(*this);
    QVector<OutboxRow> rows = valuesOf(m_database->outbox);
    rows.removeIf([](const OutboxRow &row) { return row.deliveredAt != model::never; });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto &a, const auto &b) { return a.at < b.at; });
    rows.resize(std::min<qsizetype>(rows.size(), limit));
    return rows;
}

Result<QVector<WorkerRow>> MemoryStore::workers()
{
    const Hold hold(*this);
    QVector<WorkerRow> rows = valuesOf(m_database->workers);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto &a, const auto &b) { return a.startedAt < b.startedAt; });
    return rows;
}

Result<std::optional<WorkflowRow>> MemoryStore::workflow(const QString &name, int version)
{
    const Hold hold(*this);
    if (version != 0)
        return find(m_database->workflows, {name, version});
    std::optional<WorkflowRow> newest;
    for (const auto &[key, row] : m_database->workflows) {
        if (key.first == name)
            newest = row;
    }
    return newest;
}

Result<QVector<WorkflowRow>> MemoryStore::workflows()
{
    const Hold hold(*this);
    QVector<WorkflowRow> rows = valuesOf(m_database->workflows);
    std::stable_sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) {
        return a.name != b.name ? a.name < b.name : a.version > b.version;
    });
    return rows;
}

Result<std::optional<DependencyRow>> MemoryStore::dependency(const QString &name, int revision)
{
    const Hold hold(*this);
    if (revision != 0)
        return find(m_database->dependencies, {name, revision});
    std::optional<DependencyRow> newest;
    for (const auto &[key, row] : m_database->dependencies) {
        if (key.first == name)
            newest = row;
    }
    return newest;
}

Result<QVector<DependencyRow>> MemoryStore::dependencies()
{
    const Hold hold(*this);
    QVector<DependencyRow> rows;
    for (const auto &[key, row] : m_database->dependencies) {
        if (!rows.isEmpty() && rows.last().name == row.name)
            rows.last() = row;
        else
            rows.append(row);
    }
    return rows;
}

Result<StoreCounts> MemoryStore::counts()
{
    const Hold hold(*this);
    StoreCounts counts;
    for (const auto &[id, row] : m_database->runs)
        ++counts.runsByStatus[model::runStatusName(row.status)];
    for (const auto &[id, row] : m_database->reviews) {
        if (row.decidedAt == model::never)
            ++counts.openReviewsByKind[row.kind];
    }
    counts.pendingCommands = qint64(m_database->pendingCommands.size());
    counts.inFlight = qint64(m_database->owned.size());
    return counts;
}

} // namespace holdfast::store
