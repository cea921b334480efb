// A prepared statement on SQLite's own interface, on the connection that Qt opened. Differs because
// every bind through QSqlQuery builds a name and a hash entry: for a turn's thousands of small
// writes that cost several times what SQLite itself needs. Reads stay with QSqlQuery.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVariant>
#include <algorithm>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace holdfast::store
{

// How a value is bound where its type alone does not say it.
struct OptionalText {
    const QString &text; // empty: NULL
};
struct OptionalInstant {
    qint64 at; // zero, that is never: NULL
};
struct Utf8 {
    const QByteArray &text;
};
struct Blob {
    const QByteArray &bytes;
};

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
    // The same for values known by type, without a QVariant or a QByteArray for each.
    template <typename... Values>
    int changeTo(const Values &...values)
    {
        m_used = 0;
        m_arena.resize(std::max(m_arena.size(), (std::size_t(0) + ... + room(values))));
        int position = 0;
        return finish((bind(++position, values) && ...));
    }
    int code() const;
    QString message() const;

private:
    static std::size_t room(const QString &text) { return std::size_t(3 * text.size()); }
    static std::size_t room(OptionalText value) { return room(value.text); }
    template <typename Value>
    static std::size_t room(const Value &)
    {
        return 0;
    }
    bool bind(int position, const QVariant &value);
    bool bind(int position, const QString &text);
    bool bind(int position, qint64 number);
    bool bind(int position, int number) { return bind(position, qint64(number)); }
    bool bind(int position, OptionalText value);
    bool bind(int position, OptionalInstant value);
    bool bind(int position, Utf8 value);
    bool bind(int position, Blob value);
    int finish(bool bound);

    sqlite3 *m_connection;
    sqlite3_stmt *m_statement = nullptr;
    // What is bound must live until the statement has run.
    std::vector<QByteArray> m_texts;
    std::vector<char> m_arena;
    std::size_t m_used = 0;
};

} // namespace holdfast::store
