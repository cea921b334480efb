#include "actions/retry_after.h"

#include <QDateTime>
#include <algorithm>

namespace holdfast::actions
{

namespace
{

bool isDigits(const QByteArray &text)
{
    return !text.isEmpty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

model::Millis parseRetryAfter(const QByteArray &value, model::Instant now)
{
    const QByteArray text = value.trimmed();
    if (isDigits(text)) {
        bool isSmall = false;
        const qlonglong seconds = text.toLongLong(&isSmall);
        // A number too large for 64 bits is still a number: the cap answers it.
        if (!isSmall || seconds >= retryAfterMax / model::second)
            return retryAfterMax;
        return seconds * model::second;
    }
    if (text.startsWith('-') && isDigits(text.mid(1)))
        return 0;
    if (!text.endsWith(" GMT"))
        return -1;
    const QString date = QString::fromLatin1(text.chopped(3)) + QStringLiteral("+0000");
    const QDateTime when = QDateTime::fromString(date, Qt::RFC2822Date);
    if (!when.isValid())
        return -1;
    return std::clamp<model::Millis>(when.toMSecsSinceEpoch() - now, 0, retryAfterMax);
}

} // namespace holdfast::actions
