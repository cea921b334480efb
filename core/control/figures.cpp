// Counters over time and by operation, from the rollups alone, and the measures made of them.
#include "control/arguments.h"
#include "control/report.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 bucketsMax = 2000;

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

Result<ReportSpan> spanOf(Context &context)
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
    ReportSpan span{*since == model::never ? *now - model::day : *since,
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
    insight::Counts sum;
    QMap<QString, insight::Counts> byDependency;
    for (const ports::RollupRow &row : *rows) {
        addCounts(sum, row.counts);
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
    for (auto each = byDependency.cbegin(); each != byDependency.cend(); ++each) {
        QJsonObject json{{u"dependency"_s, each.key()}};
        insertCounts(json, *each);
        dependencyList.append(json);
    }
    const auto measures = measuresJson(context, *span, sum);
    if (!measures)
        return measures.error();
    return QJsonValue(QJsonObject{{u"operations"_s, operations},
                                  {u"dependencies"_s, dependencyList},
                                  {u"measures"_s, *measures}});
}

} // namespace holdfast::control
