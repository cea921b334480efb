// Alerts on their way to their targets, and tripwires.
#include "ports/alert.h"
#include "store/row_reader.h"
#include "store/sql_store.h"

namespace holdfast::store
{

using namespace ports;

namespace
{
Result<bool> any(const Result<int> &changed)
{
    return changed ? Result<bool>(*changed > 0) : Result<bool>(changed.error());
}

Result<void> done(const Result<int> &changed)
{
    return changed ? Result<void>() : Result<void>(changed.error());
}
} // namespace

Result<void> SqlStore::announce(const OutboxRow &row)
{
    const Whose whose = whoseTurn(row);
    QString owner;
    if (!whose.dependency.isEmpty()) {
        const Result<std::optional<DependencyRow>> deployed = dependency(whose.dependency, 0);
        if (!deployed)
            return deployed.error();
        owner = *deployed ? (*deployed)->owner : QString();
    }
    if (owner.isEmpty() && !whose.workflow.isEmpty()) {
        const Result<std::optional<WorkflowRow>> deployed = workflow(whose.workflow, 0);
        if (!deployed)
            return deployed.error();
        owner = *deployed ? (*deployed)->owner : QString();
    }
    return done(change("announce", valuesOf(withOwner(row, owner))));
}

Result<void> SqlStore::announceBreaker(const BreakerRow &breaker)
{
    const Result<QVector<BreakerRow>> standing = breakers();
    if (!standing)
        return standing.error();
    QString before = QStringLiteral("closed");
    for (const BreakerRow &row : *standing) {
        if (row.dependency == breaker.dependency)
            before = row.state;
    }
    const Result<std::optional<DependencyRow>> deployed = dependency(breaker.dependency, 0);
    const Result<Instant> moment = now();
    if (!deployed || !moment)
        return deployed ? moment.error() : deployed.error();
    const auto told =
        breakerChanged(before, breaker, *deployed ? (*deployed)->owner : QString(), *moment);
    return told ? announce(*told) : Result<void>();
}

Result<bool> SqlStore::addAlertTarget(const AlertTargetRow &target)
{
    return any(change("insert_alert_target",
                      {textValue(target.name), textValue(target.url), listValue(target.secrets),
                       listValue(target.kinds), listValue(target.workflows),
                       int(target.allowPrivate), textValue(target.madeBy), target.madeAt}));
}

Result<bool> SqlStore::setAlertTarget(const QString &name, const QString &state,
                                      const QString &reason, const QString &by)
{
    workAdded();
    return any(change("set_alert_target",
                      {textValue(state), textValue(reason), textValue(by), textValue(name)}));
}

Result<bool> SqlStore::removeAlertTarget(const QString &name, const QString &by)
{
    return atomically<bool>([&]() -> Result<bool> {
        const Result<bool> removed =
            any(change("delete_alert_target", {textValue(name), textValue(by)}));
        if (!removed || !*removed)
            return removed;
        const Result<Instant> moment = now();
        if (!moment)
            return moment.error();
        const Result<int> left = change("abandon_deliveries", {*moment, textValue(name)});
        return left ? Result<bool>(true) : Result<bool>(left.error());
    });
}

Result<QVector<AlertTargetRow>> SqlStore::alertTargets()
{
    return list("alert_targets", {}, readAlertTarget);
}

Result<QVector<OutboxRow>> SqlStore::lockOutbox(int limit)
{
    return list("lock_outbox", {limit}, readOutbox);
}

Result<void> SqlStore::handOut(const QString &outboxId, const QVector<DeliveryRow> &deliveries,
                               Instant at)
{
    for (const DeliveryRow &row : deliveries) {
        const Result<int> added =
            change("insert_delivery", {textValue(outboxId), textValue(row.target),
                                       textValue(row.kind), optionalText(row.runId), row.at, at});
        if (!added)
            return added.error();
    }
    return done(change("hand_out", {at, textValue(outboxId)}));
}

Result<QVector<DeliveryRow>> SqlStore::takeDeliveries(Instant now, Instant until, int limit)
{
    return atomically<QVector<DeliveryRow>>([&] {
        return list("take_deliveries", {until, now, limit, deliveriesAtOnce}, readDelivery);
    });
}

Result<bool> SqlStore::settleDelivery(const DeliveryRow &row)
{
    return any(
        change("settle_delivery", {textValue(row.state), instantValue(row.nextAt),
                                   instantValue(row.endedAt), row.status, textValue(row.error),
                                   textValue(row.outboxId), textValue(row.target), row.attempts}));
}

Result<bool> SqlStore::anyDeliveryDue(Instant by)
{
    const Result<qint64> due = number("any_delivery_due", {by});
    return due ? Result<bool>(*due != 0) : Result<bool>(due.error());
}

Result<std::optional<OutboxRow>> SqlStore::outbox(const QString &id)
{
    return one("outbox_by_id", {textValue(id)}, readOutbox);
}

Result<QVector<DeliveryRow>> SqlStore::deliveries(const DeliveryFilter &filter)
{
    return list("deliveries", {textValue(filter.target), textValue(filter.state), filter.limit},
                readDelivery);
}

Result<int> SqlStore::sweepOutbox(Instant before, int limit)
{
    return atomically<int>([&]() -> Result<int> {
        if (const Result<int> swept = change("sweep_deliveries", {before, limit}); !swept)
            return swept;
        return change("sweep_outbox", {before, limit});
    });
}

Result<bool> SqlStore::addTripwire(const TripwireRow &row)
{
    return any(change("insert_tripwire",
                      {textValue(row.name), textValue(row.measure), textValue(row.workflow),
                       textValue(row.step), textValue(row.failure), textValue(row.scope),
                       textValue(row.target), textValue(row.depth), row.window, row.threshold,
                       row.least, textValue(row.madeBy), row.madeAt}));
}

Result<bool> SqlStore::setTripwire(const QString &name, const QString &state, const QString &by)
{
    return any(change("set_tripwire", {textValue(state), textValue(by), textValue(name)}));
}

Result<bool> SqlStore::removeTripwire(const QString &name, const QString &by)
{
    return any(change("delete_tripwire", {textValue(name), textValue(by)}));
}

Result<QVector<TripwireRow>> SqlStore::tripwires() { return list("tripwires", {}, readTripwire); }

Result<std::optional<TripwireRow>> SqlStore::lockTripwire(const QString &name)
{
    return one("lock_tripwire", {textValue(name)}, readTripwire);
}

Result<void> SqlStore::keepTripwire(const TripwireRow &row)
{
    return done(change("keep_tripwire",
                       {instantValue(row.armedAt), row.baseCount, row.baseOf, textValue(row.pause),
                        instantValue(row.firedAt), textValue(row.name)}));
}

} // namespace holdfast::store
