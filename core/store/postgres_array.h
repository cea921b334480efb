// A PostgreSQL array as the text literal the driver can carry: one parameter holds a whole column
// of a batch.
#pragma once

#include "model/time.h"

#include <QString>
#include <QVariant>
#include <QVector>

namespace holdfast::store
{

class PostgresArray
{
public:
    // Quoted, so that NULL, braces, commas, quotes and backslashes are only text. U+0000 becomes
    // U+FFFD: PostgreSQL text cannot hold it.
    void add(const QString &text);
    void add(qint64 number);
    void addNull();
    void addOptional(const QString &text);   // empty: NULL
    void addInstant(model::Instant instant); // never: NULL
    QString text() const;

private:
    void separate();

    QString m_text;
};

// The columns of a batch, filled row by row in a fixed order.
class PostgresColumns
{
public:
    explicit PostgresColumns(int count) : m_columns(count) {}
    void add(const QString &text) { next().add(text); }
    void add(qint64 number) { next().add(number); }
    void addOptional(const QString &text) { next().addOptional(text); }
    void addInstant(model::Instant instant) { next().addInstant(instant); }
    // Adds a whole row as SQL values: text, numbers and NULL.
    void addRow(const QVariantList &values);
    bool isEmpty() const { return m_cells == 0; }
    QVariantList values() const;

private:
    PostgresArray &next() { return m_columns[m_cells++ % m_columns.size()]; }

    QVector<PostgresArray> m_columns;
    qsizetype m_cells = 0;
};

} // namespace holdfast::store
