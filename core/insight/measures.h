// The measures of a trajectory, each defined once: the sentence that a page, a report and the man
// page show, and the code beside it. Pure functions of counters and of the items people were asked
// about. A measure without anything to divide by has no value: neither nothing nor all.
#pragma once

#include "ports/rows.h"

#include <optional>

namespace holdfast::insight
{

struct Measure {
    QString name;
    QString title;
    QString definition;
    QString unit; // percent | ms
    std::optional<double> value{};
    qint64 numerator = 0;
    qint64 denominator = 0; // of a median: how many items it is of
};

using Counts = QMap<QString, qint64>;

// The newest of a span that medians are taken of, approvals left out; of more they would say
// nothing else.
constexpr int medianItemsMax = 250;

// Of items from the oldest to the newest.
QVector<Measure> measuresOf(const Counts &counts, const QVector<ports::ReviewRow> &reviews);

// A share in percent with one decimal; nothing where there is nothing to divide by.
std::optional<double> shareOf(qint64 part, qint64 whole);

} // namespace holdfast::insight
