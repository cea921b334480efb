// A turn's part of the limits that all workers share: it decides by what it read of the quotas, and
// takes what its intents use just before they are written, all of it or none.
#include "runtime/turn.h"

#include <algorithm>

namespace holdfast::runtime
{

using engine::DependencyGate;
using engine::Quota;
using engine::QuotaNeed;

namespace
{
constexpr int swapsMax = 8;
constexpr model::Millis wantEvery = model::second / 2;
constexpr model::Millis spreadFirst = 100;
constexpr model::Millis spreadMost = 5 * model::second;
constexpr model::Millis spreadOfFew = model::second; // where hardly anybody waits, but for long
constexpr int refusedPerCall = 4;

qint64 earnedMost(const model::LimitPolicy &limit) { return limit.retryFloorPerSecond * 1000LL; }

ports::QuotaRow rowOf(const QString &dependency, const Quota &quota, qint64 version)
{
    return {dependency, version, quota.toText()};
}
} // namespace

// Database time, as far as our own clock knows it.
model::Instant Turn::moment() const { return m_now + (m_clock.monotonic() - m_lockedAt); }

void Turn::readQuotas(const QVector<ports::QuotaRow> &rows)
{
    for (const ports::QuotaRow &row : rows) {
        SeenQuota &seen = m_quotas[row.dependency];
        if (seen.version == 0 || seen.state != row.state)
            seen.quota = Quota::fromText(row.state);
        seen.version = row.version;
        seen.state = row.state;
    }
}

void Turn::fillLimits(DependencyGate &gate, const QString &dependency) const
{
    static const Quota untouched;
    const auto seen = m_quotas.constFind(dependency);
    const Quota &quota = seen == m_quotas.cend() ? untouched : seen->quota;
    const model::LimitPolicy &limit = gate.limit;
    gate.inFlight = 0;
    gate.used = {};
    gate.spread = m_spreads.value(dependency);
    gate.elsewhere = quota.placesElsewhere(m_options.worker);
    gate.calls = quota.callsWithinASecond(m_now);
    gate.oldestCall = quota.oldestCall(m_now);
    gate.retries =
        std::min(earnedMost(limit), quota.retriesLeft(limit, m_now) + m_earned.value(dependency));
    if (!m_isCautious)
        return;
    gate.elsewhere = std::max(gate.elsewhere, limit.concurrency - quota.placesOf(m_options.worker));
    gate.calls = std::max(gate.calls, limit.ratePerSecond);
    gate.retries = 0;
}

QMap<QString, QuotaNeed> Turn::quotaNeeds() const
{
    QMap<QString, QuotaNeed> needs;
    const auto &gates = m_gates.dependencies;
    for (auto gate = gates.cbegin(); gate != gates.cend(); ++gate) {
        const qint64 earned = m_earned.value(gate.key());
        const bool calls = gate->used.calls > 0;
        if (!calls && earned < 1000)
            continue;
        const model::LimitPolicy &limit = gate->limit;
        const Quota quota = m_quotas.value(gate.key()).quota;
        const bool places =
            calls && limit.concurrency > 0 && gate->inFlight > quota.placesOf(m_options.worker);
        // Others may want to retry what our first tries have paid for.
        const bool deposits = earned >= 1000 && quota.filledAt != model::never &&
                              quota.retriesLeft(limit, m_now) < earnedMost(limit);
        if (places || (calls && limit.ratePerSecond > 0) || gate->used.retries > 0 || deposits)
            needs.insert(gate.key(), {places ? gate->inFlight : 0, gate->used.calls,
                                      gate->used.retries, earned});
    }
    return needs;
}

Result<bool> Turn::takeQuotas()
{
    const QMap<QString, QuotaNeed> needs = quotaNeeds();
    for (int swaps = 0; !needs.isEmpty() && swaps < swapsMax; ++swaps) {
        if (swaps > 0) {
            const auto rows = m_store.quotas(needs.keys());
            if (!rows)
                return rows.error();
            readQuotas(*rows);
        }
        QVector<ports::QuotaRow> next;
        for (auto need = needs.cbegin(); need != needs.cend(); ++need) {
            SeenQuota seen = m_quotas.value(need.key());
            const model::LimitPolicy &limit = m_gates.dependencies.constFind(need.key())->limit;
            if (engine::take(seen.quota, m_options.worker, *need, limit, moment()))
                next.append(rowOf(need.key(), seen.quota, seen.version));
        }
        const bool isEnough = next.size() == needs.size();
        // What a turn read when it began may be old; what was just read is not.
        if (!isEnough && swaps > 0)
            return false;
        if (!isEnough)
            continue;
        const auto swapped = m_store.swapQuotas(next);
        if (!swapped)
            return swapped.error();
        if (!*swapped)
            continue;
        for (const ports::QuotaRow &row : std::as_const(next)) {
            readQuotas({{row.dependency, row.version + 1, row.state}});
            m_earned.remove(row.dependency);
        }
        return true;
    }
    return needs.isEmpty();
}

// After the commit, and best effort: what is not given back or asked for now will be by a later
// turn.
void Turn::settleQuotas()
{
    for (auto gate = m_gates.dependencies.cbegin(); gate != m_gates.dependencies.cend(); ++gate) {
        if (gate->used.earned == 0)
            continue;
        qint64 &earned = m_earned[gate.key()];
        earned = std::min(earnedMost(gate->limit), earned + gate->used.earned);
    }
    spreadWaiting();
    const QStringList wanted = lookForPlaces();
    for (auto seen = m_quotas.begin(); seen != m_quotas.end(); ++seen) {
        const auto gate = m_gates.dependencies.constFind(seen.key());
        if (gate == m_gates.dependencies.cend())
            continue;
        const bool isWanted = seen->quota.isWanted(moment());
        const bool spares = isWanted && seen->quota.placesOf(m_options.worker) > gate->inFlight;
        const bool wants = wanted.contains(seen.key());
        if (!spares && !wants)
            continue;
        Quota next = seen->quota;
        if (spares)
            engine::giveBack(next, m_options.worker, gate->inFlight);
        if (wants)
            next.wantedAt = moment();
        if (!m_store.swapQuotas({rowOf(seen.key(), next, seen->version)}))
            return;
    }
}

// Dependencies at which somebody waits for a place that another worker holds. Those who are gone
// give theirs back first.
QStringList Turn::lookForPlaces()
{
    QStringList names;
    for (auto limited = m_limited.cbegin(); limited != m_limited.cend(); ++limited) {
        const auto gate = m_gates.dependencies.constFind(limited.key());
        const bool lacksPlaces = gate->limit.concurrency > 0 && gate->elsewhere > 0 &&
                                 gate->inFlight + gate->elsewhere >= gate->limit.concurrency;
        const model::Instant wantedAt = m_quotas.value(limited.key()).quota.wantedAt;
        if (lacksPlaces && (wantedAt == model::never || moment() - wantedAt >= wantEvery))
            names.append(limited.key());
    }
    if (names.isEmpty() || !m_store.reclaimQuotas(names))
        return {};
    const auto rows = m_store.quotas(names);
    if (!rows)
        return {};
    readQuotas(*rows);
    return names;
}

// Those who wait look again in turns, so that a long queue does not come by as a whole whenever a
// place is free; the longer it is, the further apart.
void Turn::spreadWaiting()
{
    if (m_limited.isEmpty() && m_spreads.isEmpty())
        return;
    const auto setSpread = [this](const QString &dependency, model::Millis spread) {
        if (spread > 0)
            m_spreads.insert(dependency, spread);
        else
            m_spreads.remove(dependency);
    };
    const auto &gates = m_gates.dependencies;
    for (auto gate = gates.cbegin(); gate != gates.cend(); ++gate) {
        const int refused = m_limited.value(gate.key());
        const model::Millis spread = m_spreads.value(gate.key());
        const int calls = gate->used.calls;
        const bool isLong = refused > refusedPerCall * std::max(1, calls);
        if (isLong || (refused > 0 && calls == 0 && spread < spreadOfFew))
            setSpread(gate.key(), std::clamp(2 * spread, spreadFirst, spreadMost));
        else if (spread > 0 && refused <= calls)
            setSpread(gate.key(), spread > spreadFirst ? spread / 2 : 0);
    }
}

} // namespace holdfast::runtime
