// The report on a window as one document. Whatever a page or a file shows of a week stands in here.
#include "control/report.h"

#include "control/arguments.h"
#include "control/group_view.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
struct Figure {
    const char *name; // of the counter
    const char *title;
};

constexpr Figure reportFigures[] = {
    {"runs_started", "Runs started"},
    {"runs_succeeded", "Runs succeeded"},
    {"runs_succeeded_partial", "Runs succeeded in part"},
    {"runs_failed", "Runs failed"},
    {"runs_compensated", "Runs compensated"},
    {"runs_compensation_failed", "Compensation failed"},
    {"runs_cancelled", "Runs cancelled"},
    {"runs_reopened", "Runs reopened"},
    {"attempts", "Attempts"},
    {"retries", "Retries"},
    {"transient", "Transient failures"},
    {"permanent", "Permanent failures"},
    {"ambiguous", "Ambiguous outcomes"},
    {"duplicates_prevented", "Duplicates prevented"},
    {"compensated", "Steps compensated"},
    {"reviews", "Items opened for a person"},
};

struct DayPart {
    const char *name;
    const char *counter;
};

constexpr DayPart dayParts[] = {
    {"runs_started", "runs_started"},      {"succeeded", "runs_succeeded"},
    {"partial", "runs_succeeded_partial"}, {"failed", "runs_failed"},
    {"compensated", "runs_compensated"},   {"compensation_failed", "runs_compensation_failed"},
    {"cancelled", "runs_cancelled"}};

// All there is of a window in counters: as a whole, and by dependency.
struct Counted {
    insight::Counts sum;
    QMap<QString, insight::Counts> byDependency;
};

Result<Counted> countedIn(Context &context, const ReportSpan &span)
{
    const auto rows = context.store.rollupSums(span.since, span.until);
    if (!rows)
        return rows.error();
    Counted counted;
    for (const ports::RollupRow &row : *rows) {
        for (auto count = row.counts.cbegin(); count != row.counts.cend(); ++count) {
            counted.sum[count.key()] += *count;
            if (!row.dependency.isEmpty())
                counted.byDependency[row.dependency][count.key()] += *count;
        }
    }
    return counted;
}

// Of the runs that ended and were not cancelled.
QJsonValue successRate(const insight::Counts &counts)
{
    const qint64 good =
        counts.value(u"runs_succeeded"_s) + counts.value(u"runs_succeeded_partial"_s);
    const qint64 bad = counts.value(u"runs_failed"_s) + counts.value(u"runs_compensated"_s) +
                       counts.value(u"runs_compensation_failed"_s);
    return numberOrNull(insight::shareOf(good, good + bad));
}

QJsonArray figuresJson(const insight::Counts &now, const insight::Counts &before)
{
    QJsonArray list{QJsonObject{{u"name"_s, u"success_rate"_s},
                                {u"title"_s, u"Success rate"_s},
                                {u"now"_s, successRate(now)},
                                {u"before"_s, successRate(before)},
                                {u"unit"_s, u"percent"_s}}};
    for (const Figure &figure : reportFigures)
        list.append(QJsonObject{{u"name"_s, QLatin1String(figure.name)},
                                {u"title"_s, QLatin1String(figure.title)},
                                {u"now"_s, now.value(QLatin1String(figure.name))},
                                {u"before"_s, before.value(QLatin1String(figure.name))},
                                {u"unit"_s, u"count"_s}});
    return list;
}

Result<QJsonArray> daysJson(Context &context, const ReportSpan &span)
{
    const auto rows = context.store.rollupSeries(span.since, span.until, model::day);
    if (!rows)
        return rows.error();
    QMap<model::Instant, insight::Counts> filled;
    for (const ports::RollupRow &row : *rows)
        filled.insert(row.minute, row.counts);
    QJsonArray list;
    for (model::Instant at = span.since; at < span.until; at += model::day) {
        QJsonObject day{{u"at"_s, instantJson(at)}};
        for (const DayPart &part : dayParts)
            day.insert(QLatin1String(part.name),
                       filled.value(at).value(QLatin1String(part.counter)));
        list.append(day);
    }
    return list;
}

Result<void> addMeasures(Context &context, const ReportSpan &span, const Counted &now,
                         const Counted &before, QJsonObject &document)
{
    const auto measures = measuresJson(context, span, now.sum);
    if (!measures)
        return measures.error();
    const auto earlier = measuresJson(context, span.before(), before.sum);
    if (!earlier)
        return earlier.error();
    QJsonArray list;
    for (qsizetype i = 0; i < measures->size(); ++i) {
        QJsonObject measure = measures->at(i).toObject();
        measure.insert(u"before"_s, earlier->at(i)["now"_L1]);
        list.append(measure);
    }
    document.insert(u"measures"_s, list);
    return {};
}

QJsonObject costJson(const Counted &counted)
{
    QJsonArray list;
    for (auto dependency = counted.byDependency.cbegin(); dependency != counted.byDependency.cend();
         ++dependency) {
        QJsonObject json{{u"dependency"_s, dependency.key()}};
        for (const char *name : {"attempts", "retries", "transient", "permanent", "ambiguous"})
            json.insert(QLatin1String(name), dependency->value(QLatin1String(name)));
        list.append(json);
    }
    const qint64 attempts = counted.sum.value(u"attempts"_s);
    const qint64 retries = counted.sum.value(u"retries"_s);
    return {{u"attempts"_s, attempts},
            {u"retries"_s, retries},
            {u"retry_share"_s, numberOrNull(insight::shareOf(retries, attempts))},
            {u"by_dependency"_s, list},
            {u"model"_s, QJsonValue()}};
}

Result<void> addDays(Context &context, const ReportSpan &span, QJsonObject &document)
{
    const auto days = daysJson(context, span);
    if (!days)
        return days.error();
    document.insert(u"days"_s, *days);
    const auto daysBefore = daysJson(context, span.before());
    if (!daysBefore)
        return daysBefore.error();
    document.insert(u"days_before"_s, *daysBefore);
    return {};
}

Result<void> addContext(Context &context, const ReportSpan &span, QJsonObject &document)
{
    const auto changes = changesOf(context, span);
    if (!changes)
        return changes.error();
    document.insert(u"changes"_s, *changes);
    if (const auto added = addGroups(context, span, document); !added)
        return added;
    if (const auto added = addUnresolved(context, span, document); !added)
        return added;
    if (const auto added = addCompensations(context, span, document); !added)
        return added;
    const auto gaps = gapsOf(context);
    if (!gaps)
        return gaps.error();
    document.insert(u"gaps"_s, *gaps);
    const auto flips = ownerFlipsOf(context, span);
    if (!flips)
        return flips.error();
    document.insert(u"owner_flips"_s, *flips);
    // No version of a workflow is tried on a share of its runs yet.
    document.insert(u"canaries"_s, QJsonArray());
    return {};
}

QJsonObject signedPart(const QJsonObject &document)
{
    QJsonObject part;
    for (const QString &name : {u"since"_s, u"until"_s, u"days"_s, u"days_before"_s})
        part.insert(name, document.value(name));
    const QJsonArray shown = document.value("figures"_L1).toArray();
    QJsonArray figures;
    for (const QJsonValue &each : shown) {
        QJsonObject figure;
        for (const QString &name : {u"name"_s, u"now"_s, u"before"_s, u"unit"_s})
            figure.insert(name, each[name]);
        figures.append(figure);
    }
    part.insert(u"figures"_s, figures);
    return part;
}

Result<QJsonObject> beginning(Context &context, const ReportSpan &span, const Counted &now,
                              const Counted &before)
{
    QJsonObject document{{u"since"_s, instantJson(span.since)},
                         {u"until"_s, instantJson(span.until)},
                         {u"figures"_s, figuresJson(now.sum, before.sum)}};
    if (const auto added = addDays(context, span, document); !added)
        return added.error();
    return document;
}
} // namespace

Result<ReportSpan> reportSpanOf(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    const auto since = instantOf(arguments, "since");
    if (!since)
        return since.error();
    const auto until = instantOf(arguments, "until");
    if (!until)
        return until.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    constexpr model::Millis week = 7 * model::day;
    constexpr model::Instant aMonday = 4 * model::day; // 1970-01-05
    const model::Instant monday = *now - (*now - aMonday) % week;
    ReportSpan span{*since, *until};
    if (span.since == model::never)
        span.since = span.until == model::never ? monday - week : span.until - week;
    if (span.until == model::never)
        span.until = span.since + week;
    if (span.since >= span.until)
        return model::invalid(u"since is not before until"_s);
    if (span.since % model::minute != 0 || span.until % model::minute != 0)
        return model::invalid(u"since and until must be whole minutes, as the counters are"_s);
    if (span.until - span.since > windowDaysMax * model::day)
        return model::invalid(u"a report covers at most %1 days"_s.arg(windowDaysMax));
    if (span.before().since <= model::never)
        return model::invalid(u"since is too long ago to have a time before it"_s);
    return span;
}

Result<QJsonObject> figuresOf(Context &context, const ReportSpan &span)
{
    const auto now = countedIn(context, span);
    if (!now)
        return now.error();
    const auto before = countedIn(context, span.before());
    if (!before)
        return before.error();
    const auto document = beginning(context, span, *now, *before);
    return document ? Result<QJsonObject>(signedPart(*document)) : document;
}

Result<QJsonValue> report(Context &context)
{
    const auto span = reportSpanOf(context);
    if (!span)
        return span.error();
    const auto madeAt = context.store.now();
    if (!madeAt)
        return madeAt.error();
    const auto now = countedIn(context, *span);
    if (!now)
        return now.error();
    const auto before = countedIn(context, span->before());
    if (!before)
        return before.error();
    auto document = beginning(context, *span, *now, *before);
    if (!document)
        return document.error();
    const QJsonObject figures = signedPart(*document);
    const auto signoff = signoffOf(context, *span, figures);
    if (!signoff)
        return signoff.error();
    const auto incomplete = incompleteOf(context, *span, *madeAt);
    if (!incomplete)
        return incomplete.error();
    document->insert(u"made_at"_s, instantJson(*madeAt));
    document->insert(u"incomplete"_s, *incomplete);
    document->insert(u"cost"_s, costJson(*now));
    document->insert(u"signoff"_s, *signoff);
    document->insert(u"figures_hash"_s, figuresHash(figures));
    if (const auto added = addMeasures(context, *span, *now, *before, *document); !added)
        return added.error();
    if (const auto added = addContext(context, *span, *document); !added)
        return added.error();
    return QJsonValue(*document);
}

} // namespace holdfast::control
