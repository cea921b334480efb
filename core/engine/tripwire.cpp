#include "engine/tripwire.h"

#include "model/names.h"

#include <QStringList>
#include <algorithm>
#include <array>

namespace holdfast::engine
{

namespace
{
constexpr std::array<model::Name<TripMeasure>, 5> names{
    {{TripMeasure::compensationRate, u"compensation_rate"},
     {TripMeasure::ambiguityRate, u"ambiguity_rate"},
     {TripMeasure::failureRate, u"failure_rate"},
     {TripMeasure::retryRate, u"retry_rate"},
     {TripMeasure::failures, u"failures"}}};
constexpr qint64 hundred = 100;
} // namespace

QString tripMeasureName(TripMeasure measure) { return model::nameOf(names, measure); }

std::optional<TripMeasure> tripMeasureFromName(const QString &name)
{
    return model::valueOf(names, name);
}

const QStringList &tripMeasureNames()
{
    static const QStringList list = [] {
        QStringList all;
        for (const TripMeasure measure :
             {TripMeasure::compensationRate, TripMeasure::ambiguityRate, TripMeasure::failureRate,
              TripMeasure::retryRate, TripMeasure::failures})
            all << tripMeasureName(measure);
        return all;
    }();
    return list;
}

bool isShare(TripMeasure measure) { return measure != TripMeasure::failures; }

TripFigures &TripFigures::operator+=(const TripFigures &other)
{
    count += other.count;
    of += other.of;
    return *this;
}

TripFigures TripFigures::less(const TripFigures &other) const
{
    return {std::max<qint64>(0, count - other.count), std::max<qint64>(0, of - other.of)};
}

TripFigures tripFigures(TripMeasure measure, const QMap<QString, qint64> &counters,
                        const QString &failure)
{
    const auto value = [&](const char *name) { return counters.value(QLatin1String(name)); };
    switch (measure) {
    case TripMeasure::compensationRate:
        return {value("compensated") + value("compensation_failed"), value("confirmed")};
    case TripMeasure::ambiguityRate: return {value("ambiguous"), value("attempts")};
    case TripMeasure::failureRate: return {value("failed"), value("failed") + value("confirmed")};
    case TripMeasure::retryRate: return {value("retries"), value("attempts")};
    case TripMeasure::failures: {
        const qint64 count = failure.isEmpty()
                                 ? value("failed")
                                 : counters.value(QStringLiteral("failed:") + failure);
        return {count, count};
    }
    }
    Q_UNREACHABLE();
}

bool trips(const TripRule &rule, const TripFigures &figures)
{
    if (!isShare(rule.measure))
        return figures.count >= rule.threshold;
    return figures.of >= rule.least && figures.count > 0 &&
           figures.count * hundred >= rule.threshold * figures.of;
}

QString tripText(const TripRule &rule, const TripFigures &figures, Millis window)
{
    const QString within = model::durationText(window);
    if (!isShare(rule.measure))
        return QStringLiteral("%1 failures within %2; the threshold is %3")
            .arg(figures.count)
            .arg(within)
            .arg(rule.threshold);
    return QStringLiteral("%1 reached %2 % (%3 of %4) within %5; the threshold is %6 %")
        .arg(tripMeasureName(rule.measure))
        .arg(figures.of > 0 ? figures.count * hundred / figures.of : 0)
        .arg(figures.count)
        .arg(figures.of)
        .arg(within)
        .arg(rule.threshold);
}

} // namespace holdfast::engine
