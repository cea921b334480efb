#include "engine/draft.h"
#include "engine/fold.h"
#include "engine/key_window.h"
#include "engine/retry.h"

#include <algorithm>

namespace holdfast::engine
{

bool keyIsFresh(const Draft &draft, const Operation &operation, const OperationPolicy &policy)
{
    const Instant until = keyFreshUntil(operation, policy);
    return until == never || draft.now() < until;
}

namespace
{
int nextNumber(const Step &step, Direction direction)
{
    return 1 + int(std::count_if(
                   step.attempts.cbegin(), step.attempts.cend(),
                   [&](const Attempt &attempt) { return attempt.direction == direction; }));
}

GateQuestion question(const Draft &draft, const Step &step, const OperationPolicy &policy,
                      Direction direction, int attempt)
{
    GateQuestion question;
    question.runId = draft.run().runId;
    question.workflow = draft.run().workflow;
    question.dependency = policy.dependency;
    question.direction = direction;
    question.effect = direction == Direction::verify || direction == Direction::snapshot
                          ? Effect::read
                          : policy.effect;
    question.isRetry = attempt > 1;
    question.timeout = policy.timeout;
    question.jitter = jitterHash(draft.run().runId, step.step, direction, attempt);
    return question;
}

void gateClosed(Draft &draft, const Step &step, const GateQuestion &asked, const GateAnswer &answer)
{
    const Direction direction = asked.direction;
    draft.lookAgain(answer.due);
    if (answer.gate == QLatin1String("limit"))
        draft.limitedBy(asked.dependency);
    // Looking again and finding the same gate closed is no news; the journal does not grow by
    // waiting. Nor is it news that a decision is being applied where nothing may be sent.
    const bool isNews = Draft::operation(step, direction).gate != answer.gate;
    if (!isNews || answer.gate == QLatin1String("no_worker"))
        return;
    Entry entry = draft.entry(EntryKind::gated, step.step, direction);
    entry.reason = answer.gate;
    entry.due = answer.due;
    draft.add(std::move(entry));
}

// A worker may stand still between its intent and its first byte.
Instant sendBefore(const Draft &draft, const QString &step, const OperationPolicy &policy,
                   Direction direction)
{
    if (direction != Direction::forward && direction != Direction::compensate)
        return never;
    const Instant fresh = keyFreshUntil(Draft::operation(*draft.step(step), direction), policy);
    const Instant deadline = direction == Direction::forward ? draft.run().deadlineAt : never;
    if (fresh == never || deadline == never)
        return fresh == never ? deadline : fresh;
    return std::min(fresh, deadline);
}

void commitIntent(Draft &draft, const Step &step, const OperationPolicy &policy,
                  Direction direction, int number, const GateQuestion &asked)
{
    const QString name = step.step;
    Entry entry = draft.entry(EntryKind::intent, name, direction);
    entry.attempt = number;
    entry.fence = draft.fence();
    const auto gate = draft.gates().dependencies.constFind(policy.dependency);
    if (gate != draft.gates().dependencies.constEnd())
        entry.dependencyRevision = gate->revision;
    if (direction == Direction::forward || direction == Direction::compensate)
        entry.key = Draft::operation(step, direction).key;
    draft.add(std::move(entry));
    draft.effect(Send{name, direction, number, asked, sendBefore(draft, name, policy, direction)});
}

bool dependencyChanged(const Draft &draft, const Step &step, const OperationPolicy &policy)
{
    const auto gate = draft.gates().dependencies.constFind(policy.dependency);
    if (gate == draft.gates().dependencies.constEnd())
        return false;
    for (auto attempt = step.attempts.crbegin(); attempt != step.attempts.crend(); ++attempt) {
        if (attempt->failureClass == FailureClass::ambiguous)
            return attempt->dependencyRevision < gate->compatibleSince;
    }
    return false;
}

// True when the operation has to stop for a person or fail before any gate is asked.
bool stoppedBeforeGate(Draft &draft, const Step &step, const OperationPolicy &policy,
                       Direction target)
{
    const QString name = step.step;
    const Operation &operation = Draft::operation(step, target);
    // Since it was given up on, its key was free for others, and nobody counted how old it is.
    if (operation.ambiguous && operation.lateEffect) {
        resolveAmbiguity(draft, name, target, false);
        return true;
    }
    if (operation.ambiguous && dependencyChanged(draft, step, policy)) {
        openReview(draft, name, target, ReviewKind::ambiguous,
                   QStringLiteral("dependency_changed"));
        return true;
    }
    if (!keyIsFresh(draft, operation, policy)) {
        if (policy.hasVerify)
            resolveAmbiguity(draft, name, target, false);
        else
            openReview(draft, name, target, ReviewKind::ambiguous, QStringLiteral("key_expired"));
        return true;
    }
    if (target == Direction::forward && draft.deadlinePassed()) {
        if (operation.ambiguous)
            resolveAmbiguity(draft, name, target, false);
        else
            failStep(draft, name, target, QStringLiteral("deadline_exceeded"));
        return true;
    }
    if (policy.approval && !operation.approved) {
        QJsonObject evidence{{QStringLiteral("request"), operation.request.toJson()},
                             {QStringLiteral("hash"), operation.hash}};
        openReview(draft, name, target, ReviewKind::approval, QStringLiteral("approval_needed"),
                   evidence);
        return true;
    }
    return false;
}
} // namespace

void tryIntent(Draft &draft, const QString &name, Direction target)
{
    const Step &step = *draft.step(name);
    const OperationPolicy &policy = *draft.operationPolicy(name, target);
    const bool snapshot =
        target == Direction::forward && draft.stepPolicy(name)->hasSnapshot && !step.hasBefore;
    if (!snapshot && stoppedBeforeGate(draft, step, policy, target))
        return;
    // A cancelled run starts nothing more; only what is unknown may be asked for again.
    if (target == Direction::forward && draft.run().cancelRequested && !step.forward.ambiguous)
        return;
    const Direction direction = snapshot ? Direction::snapshot : target;
    const int number = nextNumber(step, direction);
    const GateQuestion asked = question(draft, step, policy, direction, number);
    const GateAnswer answer = draft.askGate(asked);
    if (!answer.open) {
        gateClosed(draft, step, asked, answer);
        return;
    }
    const Operation &operation = Draft::operation(step, target);
    const bool needsKey = !snapshot && policy.effect != Effect::read;
    if (needsKey && operation.firstIntentAt == never) {
        draft.effect(ClaimKey{name, target});
        return;
    }
    commitIntent(draft, step, policy, direction, number, asked);
}

void intendClaimed(Draft &draft, const Step &step, const OperationPolicy &policy, Direction target)
{
    const int number = nextNumber(step, target);
    const GateQuestion asked = question(draft, step, policy, target, number);
    const GateAnswer answer = draft.askGate(asked);
    // Another run of the same turn may have taken the last place meanwhile.
    if (!answer.open)
        gateClosed(draft, step, asked, answer);
    else
        commitIntent(draft, step, policy, target, number, asked);
}

void tryVerify(Draft &draft, const QString &name)
{
    const Step &step = *draft.step(name);
    const Direction target = Draft::target(step, Direction::verify);
    const OperationPolicy &policy = *draft.operationPolicy(name, target);
    if (dependencyChanged(draft, step, policy)) {
        openReview(draft, name, target, ReviewKind::ambiguous,
                   QStringLiteral("dependency_changed"));
        return;
    }
    const int number = nextNumber(step, Direction::verify);
    GateQuestion asked = question(draft, step, policy, Direction::verify, number);
    asked.isRetry = Draft::operation(step, target).verifyTries > 0;
    const GateAnswer answer = draft.askGate(asked);
    if (!answer.open) {
        gateClosed(draft, step, asked, answer);
        return;
    }
    commitIntent(draft, step, policy, Direction::verify, number, asked);
}

void openReview(Draft &draft, const QString &name, Direction target, ReviewKind kind,
                const QString &reason, const QJsonObject &evidence)
{
    const Step *step = draft.step(name);
    // The same question is not asked twice: a verify that stayed inconclusive goes back to its
    // item.
    if (step) {
        const Operation &operation = Draft::operation(*step, target);
        if (!operation.reviewId.isEmpty() && operation.reviewKind == kind) {
            Entry back = draft.entry(EntryKind::reviewOpened, name, target);
            back.reviewId = operation.reviewId;
            back.reviewKind = kind;
            back.reason = reason;
            back.detail.insert(QStringLiteral("again"), true);
            draft.add(std::move(back));
            return;
        }
    }
    Entry entry = draft.entry(EntryKind::reviewOpened, name, target);
    entry.reviewKind = kind;
    entry.reviewId = draft.newReviewId(name, kind);
    entry.reason = reason;
    entry.detail = evidence;
    const OperationPolicy *policy = draft.operationPolicy(name, target);
    if (kind == ReviewKind::approval && policy && policy->approval) {
        if (policy->approval->expires > 0)
            entry.due = draft.now() + policy->approval->expires;
        // Kept with the item, because a shared database checks it without knowing the workflow.
        if (policy->approval->fourEyes)
            entry.detail.insert(QStringLiteral("four_eyes"), true);
    }
    draft.add(std::move(entry));
}

void closeReview(Draft &draft, const QString &reviewId, const QString &decision,
                 const QString &actor, const QString &reason)
{
    if (reviewId.isEmpty())
        return;
    Entry entry = draft.entry(EntryKind::reviewClosed, {});
    entry.reviewId = reviewId;
    for (const Step &step : draft.run().steps) {
        for (const Operation *operation : {&step.forward, &step.undo}) {
            if (operation->reviewId == reviewId)
                entry.reviewKind = operation->reviewKind;
        }
    }
    entry.reason = reason;
    entry.actor = actor;
    entry.detail.insert(QStringLiteral("decision"), decision);
    draft.add(std::move(entry));
}

} // namespace holdfast::engine
