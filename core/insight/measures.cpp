#include "insight/measures.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>

namespace holdfast::insight
{

using namespace Qt::StringLiterals;

namespace
{
// The end of the last attempt before the item was opened; never: there was none.
model::Instant lastEndBefore(const ports::ReviewRow &review)
{
    model::Instant last = model::never;
    const QJsonArray attempts = review.evidence.value("attempts"_L1).toArray();
    for (const QJsonValue &attempt : attempts) {
        const auto ended = model::parseInstant(attempt["ended_at"_L1].toString());
        if (ended && *ended <= review.openedAt)
            last = std::max(last, *ended);
    }
    return last;
}

// How long trouble took to be seen and to be settled. An approval is no trouble.
struct Recovery {
    QVector<model::Millis> toDetect;
    QVector<model::Millis> toRecover;
};

Recovery recoveryOf(const QVector<ports::ReviewRow> &reviews)
{
    Recovery recovery;
    int items = 0;
    for (auto each = reviews.crbegin(); each != reviews.crend() && items < medianItemsMax; ++each) {
        const ports::ReviewRow &row = *each;
        if (row.kind == "approval"_L1)
            continue;
        ++items;
        if (const model::Instant ended = lastEndBefore(row); ended != model::never)
            recovery.toDetect.append(row.openedAt - ended);
        if (row.decidedAt != model::never)
            recovery.toRecover.append(row.decidedAt - row.openedAt);
    }
    return recovery;
}

std::optional<model::Millis> medianOf(QVector<model::Millis> values)
{
    if (values.isEmpty())
        return std::nullopt;
    const auto middle = values.begin() + values.size() / 2;
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    const model::Millis below = *std::max_element(values.begin(), middle);
    return below + (*middle - below) / 2;
}

Measure share(Measure measure, qint64 part, qint64 whole)
{
    measure.unit = u"percent"_s;
    measure.numerator = part;
    measure.denominator = whole;
    measure.value = shareOf(part, whole);
    return measure;
}

Measure median(Measure measure, const QVector<model::Millis> &values)
{
    measure.unit = u"ms"_s;
    measure.denominator = values.size();
    if (const auto middle = medianOf(values)) {
        measure.value = double(*middle);
        measure.numerator = *middle;
    }
    return measure;
}

qint64 runsEnded(const Counts &counts)
{
    qint64 sum = 0;
    for (const char *status : {"runs_succeeded", "runs_succeeded_partial", "runs_failed",
                               "runs_compensated", "runs_compensation_failed", "runs_cancelled"})
        sum += counts.value(QLatin1String(status));
    return sum;
}

Measure timeToCompletion(const Counts &counts)
{
    Measure measure{u"time_to_stable_completion"_s, u"Time to stable completion"_s,
                    u"The mean time from the acceptance of a run to its end, over all runs that "
                    "ended, however they did; one that was taken out of its end counts again."_s,
                    u"ms"_s};
    measure.numerator = counts.value(u"duration_ms"_s);
    measure.denominator = runsEnded(counts);
    if (measure.denominator > 0)
        measure.value = std::round(double(measure.numerator) / double(measure.denominator));
    return measure;
}
} // namespace

std::optional<double> shareOf(qint64 part, qint64 whole)
{
    if (whole <= 0)
        return std::nullopt;
    return std::round(1000.0 * double(part) / double(whole)) / 10.0;
}

QVector<Measure> measuresOf(const Counts &counts, const QVector<ports::ReviewRow> &reviews)
{
    const auto count = [&](const char *name) { return counts.value(QLatin1String(name)); };
    const Recovery recovery = recoveryOf(reviews);
    return {
        share({u"duplicate_effect_rate"_s,
               u"Duplicate side-effect rate"_s,
               u"Of the writes and compensations that were confirmed, the share for which a late "
               "answer made a second effect likely."_s,
               {}},
              count("late_effects"), count("effects")),
        share({u"retry_storm_rate"_s,
               u"Retry-storm rate"_s,
               u"Of the runs that ended, the share that had needed %1 retries or more."_s.arg(
                   ports::stormRetries),
               {}},
              count("runs_stormy"), runsEnded(counts)),
        share({u"compensation_success_rate"_s,
               u"Compensation success rate"_s,
               u"Of the compensations that came to a result, the share that was confirmed."_s,
               {}},
              count("compensated"), count("compensated") + count("compensation_failed")),
        share({u"escalation_precision"_s,
               u"Escalation precision"_s,
               u"Of the items about runs that were closed, approvals left out, the share that a "
               "person settled with a verdict the engine could not have reached: neither closed by "
               "the engine itself after all, nor dismissed."_s,
               {}},
              count("reviews_needed"), count("reviews_closed")),
        timeToCompletion(counts),
        median(
            {u"time_to_detect"_s,
             u"Time to detect"_s,
             u"The median time from the end of the last attempt to the item that asked a person "
             "about it, over the newest %1 items opened, approvals left out."_s.arg(medianItemsMax),
             {}},
            recovery.toDetect),
        median(
            {u"time_to_recover"_s,
             u"Time to recover"_s,
             u"The median time from the opening of an item to the decision on it, over the "
             "newest %1 items opened and decided since, approvals left out."_s.arg(medianItemsMax),
             {}},
            recovery.toRecover),
    };
}

} // namespace holdfast::insight
