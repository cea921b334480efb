#include "control/rollup_hours.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace holdfast::control
{

using model::Instant;
using model::Millis;

namespace
{
constexpr Millis settledAfter = 5 * model::minute; // a slow writer may be late by less
constexpr Millis rememberedFor = model::hour;
constexpr qsizetype hoursMax = 100 * 24;

// Adds rows of the same operation together.
class Sums
{
public:
    void add(const QVector<ports::RollupRow> &rows)
    {
        for (const ports::RollupRow &row : rows) {
            ports::RollupRow &sum = m_sums[{row.workflow, row.step, row.dependency}];
            sum.workflow = row.workflow;
            sum.step = row.step;
            sum.dependency = row.dependency;
            addCounts(sum.counts, row.counts);
        }
    }
    QVector<ports::RollupRow> rows() const
    {
        QVector<ports::RollupRow> list;
        for (const auto &[key, sum] : m_sums)
            list.append(sum);
        return list;
    }

private:
    std::map<std::tuple<QString, QString, QString>, ports::RollupRow> m_sums;
};

Instant hourAfter(Instant instant)
{
    return (instant + model::hour - 1) / model::hour * model::hour;
}
} // namespace

void addCounts(QMap<QString, qint64> &sum, const QMap<QString, qint64> &counts)
{
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        sum[count.key()] += count.value();
}

Result<void> RollupHours::forgetOld(ports::Store &store)
{
    const auto now = store.now();
    if (!now)
        return now.error();
    m_now = *now;
    if (m_now - m_rememberedSince > rememberedFor || m_hours.size() > hoursMax) {
        m_hours.clear();
        m_rememberedSince = m_now;
    }
    return {};
}

Result<RollupHours::Rows> RollupHours::hour(ports::Store &store, Instant start)
{
    const auto known = m_hours.constFind(start);
    if (known != m_hours.constEnd())
        return *known;
    const auto rows = store.rollupSums(start, start + model::hour);
    if (rows && start + model::hour + settledAfter <= m_now)
        m_hours.insert(start, *rows);
    return rows;
}

Result<QVector<ports::RollupRow>> RollupHours::sums(ports::Store &store, Instant since,
                                                    Instant until)
{
    if (const auto done = forgetOld(store); !done)
        return done.error();
    const Instant first = hourAfter(since);
    const Instant last = std::max(first, until / model::hour * model::hour);
    Sums sums;
    // The ends of the span are no whole hours; in a span without one, they are all there is.
    for (const auto &[from, to] : {std::pair{since, std::min(first, until)}, {last, until}}) {
        if (from >= to)
            continue;
        const auto rows = store.rollupSums(from, to);
        if (!rows)
            return rows.error();
        sums.add(*rows);
    }
    for (Instant start = first; start < last && start < m_now; start += model::hour) {
        const auto rows = hour(store, start);
        if (!rows)
            return rows.error();
        sums.add(*rows);
    }
    return sums.rows();
}

Result<QVector<ports::RollupRow>> RollupHours::series(ports::Store &store, Instant since,
                                                      Instant until, Millis bucket)
{
    const bool isWhole = since % model::hour == 0 && bucket % model::hour == 0 && until > since;
    if (!isWhole)
        return store.rollupSeries(since, until, bucket);
    if (const auto done = forgetOld(store); !done)
        return done.error();
    QMap<Instant, ports::RollupRow> buckets;
    for (Instant start = since; start < until && start <= m_now; start += model::hour) {
        const bool isCut = start + model::hour > until;
        const auto rows = isCut ? store.rollupSums(start, until) : hour(store, start);
        if (!rows)
            return rows.error();
        const Instant at = since + (start - since) / bucket * bucket;
        for (const ports::RollupRow &row : *rows) {
            buckets[at].minute = at;
            addCounts(buckets[at].counts, row.counts);
        }
    }
    return QVector<ports::RollupRow>(buckets.cbegin(), buckets.cend());
}

} // namespace holdfast::control
