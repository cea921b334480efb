// Counters over time and by operation, from the rollups alone; and how long trouble took to be
// seen and to be settled, from the items people were asked about.
#include "control/arguments.h"
#include "control/context.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 bucketsMax = 2000;
constexpr int reviewsMax = 250; // the newest of the span; a median of more says nothing else

constexpr const char *counters[] = {"runs_started",
                                    "runs_succeeded",
                                    "runs_succeeded_partial",
                                    "runs_failed",
                                    "runs_compensated",
                                    "runs_compensation_failed",
                                    "runs_cancelled",
                                    "attempts",
                                    "retries",
                                    "transient",
                                    "permanent",
                                    "ambiguous",
                                    "confirmed",
                                    "failed",
                                    "compensated",
                                    "compensation_failed",
                                    "duplicates_prevented",
                                    "reviews",
                                    "duration_ms"};

struct Span {
    model::Instant since = model::never;
    model::Instant until = model::never;
};

Result<Span> spanOf(Context &context)
{
    const auto since = instantOf(context.arguments(), "since");
    if (!since)
        return since.error();
    const auto until = instantOf(context.arguments(), "until");
    if (!until)
        return until.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    Span span{*since == model::never ? *now - model::day : *since,
              *until == model::never ? *now + 1 : *until};
    if (span.since >= span.until)
        return model::invalid(u"since is not before until"_s);
    // Counters are kept by the minute.
    span.since -= span.since % model::minute;
    return span;
}

void insertCounts(QJsonObject &json, const QMap<QString, qint64> &counts)
{
    for (const char *name : counters)
        json.insert(QLatin1String(name), counts.value(QLatin1String(name)));
}

void addCounts(QMap<QString, qint64> &sum, const QMap<QString, qint64> &counts)
{
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        sum[count.key()] += count.value();
}

QJsonValue medianOf(QVector<model::Millis> values)
{
    if (values.isEmpty())
        return {};
    const auto middle = values.begin() + values.size() / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

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

// An approval is no trouble; how long people take over those says nothing about it.
Result<void> addRecovery(Context &context, const Span &span, QJsonObject &answer)
{
    ports::ReviewFilter filter;
    filter.onlyOpen = false;
    filter.since = span.since;
    filter.until = span.until;
    filter.limit = reviewsMax;
    const auto rows = context.store.reviews(filter);
    if (!rows)
        return rows.error();
    QVector<model::Millis> toDetect, toRecover;
    for (const ports::ReviewRow &row : *rows) {
        if (row.kind == "approval"_L1)
            continue;
        if (const model::Instant ended = lastEndBefore(row); ended != model::never)
            toDetect.append(row.openedAt - ended);
        if (row.decidedAt != model::never)
            toRecover.append(row.decidedAt - row.openedAt);
    }
    answer.insert(u"detect_ms"_s, medianOf(toDetect));
    answer.insert(u"recover_ms"_s, medianOf(toRecover));
    answer.insert(u"recovered"_s, toRecover.size());
    return {};
}
} // namespace

Result<QJsonValue> series(Context &context)
{
    const auto span = spanOf(context);
    if (!span)
        return span.error();
    const auto bucket = integerOr(context.arguments(), "bucket_ms", model::hour);
    if (!bucket)
        return bucket.error();
    if (*bucket < model::minute || *bucket % model::minute != 0)
        return model::invalid(u"bucket_ms must be whole minutes, that is a multiple of 60000"_s);
    if ((span->until - span->since) / *bucket >= bucketsMax)
        return model::invalid(u"more than %1 buckets; make them longer"_s.arg(bucketsMax));
    const auto rows = context.store.rollupSeries(span->since, span->until, *bucket);
    if (!rows)
        return rows.error();
    QMap<model::Instant, QMap<QString, qint64>> filled;
    for (const ports::RollupRow &row : *rows)
        filled.insert(row.minute, row.counts);
    QMap<QString, qint64> sum;
    QJsonArray list;
    for (model::Instant at = span->since; at < span->until; at += *bucket) {
        QJsonObject json{{u"at"_s, instantJson(at)}};
        insertCounts(json, filled.value(at));
        addCounts(sum, filled.value(at));
        list.append(json);
    }
    QJsonObject totals;
    insertCounts(totals, sum);
    return QJsonValue(QJsonObject{{u"buckets"_s, list}, {u"totals"_s, totals}});
}

Result<QJsonValue> rates(Context &context)
{
    const auto span = spanOf(context);
    if (!span)
        return span.error();
    const auto rows = context.store.rollupSums(span->since, span->until);
    if (!rows)
        return rows.error();
    QJsonArray operations, dependencyList;
    QMap<QString, QMap<QString, qint64>> byDependency;
    for (const ports::RollupRow &row : *rows) {
        if (row.step.isEmpty())
            continue;
        QJsonObject json{{u"workflow"_s, row.workflow},
                         {u"step"_s, row.step},
                         {u"dependency"_s, row.dependency}};
        insertCounts(json, row.counts);
        operations.append(json);
        if (!row.dependency.isEmpty())
            addCounts(byDependency[row.dependency], row.counts);
    }
    for (auto sum = byDependency.cbegin(); sum != byDependency.cend(); ++sum) {
        QJsonObject json{{u"dependency"_s, sum.key()}};
        insertCounts(json, *sum);
        dependencyList.append(json);
    }
    QJsonObject answer{{u"operations"_s, operations}, {u"dependencies"_s, dependencyList}};
    if (const auto added = addRecovery(context, *span, answer); !added)
        return added.error();
    return QJsonValue(answer);
}

} // namespace holdfast::control
