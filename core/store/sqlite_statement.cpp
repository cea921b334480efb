#include "store/sqlite_statement.h"

#include <algorithm>
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
    return finish(good);
}

// Plain text, which nearly all of it is, needs no converter.
bool SqliteStatement::bind(int position, const QString &text)
{
    char *start = m_arena.data() + m_used;
    char *to = start;
    for (const QChar character : text) {
        if (character.unicode() > 0x7F) {
            const QByteArray utf8 = text.toUtf8();
            to = std::copy(utf8.cbegin(), utf8.cend(), start);
            break;
        }
        *to++ = char(character.unicode());
    }
    m_used += std::size_t(to - start);
    // A null pointer would bind NULL, and an empty arena has one.
    return sqlite3_bind_text64(m_statement, position, to == start ? "" : start,
                               sqlite3_uint64(to - start), SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK;
}

bool SqliteStatement::bind(int position, qint64 number)
{
    return sqlite3_bind_int64(m_statement, position, number) == SQLITE_OK;
}

bool SqliteStatement::bind(int position, OptionalText value)
{
    return value.text.isEmpty() ? sqlite3_bind_null(m_statement, position) == SQLITE_OK
                                : bind(position, value.text);
}

bool SqliteStatement::bind(int position, OptionalInstant value)
{
    return value.at == 0 ? sqlite3_bind_null(m_statement, position) == SQLITE_OK
                         : bind(position, value.at);
}

bool SqliteStatement::bind(int position, Utf8 value)
{
    return sqlite3_bind_text64(m_statement, position, value.text.constData(),
                               sqlite3_uint64(value.text.size()), SQLITE_STATIC,
                               SQLITE_UTF8) == SQLITE_OK;
}

bool SqliteStatement::bind(int position, Blob value)
{
    return sqlite3_bind_blob64(m_statement, position, value.bytes.constData(),
                               sqlite3_uint64(value.bytes.size()), SQLITE_STATIC) == SQLITE_OK;
}

int SqliteStatement::finish(bool bound)
{
    int stepped = bound ? SQLITE_ROW : SQLITE_ERROR;
    while (stepped == SQLITE_ROW)
        stepped = sqlite3_step(m_statement);
    const int changed = stepped == SQLITE_DONE ? sqlite3_changes(m_connection) : -1;
    // Reset answers with the step's error again; the connection keeps its code and text until then.
    sqlite3_reset(m_statement);
    return changed;
}

int SqliteStatement::code() const { return sqlite3_extended_errcode(m_connection); }

QString SqliteStatement::message() const { return QString::fromUtf8(sqlite3_errmsg(m_connection)); }

} // namespace holdfast::store
