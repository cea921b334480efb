#include "ports/alert.h"

#include "model/json.h"

#include <QJsonArray>
#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::ports
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype idDigits = 32;
constexpr qsizetype errorMax = 300;
constexpr int statusGone = 410;

using Pair = std::pair<QLatin1String, QLatin1String>;
constexpr std::array<Pair, 14> types{{{"review.ambiguous"_L1, "holdfast.step.unknown"_L1},
                                      {"review.approval"_L1, "holdfast.approval.requested"_L1},
                                      {"review.compensation_failed"_L1, "holdfast.undo.stuck"_L1},
                                      {"review.conflict"_L1, "holdfast.step.conflict"_L1},
                                      {"review.dead_letter"_L1, "holdfast.step.gave_up"_L1},
                                      {"review.tripwire"_L1, "holdfast.tripwire.tripped"_L1},
                                      {"run.failed"_L1, "holdfast.run.failed"_L1},
                                      {"run.compensated"_L1, "holdfast.undo.completed"_L1},
                                      {"run.compensation_failed"_L1, "holdfast.run.unsettled"_L1},
                                      {"pause.set"_L1, "holdfast.pause.set"_L1},
                                      {"pause.cleared"_L1, "holdfast.pause.cleared"_L1},
                                      {"breaker.opened"_L1, "holdfast.breaker.opened"_L1},
                                      {"breaker.closed"_L1, "holdfast.breaker.closed"_L1},
                                      {"alert.test"_L1, "holdfast.alert.test"_L1}}};

constexpr std::array<Millis, 9> delays{5 * model::second, 5 * model::minute, 30 * model::minute,
                                       2 * model::hour,   5 * model::hour,   10 * model::hour,
                                       14 * model::hour,  20 * model::hour,  24 * model::hour};

// No dot may stand in it: the signature separates by dots.
QString idOf(const QString &kind, const QString &what)
{
    return model::sha256Hex((kind + u'\n' + what).toUtf8()).left(idDigits);
}

QString scopeText(const QString &scope, const QString &target)
{
    return scope == "all"_L1 ? u"everything"_s : scope + u' ' + target;
}

QJsonObject next(const QStringList &who, const QString &does)
{
    QJsonArray names;
    for (const QString &name : who) {
        if (!name.isEmpty())
            names.append(name);
    }
    return {{u"who"_s, names}, {u"role"_s, u"operator"_s}, {u"does"_s, does}};
}
} // namespace

const QStringList &alertKinds()
{
    static const QStringList kinds = [] {
        QStringList list;
        for (const auto &[kind, type] : types)
            list << kind;
        return list;
    }();
    return kinds;
}

bool isAlertFilter(const QString &kind)
{
    return std::any_of(alertKinds().cbegin(), alertKinds().cend(), [&](const QString &known) {
        return known == kind || known.startsWith(kind + u'.');
    });
}

bool wants(const AlertTargetRow &target, const OutboxRow &row)
{
    if (row.kind == "alert.test"_L1)
        return row.payload.value("target"_L1).toString() == target.name;
    if (row.at < target.madeAt)
        return false;
    const bool isOfKind =
        target.kinds.isEmpty() ||
        std::any_of(target.kinds.cbegin(), target.kinds.cend(), [&](const QString &kind) {
            return row.kind == kind || row.kind.startsWith(kind + u'.');
        });
    // What concerns no single workflow may concern each.
    const QString workflow = row.payload.value("workflow"_L1).toString();
    return isOfKind && (target.workflows.isEmpty() || workflow.isEmpty() ||
                        target.workflows.contains(workflow));
}

QString eventType(const QString &kind)
{
    for (const auto &[known, type] : types) {
        if (known == kind)
            return type;
    }
    return u"holdfast."_s + kind;
}

QByteArray eventBody(const OutboxRow &row, const QString &database)
{
    const QString time = model::instantText(row.at);
    QJsonObject event{
        {u"specversion"_s, u"1.0"_s},
        {u"id"_s, row.id},
        {u"source"_s, database.isEmpty() ? u"urn:holdfast"_s : u"urn:holdfast:"_s + database},
        {u"type"_s, eventType(row.kind)},
        {u"time"_s, time},
        {u"timestamp"_s, time},
        {u"datacontenttype"_s, u"application/json"_s},
        {u"data"_s, row.payload}};
    // An attribute of an event is left out rather than empty.
    if (!row.runId.isEmpty())
        event.insert(u"subject"_s, row.runId);
    const QString eventId = row.payload.value("event_id"_L1).toString();
    if (!eventId.isEmpty())
        event.insert(u"correlationid"_s, eventId);
    return model::canonicalJson(event);
}

std::optional<Millis> deliveryDelay(int attempts)
{
    const size_t place = size_t(std::max(attempts, 1) - 1);
    return place < delays.size() ? std::optional<Millis>(delays.at(place)) : std::nullopt;
}

bool isGone(const ParcelResult &result) { return result.status == statusGone; }

DeliveryRow afterTry(DeliveryRow delivery, const ParcelResult &result, Instant now)
{
    delivery.attempts = result.attempt;
    delivery.status = result.status;
    delivery.error = result.error.left(errorMax);
    const auto delay = deliveryDelay(result.attempt);
    if (result.status == heldBack) {
        delivery.nextAt = now + heldBackFor;
    } else if (result.isDelivered() || isGone(result) || !delay) {
        delivery.state = result.isDelivered() ? u"delivered"_s : u"given_up"_s;
        delivery.endedAt = now;
        delivery.nextAt = model::never;
    } else {
        // Retry-After is no longer than an hour where it is read.
        delivery.nextAt = now + std::max(*delay, result.retryAfter);
    }
    return delivery;
}

OutboxRow pauseSet(const PauseRow &pause)
{
    const QString scope = scopeText(pause.scope, pause.target);
    return {idOf(u"pause.set"_s, pause.id),
            pause.at,
            u"pause.set"_s,
            {},
            {{u"summary"_s, u"%1 paused %2: %3"_s.arg(pause.actor, scope, pause.reason)},
             {u"pause"_s, pause.id},
             {u"scope"_s, pause.scope},
             {u"target"_s, pause.target},
             {u"workflow"_s, pause.scope == "workflow"_L1 ? pause.target : QString()},
             {u"depth"_s, pause.depth},
             {u"reason"_s, pause.reason},
             {u"actor"_s, pause.actor},
             {u"next"_s, next({}, u"finds out why, and resumes"_s)}}};
}

OutboxRow pauseCleared(const PauseRow &pause)
{
    const QString scope = scopeText(pause.scope, pause.target);
    return {idOf(u"pause.cleared"_s, pause.id),
            pause.liftedAt,
            u"pause.cleared"_s,
            {},
            {{u"summary"_s, u"%1 resumed %2: %3"_s.arg(pause.liftedBy, scope, pause.liftedReason)},
             {u"pause"_s, pause.id},
             {u"scope"_s, pause.scope},
             {u"target"_s, pause.target},
             {u"workflow"_s, pause.scope == "workflow"_L1 ? pause.target : QString()},
             {u"depth"_s, pause.depth},
             {u"reason"_s, pause.liftedReason},
             {u"actor"_s, pause.liftedBy}}};
}

// A trial that fails leaves it as open as it was.
std::optional<OutboxRow> breakerChanged(const QString &before, const BreakerRow &after,
                                        const QString &owner, Instant at)
{
    const bool opens = before == "closed"_L1 && after.state != "closed"_L1;
    const bool closes = before != "closed"_L1 && after.state == "closed"_L1;
    if (!opens && !closes)
        return std::nullopt;
    const QString kind = opens ? u"breaker.opened"_s : u"breaker.closed"_s;
    const QString summary =
        opens ? u"The breaker of %1 opened: %2. Runs that need it wait; it is tried again by "
                "itself"_s.arg(after.dependency, after.reason)
              : u"The breaker of %1 closed: it is called again"_s.arg(after.dependency);
    return OutboxRow{idOf(kind, after.dependency + u'\n' + QString::number(at)),
                     at,
                     kind,
                     {},
                     {{u"summary"_s, summary},
                      {u"dependency"_s, after.dependency},
                      {u"reason"_s, after.reason},
                      {u"next"_s, next({owner}, u"looks after the dependency"_s)}}};
}

OutboxRow itemOpened(const ReviewRow &review)
{
    const QString kind = u"review."_s + review.kind;
    const QString why =
        review.evidence.value("why"_L1).toString(review.evidence.value("reason"_L1).toString());
    return {idOf(kind, review.id),
            review.openedAt,
            kind,
            review.runId,
            {{u"summary"_s, u"A %1 item waits for a person: %2"_s.arg(review.kind, why)},
             {u"review"_s, review.id},
             {u"workflow"_s, review.workflow},
             {u"step"_s, review.step},
             {u"dependency"_s, review.dependency},
             {u"reason"_s, review.evidence.value("reason"_L1).toString()},
             {u"figures"_s, review.evidence.value("figures"_L1)},
             {u"next"_s, next({}, u"looks at the evidence, decides the item and resumes"_s)}}};
}

Whose whoseTurn(const OutboxRow &row)
{
    const QJsonObject &payload = row.payload;
    const QJsonValue who = payload["next"_L1]["who"_L1];
    if (!row.runId.isEmpty() || !who.isArray() || !who.toArray().isEmpty())
        return {};
    const QString target = payload["target"_L1].toString();
    const bool isDependencyPause = payload["scope"_L1].toString() == "dependency"_L1;
    return {isDependencyPause ? target : payload["dependency"_L1].toString(),
            payload["workflow"_L1].toString()};
}

OutboxRow withOwner(OutboxRow row, const QString &owner)
{
    if (owner.isEmpty())
        return row;
    QJsonObject asked = row.payload["next"_L1].toObject();
    asked.insert(u"who"_s, QJsonArray{owner});
    row.payload.insert(u"next"_s, asked);
    return row;
}

OutboxRow testAlert(const QString &id, const QString &target, const QString &by, Instant at)
{
    return {idOf(u"alert.test"_s, id),
            at,
            u"alert.test"_s,
            {},
            {{u"summary"_s, u"%1 asked for a test: nothing is wrong"_s.arg(by)},
             {u"target"_s, target},
             {u"actor"_s, by}}};
}

} // namespace holdfast::ports
