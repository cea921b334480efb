#include "engine/draft.h"
#include "engine/key_window.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
void confirmLate(Draft &draft, const LateReport &event, Direction target,
                 const Operation &operation)
{
    Entry confirmed = draft.entry(EntryKind::confirmed, event.step, target);
    confirmed.reason = QStringLiteral("late_report");
    confirmed.key = operation.key;
    confirmed.detail.insert(QStringLiteral("receipt"), event.receipt);
    confirmed.detail.insert(QStringLiteral("by"), QStringLiteral("late_report"));
    draft.add(std::move(confirmed));
    closeReview(draft, operation.reviewId, QStringLiteral("overtaken"));
    advance(draft);
}

// Nobody knows what the late attempt did: what was about to be sent again, or believed absent, has
// to be asked about first.
void doubtAgain(Draft &draft, const LateReport &event, Direction target, const Operation &before)
{
    const bool asksAlready = before.phase == Phase::settling;
    const bool wasCleared = !before.ambiguous && before.phase != Phase::review;
    if (!asksAlready && !wasCleared)
        return;
    resolveAmbiguity(draft, event.step, target, !asksAlready);
    advance(draft);
}

// A `Late` is whatever told of the effect that may be the second one.
template <typename Late>
void suspectLateEffect(Draft &draft, const Late &event, Direction target,
                       const QJsonObject &receiptBefore)
{
    Entry review = draft.entry(EntryKind::reviewOpened, event.step, target);
    review.reviewKind = ReviewKind::conflict;
    review.reviewId = draft.newReviewId(event.step, ReviewKind::conflict);
    review.reason = QStringLiteral("late_effect_suspected");
    review.detail = event.evidence;
    review.detail.insert(QStringLiteral("standalone"), true);
    review.detail.insert(QStringLiteral("late_receipt"), event.receipt);
    review.detail.insert(QStringLiteral("receipt"), receiptBefore);
    draft.add(std::move(review));
}

// It waits for something and can be settled, or asked about, without crossing a call of ours.
bool rests(const Operation &operation)
{
    return operation.phase == Phase::waiting || operation.phase == Phase::settling ||
           operation.phase == Phase::gated || operation.phase == Phase::ready ||
           (operation.phase == Phase::review && operation.reviewKind == ReviewKind::ambiguous);
}

// Whether another attempt had an effect of its own, or may have had. What came before the late one
// was cleared before it was sent again, but at a destination that dedups nobody had to ask.
bool mayHaveComeTwice(const Step &step, const LateReport &event, const OperationPolicy &policy)
{
    return std::any_of(step.attempts.cbegin(), step.attempts.cend(), [&](const Attempt &attempt) {
        if (attempt.direction != event.direction || attempt.number == event.attempt)
            return false;
        const bool isOpen = attempt.endedAt == never;
        const bool isUnsure =
            attempt.failureClass == FailureClass::ambiguous &&
            (attempt.number > event.attempt || policy.protection == Protection::native);
        return attempt.proven || isOpen || isUnsure;
    });
}

bool isSuspicious(const Draft &draft, const LateReport &event, const Step &step,
                  const Operation &operation, const OperationPolicy &policy)
{
    const bool isGivenUp =
        operation.phase == Phase::failed ||
        (operation.phase == Phase::review && operation.reviewKind != ReviewKind::ambiguous);
    if (isGivenUp)
        return true;
    const bool isDeduplicated =
        policy.protection == Protection::natural ||
        (policy.protection == Protection::native && keyIsFresh(draft, operation, policy));
    return !isDeduplicated && mayHaveComeTwice(step, event, policy);
}

Entry lateEntry(const Draft &draft, const LateReport &event, bool isProof, bool isUnsure)
{
    Entry entry = draft.entry(EntryKind::lateReport, event.step, event.direction);
    entry.attempt = event.attempt;
    // What only reads cannot be in doubt.
    const bool isDoubtfulRead = event.failureClass == FailureClass::ambiguous && !isUnsure;
    entry.failureClass = isDoubtfulRead ? FailureClass::transient : event.failureClass;
    entry.detail = event.evidence;
    entry.detail.insert(QStringLiteral("receipt"), event.receipt);
    entry.detail.insert(QStringLiteral("happened"), event.happened);
    entry.counts = isProof;
    return entry;
}
} // namespace

bool mayRepeatForgotten(const Draft &draft, const AttemptEnded &event)
{
    const Operation &operation = Draft::operation(*draft.step(event.step), event.direction);
    const OperationPolicy &policy = *draft.operationPolicy(event.step, event.direction);
    const Instant fresh = keyFreshUntil(operation, policy);
    return operation.ambiguous && fresh != never && draft.now() > fresh + policy.timeout;
}

void suspectForgotten(Draft &draft, const AttemptEnded &event)
{
    suspectLateEffect(draft, event, event.direction, {});
}

Outcome onLateReport(Draft &draft, const LateReport &event)
{
    if (!draft.step(event.step))
        return draft.replayed();
    const Step step = *draft.step(event.step);
    const Direction target = Draft::target(step, event.direction);
    const Operation operation = Draft::operation(step, target);
    const OperationPolicy *policy = draft.operationPolicy(event.step, target);
    const bool isAction =
        event.direction == Direction::forward || event.direction == Direction::compensate;
    const bool acts = isAction && policy && policy->effect != Effect::read;
    const bool isProof = acts && event.failureClass == FailureClass::none;
    const bool isUnsure = acts && event.failureClass == FailureClass::ambiguous;
    draft.add(lateEntry(draft, event, isProof, isUnsure));
    if (!isProof && !isUnsure)
        return draft.accept();
    if (isSuspicious(draft, event, step, operation, *policy))
        suspectLateEffect(draft, event, target, operation.receipt);
    // A 2xx for this key is proof, whoever brings it: what was going to be sent again is not.
    if (rests(operation) && isProof)
        confirmLate(draft, event, target, operation);
    else if (rests(operation))
        doubtAgain(draft, event, target, operation);
    return draft.accept();
}

} // namespace holdfast::engine
