#include "store/sql_connection.h"

#include <QSqlDriver>
#include <atomic>

namespace holdfast::store
{

namespace
{
ErrorKind sqliteKind(int code)
{
    switch (code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
        return ErrorKind::busy;
    case 13: // SQLITE_FULL
        return ErrorKind::full;
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
        return ErrorKind::corrupt;
    case 10: // SQLITE_IOERR
    case 14: // SQLITE_CANTOPEN
        return ErrorKind::lost;
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
        return ErrorKind::refused;
    case 19: // SQLITE_CONSTRAINT
        return ErrorKind::conflict;
    default: return ErrorKind::invalid;
    }
}

// By SQLSTATE; a lost connection is recognised by the caller, since its code may be blank.
ErrorKind postgresKind(const QString &state)
{
    const QString family = state.left(2);
    if (state == QLatin1String("40001") || state == QLatin1String("40P01") ||
        state == QLatin1String("55P03") || state == QLatin1String("57014") ||
        state == QLatin1String("53300"))
        return ErrorKind::busy;
    if (state == QLatin1String("53100"))
        return ErrorKind::full;
    if (state == QLatin1String("HF409")) // raised by our own functions
        return ErrorKind::conflict;
    if (state == QLatin1String("HF404"))
        return ErrorKind::notFound;
    if (state == QLatin1String("42501") || family == QLatin1String("28"))
        return ErrorKind::refused;
    if (family == QLatin1String("08") || family == QLatin1String("57") ||
        state == QLatin1String("25P03") || state == QLatin1String("26000"))
        return ErrorKind::lost;
    if (family == QLatin1String("23"))
        return ErrorKind::conflict;
    if (family == QLatin1String("XX"))
        return ErrorKind::corrupt;
    return ErrorKind::invalid;
}

// PostgreSQL text cannot hold U+0000, and the driver would cut the statement there. Differs because
// SQLite keeps it; refusing it here would wedge a turn over one byte of somebody's answer.
QVariant withoutNul(const QVariant &value)
{
    if (value.typeId() != QMetaType::QString)
        return value;
    const QString *text = static_cast<const QString *>(value.constData());
    if (!text->contains(QChar(u'\0')))
        return value;
    return QString(*text).replace(QChar(u'\0'), QChar(0xfffd));
}
} // namespace

SqlConnection::SqlConnection(Dialect dialect)
    : m_dialect(dialect), m_statements(Statements::of(dialect))
{
    static std::atomic<int> counter = 0;
    m_name = QStringLiteral("holdfast_%1").arg(++counter);
}

SqlConnection::~SqlConnection() { detach(); }

QSqlDatabase &SqlConnection::attach()
{
    detach();
    m_database = QSqlDatabase::addDatabase(
        m_dialect == Dialect::sqlite ? QStringLiteral("QSQLITE") : QStringLiteral("QPSQL"), m_name);
    return m_database;
}

void SqlConnection::detach()
{
    m_prepared.clear();
    m_changes.clear();
    if (!m_database.isValid())
        return;
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
}

QString SqlConnection::throughViews(QString text)
{
    return text.replace(QLatin1String(" holdfast."), QLatin1String(" holdfast.seen_"));
}

QString SqlConnection::textOf(const char *name) const
{
    const QString &text = m_statements.text(QLatin1String(name));
    const bool isGuarded = m_statements.guarded().contains(QLatin1String(name));
    return m_readsViews && !isGuarded ? throughViews(text) : text;
}

Result<QSqlQuery *> SqlConnection::prepared(const char *name)
{
    std::unique_ptr<QSqlQuery> &slot = m_prepared[name];
    if (slot)
        return slot.get();
    if (!m_database.isOpen())
        return Error{ErrorKind::lost, QStringLiteral("the run database is not open")};
    auto query = std::make_unique<QSqlQuery>(m_database);
    // Differs because QPSQL's forward-only mode fetches row by row and allows no second statement.
    query->setForwardOnly(m_dialect == Dialect::sqlite);
    if (!query->prepare(textOf(name))) {
        Error error = errorOf(query->lastError());
        error.message += QStringLiteral(" [%1]").arg(QLatin1String(name));
        return error;
    }
    slot = std::move(query);
    return slot.get();
}

Result<QSqlQuery *> SqlConnection::run(const char *name, const QVariantList &values)
{
    const Result<QSqlQuery *> query = prepared(name);
    if (!query)
        return query.error();
    for (int i = 0; i < values.size(); ++i) {
        (*query)->bindValue(i, m_dialect == Dialect::postgres ? withoutNul(values.at(i))
                                                              : values.at(i));
    }
    if (!(*query)->exec()) {
        Error error = errorOf((*query)->lastError());
        error.message += QStringLiteral(" [%1]").arg(QLatin1String(name));
        (*query)->finish();
        return error;
    }
    return *query;
}

Result<SqliteStatement *> SqlConnection::statement(const char *name)
{
    std::unique_ptr<SqliteStatement> &slot = m_changes[name];
    if (slot)
        return slot.get();
    if (!m_database.isOpen())
        return Error{ErrorKind::lost, QStringLiteral("the run database is not open")};
    const QVariant handle = m_database.driver()->handle();
    auto made = std::make_unique<SqliteStatement>(
        *static_cast<sqlite3 *const *>(handle.constData()), m_statements.text(QLatin1String(name)));
    if (!made->isValid())
        return errorOf(name, *made);
    slot = std::move(made);
    return slot.get();
}

Error SqlConnection::errorOf(const char *name, const SqliteStatement &statement) const
{
    return {sqliteKind(statement.code()),
            QStringLiteral("SQLite: %1 [%2]").arg(statement.message(), QLatin1String(name))};
}

Result<int> SqlConnection::changeSqlite(const char *name, const QVariantList &values)
{
    const Result<SqliteStatement *> made = statement(name);
    if (!made)
        return made.error();
    const int changed = (*made)->change(values);
    if (changed < 0)
        return errorOf(name, **made);
    return changed;
}

Result<int> SqlConnection::change(const char *name, const QVariantList &values)
{
    if (m_dialect == Dialect::sqlite)
        return changeSqlite(name, values);
    const Result<QSqlQuery *> query = run(name, values);
    if (!query)
        return query.error();
    const bool isGuarded = m_statements.guarded().contains(QLatin1String(name));
    int affected = (*query)->numRowsAffected();
    if (isGuarded)
        affected = (*query)->next() ? (*query)->value(0).toInt() : 0;
    (*query)->finish();
    return affected;
}

Result<void> SqlConnection::direct(const QString &sql)
{
    if (!m_database.isOpen())
        return Error{ErrorKind::lost, QStringLiteral("the run database is not open")};
    QSqlQuery query(m_database);
    if (!query.exec(sql))
        return errorOf(query.lastError());
    return {};
}

Error SqlConnection::errorOf(const QSqlError &error) const
{
    QString message = error.databaseText().trimmed();
    if (message.isEmpty())
        message = error.driverText().trimmed();
    if (m_dialect == Dialect::sqlite)
        return {sqliteKind(error.nativeErrorCode().toInt()),
                QStringLiteral("SQLite: %1").arg(message)};
    // The driver may report neither code nor text for a lost connection: only isOpen() is sure.
    if (!m_database.isOpen()) {
        return {ErrorKind::lost,
                QStringLiteral("the connection to PostgreSQL was lost%1%2")
                    .arg(message.isEmpty() ? QString() : QStringLiteral(": "), message)};
    }
    return {postgresKind(error.nativeErrorCode()),
            QStringLiteral("PostgreSQL: %1 (%2)").arg(message, error.nativeErrorCode())};
}

} // namespace holdfast::store
