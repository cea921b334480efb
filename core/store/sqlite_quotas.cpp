// The quotas on SQLite.
#include "model/json.h"
#include "store/row_reader.h"
#include "store/sqlite_store.h"

#include <QJsonArray>

#include <algorithm>

namespace holdfast::store
{

using namespace ports;

namespace
{
QString namesAsJson(const QStringList &names)
{
    return QString::fromUtf8(model::compactJson(QJsonArray::fromStringList(names)));
}
} // namespace

Result<QVector<QuotaRow>> SqliteStore::quotas(const QStringList &dependencies)
{
    return list("quotas", {namesAsJson(dependencies)}, readQuota);
}

Result<bool> SqliteStore::swapQuotas(const QVector<QuotaRow> &rows)
{
    return atomically<bool>([&]() -> Result<bool> {
        QStringList names;
        for (const QuotaRow &row : rows)
            names.append(row.dependency);
        const Result<QVector<QuotaRow>> standing = quotas(names);
        if (!standing)
            return standing.error();
        const bool allStand = std::all_of(rows.cbegin(), rows.cend(), [&](const QuotaRow &row) {
            const auto found =
                std::find_if(standing->cbegin(), standing->cend(), [&](const QuotaRow &each) {
                    return each.dependency == row.dependency;
                });
            return (found == standing->cend() ? 0 : found->version) == row.version;
        });
        if (!allStand)
            return false;
        for (const QuotaRow &row : rows) {
            const Result<int> changed =
                row.version == 0 ? change("insert_quota", {row.dependency, row.state})
                                 : change("swap_quota", {row.state, row.dependency, row.version});
            if (!changed)
                return changed.error();
        }
        return true;
    });
}

Result<void> SqliteStore::reclaimQuotas(const QStringList &dependencies)
{
    const Instant moment = m_time.now();
    const Result<int> changed =
        change("reclaim_quotas", {moment, namesAsJson(dependencies), moment});
    return changed ? Result<void>() : Result<void>(changed.error());
}

} // namespace holdfast::store
