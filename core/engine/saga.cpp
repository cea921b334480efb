#include "engine/draft.h"
#include "engine/fold.h"

#include <QJsonArray>

#include <algorithm>

namespace holdfast::engine
{

namespace
{
bool isAtRest(Phase phase)
{
    return phase == Phase::succeeded || phase == Phase::failed || phase == Phase::skipped ||
           phase == Phase::idle;
}

// An effect of ours that was confirmed, can be undone, and neither was nor was waived.
bool isOwed(const Step &step, const StepPolicy &policy)
{
    return policy.undo && policy.forward.effect != Effect::read &&
           step.forward.phase == Phase::succeeded && !step.forward.replayed &&
           step.forward.confirmedAt > 0 && !step.waived && step.undo.phase != Phase::succeeded;
}

bool isChosen(const Run &run, const QString &step)
{
    return run.chosenSteps.isEmpty() || run.chosenSteps.contains(step);
}

const Step *nextOwed(const Draft &draft)
{
    const Step *latest = nullptr;
    for (const Step &step : draft.run().steps) {
        const StepPolicy *policy = draft.stepPolicy(step.step);
        if (!policy || !isOwed(step, *policy) || !isChosen(draft.run(), step.step))
            continue;
        if (!latest || step.forward.confirmedAt > latest->forward.confirmedAt)
            latest = &step;
    }
    return latest;
}

// What has not been sent is dropped; what is in flight or unknown has to be settled first.
bool forwardIsQuiet(Draft &draft)
{
    bool quiet = true;
    const QVector<Step> steps = draft.run().steps;
    for (const Step &step : steps) {
        const Operation &operation = step.forward;
        if (isAtRest(operation.phase))
            continue;
        const bool open = operation.phase == Phase::sending || operation.phase == Phase::verifying;
        if (open || operation.ambiguous) {
            quiet = false;
            continue;
        }
        closeReview(draft, operation.reviewId, QStringLiteral("overtaken"));
        Entry entry = draft.entry(EntryKind::stepFailed, step.step);
        entry.reason = QStringLiteral("not_started");
        entry.detail.insert(QStringLiteral("partial"), true);
        draft.add(std::move(entry));
    }
    return quiet;
}

RunStatus statusAfterCompensation(const Draft &draft)
{
    const Run &run = draft.run();
    bool owed = false;
    bool undone = false;
    for (const Step &step : run.steps) {
        const StepPolicy *policy = draft.stepPolicy(step.step);
        owed = owed || (policy && isOwed(step, *policy));
        undone = undone || step.undo.phase == Phase::succeeded || step.waived;
    }
    if (undone && !owed)
        return RunStatus::compensated;
    if (undone || owed)
        return run.failedStep.isEmpty() ? RunStatus::succeededPartial : RunStatus::failed;
    return run.cancelRequested ? RunStatus::cancelled : RunStatus::failed;
}

void finishCompensation(Draft &draft)
{
    Entry entry = draft.entry(EntryKind::finished, {});
    entry.runStatus = statusAfterCompensation(draft);
    entry.reason = draft.run().cancelRequested && draft.run().failedStep.isEmpty()
                       ? QStringLiteral("cancelled")
                       : draft.run().reason;
    const bool isDeadLetter =
        entry.runStatus == RunStatus::failed && draft.run().deadLetterId.isEmpty();
    draft.add(entry);
    if (!isDeadLetter)
        return;
    const QString failed = draft.run().failedStep;
    Entry review = draft.entry(EntryKind::reviewOpened, failed);
    review.reviewKind = ReviewKind::deadLetter;
    review.reviewId = draft.newReviewId(failed, ReviewKind::deadLetter);
    review.reason = draft.run().reason;
    review.detail.insert(QStringLiteral("standalone"), true);
    draft.add(std::move(review));
}

void failCompensation(Draft &draft, const QString &name, const QString &reason,
                      const QJsonObject &detail)
{
    Entry failed = draft.entry(EntryKind::stepFailed, name, Direction::compensate);
    failed.reason = reason;
    failed.detail = detail;
    failed.detail.insert(QStringLiteral("partial"), true);
    draft.add(std::move(failed));
    openReview(draft, name, Direction::compensate, ReviewKind::compensationFailed, reason, detail);
    Entry finished = draft.entry(EntryKind::finished, {});
    finished.runStatus = RunStatus::compensationFailed;
    finished.reason = reason;
    draft.add(std::move(finished));
}
} // namespace

void failStep(Draft &draft, const QString &name, Direction target, const QString &reason,
              const QJsonObject &detail)
{
    if (target == Direction::compensate) {
        failCompensation(draft, name, reason, detail);
        return;
    }
    const StepPolicy &policy = *draft.stepPolicy(name);
    const bool cancelled = draft.run().cancelRequested || draft.run().compensating;
    Entry entry = draft.entry(EntryKind::stepFailed, name);
    entry.reason = reason;
    entry.detail = detail;
    if (policy.detached || (policy.onFailure == OnFailure::continueRun && !cancelled)) {
        entry.detail.insert(QStringLiteral("partial"), true);
        draft.add(entry);
        return;
    }
    draft.add(std::move(entry));
    if (cancelled && draft.run().compensating)
        return;
    if (policy.onFailure == OnFailure::review && !cancelled) {
        openReview(draft, name, Direction::forward, ReviewKind::deadLetter, reason, detail);
        return;
    }
    beginCompensation(draft, reason);
}

void beginCompensation(Draft &draft, const QString &reason, const QString &actor,
                       const QStringList &steps)
{
    Entry entry = draft.entry(EntryKind::compensationBegan, draft.run().failedStep);
    entry.reason = reason;
    entry.actor = actor;
    if (!steps.isEmpty())
        entry.detail.insert(QStringLiteral("steps"), QJsonArray::fromStringList(steps));
    draft.add(std::move(entry));
    advanceCompensation(draft);
}

void advanceCompensation(Draft &draft)
{
    if (isFinal(draft.run().status) || !forwardIsQuiet(draft))
        return;
    const Step *next = nextOwed(draft);
    if (!next) {
        finishCompensation(draft);
        return;
    }
    if (next->undo.phase == Phase::idle)
        draft.effect(Prepare{next->step, Direction::compensate});
    else if (next->undo.phase == Phase::ready && !draft.asksFor(next->step, Direction::compensate))
        tryIntent(draft, next->step, Direction::compensate);
}

QString plannedVerdictName(PlannedStep::Verdict verdict)
{
    switch (verdict) {
    case PlannedStep::Verdict::willCompensate: return QStringLiteral("will_compensate");
    case PlannedStep::Verdict::nothingToDo: return QStringLiteral("nothing_to_do");
    case PlannedStep::Verdict::verifyFirst: return QStringLiteral("verify_first");
    case PlannedStep::Verdict::cannot: return QStringLiteral("cannot");
    }
    Q_UNREACHABLE();
}

namespace
{
PlannedStep planStep(const Step &step, const StepPolicy &policy)
{
    using Verdict = PlannedStep::Verdict;
    if (step.forward.ambiguous || step.undo.ambiguous)
        return {step.step, Verdict::verifyFirst, QStringLiteral("its outcome is unknown")};
    if (step.undo.phase == Phase::succeeded)
        return {step.step, Verdict::nothingToDo, QStringLiteral("already compensated")};
    if (step.waived)
        return {step.step, Verdict::nothingToDo, QStringLiteral("waived")};
    if (step.forward.phase != Phase::succeeded)
        return {step.step, Verdict::nothingToDo, QStringLiteral("it had no effect")};
    if (step.forward.replayed)
        return {step.step, Verdict::nothingToDo,
                QStringLiteral("the effect belongs to another run")};
    if (policy.forward.effect == Effect::read)
        return {step.step, Verdict::nothingToDo, QStringLiteral("it only reads")};
    if (!policy.undo) {
        const QString why = policy.correction.isEmpty() ? QStringLiteral("declared as irreversible")
                                                        : policy.correction;
        return {step.step, policy.irreversible ? Verdict::cannot : Verdict::nothingToDo, why};
    }
    return {step.step, Verdict::willCompensate, QStringLiteral("confirmed and reversible")};
}
} // namespace

QVector<PlannedStep> planCompensation(const Run &run, const Policy &policy,
                                      const QStringList &steps)
{
    QVector<Step> ordered = run.steps;
    std::stable_sort(ordered.begin(), ordered.end(), [](const Step &a, const Step &b) {
        return a.forward.confirmedAt > b.forward.confirmedAt;
    });
    QVector<PlannedStep> plan;
    for (const Step &step : ordered) {
        if (!steps.isEmpty() && !steps.contains(step.step))
            continue;
        for (const StepPolicy &candidate : policy.steps) {
            if (candidate.step == step.step)
                plan.append(planStep(step, candidate));
        }
    }
    return plan;
}

} // namespace holdfast::engine
