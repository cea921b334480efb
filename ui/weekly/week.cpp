#include "ui/weekly/week.h"

#include <QDateTime>
#include <QLocale>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;

Week Week::of(model::Instant instant)
{
    const QDate day = QDateTime::fromMSecsSinceEpoch(instant, Qt::UTC).date();
    return {day.addDays(1 - day.dayOfWeek())};
}

Week Week::lastWhole(model::Instant now) { return of(now).before(); }

Week Week::fromText(const QString &day)
{
    const QDate date = QDate::fromString(day, Qt::ISODate);
    // Far ends of the calendar would leave the range of instants.
    if (!date.isValid() || date.year() < 1990 || date.year() > 2200)
        return {};
    return {date.addDays(1 - date.dayOfWeek())};
}

model::Instant Week::since() const
{
    return QDateTime(monday, QTime(0, 0), Qt::UTC).toMSecsSinceEpoch();
}

model::Instant Week::until() const { return after().since(); }

QString Week::text() const { return monday.toString(Qt::ISODate); }

QString Week::title() const
{
    const QDate sunday = monday.addDays(6);
    const QLocale english(QLocale::English);
    const bool isOneMonth = monday.month() == sunday.month();
    return english.toString(monday, isOneMonth ? u"d"_s : u"d MMM"_s) + u'–' +
           english.toString(sunday, u"d MMM"_s);
}

QString Week::yearTitle() const { return title() + monday.addDays(6).toString(u" yyyy"_s); }

QString Week::localSpan() const
{
    const QLocale english(QLocale::English);
    const auto text = [&](model::Instant instant, const QString &format) {
        const QDateTime local = QDateTime::fromMSecsSinceEpoch(instant);
        return english.toString(local, format);
    };
    return text(since(), u"ddd d MMM HH:mm"_s) + u" – "_s + text(until(), u"ddd d MMM HH:mm "_s) +
           QDateTime::fromMSecsSinceEpoch(until()).timeZoneAbbreviation();
}

} // namespace holdfast::weekly
