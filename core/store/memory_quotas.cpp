// The quotas in memory.
#include "store/memory_store_impl.h"

#include "model/json.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;
using namespace Qt::StringLiterals;

Result<QVector<QuotaRow>> MemoryStore::quotas(const QStringList &dependencies)
{
    const Hold hold(*this);
    QVector<QuotaRow> rows;
    for (const auto &[name, row] : m_database->quotas) {
        if (dependencies.contains(name))
            rows.append(row);
    }
    return rows;
}

Result<bool> MemoryStore::swapQuotas(const QVector<QuotaRow> &rows)
{
    const Hold hold(*this);
    auto &standing = m_database->quotas;
    const bool allStand = std::all_of(rows.cbegin(), rows.cend(), [&](const QuotaRow &row) {
        const auto found = standing.find(row.dependency);
        return (found == standing.end() ? 0 : found->second.version) == row.version;
    });
    if (!allStand)
        return false;
    for (const QuotaRow &row : rows)
        standing[row.dependency] = {row.dependency, row.version + 1, row.state};
    return true;
}

bool MemoryStore::isGone(const QString &worker) const
{
    const auto known = m_database->workers.find(worker);
    if (known != m_database->workers.end() && known->second.leaseUntil >= m_clock.now())
        return false;
    return std::none_of(
        m_database->owned.cbegin(), m_database->owned.cend(),
        [&](const QString &runId) { return m_database->runs.at(runId).worker == worker; });
}

Result<void> MemoryStore::reclaimQuotas(const QStringList &dependencies)
{
    const Hold hold(*this);
    for (auto &[name, row] : m_database->quotas) {
        if (!dependencies.contains(name))
            continue;
        auto state = model::parseJsonObject(row.state.toUtf8(), {});
        if (!state)
            return state.error();
        QJsonObject held = state->value("places"_L1).toObject();
        const QStringList holders = held.keys();
        for (const QString &holder : holders) {
            if (isGone(holder))
                held.remove(holder);
        }
        if (held.size() == holders.size())
            continue;
        state->insert("places"_L1, held);
        row = {name, row.version + 1, QString::fromUtf8(model::compactJson(*state))};
    }
    return {};
}

} // namespace holdfast::store
