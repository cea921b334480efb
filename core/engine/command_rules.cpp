#include "engine/draft.h"
#include "engine/status.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
const Step *ambiguousStep(const Run &run)
{
    for (const Step &step : run.steps) {
        if (step.forward.ambiguous || step.undo.ambiguous)
            return &step;
    }
    return nullptr;
}

QString unknownOutcome(const Step &step)
{
    const Operation &operation = step.undo.ambiguous ? step.undo : step.forward;
    const QString where = operation.reviewId.isEmpty()
                              ? QStringLiteral("it is being verified; wait for that")
                              : QStringLiteral("resolve review %1 first").arg(operation.reviewId);
    return QStringLiteral("nobody knows yet whether step %1 happened: %2").arg(step.step, where);
}

bool anyUndone(const Run &run)
{
    return std::any_of(run.steps.cbegin(), run.steps.cend(), [](const Step &step) {
        return step.undo.phase == Phase::succeeded || step.waived;
    });
}

// A run that waits to retry is told not to wait; the gates and the ledger still have their say.
Outcome retryNow(Draft &draft)
{
    const QVector<Step> steps = draft.run().steps;
    for (const Step &step : steps) {
        for (const Direction target : {Direction::forward, Direction::compensate}) {
            const Operation &operation = Draft::operation(step, target);
            const bool isWaitStep = target == Direction::forward &&
                                    draft.stepPolicy(step.step)->forward.kind == StepKind::wait;
            if (operation.phase != Phase::waiting || isWaitStep)
                continue;
            // Where nothing may be sent, the wait is cut short for whoever may.
            if (!draft.gates().maySend) {
                Entry entry = draft.entry(EntryKind::retryScheduled, step.step, target);
                entry.due = draft.now();
                draft.add(std::move(entry));
            }
            tryIntent(draft, step.step, target);
        }
    }
    if (!draft.changed())
        return draft.reject(QStringLiteral("nothing in this run waits to be retried"));
    return draft.accept();
}

Outcome retryFailed(Draft &draft, const Retry &event)
{
    const Run &run = draft.run();
    if (anyUndone(run))
        return draft.reject(
            QStringLiteral("effects of this run were compensated; use rerun to start it anew"));
    const QString failed = run.failedStep;
    const Step *step = run.find(failed);
    if (failed.isEmpty() || !step || step->forward.phase != Phase::failed)
        return draft.reject(
            QStringLiteral("no step of this run failed; there is nothing to retry"));
    closeReview(draft, run.deadLetterId, QStringLiteral("retry"), event.actor, event.reason);
    Entry entry = draft.entry(EntryKind::reopened, failed);
    entry.actor = event.actor;
    entry.reason = event.reason;
    if (draft.policy().deadline > 0)
        entry.due = draft.now() + draft.policy().deadline;
    draft.add(std::move(entry));
    if (draft.step(failed)->forward.phase == Phase::ready)
        tryIntent(draft, failed, Direction::forward);
    advance(draft);
    return draft.accept();
}
} // namespace

Outcome onCancel(Draft &draft, const Cancel &event)
{
    const Run &run = draft.run();
    if (isFinal(run.status))
        return draft.reject(
            QStringLiteral("the run has already ended as %1").arg(runStatusName(run.status)));
    if (run.compensating)
        return draft.reject(QStringLiteral("the run is already compensating"));
    if (run.cancelRequested)
        return draft.replayed();
    if (const Step *unknown = ambiguousStep(run); unknown && !hasOpenAttempt(run))
        return draft.reject(unknownOutcome(*unknown));
    Entry entry = draft.entry(EntryKind::cancelAsked, {});
    entry.actor = event.actor;
    entry.reason = event.reason;
    draft.add(std::move(entry));
    // An attempt in flight ends first; then its outcome decides what has to be undone.
    if (!hasOpenAttempt(draft.run()))
        beginCompensation(draft, QStringLiteral("cancelled"), event.actor);
    return draft.accept();
}

Outcome onRetry(Draft &draft, const Retry &event)
{
    const Run &run = draft.run();
    if (const Step *unknown = ambiguousStep(run))
        return draft.reject(unknownOutcome(*unknown));
    switch (run.status) {
    case RunStatus::failed: return retryFailed(draft, event);
    case RunStatus::waiting:
    case RunStatus::compensating: return retryNow(draft);
    case RunStatus::compensationFailed:
        for (const Step &step : run.steps) {
            if (!step.undo.reviewId.isEmpty())
                return onResolve(
                    draft,
                    {event.actor, event.reason, step.undo.reviewId, Resolve::Verdict::retry, {}});
        }
        return draft.reject(QStringLiteral("no failed compensation waits to be retried"));
    case RunStatus::queued:
    case RunStatus::running: return draft.reject(QStringLiteral("the run is going on by itself"));
    case RunStatus::held:
        return draft.reject(QStringLiteral("the run is held by a pause; resume first"));
    case RunStatus::review:
        return draft.reject(QStringLiteral("the run waits for a decision; see its review item"));
    case RunStatus::succeeded:
    case RunStatus::succeededPartial:
        return draft.reject(QStringLiteral("the run succeeded; a retry would repeat nothing"));
    case RunStatus::compensated:
    case RunStatus::cancelled:
        return draft.reject(QStringLiteral("the run has ended; use rerun to start it anew"));
    }
    Q_UNREACHABLE();
}

namespace
{
// What failed to be undone is tried again, where it was asked for.
void reopenFailedCompensations(Draft &draft, const Compensate &event)
{
    const QVector<Step> steps = draft.run().steps;
    for (const Step &step : steps) {
        const bool stuck = step.undo.phase == Phase::failed || step.undo.phase == Phase::review;
        if (!stuck || (!event.steps.isEmpty() && !event.steps.contains(step.step)))
            continue;
        closeReview(draft, step.undo.reviewId, QStringLiteral("compensate"), event.actor,
                    event.reason);
        Entry entry = draft.entry(EntryKind::reopened, step.step, Direction::compensate);
        entry.actor = event.actor;
        entry.reason = event.reason;
        draft.add(std::move(entry));
    }
}
} // namespace

Outcome onCompensate(Draft &draft, const Compensate &event)
{
    const Run &run = draft.run();
    switch (run.status) {
    case RunStatus::succeeded:
    case RunStatus::succeededPartial:
    case RunStatus::failed:
    case RunStatus::compensationFailed: break;
    case RunStatus::compensating:
        return draft.reject(QStringLiteral("the run is already compensating"));
    case RunStatus::compensated:
        return draft.reject(QStringLiteral("every effect of this run is compensated already"));
    case RunStatus::cancelled:
        return draft.reject(QStringLiteral("the run was cancelled before it had an effect"));
    case RunStatus::queued:
    case RunStatus::running:
    case RunStatus::waiting:
    case RunStatus::review:
    case RunStatus::held:
        return draft.reject(
            QStringLiteral("the run has not ended; cancel it, and what it did is compensated"));
    }
    for (const QString &step : event.steps) {
        if (!draft.stepPolicy(step))
            return draft.reject(QStringLiteral("the workflow has no step named %1").arg(step));
    }
    for (const Step &step : run.steps) {
        const bool stuck = step.undo.phase == Phase::failed || step.undo.phase == Phase::review;
        if (stuck && !event.steps.isEmpty() && !event.steps.contains(step.step))
            return draft.reject(QStringLiteral("the compensation of step %1 failed and waits for a "
                                               "person; retry or waive it first")
                                    .arg(step.step));
    }
    const QVector<PlannedStep> plan = planCompensation(run, draft.policy(), event.steps);
    bool any = false;
    for (const PlannedStep &planned : plan) {
        if (planned.verdict == PlannedStep::Verdict::verifyFirst)
            return draft.reject(unknownOutcome(*run.find(planned.step)));
        any = any || planned.verdict == PlannedStep::Verdict::willCompensate;
    }
    if (!any)
        return draft.reject(QStringLiteral("there is nothing to compensate in these steps"));
    closeReview(draft, run.deadLetterId, QStringLiteral("compensate"), event.actor, event.reason);
    reopenFailedCompensations(draft, event);
    beginCompensation(draft, event.reason, event.actor, event.steps);
    return draft.accept();
}

Outcome onSignal(Draft &draft, const Signal &event)
{
    for (const Step &step : draft.run().steps) {
        const StepPolicy *policy = draft.stepPolicy(step.step);
        if (!policy || step.forward.phase != Phase::waiting ||
            policy->forward.kind != StepKind::wait || policy->wait.event != event.event)
            continue;
        Entry entry = draft.entry(EntryKind::confirmed, step.step);
        entry.reason = QStringLiteral("event");
        entry.actor = event.actor;
        entry.detail.insert(QStringLiteral("receipt"), event.data);
        draft.add(std::move(entry));
        advance(draft);
        return draft.accept();
    }
    return draft.reject(QStringLiteral("no step of this run waits for event %1").arg(event.event));
}

} // namespace holdfast::engine
