#include "store/memory_store_impl.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;

Result<bool> MemoryStore::addSignoff(const SignoffRow &row)
{
    return atomically<bool>([&]() -> Result<bool> {
        if (m_database->signoffs.count({row.since, row.until}))
            return false;
        put(m_database->signoffs, {row.since, row.until}, row);
        return true;
    });
}

Result<std::optional<SignoffRow>> MemoryStore::signoff(Instant since, Instant until)
{
    const Hold hold(*this);
    const auto found = m_database->signoffs.find({since, until});
    return found == m_database->signoffs.end() ? std::optional<SignoffRow>()
                                               : std::optional<SignoffRow>(found->second);
}

Result<QVector<SignoffRow>> MemoryStore::signoffs(int limit)
{
    const Hold hold(*this);
    QVector<SignoffRow> rows;
    for (const auto &[span, row] : m_database->signoffs)
        rows.append(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const SignoffRow &a, const SignoffRow &b) { return a.at > b.at; });
    return rows.mid(0, limit);
}

Result<QVector<AuditRow>> MemoryStore::systemAudit(Instant since, Instant until, int limit)
{
    const Hold hold(*this);
    QVector<AuditRow> rows;
    for (const AuditRow &row : m_database->audit) {
        if (row.chain == QLatin1String("system") && row.at >= since && row.at < until)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end(), [](const AuditRow &a, const AuditRow &b) {
        return std::tie(a.at, a.seq) > std::tie(b.at, b.seq);
    });
    return rows.mid(0, limit);
}

Result<QVector<RunRow>> MemoryStore::undoneRuns(Instant since, Instant until, int limit)
{
    const Hold hold(*this);
    QVector<RunRow> rows;
    for (const auto &[id, row] : m_database->runs) {
        const bool isUndone = row.status == model::RunStatus::compensated ||
                              row.status == model::RunStatus::compensationFailed;
        if (isUndone && row.finishedAt >= since && row.finishedAt < until)
            rows.append(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const RunRow &a, const RunRow &b) {
        return std::pair(a.finishedAt, a.runId) > std::pair(b.finishedAt, b.runId);
    });
    return rows.mid(0, limit);
}

} // namespace holdfast::store
