// The quotas on PostgreSQL: by a connection of their own, whose commits wait for no disk. A turn
// that uses what it took commits later in the same log and waits for all of it.
#include "store/postgres_array.h"
#include "store/postgres_store.h"
#include "store/row_reader.h"

namespace holdfast::store
{

using namespace ports;

namespace
{
QString nameArray(const QStringList &names)
{
    PostgresArray array;
    for (const QString &name : names)
        array.add(name);
    return array.text();
}
} // namespace

Result<SqlConnection *> PostgresStore::quotaConnection()
{
    if (m_quotaConnection.isOpen())
        return &m_quotaConnection;
    if (const Result<void> connected = connect(m_quotaConnection); !connected)
        return connected.error();
    const Result<void> set =
        m_quotaConnection.direct(QStringLiteral("set synchronous_commit = off"));
    if (!set) {
        m_quotaConnection.detach();
        return set.error();
    }
    return &m_quotaConnection;
}

Result<QVector<QuotaRow>> PostgresStore::quotas(const QStringList &dependencies)
{
    const Result<SqlConnection *> connection = quotaConnection();
    if (!connection)
        return connection.error();
    const Result<QSqlQuery *> query = (*connection)->run("quotas", {nameArray(dependencies)});
    if (!query)
        return query.error();
    QVector<QuotaRow> rows;
    while ((*query)->next())
        rows.append(readQuota(**query));
    (*query)->finish();
    return rows;
}

Result<bool> PostgresStore::swapQuotas(const QVector<QuotaRow> &rows)
{
    const Result<SqlConnection *> connection = quotaConnection();
    if (!connection)
        return connection.error();
    PostgresColumns columns(3);
    for (const QuotaRow &row : rows)
        columns.addRow({row.dependency, row.version, row.state});
    const Result<QSqlQuery *> query = (*connection)->run("swap_quotas", columns.values());
    if (!query)
        return query.error();
    const bool swapped = (*query)->next() && (*query)->value(0).toBool();
    (*query)->finish();
    return swapped;
}

Result<void> PostgresStore::reclaimQuotas(const QStringList &dependencies)
{
    const Result<SqlConnection *> connection = quotaConnection();
    if (!connection)
        return connection.error();
    const Result<int> reclaimed =
        (*connection)->change("reclaim_quotas", {nameArray(dependencies)});
    return reclaimed ? Result<void>() : Result<void>(reclaimed.error());
}

} // namespace holdfast::store
