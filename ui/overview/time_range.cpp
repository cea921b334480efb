#include "ui/overview/time_range.h"

#include <QDateTime>
#include <algorithm>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using model::Instant;
using model::Millis;

const QVector<TimeRange> &timeRanges()
{
    static const QVector<TimeRange> ranges{
        {u"1 hour"_s, u"1h"_s, u"last week"_s, 2 * model::minute, 30},
        {u"24 hours"_s, u"24h"_s, u"last week"_s, model::hour, 24},
        {u"7 days"_s, u"7d"_s, u"last week"_s, 6 * model::hour, 28},
        {u"30 days"_s, u"30d"_s, u"the 30 days before"_s, model::day, 30},
    };
    return ranges;
}

int timeRangeNamed(const QString &word)
{
    const auto &ranges = timeRanges();
    for (int i = 0; i < ranges.size(); ++i) {
        if (ranges.at(i).word == word)
            return i;
    }
    return 1;
}

Millis TimeRange::shift() const { return std::max(7 * model::day, length()); }

Instant TimeRange::begin(Instant now) const
{
    const Millis offset =
        QDateTime::fromMSecsSinceEpoch(now).offsetFromUtc() * Millis(model::second);
    const Millis local = now + offset;
    const Instant end = local - local % bucket + bucket;
    return end - length() - offset;
}

QString TimeRange::bucketText(Instant at) const
{
    const QDateTime from = QDateTime::fromMSecsSinceEpoch(at);
    if (bucket >= model::day)
        return from.toString(u"ddd d MMM"_s);
    const QDateTime to = from.addMSecs(bucket);
    const bool isToday = length() <= model::day && from.date() == QDate::currentDate();
    return from.toString(isToday ? u"HH:mm"_s : u"ddd d MMM HH:mm"_s) + u" – "_s +
           to.toString(u"HH:mm"_s);
}

QString TimeRange::tickText(Instant at) const
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(at);
    return time.toString(length() <= model::day ? u"HH:mm"_s : u"d MMM"_s);
}

} // namespace holdfast::overview
