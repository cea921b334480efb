#include "runtime/projection.h"

#include "engine/failure.h"
#include "engine/fold.h"
#include "engine/status.h"
#include "model/json.h"
#include "runtime/announce.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::runtime
{

using model::Direction;
using model::Entry;
using model::EntryKind;
using model::operationPolicy;
using model::Phase;

namespace
{
QString whereItStands(const model::Run &run)
{
    if (!run.failedStep.isEmpty())
        return run.failedStep;
    for (auto step = run.steps.crbegin(); step != run.steps.crend(); ++step) {
        const Phase forward = step->forward.phase;
        const bool settled = forward == Phase::succeeded || forward == Phase::skipped;
        if (!settled || step->undo.phase != Phase::idle)
            return step->step;
    }
    return run.steps.isEmpty() ? QString() : run.steps.last().step;
}

QString whyItStands(const model::Run &run)
{
    if (!run.reason.isEmpty())
        return run.reason;
    for (auto step = run.steps.crbegin(); step != run.steps.crend(); ++step) {
        for (const model::Operation *operation : {&step->undo, &step->forward}) {
            if (!operation->gate.isEmpty())
                return operation->gate;
            if (operation->phase == Phase::asking)
                return QStringLiteral("approval_needed");
            const bool rests = operation->phase == Phase::waiting ||
                               operation->phase == Phase::review ||
                               operation->phase == Phase::settling;
            if (rests)
                return operation->reason;
        }
    }
    return {};
}

QVector<ports::OpenAttempt> openAttempts(const model::Run &run, const model::Policy &policy)
{
    QVector<ports::OpenAttempt> open;
    for (const model::Step &step : run.steps) {
        const model::Attempt *attempt = engine::openAttempt(step);
        if (!attempt)
            continue;
        const bool undo =
            attempt->direction == Direction::compensate ||
            (attempt->direction == Direction::verify && step.undo.phase != Phase::idle);
        const auto *operation =
            operationPolicy(policy, step.step, undo ? Direction::compensate : Direction::forward);
        const bool asks =
            attempt->direction == Direction::verify || attempt->direction == Direction::snapshot;
        const model::Effect effect = asks || !operation ? model::Effect::read : operation->effect;
        open.append({step.step, attempt->direction, attempt->number,
                     operation ? operation->dependency : QString(), effect, attempt->startedAt});
    }
    return open;
}

ports::LedgerUpdate ledgerUpdate(const model::Run &run, const model::Operation &operation,
                                 const QString &status)
{
    ports::LedgerUpdate update;
    update.operation = operation.operation;
    update.key = operation.key;
    update.runId = run.runId;
    update.status = status;
    return update;
}

// Only what was claimed has a ledger row: a prepared write or compensation.
void projectLedger(const Change &change, const Entry &entry, ports::TurnWrites &writes)
{
    const bool settles = entry.kind == EntryKind::confirmed || entry.kind == EntryKind::stepFailed;
    const model::Step *step = settles ? change.after.find(entry.step) : nullptr;
    if (!step)
        return;
    const bool undo = entry.direction == Direction::compensate;
    const auto *policy = operationPolicy(change.policy, entry.step, entry.direction);
    const model::Operation &operation = undo ? step->undo : step->forward;
    if (!policy || policy->effect == model::Effect::read || operation.key.isEmpty())
        return;
    const bool succeeded = entry.kind == EntryKind::confirmed;
    ports::LedgerUpdate update =
        ledgerUpdate(change.after, operation,
                     succeeded ? QStringLiteral("succeeded") : QStringLiteral("failed"));
    update.expiresAt = entry.at + policy->ttl;
    if (succeeded)
        update.result = operation.receipt;
    writes.ledger.append(update);
    if (succeeded && undo && !step->forward.key.isEmpty()) {
        ports::LedgerUpdate undone =
            ledgerUpdate(change.after, step->forward, QStringLiteral("compensated"));
        undone.result = step->forward.receipt;
        undone.expiresAt = update.expiresAt;
        writes.ledger.append(undone);
    }
}

QJsonArray attemptsJson(const model::Step &step)
{
    QJsonArray list;
    for (const model::Attempt &attempt : step.attempts) {
        list.append(
            QJsonObject{{QStringLiteral("number"), attempt.number},
                        {QStringLiteral("direction"), model::directionName(attempt.direction)},
                        {QStringLiteral("started_at"), model::instantText(attempt.startedAt)},
                        {QStringLiteral("ended_at"), model::instantText(attempt.endedAt)},
                        {QStringLiteral("class"), model::failureClassName(attempt.failureClass)},
                        {QStringLiteral("reason"), attempt.reason},
                        {QStringLiteral("status"), attempt.status}});
    }
    return list;
}

QJsonObject evidenceOf(const Change &change, const Entry &entry)
{
    QJsonObject evidence = entry.detail;
    evidence.remove(QStringLiteral("standalone"));
    evidence.insert(QStringLiteral("reason"), entry.reason);
    const model::Step *step = change.after.find(entry.step);
    if (!step)
        return evidence;
    const bool undo = entry.direction == Direction::compensate;
    const model::Operation &operation = undo ? step->undo : step->forward;
    if (!operation.key.isEmpty())
        evidence.insert(QStringLiteral("key"), operation.key);
    if (!operation.operation.isEmpty()) {
        evidence.insert(QStringLiteral("operation"), operation.operation);
        evidence.insert(QStringLiteral("request"), operation.request.toJson());
        evidence.insert(QStringLiteral("hash"), operation.hash);
    }
    evidence.insert(QStringLiteral("attempts"), attemptsJson(*step));
    if (const auto *policy = operationPolicy(change.policy, entry.step, entry.direction)) {
        evidence.insert(QStringLiteral("protection"), model::protectionName(policy->protection));
        evidence.insert(QStringLiteral("effect"), model::effectName(policy->effect));
    }
    return evidence;
}

void projectReview(const Change &change, const Entry &entry, ports::TurnWrites &writes)
{
    if (entry.kind == EntryKind::reviewClosed) {
        writes.reviewsClosed.append({entry.reviewId,
                                     entry.detail.value(QLatin1String("decision")).toString(),
                                     entry.actor.isEmpty() ? QStringLiteral("engine") : entry.actor,
                                     entry.reason, entry.at});
        return;
    }
    if (entry.kind != EntryKind::reviewOpened || isAskedAgain(entry))
        return;
    ports::ReviewRow review;
    review.id = entry.reviewId;
    review.kind = model::reviewKindName(*entry.reviewKind);
    review.runId = change.after.runId;
    review.step = entry.step;
    review.direction = model::directionName(entry.direction);
    review.workflow = change.after.workflow;
    if (const auto *policy = operationPolicy(change.policy, entry.step, entry.direction))
        review.dependency = policy->dependency;
    review.version = change.after.seq;
    review.openedAt = entry.at;
    review.expiresAt = entry.due;
    review.evidence = evidenceOf(change, entry);
    review.evidence.insert(QStringLiteral("told"), toldOf(change, entry));
    writes.reviewsOpened.append(review);
}

// A run has one row in a group, however often it fails alike.
void projectFailures(const Change &change, ports::TurnWrites &writes)
{
    const model::Run &run = change.after;
    const qsizetype first = writes.failures.size();
    for (const engine::Failure &failure : engine::failuresOf(run, change.entries, change.policy)) {
        const auto known = std::find_if(
            writes.failures.begin() + first, writes.failures.end(),
            [&](const ports::FailureSeen &seen) { return seen.group.id == failure.group; });
        if (known != writes.failures.end()) {
            known->failure.lastAt = failure.at;
            ++known->failure.occurrences;
            continue;
        }
        writes.failures.append(
            {{failure.group, run.workflow, failure.step, model::directionName(failure.direction),
              model::failureClassName(failure.failureClass), failure.reason, failure.message,
              failure.dependency, failure.at},
             {failure.group, run.runId, run.version, failure.at, failure.at, 1}});
    }
    const bool isFinal = model::isFinal(run.status);
    if (isFinal || change.wasFinal)
        writes.outcomes.append({run.runId, isFinal ? model::runStatusName(run.status) : QString()});
}

} // namespace

bool isAskedAgain(const Entry &entry)
{
    return entry.detail.value(QLatin1String("again")).toBool();
}

model::Run runFrom(const QVector<ports::JournalRow> &journal)
{
    model::Run run;
    for (const ports::JournalRow &row : journal) {
        for (const Entry &entry : model::entriesFromJson(row.entries))
            engine::fold(run, entry);
        run.seq = row.seq;
    }
    return run;
}

ports::RunRow projectRun(const model::Run &run, const model::Policy &policy, ports::RunRow row)
{
    row.runId = run.runId;
    row.workflow = run.workflow;
    row.version = run.version;
    row.eventId = run.eventId;
    row.generation = run.generation;
    row.status = run.status;
    row.seq = run.seq;
    row.createdAt = run.createdAt;
    row.startedAt = run.startedAt;
    row.finishedAt = run.finishedAt;
    row.step = whereItStands(run);
    row.reason = whyItStands(run);
    row.retryCount = run.retryCount;
    row.compensationCount = run.compensationCount;
    row.duplicatesPrevented = run.duplicatesPrevented;
    row.outputs = run.outputs;
    row.open = openAttempts(run, policy);
    if (row.inputHash.isEmpty())
        row.inputHash = model::sha256Hex(model::canonicalJson(run.input));
    return row;
}

void projectChange(const Change &change, ports::TurnWrites &writes)
{
    for (const Entry &entry : change.entries) {
        projectLedger(change, entry, writes);
        projectReview(change, entry, writes);
    }
    if (change.after.hadFailure)
        projectFailures(change, writes);
    announce(change, writes);
}

} // namespace holdfast::runtime
