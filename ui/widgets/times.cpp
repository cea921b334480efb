#include "ui/widgets/times.h"

#include <QDateTime>
#include <QLocale>
#include <array>

namespace holdfast::widgets
{

using namespace Qt::StringLiterals;

model::Instant instantOf(const QJsonValue &value)
{
    return model::parseInstant(value.toString()).value_or(model::never);
}

QString shortTime(model::Instant instant)
{
    if (instant == model::never)
        return {};
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(instant);
    return time.toString(time.date() == QDate::currentDate() ? u"HH:mm:ss"_s : u"d MMM HH:mm"_s);
}

QString fullTime(model::Instant instant)
{
    if (instant == model::never)
        return {};
    return QDateTime::fromMSecsSinceEpoch(instant).toString(u"ddd d MMM yyyy HH:mm:ss.zzz t"_s);
}

QString durationText(model::Millis millis)
{
    if (millis < model::second)
        return u"%1 ms"_s.arg(std::max<model::Millis>(millis, 0));
    struct Unit {
        model::Millis length;
        const char16_t *name;
    };
    constexpr std::array<Unit, 4> units{{{24 * model::hour, u"d"},
                                         {model::hour, u"h"},
                                         {model::minute, u"min"},
                                         {model::second, u"s"}}};
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (millis < units[i].length)
            continue;
        QString text =
            u"%1 %2"_s.arg(millis / units[i].length).arg(QString::fromUtf16(units[i].name));
        if (i + 1 < units.size()) {
            const model::Millis rest = millis % units[i].length / units[i + 1].length;
            if (rest > 0)
                text += u" %1 %2"_s.arg(rest).arg(QString::fromUtf16(units[i + 1].name));
        }
        return text;
    }
    Q_UNREACHABLE();
}

QString ageText(model::Instant instant, model::Instant now)
{
    if (instant == model::never)
        return {};
    return instant <= now ? durationText(now - instant) : u"in "_s + durationText(instant - now);
}

} // namespace holdfast::widgets
