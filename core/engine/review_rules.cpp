#include "engine/draft.h"
#include "engine/fold.h"

namespace holdfast::engine
{

namespace
{
struct Item {
    QString step;
    Direction target = Direction::forward;
    ReviewKind kind = ReviewKind::ambiguous;
};

std::optional<Item> findItem(const Run &run, const QString &reviewId)
{
    if (reviewId.isEmpty())
        return std::nullopt;
    for (const Step &step : run.steps) {
        if (step.forward.reviewId == reviewId)
            return Item{step.step, Direction::forward, *step.forward.reviewKind};
        if (step.undo.reviewId == reviewId)
            return Item{step.step, Direction::compensate, *step.undo.reviewKind};
    }
    return std::nullopt;
}

QString verdictName(Resolve::Verdict verdict)
{
    switch (verdict) {
    case Resolve::Verdict::happened: return QStringLiteral("happened");
    case Resolve::Verdict::absent: return QStringLiteral("absent");
    case Resolve::Verdict::retry: return QStringLiteral("retry");
    case Resolve::Verdict::waive: return QStringLiteral("waive");
    case Resolve::Verdict::dismiss: return QStringLiteral("dismiss");
    case Resolve::Verdict::verify: return QStringLiteral("verify");
    }
    Q_UNREACHABLE();
}

Outcome notAllowed(Draft &draft, const Resolve &event, ReviewKind kind)
{
    return draft.reject(QStringLiteral("%1 is no answer to a review of kind %2")
                            .arg(verdictName(event.verdict), reviewKindName(kind)));
}

void close(Draft &draft, const Resolve &event)
{
    closeReview(draft, event.reviewId, verdictName(event.verdict), event.actor, event.reason);
}

Outcome resolveAmbiguous(Draft &draft, const Resolve &event, const Item &item)
{
    if (Draft::operation(*draft.step(item.step), item.target).phase == Phase::verifying)
        return draft.reject(
            QStringLiteral("the target is being asked right now; wait for its answer"));
    switch (event.verdict) {
    case Resolve::Verdict::happened: {
        close(draft, event);
        Entry entry = draft.entry(EntryKind::confirmed, item.step, item.target);
        entry.reason = QStringLiteral("resolved");
        entry.actor = event.actor;
        entry.key = Draft::operation(*draft.step(item.step), item.target).key;
        entry.detail.insert(QStringLiteral("receipt"), event.receipt);
        entry.detail.insert(QStringLiteral("by"), QStringLiteral("person"));
        draft.add(std::move(entry));
        advance(draft);
        return draft.accept();
    }
    case Resolve::Verdict::absent: {
        close(draft, event);
        const OperationPolicy &policy = *draft.operationPolicy(item.step, item.target);
        const Operation &operation = Draft::operation(*draft.step(item.step), item.target);
        Entry entry = draft.entry(EntryKind::clearedAbsent, item.step, item.target);
        entry.reason = QStringLiteral("resolved");
        entry.actor = event.actor;
        entry.counts = operation.tries >= policy.retry.attempts;
        draft.add(std::move(entry));
        const bool forward = item.target == Direction::forward;
        if (forward && (draft.run().cancelRequested || draft.run().compensating))
            failStep(draft, item.step, item.target, QStringLiteral("cancelled"));
        else
            tryIntent(draft, item.step, item.target);
        advance(draft);
        return draft.accept();
    }
    case Resolve::Verdict::verify:
        if (!draft.operationPolicy(item.step, item.target)->hasVerify)
            return draft.reject(QStringLiteral("step %1 declares no verify").arg(item.step));
        tryVerify(draft, item.step);
        return draft.changed()
                   ? draft.accept()
                   : draft.reject(QStringLiteral("a gate is closed; nothing was asked"));
    case Resolve::Verdict::retry:
    case Resolve::Verdict::waive:
    case Resolve::Verdict::dismiss: return notAllowed(draft, event, item.kind);
    }
    Q_UNREACHABLE();
}

void skip(Draft &draft, const Resolve &event, const QString &step)
{
    Entry entry = draft.entry(EntryKind::stepSkipped, step);
    entry.reason = QStringLiteral("waived");
    entry.actor = event.actor;
    draft.add(std::move(entry));
}

void giveUp(Draft &draft, const Resolve &event, const Item &item)
{
    const StepPolicy &policy = *draft.stepPolicy(item.step);
    QString reason = draft.step(item.step)->forward.reason;
    if (reason.isEmpty())
        reason = reviewKindName(item.kind);
    if (policy.detached || policy.onFailure == OnFailure::continueRun) {
        failStep(draft, item.step, Direction::forward, reason);
        return;
    }
    Entry entry = draft.entry(EntryKind::stepFailed, item.step);
    entry.reason = reason;
    entry.actor = event.actor;
    draft.add(std::move(entry));
    if (!draft.run().compensating)
        beginCompensation(draft, reason, event.actor);
}

// A step that stopped for a person: a conflict over its key, or a failure it was told to bring
// here.
Outcome resolveStopped(Draft &draft, const Resolve &event, const Item &item)
{
    const bool undo = item.target == Direction::compensate;
    switch (event.verdict) {
    case Resolve::Verdict::retry: {
        close(draft, event);
        Entry entry = draft.entry(EntryKind::reopened, item.step, item.target);
        entry.actor = event.actor;
        entry.reason = event.reason;
        entry.due = draft.run().deadlineAt;
        draft.add(std::move(entry));
        if (Draft::operation(*draft.step(item.step), item.target).phase == Phase::ready)
            tryIntent(draft, item.step, item.target);
        advance(draft);
        return draft.accept();
    }
    case Resolve::Verdict::waive:
        close(draft, event);
        if (undo) {
            Entry entry = draft.entry(EntryKind::compensationWaived, item.step, item.target);
            entry.actor = event.actor;
            entry.reason = event.reason;
            draft.add(std::move(entry));
        } else {
            skip(draft, event, item.step);
        }
        advance(draft);
        return draft.accept();
    case Resolve::Verdict::dismiss: {
        close(draft, event);
        if (undo)
            failStep(draft, item.step, item.target, QStringLiteral("dismissed"));
        else
            giveUp(draft, event, item);
        advance(draft);
        return draft.accept();
    }
    case Resolve::Verdict::happened:
    case Resolve::Verdict::absent:
    case Resolve::Verdict::verify: return notAllowed(draft, event, item.kind);
    }
    Q_UNREACHABLE();
}

Outcome resolveFailedCompensation(Draft &draft, const Resolve &event, const Item &item)
{
    switch (event.verdict) {
    case Resolve::Verdict::retry:
    case Resolve::Verdict::waive: {
        close(draft, event);
        Entry entry = draft.entry(EntryKind::reopened, item.step, Direction::compensate);
        entry.actor = event.actor;
        entry.reason = event.reason;
        draft.add(entry);
        if (event.verdict == Resolve::Verdict::waive) {
            Entry waived =
                draft.entry(EntryKind::compensationWaived, item.step, Direction::compensate);
            waived.actor = event.actor;
            waived.reason = event.reason;
            draft.add(std::move(waived));
        }
        advance(draft);
        return draft.accept();
    }
    case Resolve::Verdict::dismiss: close(draft, event); return draft.accept();
    case Resolve::Verdict::happened:
    case Resolve::Verdict::absent:
    case Resolve::Verdict::verify: return notAllowed(draft, event, item.kind);
    }
    Q_UNREACHABLE();
}

Outcome resolveDeadLetter(Draft &draft, const Resolve &event)
{
    switch (event.verdict) {
    case Resolve::Verdict::retry: return onRetry(draft, {event.actor, event.reason});
    case Resolve::Verdict::dismiss: close(draft, event); return draft.accept();
    case Resolve::Verdict::happened:
    case Resolve::Verdict::absent:
    case Resolve::Verdict::waive:
    case Resolve::Verdict::verify: return notAllowed(draft, event, ReviewKind::deadLetter);
    }
    Q_UNREACHABLE();
}
} // namespace

Outcome onResolve(Draft &draft, const Resolve &event)
{
    if (!event.reviewId.isEmpty() && draft.run().deadLetterId == event.reviewId)
        return resolveDeadLetter(draft, event);
    const std::optional<Item> item = findItem(draft.run(), event.reviewId);
    if (!item) {
        // An item that stands beside the run, such as a suspected late effect, can only be
        // dismissed.
        if (draft.run().standaloneReviews.contains(event.reviewId)) {
            if (event.verdict != Resolve::Verdict::dismiss)
                return notAllowed(draft, event, ReviewKind::conflict);
            close(draft, event);
            return draft.accept();
        }
        return draft.reject(QStringLiteral("the review item is not open any more"));
    }
    switch (item->kind) {
    case ReviewKind::ambiguous: return resolveAmbiguous(draft, event, *item);
    case ReviewKind::conflict:
    case ReviewKind::deadLetter: return resolveStopped(draft, event, *item);
    case ReviewKind::compensationFailed: return resolveFailedCompensation(draft, event, *item);
    case ReviewKind::approval:
    case ReviewKind::tripwire: return notAllowed(draft, event, item->kind);
    }
    Q_UNREACHABLE();
}

Outcome onApprove(Draft &draft, const Approve &event)
{
    const std::optional<Item> item = findItem(draft.run(), event.reviewId);
    if (!item || item->kind != ReviewKind::approval)
        return draft.reject(QStringLiteral("no approval with this id is open"));
    const Operation operation = Draft::operation(*draft.step(item->step), item->target);
    if (operation.due != never && operation.due <= draft.now())
        return draft.reject(QStringLiteral("the approval has expired"));
    if (!event.hash.isEmpty() && event.hash != operation.hash)
        return draft.reject(
            QStringLiteral("the request is not the one that was shown; look at it again"));
    closeReview(draft, event.reviewId, QStringLiteral("approve"), event.actor, event.reason);
    if (draft.stepPolicy(item->step)->forward.kind == StepKind::approval) {
        Entry entry = draft.entry(EntryKind::confirmed, item->step);
        entry.reason = QStringLiteral("approved");
        entry.actor = event.actor;
        entry.detail.insert(QStringLiteral("receipt"),
                            QJsonObject{{QStringLiteral("approved_by"), event.actor}});
        draft.add(std::move(entry));
    } else {
        Entry entry = draft.entry(EntryKind::approved, item->step, item->target);
        entry.actor = event.actor;
        entry.hash = operation.hash;
        draft.add(std::move(entry));
        tryIntent(draft, item->step, item->target);
    }
    advance(draft);
    return draft.accept();
}

Outcome onReject(Draft &draft, const Reject &event)
{
    const std::optional<Item> item = findItem(draft.run(), event.reviewId);
    if (!item || item->kind != ReviewKind::approval)
        return draft.reject(QStringLiteral("no approval with this id is open"));
    closeReview(draft, event.reviewId, QStringLiteral("reject"), event.actor, event.reason);
    failStep(draft, item->step, item->target, QStringLiteral("approval_rejected"));
    advance(draft);
    return draft.accept();
}

} // namespace holdfast::engine
