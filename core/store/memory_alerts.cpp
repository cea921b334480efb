#include "ports/alert.h"
#include "store/memory_store_impl.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;
using namespace Qt::StringLiterals;

namespace
{
// Of the newest.
template <typename Row>
QString ownerOf(const std::map<std::pair<QString, int>, Row> &deployed, const QString &name)
{
    QString owner;
    for (auto row = deployed.lower_bound({name, 0}); row != deployed.end(); ++row) {
        if (row->first.first != name)
            break;
        owner = row->second.owner;
    }
    return owner;
}
} // namespace

void MemoryStore::putOutbox(const OutboxRow &row)
{
    if (m_database->outbox.count(row.id))
        return;
    const Whose whose = whoseTurn(row);
    QString owner = ownerOf(m_database->dependencies, whose.dependency);
    if (owner.isEmpty())
        owner = ownerOf(m_database->workflows, whose.workflow);
    put(m_database->outbox, row.id, withOwner(row, owner));
}

Result<void> MemoryStore::announce(const OutboxRow &row)
{
    const Result<bool> told = atomically<bool>([&]() -> Result<bool> {
        putOutbox(row);
        return true;
    });
    return told ? Result<void>() : Result<void>(told.error());
}

Result<bool> MemoryStore::addAlertTarget(const AlertTargetRow &target)
{
    return atomically<bool>([&]() -> Result<bool> {
        if (m_database->alertTargets.count(target.name))
            return false;
        AlertTargetRow row = target;
        row.state = u"enabled"_s;
        put(m_database->alertTargets, row.name, row);
        return true;
    });
}

Result<bool> MemoryStore::setAlertTarget(const QString &name, const QString &state,
                                         const QString &reason, const QString &)
{
    return atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->alertTargets.find(name);
        if (found == m_database->alertTargets.end())
            return false;
        AlertTargetRow row = found->second;
        row.state = state;
        row.reason = reason;
        put(m_database->alertTargets, name, row);
        return true;
    });
}

Result<bool> MemoryStore::removeAlertTarget(const QString &name, const QString &)
{
    return atomically<bool>([&]() -> Result<bool> {
        if (!m_database->alertTargets.count(name))
            return false;
        drop(m_database->alertTargets, name);
        for (const auto &[key, standing] : m_database->deliveries) {
            if (standing.target != name || standing.state != "waiting"_L1)
                continue;
            DeliveryRow row = standing;
            row.state = u"given_up"_s;
            row.nextAt = model::never;
            row.endedAt = m_clock.now();
            row.error = u"the target was removed"_s;
            put(m_database->deliveries, key, row);
        }
        return true;
    });
}

Result<QVector<AlertTargetRow>> MemoryStore::alertTargets()
{
    const Hold hold(*this);
    QVector<AlertTargetRow> rows;
    for (const auto &[name, row] : m_database->alertTargets)
        rows.append(row);
    return rows;
}

Result<QVector<OutboxRow>> MemoryStore::lockOutbox(int limit) { return undelivered(limit); }

Result<void> MemoryStore::handOut(const QString &outboxId, const QVector<DeliveryRow> &deliveries,
                                  Instant at)
{
    const Result<bool> handed = atomically<bool>([&]() -> Result<bool> {
        for (DeliveryRow row : deliveries) {
            row.outboxId = outboxId;
            row.state = u"waiting"_s;
            row.nextAt = at;
            if (!m_database->deliveries.count({outboxId, row.target}))
                put(m_database->deliveries, {outboxId, row.target}, row);
        }
        OutboxRow row = m_database->outbox.at(outboxId);
        row.deliveredAt = at;
        put(m_database->outbox, outboxId, row);
        return true;
    });
    return handed ? Result<void>() : Result<void>(handed.error());
}

Result<QVector<DeliveryRow>> MemoryStore::takeDeliveries(Instant now, Instant until, int limit)
{
    return atomically<QVector<DeliveryRow>>([&]() -> Result<QVector<DeliveryRow>> {
        QVector<DeliveryRow> due;
        QMap<QString, int> underWay;
        for (const auto &[key, row] : m_database->deliveries) {
            const auto whom = m_database->alertTargets.find(row.target);
            const bool isOpen = row.state == "waiting"_L1 &&
                                whom != m_database->alertTargets.end() &&
                                whom->second.state == "enabled"_L1;
            if (isOpen && row.nextAt <= now)
                due.append(row);
            else if (isOpen && row.attempts > 0 && row.nextAt <= until)
                ++underWay[row.target];
        }
        std::stable_sort(due.begin(), due.end(), [](const DeliveryRow &a, const DeliveryRow &b) {
            return a.nextAt < b.nextAt;
        });
        QVector<DeliveryRow> rows;
        for (const DeliveryRow &row : std::as_const(due)) {
            if (rows.size() < limit && ++underWay[row.target] <= deliveriesAtOnce)
                rows.append(row);
        }
        for (DeliveryRow &row : rows) {
            ++row.attempts;
            row.nextAt = until;
            put(m_database->deliveries, {row.outboxId, row.target}, row);
        }
        return rows;
    });
}

Result<bool> MemoryStore::settleDelivery(const DeliveryRow &delivery)
{
    return atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->deliveries.find({delivery.outboxId, delivery.target});
        if (found == m_database->deliveries.end() || found->second.state != "waiting"_L1 ||
            (delivery.state != "delivered"_L1 && found->second.attempts != delivery.attempts))
            return false;
        DeliveryRow row = found->second;
        row.state = delivery.state;
        row.nextAt = delivery.nextAt;
        row.endedAt = delivery.endedAt;
        row.status = std::max(delivery.status, 0);
        row.error = delivery.error;
        row.attempts -= delivery.status < 0 ? 1 : 0;
        put(m_database->deliveries, {row.outboxId, row.target}, row);
        return true;
    });
}

Result<bool> MemoryStore::anyDeliveryDue(Instant by)
{
    const Hold hold(*this);
    const MemoryDatabase &db = *m_database;
    const bool anyToHandOut =
        std::any_of(db.outbox.cbegin(), db.outbox.cend(),
                    [](const auto &each) { return each.second.deliveredAt == model::never; });
    return anyToHandOut ||
           std::any_of(db.deliveries.cbegin(), db.deliveries.cend(), [&](const auto &each) {
               const auto whom = db.alertTargets.find(each.second.target);
               return each.second.state == "waiting"_L1 && each.second.nextAt <= by &&
                      whom != db.alertTargets.end() && whom->second.state == "enabled"_L1;
           });
}

Result<std::optional<OutboxRow>> MemoryStore::outbox(const QString &id)
{
    const Hold hold(*this);
    const auto found = m_database->outbox.find(id);
    return found == m_database->outbox.end() ? std::optional<OutboxRow>()
                                             : std::optional<OutboxRow>(found->second);
}

Result<QVector<DeliveryRow>> MemoryStore::deliveries(const DeliveryFilter &filter)
{
    const Hold hold(*this);
    QVector<DeliveryRow> rows;
    for (const auto &[key, row] : m_database->deliveries) {
        if ((filter.target.isEmpty() || row.target == filter.target) &&
            (filter.state.isEmpty() || row.state == filter.state))
            rows.append(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const DeliveryRow &a, const DeliveryRow &b) {
        return std::pair(a.at, a.outboxId) > std::pair(b.at, b.outboxId);
    });
    return rows.mid(0, filter.limit);
}

Result<int> MemoryStore::sweepOutbox(Instant before, int limit)
{
    return atomically<int>([&]() -> Result<int> {
        QStringList done;
        for (const auto &[id, row] : m_database->outbox) {
            const auto first = m_database->deliveries.lower_bound({id, QString()});
            bool waits = false;
            for (auto each = first; each != m_database->deliveries.end() && each->first.first == id;
                 ++each)
                waits = waits || each->second.state == "waiting"_L1;
            const bool isOver = row.deliveredAt != model::never && row.deliveredAt < before;
            if (isOver && !waits && done.size() < limit)
                done << id;
        }
        for (const QString &id : std::as_const(done)) {
            drop(m_database->outbox, id);
            auto each = m_database->deliveries.lower_bound({id, QString()});
            while (each != m_database->deliveries.end() && each->first.first == id)
                drop(m_database->deliveries, MemoryDatabase::Pair((each++)->first));
        }
        return int(done.size());
    });
}

Result<bool> MemoryStore::addTripwire(const TripwireRow &tripwire)
{
    return atomically<bool>([&]() -> Result<bool> {
        if (m_database->tripwires.count(tripwire.name))
            return false;
        TripwireRow row = tripwire;
        row.state = u"enabled"_s;
        put(m_database->tripwires, row.name, row);
        return true;
    });
}

Result<bool> MemoryStore::setTripwire(const QString &name, const QString &state, const QString &)
{
    return atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->tripwires.find(name);
        if (found == m_database->tripwires.end())
            return false;
        TripwireRow row = found->second;
        row.state = state;
        row.armedAt = model::never;
        put(m_database->tripwires, name, row);
        return true;
    });
}

Result<bool> MemoryStore::removeTripwire(const QString &name, const QString &)
{
    return atomically<bool>([&]() -> Result<bool> {
        const bool stands = m_database->tripwires.count(name) > 0;
        drop(m_database->tripwires, name);
        return stands;
    });
}

Result<QVector<TripwireRow>> MemoryStore::tripwires()
{
    const Hold hold(*this);
    QVector<TripwireRow> rows;
    for (const auto &[name, row] : m_database->tripwires)
        rows.append(row);
    return rows;
}

Result<std::optional<TripwireRow>> MemoryStore::lockTripwire(const QString &name)
{
    const Hold hold(*this);
    const auto found = m_database->tripwires.find(name);
    const bool stands = found != m_database->tripwires.end() && found->second.state == "enabled"_L1;
    return stands ? std::optional<TripwireRow>(found->second) : std::optional<TripwireRow>();
}

Result<void> MemoryStore::keepTripwire(const TripwireRow &tripwire)
{
    const Result<bool> kept = atomically<bool>([&]() -> Result<bool> {
        TripwireRow row = m_database->tripwires.at(tripwire.name);
        row.armedAt = tripwire.armedAt;
        row.baseCount = tripwire.baseCount;
        row.baseOf = tripwire.baseOf;
        row.pause = tripwire.pause;
        row.firedAt = tripwire.firedAt;
        put(m_database->tripwires, row.name, row);
        return true;
    });
    return kept ? Result<void>() : Result<void>(kept.error());
}

} // namespace holdfast::store
