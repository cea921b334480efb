// Counters by the minute, and by the hour and the day once they are over. Whoever asks need not
// know which of them an answer comes from.
#include "store/row_reader.h"
#include "store/sql_store.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace holdfast::store
{

using namespace ports;

namespace
{
constexpr qint64 farthestMinute = std::numeric_limits<qint64>::max();

Instant hourOf(Instant instant) { return instant / model::hour * model::hour; }
Instant hourFrom(Instant instant) { return hourOf(instant + model::hour - 1); }
Instant dayOf(Instant instant) { return instant / model::day * model::day; }
Instant endOf(Instant until) { return until == model::never ? farthestMinute : until; }

// What of a span is read from hours: from `first` to before `last`; the rest are minutes.
struct WholeHours {
    WholeHours(Instant since, Instant until, Instant summedUntil)
        : first(std::min(hourFrom(since), until)),
          last(std::max(first, std::min(hourOf(until), summedUntil)))
    {
    }
    const Instant first;
    const Instant last;
};
} // namespace

Result<QVector<RollupRow>> SqlStore::rollups(Instant since, Instant until)
{
    const Result<QSqlQuery *> found = query("rollups_between", {since, endOf(until)});
    if (!found)
        return found.error();
    QVector<RollupRow> rows;
    QSqlQuery &result = **found;
    while (result.next()) {
        RollupRow key{result.value(0).toLongLong(), result.value(1).toString(),
                      result.value(2).toString(),   result.value(3).toString(),
                      result.value(4).toString(),   {}};
        const bool same = !rows.isEmpty() && rows.last().minute == key.minute &&
                          rows.last().workflow == key.workflow && rows.last().step == key.step &&
                          rows.last().dependency == key.dependency &&
                          rows.last().worker == key.worker;
        if (!same)
            rows.append(key);
        rows.last().counts.insert(result.value(5).toString(), result.value(6).toLongLong());
    }
    result.finish();
    return rows;
}

// Buckets of other than whole hours, or that begin within one, are made of minutes.
Result<QVector<RollupRow>> SqlStore::rollupSeries(Instant since, Instant until, Millis bucket)
{
    const Result<qint64> summed = number("summed_until");
    if (!summed)
        return summed.error();
    const Instant end = endOf(until);
    const bool isWhole = since % model::hour == 0 && bucket % model::hour == 0;
    const WholeHours hours(since, end, isWhole ? *summed : model::never);
    const Instant minutesFrom = hours.last > hours.first ? hours.last : since;
    QMap<Instant, RollupRow> buckets;
    const auto add = [&](const char *name, Instant from, Instant to) -> Result<void> {
        if (from >= to)
            return {};
        const Result<QSqlQuery *> found = query(name, {since, since, bucket, bucket, from, to});
        if (!found)
            return found.error();
        while ((*found)->next()) {
            RollupRow &row = buckets[(*found)->value(0).toLongLong()];
            row.minute = (*found)->value(0).toLongLong();
            row.counts[(*found)->value(1).toString()] += (*found)->value(2).toLongLong();
        }
        (*found)->finish();
        return {};
    };
    if (const auto added = add("hour_series", hours.first, hours.last); !added)
        return added.error();
    if (const auto added = add("rollup_series", minutesFrom, end); !added)
        return added.error();
    return QVector<RollupRow>(buckets.cbegin(), buckets.cend());
}

Result<QVector<RollupRow>> SqlStore::rollupSums(Instant since, Instant until)
{
    const Result<qint64> summed = number("summed_until");
    if (!summed)
        return summed.error();
    const Instant end = endOf(until);
    const WholeHours hours(since, end, *summed);
    std::map<std::tuple<QString, QString, QString>, RollupRow> sums;
    const auto add = [&](const char *name, Instant from, Instant to) -> Result<void> {
        if (from >= to)
            return {};
        const Result<QSqlQuery *> found = query(name, {from, to});
        if (!found)
            return found.error();
        while ((*found)->next()) {
            const QSqlQuery &read = **found;
            RollupRow &row = sums[{read.value(0).toString(), read.value(1).toString(),
                                   read.value(2).toString()}];
            row.counts[read.value(3).toString()] += read.value(4).toLongLong();
        }
        (*found)->finish();
        return {};
    };
    const Instant firstDay = std::min(dayOf(hours.first + model::day - 1), hours.last);
    const Instant lastDay = std::max(firstDay, dayOf(hours.last));
    const std::tuple<const char *, Instant, Instant> parts[] = {
        {"rollup_sums", since, hours.first},
        {"hour_sums", hours.first, firstDay},
        {"day_sums", firstDay, lastDay},
        {"hour_sums", lastDay, hours.last},
        {"rollup_sums", hours.last, end}};
    for (const auto &[name, from, to] : parts) {
        if (const auto added = add(name, from, to); !added)
            return added.error();
    }
    QVector<RollupRow> rows;
    for (auto &[key, row] : sums) {
        std::tie(row.workflow, row.step, row.dependency) = key;
        rows.append(row);
    }
    return rows;
}

Result<int> SqlStore::sumHours(Instant until, int most)
{
    return atomically<int>([&]() -> Result<int> {
        const Result<qint64> summed = number("lock_summed_until");
        if (!summed)
            return summed.error();
        const Result<qint64> minute = number("first_minute_from", {*summed});
        if (!minute)
            return minute.error();
        const Instant from = hourOf(*minute);
        const Instant to = std::min(hourOf(until), from + most * model::hour);
        if (*minute == 0 || from >= to)
            return 0;
        for (const char *name : {"sum_hours", "sum_hour_totals"}) {
            if (const Result<int> added = change(name, {from, to}); !added)
                return added.error();
        }
        // From where the mark stood, which may be days before the next minute there is.
        const Instant firstDay = dayOf(*summed > 0 ? *summed : from);
        if (const Result<int> added = change("sum_days", {firstDay, dayOf(to)}); !added)
            return added.error();
        const Result<void> kept =
            putSetting({QStringLiteral("rollup_hours_until"), QString::number(to)});
        return kept ? Result<int>(int((to - from) / model::hour)) : Result<int>(kept.error());
    });
}

// Hours from then on are to be added up anew.
Result<void> SqlStore::sumAgainFrom(Instant hour)
{
    const QString name = QStringLiteral("rollup_hours_until");
    const Result<qint64> summed = number("summed_until");
    if (!summed)
        return summed.error();
    if (hour == model::never) {
        const Result<bool> forgotten = removeSetting(name);
        return forgotten ? Result<void>() : Result<void>(forgotten.error());
    }
    return *summed > hour ? putSetting({name, QString::number(hour)}) : Result<void>();
}

Result<void> SqlStore::replaceRollups(const QVector<RollupRow> &rollups)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        const Result<Instant> sealed = sealedUntil();
        if (!sealed)
            return sealed.error();
        const std::pair<const char *, Instant> parts[] = {{"delete_rollups", *sealed},
                                                          {"delete_hours", hourOf(*sealed)},
                                                          {"delete_hour_totals", hourOf(*sealed)},
                                                          {"delete_days", dayOf(*sealed)}};
        for (const auto &[name, from] : parts) {
            if (const Result<int> deleted = change(name, {from}); !deleted)
                return deleted.error();
        }
        if (const Result<void> kept = sumAgainFrom(hourOf(*sealed)); !kept)
            return kept.error();
        // What was sealed since they were counted stands already.
        QVector<RollupRow> unsealed = rollups;
        unsealed.removeIf([&](const RollupRow &row) { return row.minute < *sealed; });
        if (const Result<void> added = addRollups(unsealed); !added)
            return added.error();
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

} // namespace holdfast::store
