#include "store/sqlite_time.h"

#include <QStringList>
#include <algorithm>

namespace holdfast::store
{

void SqliteTime::begin(const QString &kept, model::Instant newest)
{
    m_boot = m_clock.bootId();
    m_monotonicAt = m_clock.monotonic();
    m_at = std::max(m_clock.now(), newest);
    m_begun = true;
    const QStringList parts = kept.split(u' ');
    if (parts.size() != 3 || m_boot.isEmpty() || parts.first() != m_boot)
        return;
    const model::Instant keptAt = parts.at(2).toLongLong();
    if (keptAt > 0)
        m_at = std::max(newest, keptAt + m_monotonicAt - parts.at(1).toLongLong());
}

model::Instant SqliteTime::now() const
{
    return m_begun ? m_at + m_clock.monotonic() - m_monotonicAt : m_clock.now();
}

QString SqliteTime::text() const
{
    return QStringLiteral("%1 %2 %3").arg(m_boot).arg(m_monotonicAt).arg(m_at);
}

} // namespace holdfast::store
