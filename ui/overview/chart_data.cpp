#include "ui/overview/chart_data.h"

#include "ui/style/status_look.h"
#include "ui/widgets/rate_delegate.h"
#include "ui/widgets/times.h"

#include <QLocale>
#include <array>
#include <cmath>
#include <limits>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Bottom to top: what went well carries the rest.
constexpr std::array<const char *, 6> outcomes{
    "succeeded", "succeeded_partial", "compensated", "cancelled", "failed", "compensation_failed"};

QString counterOf(const char *status) { return u"runs_"_s + QLatin1String(status); }

double sum(const QVector<double> &values)
{
    double total = 0;
    for (const double value : values)
        total += std::isnan(value) ? 0 : value;
    return total;
}

QVector<double> counted(const Buckets &buckets, const QString &counter)
{
    QVector<double> values;
    for (const QJsonObject &counts : buckets.counts)
        values << counts.value(counter).toDouble();
    return values;
}

double compensationShare(const QJsonObject &counts)
{
    const double ended = runsEnded(counts);
    if (ended <= 0)
        return nothing;
    return (counts.value("runs_compensated"_L1).toDouble() +
            counts.value("runs_compensation_failed"_L1).toDouble()) /
           ended;
}

QJsonObject totals(const Buckets &buckets)
{
    QMap<QString, double> sums;
    for (const QJsonObject &counts : buckets.counts) {
        for (auto count = counts.constBegin(); count != counts.constEnd(); ++count)
            sums[count.key()] += count.value().toDouble();
    }
    QJsonObject json;
    for (auto total = sums.constBegin(); total != sums.constEnd(); ++total)
        json.insert(total.key(), total.value());
    return json;
}

ChartSeries shareSeries(const Buckets &buckets, const QString &name)
{
    ChartSeries series;
    series.name = name;
    series.shape = u"↺"_s;
    series.token = Token::undoing;
    for (const QJsonObject &counts : buckets.counts)
        series.values << compensationShare(counts);
    series.total = compensationShare(totals(buckets));
    series.page = u"runs"_s;
    series.filter = u"status:compensated,compensation_failed"_s;
    return series;
}
} // namespace

bool ChartData::isEmpty() const
{
    for (const auto *all : {&bars, &lines, &outline}) {
        for (const ChartSeries &series : *all) {
            for (const double value : series.values) {
                if (!std::isnan(value) && (value > 0 || isPercent))
                    return false;
            }
        }
    }
    return true;
}

double ChartData::top() const
{
    double highest = 0;
    for (qsizetype bucket = 0; bucket < at.size(); ++bucket) {
        double stacked = 0;
        for (const ChartSeries &series : bars)
            stacked += series.values.value(bucket);
        highest = std::max(highest, stacked);
        for (const auto *all : {&lines, &outline}) {
            for (const ChartSeries &series : *all) {
                const double value = series.values.value(bucket);
                highest = std::isnan(value) ? highest : std::max(highest, value);
            }
        }
    }
    return highest;
}

QString ChartData::valueText(double value) const
{
    if (std::isnan(value))
        return u"–"_s;
    return isPercent ? widgets::rateText(value) : QLocale().toString(qint64(value));
}

double runsEnded(const QJsonObject &counts)
{
    double ended = 0;
    for (const char *status : outcomes)
        ended += counts.value(counterOf(status)).toDouble();
    return ended;
}

Buckets spread(const QJsonObject &answer, model::Instant begin, model::Millis bucket, int count)
{
    Buckets buckets;
    for (int i = 0; i < count; ++i)
        buckets.at << begin + i * bucket;
    buckets.counts.resize(count);
    const QJsonArray given = answer.value("buckets"_L1).toArray();
    for (const QJsonValue &value : given) {
        const model::Instant at = widgets::instantOf(value["at"_L1]);
        if (at < begin || (at - begin) / bucket >= count)
            continue;
        QJsonObject counts = value.toObject();
        counts.remove(u"at"_s);
        QJsonObject &sums = buckets.counts[(at - begin) / bucket];
        for (auto it = counts.constBegin(); it != counts.constEnd(); ++it)
            sums.insert(it.key(), sums.value(it.key()).toDouble() + it.value().toDouble());
    }
    return buckets;
}

ChartData runsByOutcome(const Buckets &now, const Buckets &earlier, const TimeRange &range)
{
    ChartData data;
    data.at = now.at;
    for (const char *status : outcomes) {
        const style::StatusLook look = style::statusLook(QLatin1String(status));
        ChartSeries series;
        series.name = look.word;
        series.shape = look.shape;
        series.token = look.token;
        series.isHatched = !data.bars.isEmpty() && data.bars.last().token == look.token;
        series.values = counted(now, counterOf(status));
        series.total = sum(series.values);
        series.page = u"runs"_s;
        series.filter = u"status:"_s + QLatin1String(status);
        data.bars << series;
    }
    ChartSeries outline;
    outline.name = range.earlier;
    outline.shape = u"┈"_s;
    outline.token = Token::muted;
    for (const QJsonObject &counts : earlier.counts)
        outline.values << runsEnded(counts);
    outline.total = sum(outline.values);
    data.outline << outline;
    return data;
}

ChartData retriesByClass(const Buckets &now)
{
    ChartData data;
    data.at = now.at;
    const auto bar = [&](const QString &counter, const QString &name, const QString &shape,
                         Token token) {
        ChartSeries series;
        series.name = name;
        series.shape = shape;
        series.token = token;
        series.values = counted(now, counter);
        series.total = sum(series.values);
        series.page = u"runs"_s;
        return series;
    };
    data.bars << bar(u"transient"_s, u"Transient"_s, u"◔"_s, Token::busy)
              << bar(u"ambiguous"_s, u"Ambiguous"_s, u"◆"_s, Token::attention)
              << bar(u"permanent"_s, u"Permanent"_s, u"✖"_s, Token::bad);
    data.bars[1].page = u"review"_s;
    data.bars[1].kind = u"ambiguous"_s;
    data.lines << bar(u"retries"_s, u"Retries"_s, u"―"_s, Token::text);
    return data;
}

ChartData compensationRate(const Buckets &now, const Buckets &earlier, const TimeRange &range)
{
    ChartData data;
    data.at = now.at;
    data.isPercent = true;
    data.lines << shareSeries(now, u"Compensated"_s);
    ChartSeries outline = shareSeries(earlier, range.earlier);
    outline.shape = u"┈"_s;
    outline.token = Token::muted;
    data.outline << outline;
    return data;
}

} // namespace holdfast::overview
