#include "runtime/alert_watch.h"

#include "model/json.h"
#include "ports/alert.h"
#include "runtime/crash_point.h"

namespace holdfast::runtime
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int handedAtOnce = 50; // a statement each, between two turns
constexpr int underWayMax = 32;
constexpr int sweptAtOnce = 500;
constexpr model::Millis soon = 10 * model::second;
// Whoever works until nothing is left does not wait for what it cannot send.
static_assert(ports::heldBackFor > soon);
} // namespace

Result<void> AlertWatch::inTransaction(const std::function<Result<void>()> &work)
{
    if (const auto begun = m_store.begin(); !begun)
        return begun;
    if (const auto done = work(); !done) {
        m_store.rollback();
        return done;
    }
    return m_store.commit();
}

Result<void> AlertWatch::look(bool sends)
{
    m_results += m_courier.takeResults();
    if (!m_results.isEmpty()) {
        if (const auto kept = keepResults(); !kept)
            return kept;
    }
    if (!sends)
        return {};
    const auto now = m_store.now();
    if (!now)
        return now.error();
    const auto due = m_store.anyDeliveryDue(*now);
    if (!due || !*due)
        return due ? Result<void>() : Result<void>(due.error());
    if (const auto handed = inTransaction([&] { return handOut(*now); }); !handed)
        return handed;
    return send(*now);
}

// A result that could not be written waits here; should it be lost, the alert is sent again.
Result<void> AlertWatch::keepResults()
{
    pass(CrashPoint::afterDelivery);
    const auto kept = inTransaction([&]() -> Result<void> {
        const auto now = m_store.now();
        if (!now)
            return now.error();
        for (const ports::ParcelResult &result : std::as_const(m_results)) {
            if (const auto each = keep(result, *now); !each)
                return each;
        }
        return {};
    });
    if (kept)
        m_results.clear();
    return kept;
}

Result<void> AlertWatch::keep(const ports::ParcelResult &result, model::Instant now)
{
    ports::DeliveryRow row;
    row.outboxId = result.event;
    row.target = result.target;
    row.state = u"waiting"_s;
    if (const auto settled = m_store.settleDelivery(ports::afterTry(row, result, now)); !settled)
        return settled.error();
    if (!ports::isGone(result))
        return {};
    const QString why = u"its receiver answered 410: it wants nothing more"_s;
    const auto targets = m_store.alertTargets();
    if (!targets)
        return targets.error();
    for (const ports::AlertTargetRow &target : *targets) {
        if (target.name != result.target || target.state == "disabled"_L1)
            continue;
        const auto set = m_store.setAlertTarget(target.name, u"disabled"_s, why, u"engine"_s);
        if (!set)
            return set.error();
        if (!*set)
            continue; // removed meanwhile: nothing was done
        ports::AuditRow audit;
        audit.chain = u"system"_s;
        audit.at = now;
        audit.actor = u"engine"_s;
        audit.action = u"alert_target_do"_s;
        audit.subject = target.name;
        audit.body = QString::fromUtf8(
            model::canonicalJson(QJsonObject{{u"state"_s, u"disabled"_s}, {u"reason"_s, why}}));
        return m_store.appendAudit(audit);
    }
    return {};
}

Result<void> AlertWatch::handOut(model::Instant now)
{
    const auto rows = m_store.lockOutbox(handedAtOnce);
    if (!rows)
        return rows.error();
    const auto targets = m_store.alertTargets();
    if (!targets)
        return targets.error();
    for (const ports::OutboxRow &row : *rows) {
        QVector<ports::DeliveryRow> deliveries;
        for (const ports::AlertTargetRow &target : *targets) {
            if (ports::wants(target, row))
                deliveries.append({row.id, target.name, row.kind, row.runId, row.at});
        }
        if (const auto handed = m_store.handOut(row.id, deliveries, now); !handed)
            return handed;
    }
    return {};
}

// Taken in a transaction of its own, and only then sent: whoever dies in between leaves a try that
// another makes again.
Result<void> AlertWatch::send(model::Instant now)
{
    const int room = underWayMax - m_courier.underWay();
    if (room <= 0)
        return {};
    const auto taken = m_store.takeDeliveries(now, now + ports::deliveryLease, room);
    if (!taken || taken->isEmpty())
        return taken ? Result<void>() : Result<void>(taken.error());
    const auto targets = m_store.alertTargets();
    if (!targets)
        return targets.error();
    if (m_database.isEmpty()) {
        const auto mark = m_store.mark();
        if (!mark)
            return mark.error();
        m_database = mark->database;
    }
    pass(CrashPoint::beforeDelivery);
    for (const ports::DeliveryRow &row : *taken) {
        const auto alert = m_store.outbox(row.outboxId);
        if (!alert)
            return alert.error();
        for (const ports::AlertTargetRow &target : *targets) {
            if (*alert && target.name == row.target)
                m_courier.send(
                    {target, row.outboxId, row.attempts, ports::eventBody(**alert, m_database)});
        }
    }
    return {};
}

Result<bool> AlertWatch::isQuiet()
{
    if (m_courier.underWay() > 0 || !m_results.isEmpty())
        return false;
    const auto now = m_store.now();
    if (!now)
        return now.error();
    const auto due = m_store.anyDeliveryDue(*now + soon);
    return due ? Result<bool>(!*due) : Result<bool>(due.error());
}

Result<int> AlertWatch::sweep(model::Instant now)
{
    return m_store.sweepOutbox(now - ports::alertsKeptFor, sweptAtOnce);
}

} // namespace holdfast::runtime
