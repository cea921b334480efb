// The schema holdfast of one PostgreSQL database: tables by numbered migrations, the functions
// through which alone they are changed, and the group roles that may execute those. Belongs to the
// thread of its connection.
#pragma once

#include "ports/rights.h"
#include "store/sql_connection.h"

#include <QVector>
#include <QVersionNumber>
#include <functional>

namespace holdfast::store
{

class PostgresSchema
{
public:
    // `described` names the database in errors, without a password.
    PostgresSchema(SqlConnection &connection, const QString &described)
        : m_connection(connection), m_described(described)
    {
    }

    // Creates or migrates what this login may; whoever may not is told which right it lacks.
    // Another program's schema or functions are refused, unless this program is the newer one.
    Result<void> settle();
    // What stands is still what this program was written for; else unsupported, with both versions.
    Result<void> check();
    Result<ports::Rights> rights();

private:
    struct Found {
        bool hasSchema = false;
        bool mayCreateSchema = false;
        bool mayUse = false;
        bool mayCreateTables = false;
        bool hasTables = false;
        QString login;
        QString database;
        bool mayReadTables = false;
        bool mayReadViews = false;
    };
    Result<Found> look();
    Result<int> version(const Found &found);
    struct Functions {
        QString hash;
        QVersionNumber program; // that made them; null: not known
        bool isOurs = false;
    };
    Result<Functions> functions();
    Result<void> mayReplace(const Functions &standing);
    Error foreign(int schema, const Functions &standing, const QString &advice) const;
    Result<void> build();
    Result<void> applyMigrations(int from);
    Result<void> makeFunctions();
    Result<void> inTransaction(const std::function<Result<void>()> &work);
    Error lacks(const Found &found, const QString &right) const;

    SqlConnection &m_connection;
    const QString m_described;
};

} // namespace holdfast::store
