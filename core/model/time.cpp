#include "model/time.h"

#include <QDateTime>
#include <QTimeZone>

namespace holdfast::model
{

namespace
{
constexpr Millis longest = 3650 * day;

std::optional<Millis> unitOf(QStringView suffix)
{
    if (suffix == QLatin1String("ms"))
        return 1;
    if (suffix == QLatin1String("s"))
        return second;
    if (suffix == QLatin1String("m"))
        return minute;
    if (suffix == QLatin1String("h"))
        return hour;
    if (suffix == QLatin1String("d"))
        return day;
    return std::nullopt;
}
} // namespace

std::optional<Millis> parseDuration(const QString &text)
{
    qsizetype digits = 0;
    while (digits < text.size() && text.at(digits) >= u'0' && text.at(digits) <= u'9')
        ++digits;
    if (digits == 0 || digits > 12)
        return std::nullopt;
    const auto unit = unitOf(QStringView(text).mid(digits));
    if (!unit)
        return std::nullopt;
    const qint64 number = QStringView(text).left(digits).toLongLong();
    if (number > longest / *unit)
        return std::nullopt;
    return number * *unit;
}

QString durationText(Millis duration)
{
    struct Unit {
        Millis length;
        const char *suffix;
    };
    constexpr Unit units[] = {{day, "d"}, {hour, "h"}, {minute, "m"}, {second, "s"}};
    for (const Unit &unit : units) {
        if (duration >= unit.length && duration % unit.length == 0)
            return QString::number(duration / unit.length) + QLatin1String(unit.suffix);
    }
    return QString::number(duration) + QLatin1String("ms");
}

QString instantText(Instant instant)
{
    if (instant == never)
        return {};
    return QDateTime::fromMSecsSinceEpoch(instant, Qt::UTC).toString(Qt::ISODateWithMs);
}

std::optional<Instant> parseInstant(const QString &text)
{
    if (text.size() == 10) {
        const QDate date = QDate::fromString(text, Qt::ISODate);
        if (!date.isValid())
            return std::nullopt;
        return QDateTime(date, QTime(0, 0), Qt::UTC).toMSecsSinceEpoch();
    }
    const QDateTime moment = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!moment.isValid() || moment.timeSpec() == Qt::LocalTime)
        return std::nullopt;
    return moment.toMSecsSinceEpoch();
}

} // namespace holdfast::model
