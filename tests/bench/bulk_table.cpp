#include "bench/bulk_table.h"

#include "bench/bench_support.h"
#include "store/postgres_address.h"

#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>

namespace holdfast::bench
{

namespace
{
bool isSqlite(const QSqlDatabase &database)
{
    return database.driverName() == QLatin1String("QSQLITE");
}
} // namespace

QSqlDatabase openForFilling(const QString &url, const QString &name)
{
    const bool isFile = url.startsWith(QLatin1String("sqlite:"));
    QSqlDatabase database = QSqlDatabase::addDatabase(
        isFile ? QStringLiteral("QSQLITE") : QStringLiteral("QPSQL"), name);
    if (isFile)
        database.setDatabaseName(url.section(u':', 1));
    else
        must(store::PostgresAddress::parse(url)).apply(database);
    if (!database.open())
        die(database.lastError().text());
    // A crash while filling costs nothing but the filling.
    if (isFile) {
        for (const char *pragma : {"journal_mode=off", "synchronous=off", "cache_size=-1000000",
                                   "locking_mode=exclusive", "foreign_keys=off"})
            runSql(database, QStringLiteral("pragma ") + QLatin1String(pragma));
    } else {
        runSql(database, QStringLiteral("set synchronous_commit = off"));
    }
    return database;
}

void runSql(const QSqlDatabase &database, const QString &sql)
{
    QSqlQuery query(database);
    if (!query.exec(sql))
        die(sql.left(60) + QStringLiteral(": ") + query.lastError().text());
}

BulkTable::BulkTable(const QSqlDatabase &database, const QString &table, const QStringList &columns,
                     const QStringList &types)
    : m_insert(database), m_batch(int(columns.size())), m_columns(int(columns.size()))
{
    if (isSqlite(database)) {
        const QVariant handle = database.driver()->handle();
        QStringList places(columns.size(), QStringLiteral("?"));
        m_statement = std::make_unique<store::SqliteStatement>(
            *static_cast<sqlite3 *const *>(handle.constData()),
            QStringLiteral("insert into %1(%2) values(%3)")
                .arg(table, columns.join(u','), places.join(u',')));
        if (!m_statement->isValid())
            die(m_statement->message());
        return;
    }
    QStringList places;
    for (const QString &type : types)
        places.append(QStringLiteral("?::%1[]").arg(type));
    if (!m_insert.prepare(QStringLiteral("insert into holdfast.%1(%2) select * from unnest(%3)")
                              .arg(table, columns.join(u','), places.join(u','))))
        die(m_insert.lastError().text());
}

void BulkTable::add(const QVariantList &row)
{
    if (m_statement) {
        if (m_statement->change(row) != 1)
            die(m_statement->message());
        return;
    }
    m_batch.addRow(row);
    if (++m_rows == batchRows)
        flush();
}

void BulkTable::flush()
{
    if (m_rows == 0)
        return;
    const QVariantList values = m_batch.values();
    for (int column = 0; column < m_columns; ++column)
        m_insert.bindValue(column, values.at(column));
    if (!m_insert.exec())
        die(m_insert.lastError().text());
    m_batch = store::PostgresColumns(m_columns);
    m_rows = 0;
}

} // namespace holdfast::bench
