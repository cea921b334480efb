// Rules that pull by themselves: a share or a count within a window against its threshold. Pure;
// where the figures come from is others' business.
#pragma once

#include "model/time.h"

#include <QMap>
#include <QString>
#include <optional>

namespace holdfast::engine
{

using namespace model;

// compensation_rate: steps that were made up for, of those confirmed. ambiguity_rate: attempts
// whose outcome nobody knew, of all. failure_rate: steps that failed, of those that ended.
// retry_rate: attempts that were not the first, of all. failures: how often a step failed. Names
// are persisted.
enum class TripMeasure { compensationRate, ambiguityRate, failureRate, retryRate, failures };
QString tripMeasureName(TripMeasure measure);
std::optional<TripMeasure> tripMeasureFromName(const QString &name);
const QStringList &tripMeasureNames();
bool isShare(TripMeasure measure);

struct TripFigures {
    qint64 count = 0;
    qint64 of = 0; // of a count, the same

    bool operator==(const TripFigures &) const = default;
    TripFigures &operator+=(const TripFigures &other);
    TripFigures less(const TripFigures &other) const; // never below nothing
};

// What counters of one operation say. `failure` narrows failures to one reason code.
TripFigures tripFigures(TripMeasure measure, const QMap<QString, qint64> &counters,
                        const QString &failure);

struct TripRule {
    TripMeasure measure = TripMeasure::failureRate;
    qint64 threshold = 0; // per cent, or how many
    qint64 least = 0;     // of a smaller sample a share says nothing
};

// Reached exactly counts as reached.
bool trips(const TripRule &rule, const TripFigures &figures);
QString tripText(const TripRule &rule, const TripFigures &figures, Millis window);

} // namespace holdfast::engine
