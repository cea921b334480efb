// One connection of one thread to a SQL database: prepares each named statement once, keeps it, and
// turns the driver's errors into kinds. It never retries: what is safe to repeat is known only
// further up.
#pragma once

#include "model/result.h"
#include "store/sqlite_statement.h"
#include "store/statements.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>
#include <memory>
#include <unordered_map>

namespace holdfast::store
{

using model::Error;
using model::ErrorKind;
using model::Result;

class SqlConnection
{
public:
    explicit SqlConnection(Dialect dialect);
    ~SqlConnection();
    Q_DISABLE_COPY_MOVE(SqlConnection)

    // Valid between attach() and detach() only.
    QSqlDatabase &database() { return m_database; }
    // A fresh driver object; an earlier one is dropped with all that was prepared on it.
    QSqlDatabase &attach();
    void detach();
    bool isOpen() const { return m_database.isOpen(); }
    // What is prepared from now on reads the views of the tables, for a login that may see no
    // bodies.
    void readViews(bool does) { m_readsViews = does; }
    static QString throughViews(QString text);
    const Statements &statements() const { return m_statements; }

    // The query stays valid until the same name runs again. Call finish() on it after reading.
    Result<QSqlQuery *> run(const char *name, const QVariantList &values = {});
    // Runs and says how many rows changed.
    Result<int> change(const char *name, const QVariantList &values = {});
    // The same on SQLite for values known by type; for what a turn writes by the thousand.
    template <typename... Values>
    Result<int> changeTo(const char *name, const Values &...values)
    {
        const Result<SqliteStatement *> made = statement(name);
        if (!made)
            return made.error();
        const int changed = (*made)->changeTo(values...);
        if (changed < 0)
            return errorOf(name, **made);
        return changed;
    }
    // Pragmas, begin, commit, lock: text without parameters, not prepared.
    Result<void> direct(const QString &sql);

    Error errorOf(const QSqlError &error) const;

private:
    Result<QSqlQuery *> prepared(const char *name);
    QString textOf(const char *name) const;
    Result<SqliteStatement *> statement(const char *name);
    Error errorOf(const char *name, const SqliteStatement &statement) const;
    Result<int> changeSqlite(const char *name, const QVariantList &values);

    Dialect m_dialect;
    const Statements &m_statements;
    QString m_name;
    bool m_readsViews = false;
    QSqlDatabase m_database;
    // Keyed by the address of the name: names are literals, and a hash of text per row would cost.
    std::unordered_map<const void *, std::unique_ptr<QSqlQuery>> m_prepared;
    std::unordered_map<const void *, std::unique_ptr<SqliteStatement>> m_changes;
};

} // namespace holdfast::store
