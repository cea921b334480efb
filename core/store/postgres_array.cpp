#include "store/postgres_array.h"

namespace holdfast::store
{

void PostgresArray::separate()
{
    if (!m_text.isEmpty())
        m_text += u',';
}

void PostgresArray::add(const QString &text)
{
    separate();
    m_text.reserve(m_text.size() + text.size() + text.size() / 8 + 2);
    m_text += u'"';
    for (const QChar c : text) {
        if (c == u'"' || c == u'\\')
            m_text += u'\\';
        m_text += c.isNull() ? QChar(QChar::ReplacementCharacter) : c;
    }
    m_text += u'"';
}

void PostgresArray::add(qint64 number)
{
    separate();
    m_text += QString::number(number);
}

void PostgresArray::addNull()
{
    separate();
    m_text += QLatin1String("NULL");
}

void PostgresArray::addOptional(const QString &text)
{
    if (text.isEmpty())
        addNull();
    else
        add(text);
}

void PostgresArray::addInstant(model::Instant instant)
{
    if (instant == model::never)
        addNull();
    else
        add(qint64(instant));
}

QString PostgresArray::text() const { return u'{' + m_text + u'}'; }

void PostgresColumns::addRow(const QVariantList &values)
{
    for (const QVariant &value : values) {
        if (value.isNull())
            next().addNull();
        else if (value.typeId() == QMetaType::QString)
            next().add(value.toString());
        else
            next().add(value.toLongLong());
    }
}

QVariantList PostgresColumns::values() const
{
    QVariantList values;
    for (const PostgresArray &column : m_columns)
        values.append(column.text());
    return values;
}

} // namespace holdfast::store
