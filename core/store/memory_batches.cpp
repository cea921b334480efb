#include "store/memory_store_impl.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;
using namespace Qt::StringLiterals;

namespace
{
bool maySucceed(const QString &from, const QString &to)
{
    return from != to && (from == "running"_L1 || (from == "held"_L1 && to != "done"_L1));
}
} // namespace

Result<bool> MemoryStore::startBatch(const BatchRow &batch, const QVector<BatchItemRow> &items)
{
    return atomically<bool>([&]() -> Result<bool> {
        if (m_database->batches.count(batch.id))
            return false;
        put(m_database->batches, batch.id, batch);
        for (const BatchItemRow &item : items)
            put(m_database->batchItems, {batch.id, item.place}, item);
        return true;
    });
}

Result<bool> MemoryStore::setBatchState(const BatchRow &batch, const QString &by, Instant at)
{
    Q_UNUSED(by);
    return atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->batches.find(batch.id);
        if (found == m_database->batches.end() || !maySucceed(found->second.state, batch.state))
            return false;
        BatchRow row = found->second;
        row.state = batch.state;
        row.note = batch.note;
        if (row.state == "running"_L1)
            row.base = row.taken;
        if (row.state == "done"_L1 || row.state == "stopped"_L1)
            row.endedAt = at;
        put(m_database->batches, row.id, row);
        for (int place = row.taken + 1; row.state == "stopped"_L1 && place <= row.chosen; ++place) {
            BatchItemRow item = m_database->batchItems.at({row.id, place});
            item.state = u"skipped"_s;
            item.message = u"the batch was stopped before"_s;
            put(m_database->batchItems, {row.id, place}, item);
        }
        return true;
    });
}

Result<bool> MemoryStore::anyBatchGoes()
{
    const Hold hold(*this);
    const auto &items = m_database->batchItems;
    return std::any_of(m_database->batches.cbegin(), m_database->batches.cend(),
                       [](const auto &entry) { return entry.second.state == "running"_L1; }) ||
           std::any_of(items.cbegin(), items.cend(),
                       [](const auto &entry) { return entry.second.state == "recorded"_L1; });
}

Result<QVector<BatchRow>> MemoryStore::lockBatches()
{
    const Hold hold(*this);
    QVector<BatchRow> rows;
    for (const auto &[id, row] : m_database->batches) {
        if (row.state == "running"_L1)
            rows.append(row);
    }
    return rows;
}

Result<void> MemoryStore::settleBatchItems()
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        for (auto &[key, item] : m_database->batchItems) {
            if (item.state != "recorded"_L1)
                continue;
            const CommandRow &told = m_database->commands.at(item.command);
            if (told.appliedAt == model::never)
                continue;
            BatchItemRow settled = item;
            settled.state = told.result == "applied"_L1 ? u"applied"_s : u"refused"_s;
            settled.message = told.message;
            put(m_database->batchItems, key, settled);
        }
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<bool> MemoryStore::takeBatchItem(const BatchRow &batch, const BatchItemRow &item, Instant at)
{
    return atomically<bool>([&]() -> Result<bool> {
        const Error notNow{
            ErrorKind::conflict,
            u"item %1 of batch %2 is not to be taken"_s.arg(item.place).arg(batch.id)};
        BatchRow row = m_database->batches.at(batch.id);
        BatchItemRow taken = m_database->batchItems.at({batch.id, item.place});
        if (row.state != "running"_L1 || row.taken != item.place - 1 || taken.state != "pending"_L1)
            return notNow;
        row.taken = item.place;
        row.takenAt = at;
        put(m_database->batches, row.id, row);
        taken.state = item.state;
        taken.message = item.message;
        if (taken.state == "recorded"_L1) {
            const CommandRow command = commandOf(row, taken, at);
            const auto decision = decisionOf(row, taken, at);
            if ((decision && !closeReview(*decision)) || !addCommandRow(command))
                return notNow;
            taken.command = command.id;
            if (const auto audited = appendAudit(auditRowOf(row, taken, at)); !audited)
                return audited.error();
        }
        put(m_database->batchItems, {row.id, taken.place}, taken);
        return true;
    });
}

Result<QVector<BatchRow>> MemoryStore::batches(int limit)
{
    const Hold hold(*this);
    QVector<BatchRow> rows;
    for (const auto &[id, row] : m_database->batches)
        rows.append(row);
    std::sort(rows.begin(), rows.end(), [](const BatchRow &a, const BatchRow &b) {
        return std::pair(a.startedAt, a.id) > std::pair(b.startedAt, b.id);
    });
    return rows.mid(0, limit);
}

Result<std::optional<BatchRow>> MemoryStore::batch(const QString &id)
{
    const Hold hold(*this);
    const auto found = m_database->batches.find(id);
    return found == m_database->batches.end() ? std::optional<BatchRow>()
                                              : std::optional<BatchRow>(found->second);
}

Result<QVector<BatchItemRow>> MemoryStore::batchItems(const BatchItemFilter &filter)
{
    const Hold hold(*this);
    QVector<BatchItemRow> rows;
    auto entry = m_database->batchItems.upper_bound({filter.batch, filter.after});
    for (; entry != m_database->batchItems.end() && entry->first.first == filter.batch; ++entry) {
        if (rows.size() == filter.limit)
            break;
        BatchItemRow row = entry->second;
        if (!filter.state.isEmpty() && row.state != filter.state)
            continue;
        const auto run = m_database->runs.find(row.runId);
        if (run != m_database->runs.end())
            row.runStatus = model::runStatusName(run->second.status);
        const auto gone = m_database->archivedRuns.find(row.runId);
        if (gone != m_database->archivedRuns.end())
            row.runStatus = model::runStatusName(gone->second.status);
        rows.append(row);
    }
    return rows;
}

Result<QVector<BatchCount>> MemoryStore::batchCounts(const QString &id, int after)
{
    const Hold hold(*this);
    std::map<std::tuple<QString, QString, QString>, qint64> counts;
    auto entry = m_database->batchItems.upper_bound({id, after});
    for (; entry != m_database->batchItems.end() && entry->first.first == id; ++entry) {
        const BatchItemRow &row = entry->second;
        const auto run = m_database->runs.find(row.runId);
        const bool isTouched = row.state == "applied"_L1 && run != m_database->runs.end();
        ++counts[{row.state, row.verdict,
                  isTouched ? model::runStatusName(run->second.status) : QString()}];
    }
    QVector<BatchCount> rows;
    for (const auto &[key, count] : counts)
        rows.append({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
    return rows;
}

} // namespace holdfast::store
