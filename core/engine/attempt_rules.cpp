#include "engine/draft.h"
#include "engine/retry.h"
#include "engine/status.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
constexpr Millis credentialsPoll = 30 * second;

Entry endedEntry(const Draft &draft, const AttemptEnded &event,
                 const Classification &classification)
{
    Entry entry = draft.entry(EntryKind::attemptEnded, event.step, event.direction);
    entry.attempt = event.attempt;
    entry.failureClass = classification.failureClass;
    entry.reason = classification.reason;
    entry.status = event.status;
    entry.detail = event.evidence;
    entry.counts = !classification.credentials && !classification.inUse;
    if (classification.inUse)
        entry.detail.insert(QStringLiteral("in_use"), true);
    if (classification.happened)
        entry.detail.insert(QStringLiteral("happened"), true);
    return entry;
}

void scheduleRetry(Draft &draft, const QString &name, Direction target, Millis retryAfter)
{
    const Step &step = *draft.step(name);
    const Operation &operation = Draft::operation(step, target);
    RetryQuestion question{draft.run().runId, name, target, std::max(1, operation.tries),
                           retryAfter};
    Entry entry = draft.entry(EntryKind::retryScheduled, name, target);
    entry.due = draft.now() + retryDelay(draft.operationPolicy(name, target)->retry, question);
    entry.reason = operation.reason;
    draft.add(std::move(entry));
}

void scheduleVerify(Draft &draft, const QString &name, Direction target, Instant due)
{
    Entry entry = draft.entry(EntryKind::verifyScheduled, name, target);
    entry.due = std::max(due, draft.now());
    draft.add(entry);
    if (entry.due <= draft.now())
        tryVerify(draft, name);
}

bool triesLeft(const Operation &operation, const OperationPolicy &policy)
{
    return operation.tries < policy.retry.attempts;
}

void confirm(Draft &draft, const AttemptEnded &event, const Classification &classification)
{
    const QString reviewId = Draft::operation(*draft.step(event.step), event.direction).reviewId;
    Entry entry = draft.entry(EntryKind::confirmed, event.step, event.direction);
    entry.attempt = event.attempt;
    entry.reason = classification.reason;
    entry.status = event.status;
    entry.key = Draft::operation(*draft.step(event.step), event.direction).key;
    entry.detail.insert(QStringLiteral("receipt"), event.receipt);
    draft.add(std::move(entry));
    closeReview(draft, reviewId, QStringLiteral("overtaken"));
}

// Credentials are the dependency's trouble: the step waits, the dependency is paused, no try is
// used up.
void waitForCredentials(Draft &draft, const AttemptEnded &event)
{
    const OperationPolicy &policy = *draft.operationPolicy(event.step, event.direction);
    if (!policy.dependency.isEmpty())
        draft.effect(
            TripPause{policy.dependency, event.step, QStringLiteral("credentials_refused")});
    Entry entry = draft.entry(EntryKind::gated, event.step, event.direction);
    entry.reason = QStringLiteral("credentials");
    entry.due = draft.now() + credentialsPoll;
    draft.add(std::move(entry));
}

void afterTransient(Draft &draft, const QString &name, Direction target, Millis retryAfter)
{
    const Operation &operation = Draft::operation(*draft.step(name), target);
    if (operation.ambiguous) {
        resolveAmbiguity(draft, name, target, true, retryAfter);
        return;
    }
    if (triesLeft(operation, *draft.operationPolicy(name, target))) {
        scheduleRetry(draft, name, target, retryAfter);
        return;
    }
    failStep(draft, name, target, operation.reason,
             {{QStringLiteral("exhausted"), operation.tries}});
}

void onActionEnded(Draft &draft, const AttemptEnded &event, const Classification &classification)
{
    if (classification.ok()) {
        confirm(draft, event, classification);
        return;
    }
    draft.add(endedEntry(draft, event, classification));
    if (classification.credentials) {
        waitForCredentials(draft, event);
        return;
    }
    const bool ambiguous = Draft::operation(*draft.step(event.step), event.direction).ambiguous;
    switch (classification.failureClass) {
    case FailureClass::transient:
        afterTransient(draft, event.step, event.direction,
                       classification.inUse ? std::max(event.retryAfter, second)
                                            : event.retryAfter);
        return;
    case FailureClass::permanent:
        // A later refusal does not turn "maybe" into "no".
        if (ambiguous)
            resolveAmbiguity(draft, event.step, event.direction, false);
        else
            failStep(draft, event.step, event.direction, classification.reason);
        return;
    case FailureClass::ambiguous:
        resolveAmbiguity(draft, event.step, event.direction, true, event.retryAfter);
        return;
    case FailureClass::none: return;
    }
    Q_UNREACHABLE();
}

void onSnapshotEnded(Draft &draft, const AttemptEnded &event, const Classification &classification)
{
    if (classification.ok()) {
        Entry entry = draft.entry(EntryKind::snapshotKept, event.step, Direction::snapshot);
        entry.attempt = event.attempt;
        entry.reason = QStringLiteral("ok");
        entry.status = event.status;
        entry.detail.insert(QStringLiteral("before"), event.receipt);
        draft.add(std::move(entry));
        return;
    }
    draft.add(endedEntry(draft, event, classification));
    if (classification.credentials)
        waitForCredentials(draft, event);
    else if (classification.failureClass == FailureClass::transient)
        afterTransient(draft, event.step, Direction::forward, event.retryAfter);
    else
        failStep(draft, event.step, Direction::forward, classification.reason);
}

void verifyHappened(Draft &draft, const AttemptEnded &event, Direction target)
{
    const QString reviewId = Draft::operation(*draft.step(event.step), target).reviewId;
    Entry entry = draft.entry(EntryKind::confirmed, event.step, target);
    entry.reason = QStringLiteral("verified");
    entry.key = Draft::operation(*draft.step(event.step), target).key;
    entry.detail.insert(QStringLiteral("receipt"), event.receipt);
    entry.detail.insert(QStringLiteral("by"), QStringLiteral("verify"));
    draft.add(std::move(entry));
    closeReview(draft, reviewId, QStringLiteral("verified"));
}

void verifyAbsent(Draft &draft, const AttemptEnded &event, Direction target, Instant askedAt)
{
    const OperationPolicy &policy = *draft.operationPolicy(event.step, target);
    const Operation before = Draft::operation(*draft.step(event.step), target);
    if (before.knownToHaveHappened) {
        // The destination said 2xx and now knows nothing of it: no rule can settle that.
        openReview(draft, event.step, target, ReviewKind::ambiguous,
                   QStringLiteral("verify_contradicts"), event.evidence);
        return;
    }
    // Something left for the destination after this was asked, so that "absent" proves nothing yet.
    const Instant believable = before.lastEndedAt + policy.settleAfter;
    if (before.lastEndedAt != never && askedAt < believable) {
        scheduleVerify(draft, event.step, target, believable);
        return;
    }
    Entry entry = draft.entry(EntryKind::clearedAbsent, event.step, target);
    entry.reason = QStringLiteral("verified");
    draft.add(std::move(entry));
    closeReview(draft, before.reviewId, QStringLiteral("verified"));
    const bool late = target == Direction::forward && draft.deadlinePassed();
    if (triesLeft(before, policy) && !late && !draft.run().cancelRequested)
        scheduleRetry(draft, event.step, target, -1);
    else
        failStep(draft, event.step, target,
                 late ? QStringLiteral("deadline_exceeded") : before.reason,
                 {{QStringLiteral("exhausted"), before.tries}});
}

void onVerifyEnded(Draft &draft, const AttemptEnded &event, const Classification &classification)
{
    const Step &step = *draft.step(event.step);
    const Direction target = Draft::target(step, Direction::verify);
    const OperationPolicy &policy = *draft.operationPolicy(event.step, target);
    const Operation &operation = Draft::operation(step, target);
    const int verifyTries = operation.verifyTries;
    const Instant askedAt = openAttempt(step)->startedAt;
    Entry entry = endedEntry(draft, event, classification);
    const bool answered = event.verdict == AttemptEnded::Verdict::happened ||
                          event.verdict == AttemptEnded::Verdict::absent;
    if (answered) {
        entry.failureClass = FailureClass::none;
        entry.reason = event.verdict == AttemptEnded::Verdict::happened ? QStringLiteral("happened")
                                                                        : QStringLiteral("absent");
    } else if (classification.ok()) {
        entry.failureClass = FailureClass::transient;
        entry.reason = QStringLiteral("inconclusive");
    }
    draft.add(std::move(entry));
    switch (event.verdict) {
    case AttemptEnded::Verdict::happened: verifyHappened(draft, event, target); return;
    case AttemptEnded::Verdict::absent: verifyAbsent(draft, event, target, askedAt); return;
    case AttemptEnded::Verdict::none:
    case AttemptEnded::Verdict::unknown: break;
    }
    if (classification.credentials) {
        waitForCredentials(draft, event);
        return;
    }
    if (verifyTries < policy.retry.attempts) {
        const RetryQuestion question{draft.run().runId, event.step, Direction::verify,
                                     std::max(1, verifyTries), event.retryAfter};
        scheduleVerify(draft, event.step, target,
                       draft.now() + std::max<Millis>(1, retryDelay(policy.retry, question)));
        return;
    }
    openReview(draft, event.step, target, ReviewKind::ambiguous,
               QStringLiteral("verify_inconclusive"), event.evidence);
}

void endUnknown(Draft &draft, const Step &step, const Attempt &open)
{
    const QString name = step.step;
    const Direction direction = open.direction;
    const Direction target = Draft::target(step, direction);
    const OperationPolicy &policy = *draft.operationPolicy(name, target);
    const bool read = policy.effect == Effect::read || direction == Direction::verify ||
                      direction == Direction::snapshot;
    Entry entry = draft.entry(EntryKind::attemptEnded, name, direction);
    entry.attempt = open.number;
    entry.failureClass = read ? FailureClass::transient : FailureClass::ambiguous;
    entry.reason = QStringLiteral("worker_lost");
    entry.counts = true;
    // The lost worker may have sent until its time-out; settling counts from there.
    entry.due = draft.now() + policy.timeout;
    draft.add(std::move(entry));
    if (direction == Direction::verify)
        scheduleVerify(draft, name, target, draft.now());
    else if (read)
        afterTransient(draft, name, target, -1);
    else
        resolveAmbiguity(draft, name, target, true);
}
} // namespace

void resolveAmbiguity(Draft &draft, const QString &name, Direction target, bool mayResend,
                      Millis retryAfter)
{
    const OperationPolicy &policy = *draft.operationPolicy(name, target);
    const Operation &operation = Draft::operation(*draft.step(name), target);
    const bool late = target == Direction::forward && draft.deadlinePassed();
    bool resend = mayResend && !late && triesLeft(operation, policy);
    bool verify = policy.hasVerify;
    switch (policy.protection) {
    case Protection::native: resend = resend && operation.serverErrors < 2; break;
    case Protection::natural: break;
    case Protection::probe: resend = false; break;
    case Protection::none:
        resend = false;
        verify = false;
        break;
    }
    if (resend)
        scheduleRetry(draft, name, target, retryAfter);
    else if (verify)
        scheduleVerify(draft, name, target, operation.lastEndedAt + policy.settleAfter);
    else
        openReview(draft, name, target, ReviewKind::ambiguous, operation.reason,
                   {{QStringLiteral("happened"), operation.knownToHaveHappened}});
}

Outcome onAttemptEnded(Draft &draft, const AttemptEnded &event)
{
    const Step *step = draft.step(event.step);
    const Attempt *open = step ? openAttempt(*step) : nullptr;
    if (!open || open->number != event.attempt || open->direction != event.direction)
        return draft.replayed();
    const OperationPolicy *policy =
        draft.operationPolicy(event.step, Draft::target(*step, event.direction));
    if (!policy)
        return draft.replayed();
    const Classification classification = classify(*policy, event);
    switch (event.direction) {
    case Direction::forward:
    case Direction::compensate: {
        const bool mayHaveActed =
            classification.ok() || classification.failureClass == FailureClass::ambiguous;
        const bool isSuspicious = mayHaveActed && mayRepeatForgotten(draft, event);
        onActionEnded(draft, event, classification);
        if (isSuspicious)
            suspectForgotten(draft, event);
        break;
    }
    case Direction::snapshot: onSnapshotEnded(draft, event, classification); break;
    case Direction::verify: onVerifyEnded(draft, event, classification); break;
    }
    advance(draft);
    return draft.accept();
}

Outcome onTakenOver(Draft &draft)
{
    QVector<QPair<Step, Attempt>> lost;
    for (const Step &step : draft.run().steps) {
        if (const Attempt *open = openAttempt(step))
            lost.append({step, *open});
    }
    if (lost.isEmpty())
        return draft.replayed();
    for (const auto &[step, open] : lost)
        endUnknown(draft, step, open);
    advance(draft);
    return draft.accept();
}

} // namespace holdfast::engine
