// A prepared statement on SQLite's own interface, on the connection that Qt opened. Differs because
// every bind through QSqlQuery builds a name and a hash entry: for a turn's thousands of small
// writes that cost several times what SQLite itself needs. Reads stay with QSqlQuery.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVariant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace holdfast::store
{

class SqliteStatement
{
public:
    // `statement` is null after a failed prepare; code() and message() then say why.
    SqliteStatement(sqlite3 *connection, const QString &sql);
    ~SqliteStatement();
    Q_DISABLE_COPY_MOVE(SqliteStatement)

    bool isValid() const { return m_statement != nullptr; }
    // Rows changed, or -1 on an error.
    int change(const QVariantList &values);
    int code() const;
    QString message() const;

private:
    bool bind(int position, const QVariant &value);

    sqlite3 *m_connection;
    sqlite3_stmt *m_statement = nullptr;
    std::vector<QByteArray> m_texts; // alive until the statement has run
};

} // namespace holdfast::store
