// The stretch of time the overview shows, cut into buckets that start at round instants of the
// person's own clock, so that a bucket's figures can be compared from one look to the next.
#pragma once

#include "model/time.h"

#include <QString>
#include <QVector>

namespace holdfast::overview
{

struct TimeRange {
    QString name;    // as the combo box shows it
    QString word;    // as filters and sessions write it: 1h 24h 7d 30d
    QString earlier; // what the outline is
    model::Millis bucket = model::hour;
    int count = 24;

    model::Millis length() const { return bucket * count; }
    // How far back the outline lies: a week, or the whole range where that is longer.
    model::Millis shift() const;
    // Of the bucket that begins first; the last one holds `now`.
    model::Instant begin(model::Instant now) const;
    // "14:00 – 15:00" or "12 Nov"
    QString bucketText(model::Instant at) const;
    // Short, for an axis.
    QString tickText(model::Instant at) const;
};

const QVector<TimeRange> &timeRanges();
int timeRangeNamed(const QString &word); // the day where the word is unknown

} // namespace holdfast::overview
