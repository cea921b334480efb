#include "engine/fold.h"

#include "engine/failure.h"
#include "engine/status.h"

#include <QJsonArray>

#include <algorithm>

namespace holdfast::engine
{

namespace
{
Step &stepOf(Run &run, const QString &name)
{
    if (Step *step = run.find(name))
        return *step;
    run.steps.append(Step{.step = name, .forward = {}, .undo = {}, .before = {}, .attempts = {}});
    return run.steps.last();
}

Operation &operationOf(Step &step, Direction direction)
{
    switch (direction) {
    case Direction::forward:
    case Direction::snapshot: return step.forward;
    case Direction::compensate: return step.undo;
    case Direction::verify: return step.undo.phase == Phase::idle ? step.forward : step.undo;
    }
    Q_UNREACHABLE();
}

void accept(Run &run, const Entry &entry)
{
    const QJsonObject &detail = entry.detail;
    run.runId = detail.value(QLatin1String("run_id")).toString();
    run.workflow = detail.value(QLatin1String("workflow")).toString();
    run.version = int(detail.value(QLatin1String("version")).toInteger());
    run.eventId = detail.value(QLatin1String("event_id")).toString();
    run.generation = int(detail.value(QLatin1String("generation")).toInteger(1));
    run.traceparent = detail.value(QLatin1String("traceparent")).toString();
    run.input = detail.value(QLatin1String("input")).toObject();
    run.held = detail.value(QLatin1String("held")).toBool();
    run.createdAt = entry.at;
    run.deadlineAt = entry.due;
}

void prepare(Run &run, const Entry &entry)
{
    Operation &operation = operationOf(stepOf(run, entry.step), entry.direction);
    operation.phase = Phase::ready;
    operation.operation = entry.operation;
    operation.key = entry.key;
    operation.hash = entry.hash;
    operation.request = entry.request.value_or(Request());
}

void gate(Run &run, const Entry &entry)
{
    if (entry.step.isEmpty()) {
        run.held = true;
        return;
    }
    Operation &operation = operationOf(stepOf(run, entry.step), entry.direction);
    operation.phase = entry.direction == Direction::verify ? Phase::settling : Phase::gated;
    operation.gate = entry.reason;
    operation.due = entry.due;
}

void intend(Run &run, const Entry &entry)
{
    Step &step = stepOf(run, entry.step);
    Operation &operation = operationOf(step, entry.direction);
    Attempt attempt;
    attempt.number = entry.attempt;
    attempt.direction = entry.direction;
    attempt.startedAt = entry.at;
    attempt.fence = entry.fence;
    attempt.dependencyRevision = entry.dependencyRevision;
    step.attempts.append(attempt);
    operation.gate.clear();
    operation.due = never;
    if (entry.direction == Direction::verify) {
        operation.phase = Phase::verifying;
        ++operation.verifyTries;
        return;
    }
    operation.phase = Phase::sending;
    ++operation.tries;
    if (entry.direction == Direction::snapshot)
        return;
    if (operation.firstIntentAt == never)
        operation.firstIntentAt = entry.at;
    if (entry.attempt > 1)
        ++run.retryCount;
}

Attempt *attemptOf(Step &step, const Entry &entry)
{
    for (auto attempt = step.attempts.rbegin(); attempt != step.attempts.rend(); ++attempt) {
        if (attempt->number == entry.attempt && attempt->direction == entry.direction)
            return &*attempt;
    }
    return nullptr;
}

void closeAttempt(Step &step, const Entry &entry)
{
    Attempt *attempt = attemptOf(step, entry);
    if (!attempt)
        return;
    attempt->endedAt = entry.at;
    attempt->failureClass = entry.failureClass;
    attempt->reason = entry.reason;
    attempt->status = entry.status;
    attempt->proven = entry.kind == EntryKind::confirmed;
}

void endAttempt(Run &run, const Entry &entry)
{
    Step &step = stepOf(run, entry.step);
    Operation &operation = operationOf(step, entry.direction);
    closeAttempt(step, entry);
    if (entry.direction == Direction::verify) {
        operation.phase = Phase::settling;
        if (!entry.counts)
            --operation.verifyTries;
        return;
    }
    if (entry.direction == Direction::snapshot) {
        operation.phase = Phase::preparing;
    } else {
        operation.phase = Phase::ready;
        operation.lastEndedAt = std::max(entry.at, entry.due);
        operation.verifyTries = 0;
        if (entry.status >= 500)
            ++operation.serverErrors;
    }
    operation.reason = entry.reason;
    if (!entry.counts)
        --operation.tries;
    // A destination that is busy with our key may yet do the work.
    const bool inUse = entry.detail.value(QLatin1String("in_use")).toBool();
    if (entry.failureClass == FailureClass::ambiguous || inUse) {
        operation.ambiguous = true;
        if (entry.detail.value(QLatin1String("happened")).toBool())
            operation.knownToHaveHappened = true;
    }
}

void settle(Operation &operation, Phase phase)
{
    operation.phase = phase;
    operation.due = never;
    operation.gate.clear();
}

void confirm(Run &run, const Entry &entry)
{
    Step &step = stepOf(run, entry.step);
    Operation &operation = operationOf(step, entry.direction);
    if (entry.attempt > 0) {
        closeAttempt(step, entry);
        operation.lastEndedAt = entry.at;
    }
    settle(operation, Phase::succeeded);
    operation.ambiguous = false;
    operation.lateEffect = false;
    operation.receipt = entry.detail.value(QLatin1String("receipt")).toObject();
    if (entry.direction == Direction::compensate)
        ++run.compensationCount;
    else
        operation.confirmedAt = ++run.confirmations;
    if (entry.detail.contains(QLatin1String("by")))
        ++run.duplicatesPrevented;
}

// What was said of an attempt after its run had been taken over. It settles nothing by itself, but
// what may have left only now cannot be believed absent yet.
void reportLate(Run &run, const Entry &entry)
{
    Step &step = stepOf(run, entry.step);
    Operation &operation = operationOf(step, entry.direction);
    const bool isUnsure = entry.failureClass == FailureClass::ambiguous;
    const bool isStopped =
        operation.phase == Phase::review && operation.reviewKind != ReviewKind::ambiguous;
    const bool isOver = isSettled(operation.phase) || isStopped;
    const bool wasGivenUp = operation.phase == Phase::failed || isStopped;
    const bool isDoubt = isUnsure && !isOver;
    if ((entry.counts || isUnsure) && wasGivenUp)
        operation.lateEffect = true;
    if (isDoubt)
        operation.ambiguous = true;
    if (isDoubt || operation.lateEffect)
        operation.lastEndedAt = std::max(operation.lastEndedAt, entry.at);
    Attempt *attempt = entry.counts ? attemptOf(step, entry) : nullptr;
    if (attempt)
        attempt->proven = true;
    const bool isKnown = entry.counts || entry.detail.value(QLatin1String("happened")).toBool();
    if (isKnown && (operation.ambiguous || operation.lateEffect))
        operation.knownToHaveHappened = true;
}

void replay(Run &run, const Entry &entry)
{
    Operation &operation = operationOf(stepOf(run, entry.step), entry.direction);
    settle(operation, Phase::succeeded);
    operation.replayed = true;
    operation.receipt = entry.detail.value(QLatin1String("receipt")).toObject();
    ++run.duplicatesPrevented;
    if (entry.direction == Direction::forward)
        operation.confirmedAt = ++run.confirmations;
    else
        ++run.compensationCount;
}

void fail(Run &run, const Entry &entry)
{
    Operation &operation = operationOf(stepOf(run, entry.step), entry.direction);
    settle(operation, Phase::failed);
    operation.reason = entry.reason;
    if (entry.detail.value(QLatin1String("partial")).toBool()) {
        run.partial = true;
        return;
    }
    run.failedStep = entry.step;
    run.reason = entry.reason;
}

void openReview(Run &run, const Entry &entry)
{
    if (entry.detail.value(QLatin1String("standalone")).toBool()) {
        if (entry.reviewKind == ReviewKind::deadLetter)
            run.deadLetterId = entry.reviewId;
        else
            run.standaloneReviews.append(entry.reviewId);
        return;
    }
    Operation &operation = operationOf(stepOf(run, entry.step), entry.direction);
    operation.phase = entry.reviewKind == ReviewKind::approval ? Phase::asking : Phase::review;
    operation.gate.clear();
    operation.due = entry.due;
    operation.reviewId = entry.reviewId;
    operation.reviewKind = entry.reviewKind;
    operation.reviewOpenedAt = entry.at;
}

void closeReview(Run &run, const Entry &entry)
{
    if (run.deadLetterId == entry.reviewId)
        run.deadLetterId.clear();
    run.standaloneReviews.removeAll(entry.reviewId);
    for (Step &step : run.steps) {
        for (Operation *operation : {&step.forward, &step.undo}) {
            if (operation->reviewId != entry.reviewId)
                continue;
            operation->reviewId.clear();
            operation->reviewKind.reset();
            operation->due = never;
        }
    }
}

void clearAbsent(Run &run, const Entry &entry)
{
    Operation &operation = operationOf(stepOf(run, entry.step), entry.direction);
    operation.phase = Phase::ready;
    operation.ambiguous = false;
    operation.knownToHaveHappened = false;
    operation.lateEffect = false;
    operation.serverErrors = 0;
    operation.firstIntentAt = never;
    // A person's "absent" is worth one more try, whatever was used up before.
    if (entry.counts && operation.tries > 0)
        --operation.tries;
}

// Proven to have had no effect, its key was free for others meanwhile: the ledger is asked again,
// and the destination's memory of it begins with what is sent from now on. What came late after all
// is in doubt again.
void freeKey(Operation &operation)
{
    operation.tries = 0;
    operation.ambiguous = operation.ambiguous || operation.lateEffect;
    if (!operation.ambiguous)
        operation.firstIntentAt = never;
}

void reopen(Run &run, const Entry &entry)
{
    // Out of a review the stopped clock goes on from where it stood; a final run starts with a new
    // deadline. A cancel that is under way is not taken back by it.
    if (run.finishedAt != never) {
        run.clockStoppedAt = never;
        run.cancelRequested = false;
    }
    run.status = RunStatus::running;
    run.finishedAt = never;
    run.deadlineAt = entry.due;
    run.outputs = {};
    if (entry.direction == Direction::compensate) {
        run.compensating = true;
        if (Step *step = run.find(entry.step)) {
            step->undo.phase = step->undo.hash.isEmpty() ? Phase::idle : Phase::ready;
            freeKey(step->undo);
        }
        return;
    }
    run.compensating = false;
    run.failedStep.clear();
    run.reason.clear();
    Step *step = run.find(entry.step);
    if (!step)
        return;
    freeKey(step->forward);
    // What was never prepared is prepared anew; what was keeps its key and its bytes.
    if (step->forward.hash.isEmpty())
        step->forward.phase = Phase::preparing;
    else
        step->forward.phase = Phase::ready;
}

void beginCompensation(Run &run, const Entry &entry)
{
    if (isFinal(run.status))
        run.status = RunStatus::compensating;
    run.compensating = true;
    run.finishedAt = never;
    run.chosenSteps.clear();
    const QJsonArray chosen = entry.detail.value(QLatin1String("steps")).toArray();
    for (const QJsonValue &step : chosen)
        run.chosenSteps.append(step.toString());
}

void setPhase(Run &run, const Entry &entry, Phase phase)
{
    Operation &operation = operationOf(stepOf(run, entry.step), entry.direction);
    operation.phase = phase;
    operation.gate.clear();
    operation.due = entry.due;
}

void skip(Run &run, const Entry &entry)
{
    setPhase(run, entry, Phase::skipped);
    // What a person waived is missing from the result, but no longer a failure.
    if (entry.actor.isEmpty())
        return;
    run.partial = true;
    run.failedStep.clear();
    run.reason.clear();
}

// The deadline's clock stands while a person or a pause holds the run.
void runClock(Run &run, Instant at)
{
    if (isFinal(run.status))
        return;
    bool stands = run.status == RunStatus::review || run.status == RunStatus::held;
    if (run.status == RunStatus::waiting) {
        stands = std::any_of(run.steps.cbegin(), run.steps.cend(), [](const Step &step) {
            return step.forward.phase == Phase::asking || step.undo.phase == Phase::asking;
        });
    }
    if (stands && run.clockStoppedAt == never) {
        run.clockStoppedAt = at;
    } else if (!stands && run.clockStoppedAt != never) {
        if (run.deadlineAt != never)
            run.deadlineAt += std::max<Millis>(0, at - run.clockStoppedAt);
        run.clockStoppedAt = never;
    }
}

void apply(Run &run, const Entry &entry)
{
    switch (entry.kind) {
    case EntryKind::accepted: return accept(run, entry);
    case EntryKind::stepStarted: return setPhase(run, entry, Phase::preparing);
    case EntryKind::stepSkipped: return skip(run, entry);
    case EntryKind::prepared: return prepare(run, entry);
    case EntryKind::gated: return gate(run, entry);
    case EntryKind::intent: return intend(run, entry);
    case EntryKind::attemptEnded: return endAttempt(run, entry);
    case EntryKind::snapshotKept: {
        Step &step = stepOf(run, entry.step);
        closeAttempt(step, entry);
        step.before = entry.detail.value(QLatin1String("before")).toObject();
        step.hasBefore = true;
        step.forward.phase = Phase::preparing;
        step.forward.tries = 0;
        return;
    }
    case EntryKind::retryScheduled: return setPhase(run, entry, Phase::waiting);
    case EntryKind::verifyScheduled: return setPhase(run, entry, Phase::settling);
    case EntryKind::clearedAbsent: return clearAbsent(run, entry);
    case EntryKind::confirmed: return confirm(run, entry);
    case EntryKind::replayed: return replay(run, entry);
    case EntryKind::stepFailed: return fail(run, entry);
    case EntryKind::reviewOpened: return openReview(run, entry);
    case EntryKind::reviewClosed: return closeReview(run, entry);
    case EntryKind::approved: {
        Operation &operation = operationOf(stepOf(run, entry.step), entry.direction);
        operation.approved = true;
        operation.phase = Phase::ready;
        return;
    }
    case EntryKind::waiting:
        setPhase(run, entry, Phase::waiting);
        stepOf(run, entry.step).forward.reason = entry.reason;
        return;
    case EntryKind::compensationBegan: return beginCompensation(run, entry);
    case EntryKind::compensationWaived: {
        Step &step = stepOf(run, entry.step);
        step.waived = true;
        settle(step.undo, Phase::skipped);
        return;
    }
    case EntryKind::cancelAsked: run.cancelRequested = true; return;
    case EntryKind::reopened: return reopen(run, entry);
    case EntryKind::lateReport: return reportLate(run, entry);
    case EntryKind::noted: return;
    case EntryKind::finished:
        run.status = entry.runStatus.value_or(RunStatus::failed);
        run.finishedAt = entry.at;
        run.outputs = entry.detail.value(QLatin1String("outputs")).toObject();
        if (!entry.reason.isEmpty())
            run.reason = entry.reason;
        return;
    }
    Q_UNREACHABLE();
}
} // namespace

void fold(Run &run, const Entry &entry)
{
    // Facts that say nothing about progress do not start a run.
    const bool progresses = entry.kind != EntryKind::accepted && entry.kind != EntryKind::noted &&
                            entry.kind != EntryKind::lateReport;
    if (progresses && entry.kind != EntryKind::gated) {
        run.held = false;
        if (run.startedAt == never)
            run.startedAt = entry.at;
    }
    apply(run, entry);
    run.hadFailure = run.hadFailure || mayTellOfFailure(entry);
    run.status = statusOf(run);
    runClock(run, entry.at);
}

Run foldAll(const Entries &entries)
{
    Run run;
    for (const Entry &entry : entries)
        fold(run, entry);
    return run;
}

} // namespace holdfast::engine
