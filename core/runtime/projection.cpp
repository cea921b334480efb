#include "runtime/projection.h"

#include "engine/fold.h"
#include "engine/status.h"
#include "model/json.h"

#include <QJsonArray>

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
    if (entry.kind != EntryKind::reviewOpened)
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
    writes.reviewsOpened.append(review);
}

// Whatever a person should hear of leaves with the commit that made it true.
void projectOutbox(const Change &change, const Entry &entry, ports::TurnWrites &writes)
{
    QString kind;
    if (entry.kind == EntryKind::reviewOpened)
        kind = QStringLiteral("review.") + model::reviewKindName(*entry.reviewKind);
    else if (entry.kind == EntryKind::finished)
        kind = QStringLiteral("run.") + model::runStatusName(*entry.runStatus);
    if (kind.isEmpty())
        return;
    ports::OutboxRow row;
    row.id = change.after.runId + u'-' + QString::number(change.after.seq) + u'-' +
             QString::number(writes.outbox.size());
    row.at = entry.at;
    row.kind = kind;
    row.runId = change.after.runId;
    row.payload = {{QStringLiteral("workflow"), change.after.workflow},
                   {QStringLiteral("version"), change.after.version},
                   {QStringLiteral("step"), entry.step},
                   {QStringLiteral("reason"), entry.reason},
                   {QStringLiteral("retry_count"), change.after.retryCount},
                   {QStringLiteral("review"), entry.reviewId}};
    writes.outbox.append(row);
}
} // namespace

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
        projectOutbox(change, entry, writes);
    }
}

ports::RollupRow &RollupSum::row(model::Instant at, const QString &workflow, const QString &step,
                                 const QString &dependency, const QString &worker)
{
    const model::Instant minute = at - at % model::minute;
    const Key key{minute, workflow, step, dependency};
    auto found = m_rows.find(key);
    if (found == m_rows.end())
        found = m_rows.insert(key, {minute, workflow, step, dependency, worker, {}});
    return *found;
}

void RollupSum::add(const model::Run &run, const model::Policy &policy, const Entry &entry,
                    const QString &worker)
{
    const Direction target =
        entry.direction == Direction::compensate ? Direction::compensate : Direction::forward;
    const auto *operation = operationPolicy(policy, entry.step, target);
    auto count = [&](const QString &name, qint64 by = 1) {
        row(entry.at, run.workflow, entry.step, operation ? operation->dependency : QString(),
            worker)
            .counts[name] += by;
    };
    switch (entry.kind) {
    case EntryKind::intent:
        count(QStringLiteral("attempts"));
        if (entry.attempt > 1)
            count(QStringLiteral("retries"));
        return;
    case EntryKind::attemptEnded:
        if (entry.failureClass != model::FailureClass::none)
            count(model::failureClassName(entry.failureClass));
        return;
    case EntryKind::confirmed:
        count(entry.direction == Direction::compensate ? QStringLiteral("compensated")
                                                       : QStringLiteral("confirmed"));
        if (entry.detail.contains(QLatin1String("by")))
            count(QStringLiteral("duplicates_prevented"));
        return;
    case EntryKind::replayed: count(QStringLiteral("duplicates_prevented")); return;
    case EntryKind::stepFailed:
        count(entry.direction == Direction::compensate ? QStringLiteral("compensation_failed")
                                                       : QStringLiteral("failed"));
        return;
    case EntryKind::reviewOpened: count(QStringLiteral("reviews")); return;
    case EntryKind::accepted: count(QStringLiteral("runs_started")); return;
    case EntryKind::finished:
        count(QStringLiteral("runs_") + model::runStatusName(*entry.runStatus));
        count(QStringLiteral("duration_ms"), entry.at - run.createdAt);
        return;
    case EntryKind::stepStarted:
    case EntryKind::stepSkipped:
    case EntryKind::prepared:
    case EntryKind::gated:
    case EntryKind::snapshotKept:
    case EntryKind::retryScheduled:
    case EntryKind::verifyScheduled:
    case EntryKind::clearedAbsent:
    case EntryKind::reviewClosed:
    case EntryKind::approved:
    case EntryKind::waiting:
    case EntryKind::compensationBegan:
    case EntryKind::compensationWaived:
    case EntryKind::cancelAsked:
    case EntryKind::reopened:
    case EntryKind::lateReport:
    case EntryKind::noted: return;
    }
    Q_UNREACHABLE();
}

} // namespace holdfast::runtime
