// Alerts as rows and as the event that is sent: pure functions, so that every try of an alert has
// the same bytes, whoever makes it.
#pragma once

#include "ports/courier.h"

#include <optional>

namespace holdfast::ports
{

constexpr Millis deliveryLease = model::minute; // as long as a try is its taker's alone
constexpr Millis alertsKeptFor = 30 * model::day;
// Of one target, all workers together, so that one that hangs leaves room for the others.
constexpr int deliveriesAtOnce = 8;

// As a status: nothing was sent, for a reason of this worker's own. The try is given back, and
// another worker may take it meanwhile.
constexpr int heldBack = -1;
constexpr Millis heldBackFor = 15 * model::second;

// Every kind that is written. A filter names one of them, or all that begin with a word: "review".
const QStringList &alertKinds();
bool isAlertFilter(const QString &kind);
// A target hears of nothing that was there before it.
bool wants(const AlertTargetRow &target, const OutboxRow &row);

// The type in the event: a word that stays, whatever the kinds are called here.
QString eventType(const QString &kind);
// CloudEvents 1.0, structured; `timestamp` and `data` make it a Standard Webhooks payload as well.
QByteArray eventBody(const OutboxRow &row, const QString &database);

// How long to wait after so many tries failed; nothing: that was the last.
std::optional<Millis> deliveryDelay(int attempts);
// What becomes of a delivery with this result.
DeliveryRow afterTry(DeliveryRow delivery, const ParcelResult &result, Instant now);
bool isGone(const ParcelResult &result); // the receiver wants nothing more

// What a change outside of any run announces. Ids are made of what they tell.
OutboxRow pauseSet(const PauseRow &pause);
OutboxRow pauseCleared(const PauseRow &pause);
std::optional<OutboxRow> breakerChanged(const QString &before, const BreakerRow &after,
                                        const QString &owner, Instant at);
OutboxRow itemOpened(const ReviewRow &review);

// Whose owner acts next on a pause or an item of no run: the dependency's, else the workflow's.
// Only whoever writes the row can look that up. Both empty: it is known, or nobody's.
struct Whose {
    QString dependency;
    QString workflow;
};
Whose whoseTurn(const OutboxRow &row);
OutboxRow withOwner(OutboxRow row, const QString &owner); // an empty one changes nothing
OutboxRow testAlert(const QString &id, const QString &target, const QString &by, Instant at);

} // namespace holdfast::ports
