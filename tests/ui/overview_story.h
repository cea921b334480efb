// A day of runs as the door would tell it: busy in the afternoon, with two bad hours, a pause, an
// open breaker and items that wait.
#pragma once

#include "ui/canned_door.h"

#include <cmath>

namespace holdfast::tests
{

inline QString ago(const CannedDoor &door, model::Millis back)
{
    return model::instantText(door.now - back);
}

inline QJsonObject marksOf(const CannedDoor &door)
{
    return {{u"journal"_s, 7},
            {u"reviews"_s, QJsonObject{{u"ambiguous"_s, 4},
                                       {u"approval"_s, 2},
                                       {u"compensation_failed"_s, 1},
                                       {u"conflict"_s, 0},
                                       {u"dead_letter"_s, 3},
                                       {u"tripwire"_s, 0}}},
            {u"oldest"_s, QJsonObject{{u"ambiguous"_s, ago(door, 130 * model::minute)},
                                      {u"approval"_s, ago(door, 50 * model::minute)},
                                      {u"compensation_failed"_s, ago(door, 26 * model::hour)},
                                      {u"dead_letter"_s, ago(door, 5 * model::day)}}},
            {u"breakers_open"_s, QJsonArray{u"crm"_s}},
            {u"pauses"_s, QJsonArray{QJsonObject{{u"id"_s, u"p1"_s},
                                                 {u"scope"_s, u"dependency"_s},
                                                 {u"target"_s, u"payments"_s},
                                                 {u"depth"_s, u"writes"_s},
                                                 {u"reason"_s, u"Provider incident, time-outs"_s},
                                                 {u"actor"_s, u"ada"_s},
                                                 {u"at"_s, ago(door, 38 * model::minute)},
                                                 {u"held"_s, 41},
                                                 {u"in_flight"_s, 3}}}}};
}

// A day that is busy in the afternoon and goes wrong once.
inline QJsonObject seriesOf(const QJsonObject &arguments)
{
    const model::Instant since = *model::parseInstant(arguments.value("since"_L1).toString());
    const model::Instant until = *model::parseInstant(arguments.value("until"_L1).toString());
    const qint64 bucket = arguments.value("bucket_ms"_L1).toInteger();
    QJsonArray buckets;
    QMap<QString, int> totals;
    for (model::Instant at = since; at < until; at += bucket) {
        const int i = int((at - since) / bucket);
        const int busy = int(30 + 28 * std::sin(i / 4.0 + 5));
        const bool isBad = i % 11 > 8;
        const QMap<QString, int> counts{{u"runs_started"_s, busy},
                                        {u"runs_succeeded"_s, std::max(0, busy - (isBad ? 6 : 1))},
                                        {u"runs_succeeded_partial"_s, i % 5 == 0 ? 3 : 0},
                                        {u"runs_compensated"_s, isBad ? 4 : 0},
                                        {u"runs_failed"_s, isBad ? 3 : i % 9 == 0},
                                        {u"runs_compensation_failed"_s, i == 20 ? 2 : 0},
                                        {u"runs_cancelled"_s, i % 13 == 7},
                                        {u"attempts"_s, busy * 3},
                                        {u"retries"_s, isBad ? 18 : 2},
                                        {u"transient"_s, isBad ? 14 : 1},
                                        {u"ambiguous"_s, isBad ? 4 : 0},
                                        {u"permanent"_s, isBad ? 3 : 1},
                                        {u"compensated"_s, isBad ? 7 : 0},
                                        {u"compensation_failed"_s, i == 20 ? 2 : 0},
                                        {u"duplicates_prevented"_s, isBad ? 5 : 0}};
        QJsonObject json{{u"at"_s, model::instantText(at)}};
        for (auto count = counts.begin(); count != counts.end(); ++count) {
            json.insert(count.key(), count.value());
            totals[count.key()] += count.value();
        }
        buckets.append(json);
    }
    QJsonObject sums;
    for (auto total = totals.begin(); total != totals.end(); ++total)
        sums.insert(total.key(), total.value());
    return {{u"buckets"_s, buckets}, {u"totals"_s, sums}};
}

inline QJsonObject rate(const QString &workflow, const QString &step, const QString &dependency,
                        int confirmed, int failed, int retries, int ambiguous)
{
    return {{u"workflow"_s, workflow},     {u"step"_s, step},
            {u"dependency"_s, dependency}, {u"attempts"_s, confirmed + failed + retries},
            {u"confirmed"_s, confirmed},   {u"failed"_s, failed},
            {u"retries"_s, retries},       {u"ambiguous"_s, ambiguous}};
}

inline QJsonObject measure(const QString &name, const QString &title, const QString &unit,
                           const QJsonValue &now, qint64 numerator, qint64 denominator)
{
    return {{u"name"_s, name},
            {u"title"_s, title},
            {u"unit"_s, unit},
            {u"definition"_s, u"What <b>it</b> means."_s},
            {u"now"_s, now},
            {u"numerator"_s, numerator},
            {u"denominator"_s, denominator}};
}

inline QJsonArray measuresStory()
{
    const QString percent = u"percent"_s;
    const QString ms = u"ms"_s;
    return {measure(u"duplicate_effect_rate"_s, u"Duplicate side-effect rate"_s, percent, 0.1, 4,
                    3'886),
            measure(u"retry_storm_rate"_s, u"Retry-storm rate"_s, percent, 1.5, 18, 1'204),
            measure(u"compensation_success_rate"_s, u"Compensation success rate"_s, percent,
                    QJsonValue(), 0, 0),
            measure(u"escalation_precision"_s, u"Escalation precision"_s, percent, 45.5, 5, 11),
            measure(u"time_to_stable_completion"_s, u"Time to stable completion"_s, ms, 373'000,
                    449'092'000, 1'204),
            measure(u"time_to_detect"_s, u"Time to detect"_s, ms, 42'000, 42'000, 31),
            measure(u"time_to_recover"_s, u"Time to recover"_s, ms, 17 * 60'000, 17 * 60'000, 31)};
}

inline QJsonObject ratesOf()
{
    return {
        {u"operations"_s,
         QJsonArray{rate(u"order"_s, u"reserve"_s, u"inventory"_s, 1204, 3, 40, 0),
                    rate(u"order"_s, u"charge"_s, u"payments"_s, 1180, 24, 212, 9),
                    rate(u"order"_s, u"ship"_s, u"shipping"_s, 1100, 80, 12, 2),
                    rate(u"billing-assistant"_s, u"create_invoice"_s, u"payments"_s, 402, 0, 31, 1),
                    rate(u"billing-assistant"_s, u"send_email"_s, u"mail"_s, 0, 0, 0, 0)}},
        {u"dependencies"_s, QJsonArray{rate({}, {}, u"payments"_s, 1582, 24, 243, 10),
                                       rate({}, {}, u"inventory"_s, 1204, 3, 40, 0),
                                       rate({}, {}, u"shipping"_s, 1100, 80, 12, 2),
                                       rate({}, {}, u"mail"_s, 0, 0, 0, 0)}},
        {u"measures"_s, measuresStory()}};
}

inline void fill(CannedDoor &door)
{
    door.answer(u"pulse"_s, marksOf(door));
    door.answer(u"series"_s, [](const QJsonObject &in) { return QJsonValue(seriesOf(in)); });
    door.answer(u"rates"_s, ratesOf());
}

} // namespace holdfast::tests
