#include "store/sqlite_statement.h"

#include <sqlite3.h>

namespace holdfast::store
{

SqliteStatement::SqliteStatement(sqlite3 *connection, const QString &sql) : m_connection(connection)
{
    const QByteArray text = sql.toUtf8();
    sqlite3_prepare_v3(connection, text.constData(), int(text.size()), SQLITE_PREPARE_PERSISTENT,
                       &m_statement, nullptr);
}

SqliteStatement::~SqliteStatement() { sqlite3_finalize(m_statement); }

bool SqliteStatement::bind(int position, const QVariant &value)
{
    if (value.isNull())
        return sqlite3_bind_null(m_statement, position) == SQLITE_OK;
    switch (value.typeId()) {
    case QMetaType::Bool:
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
        return sqlite3_bind_int64(m_statement, position, value.toLongLong()) == SQLITE_OK;
    case QMetaType::Double:
        return sqlite3_bind_double(m_statement, position, value.toDouble()) == SQLITE_OK;
    case QMetaType::QByteArray: {
        m_texts.push_back(value.toByteArray());
        const QByteArray &bytes = m_texts.back();
        return sqlite3_bind_blob64(m_statement, position, bytes.constData(),
                                   sqlite3_uint64(bytes.size()), SQLITE_STATIC) == SQLITE_OK;
    }
    default: {
        m_texts.push_back(value.toString().toUtf8());
        const QByteArray &bytes = m_texts.back();
        return sqlite3_bind_text64(m_statement, position, bytes.constData(),
                                   sqlite3_uint64(bytes.size()), SQLITE_STATIC,
                                   SQLITE_UTF8) == SQLITE_OK;
    }
    }
}

int SqliteStatement::change(const QVariantList &values)
{
    m_texts.clear();
    m_texts.reserve(std::size_t(values.size()));
    bool good = true;
    for (int i = 0; good && i < values.size(); ++i)
        good = bind(i + 1, values.at(i));
    int stepped = good ? SQLITE_ROW : SQLITE_ERROR;
    while (stepped == SQLITE_ROW)
        stepped = sqlite3_step(m_statement);
    const int changed = stepped == SQLITE_DONE ? sqlite3_changes(m_connection) : -1;
    // Reset answers with the step's error again; the connection keeps its code and text until then.
    sqlite3_reset(m_statement);
    sqlite3_clear_bindings(m_statement);
    return changed;
}

int SqliteStatement::code() const { return sqlite3_extended_errcode(m_connection); }

QString SqliteStatement::message() const { return QString::fromUtf8(sqlite3_errmsg(m_connection)); }

} // namespace holdfast::store
