#include "engine/quota.h"

#include "model/json.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <numeric>

namespace holdfast::engine
{

using namespace Qt::StringLiterals;

namespace
{
constexpr Millis wantedFor = 2 * second;

qint64 retriesMost(const LimitPolicy &limit) { return limit.retryFloorPerSecond * 1000LL; }

// A call counts for a whole second. One from the future, by a clock that is ahead, counts, too.
bool counts(const Quota::Calls &calls, Instant now) { return calls.at > now - second; }

bool hasRoom(const Quota &quota, const QString &worker, const QuotaNeed &need,
             const LimitPolicy &limit, Instant now)
{
    const bool needsPlaces = need.places > quota.placesOf(worker);
    if (limit.concurrency > 0 && needsPlaces &&
        quota.placesElsewhere(worker) + need.places > limit.concurrency)
        return false;
    if (limit.ratePerSecond > 0 && need.calls > 0 &&
        quota.callsWithinASecond(now) + need.calls > limit.ratePerSecond)
        return false;
    return need.retries * 1000LL <=
           std::min(retriesMost(limit), quota.retriesLeft(limit, now) + need.earned);
}
} // namespace

int Quota::placesElsewhere(const QString &worker) const
{
    return std::accumulate(places.cbegin(), places.cend(), 0) - placesOf(worker);
}

int Quota::callsWithinASecond(Instant now) const
{
    return std::accumulate(calls.cbegin(), calls.cend(), 0, [now](int sum, const Calls &each) {
        return sum + (counts(each, now) ? each.count : 0);
    });
}

Instant Quota::oldestCall(Instant now) const
{
    const auto oldest = std::find_if(calls.cbegin(), calls.cend(),
                                     [now](const Calls &each) { return counts(each, now); });
    return oldest == calls.cend() ? never : oldest->at;
}

qint64 Quota::retriesLeft(const LimitPolicy &limit, Instant now) const
{
    const qint64 most = retriesMost(limit);
    if (filledAt == never)
        return most;
    const Millis passed = std::max<Millis>(0, now - filledAt);
    return std::min(most, retries + passed * limit.retryFloorPerSecond);
}

bool Quota::isWanted(Instant now) const { return wantedAt != never && now - wantedAt < wantedFor; }

bool take(Quota &quota, const QString &worker, const QuotaNeed &need, const LimitPolicy &limit,
          Instant now)
{
    if (!hasRoom(quota, worker, need, limit, now))
        return false;
    if (limit.concurrency > 0 && need.places > quota.placesOf(worker))
        quota.places.insert(worker, need.places);
    quota.calls.erase(
        std::remove_if(quota.calls.begin(), quota.calls.end(),
                       [now](const Quota::Calls &each) { return !counts(each, now); }),
        quota.calls.end());
    if (limit.ratePerSecond > 0 && need.calls > 0)
        quota.calls.append({now, need.calls});
    const qint64 left = std::min(retriesMost(limit), quota.retriesLeft(limit, now) + need.earned);
    quota.retries = left - need.retries * 1000LL;
    quota.filledAt = quota.filledAt == never ? now : std::max(quota.filledAt, now);
    return true;
}

void giveBack(Quota &quota, const QString &worker, int keep)
{
    const int held = quota.placesOf(worker);
    if (keep >= held)
        return;
    if (keep > 0)
        quota.places.insert(worker, keep);
    else
        quota.places.remove(worker);
}

QString Quota::toText() const
{
    QJsonObject held;
    for (auto place = places.cbegin(); place != places.cend(); ++place)
        held.insert(place.key(), place.value());
    QJsonArray recent;
    for (const Calls &each : calls)
        recent.append(QJsonArray{each.at, each.count});
    return QString::fromUtf8(compactJson(QJsonObject{{u"places"_s, held},
                                                     {u"calls"_s, recent},
                                                     {u"retries"_s, retries},
                                                     {u"filled_at"_s, filledAt},
                                                     {u"wanted_at"_s, wantedAt}}));
}

Quota Quota::fromText(const QString &text)
{
    Quota quota;
    const auto parsed = parseJsonObject(text.toUtf8(), {.bytes = text.size() * 4});
    if (!parsed)
        return quota;
    const QJsonObject held = parsed->value("places"_L1).toObject();
    for (auto place = held.constBegin(); place != held.constEnd(); ++place)
        quota.places.insert(place.key(), place.value().toInt());
    for (const QJsonValue &each : parsed->value("calls"_L1).toArray())
        quota.calls.append({each[0].toInteger(), each[1].toInt()});
    quota.retries = parsed->value("retries"_L1).toInteger();
    quota.filledAt = parsed->value("filled_at"_L1).toInteger(never);
    quota.wantedAt = parsed->value("wanted_at"_L1).toInteger(never);
    return quota;
}

} // namespace holdfast::engine
