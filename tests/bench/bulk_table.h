// Rows into a table of the run database by the fastest way in: prepared statements of SQLite's own,
// whole columns at once on PostgreSQL. One thread; whoever opened the transaction commits it.
#pragma once

#include "store/postgres_array.h"
#include "store/sqlite_statement.h"

#include <QSqlQuery>
#include <QStringList>
#include <memory>

namespace holdfast::bench
{

// A connection of its own, set up for filling; `name` is for QSqlDatabase::removeDatabase.
QSqlDatabase openForFilling(const QString &url, const QString &name);
void runSql(const QSqlDatabase &database, const QString &sql);

class BulkTable
{
public:
    // `types` are PostgreSQL's.
    BulkTable(const QSqlDatabase &database, const QString &table, const QStringList &columns,
              const QStringList &types);

    void add(const QVariantList &row);
    void flush(); // before the commit

private:
    static constexpr int batchRows = 2000;

    std::unique_ptr<store::SqliteStatement> m_statement;
    QSqlQuery m_insert;
    store::PostgresColumns m_batch;
    const int m_columns;
    int m_rows = 0;
};

} // namespace holdfast::bench
