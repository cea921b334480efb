// What a chart shows, as values: buckets of time and named series over them. Made from the door's
// answers without a widget, so that it can be tested, drawn and read out as a table alike.
#pragma once

#include "ui/overview/time_range.h"
#include "ui/style/theme.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QVector>

namespace holdfast::overview
{

struct ChartSeries {
    QString name;
    QString shape;
    style::Token token = style::Token::text;
    bool isHatched = false; // tells it from another series of the same colour
    QVector<double> values; // one per bucket; NaN: there is nothing to say
    double total = 0;       // over the range, as the legend shows it
    QString page;           // where its number leads, with the range's time added
    QString filter;
    QString kind; // of a review, where `page` is review
};

struct ChartData {
    QVector<model::Instant> at;
    QVector<ChartSeries> bars; // stacked, the first at the bottom
    QVector<ChartSeries> lines;
    QVector<ChartSeries> outline; // of an earlier time; at most one
    bool isPercent = false;

    bool isEmpty() const; // nothing happened at all
    double top() const;   // the highest value
    QString valueText(double value) const;
};

// Counters of one bucket by name; the door leaves out what is zero.
struct Buckets {
    QVector<model::Instant> at;
    QVector<QJsonObject> counts;
};
// The door's answer spread over the range: a bucket it does not name counted nothing.
Buckets spread(const QJsonObject &answer, model::Instant begin, model::Millis bucket, int count);

ChartData runsByOutcome(const Buckets &now, const Buckets &earlier, const TimeRange &range);
ChartData retriesByClass(const Buckets &now);
ChartData compensationRate(const Buckets &now, const Buckets &earlier, const TimeRange &range);

double runsEnded(const QJsonObject &counts); // in any final status

} // namespace holdfast::overview
