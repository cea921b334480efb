#include "control/run_view.h"

#include "control/arguments.h"
#include "control/attempt_view.h"
#include "control/describe.h"
#include "control/workflow_view.h"
#include "model/mask.h"
#include "model/trace.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Phase;

namespace
{
QString undoStatus(const model::Operation &undo)
{
    switch (undo.phase) {
    case Phase::succeeded: return u"compensated"_s;
    case Phase::failed: return u"compensation_failed"_s;
    case Phase::skipped: return u"waived"_s;
    case Phase::review:
        return undo.reviewKind == model::ReviewKind::compensationFailed ? u"compensation_failed"_s
                                                                        : u"review"_s;
    case Phase::asking: return u"approval"_s;
    case Phase::idle:
    case Phase::preparing:
    case Phase::ready:
    case Phase::gated:
    case Phase::waiting:
    case Phase::sending:
    case Phase::settling:
    case Phase::verifying: return u"compensating"_s;
    }
    Q_UNREACHABLE();
}

QString failedStatus(const model::Step &step, const model::StepPolicy *policy)
{
    if (policy && (policy->detached || policy->onFailure == model::OnFailure::continueRun))
        return u"pending_enrichment"_s;
    // Dropped before its first attempt, because the run turned back.
    return step.forward.reason == "not_started"_L1 && step.attempts.isEmpty() ? u"skipped"_s
                                                                              : u"failed"_s;
}

QJsonObject compensationJson(const model::Step &step)
{
    return {{u"key"_s, textOrNull(step.undo.key)},
            {u"receipt"_s, step.undo.phase == Phase::succeeded
                               ? QJsonValue(model::masked(step.undo.receipt))
                               : QJsonValue()},
            {u"reason"_s, textOrNull(step.undo.reason)}};
}

QJsonObject stepJson(const model::Step &step, const model::StepPolicy *policy, AttemptView &view)
{
    QJsonArray attempts;
    for (const model::Attempt &attempt : step.attempts)
        attempts.append(view.json(step, attempt));
    const bool confirmed = step.forward.phase == Phase::succeeded;
    QJsonObject json{
        {u"step"_s, step.step},
        {u"status"_s, stepStatus(step, policy)},
        {u"effect"_s,
         policy ? QJsonValue(model::effectName(policy->forward.effect)) : QJsonValue()},
        {u"kind"_s, policy ? QJsonValue(model::stepKindName(policy->forward.kind)) : QJsonValue()},
        {u"dependency"_s, policy ? textOrNull(policy->forward.dependency) : QJsonValue()},
        {u"key"_s, textOrNull(step.forward.key)},
        {u"attempts"_s, attempts},
        {u"receipt"_s, confirmed ? QJsonValue(model::masked(step.forward.receipt)) : QJsonValue()},
        {u"reason"_s, textOrNull(step.forward.reason)},
        {u"due"_s, instantJson(step.forward.due)}};
    if (!step.forward.operation.isEmpty())
        json.insert(u"request"_s, model::masked(step.forward.request.toJson()));
    if (step.hasBefore)
        json.insert(u"before"_s, model::masked(step.before));
    if (step.undo.phase != Phase::idle)
        json.insert(u"compensation"_s, compensationJson(step));
    return json;
}

QJsonArray reachedJson(const LoadedRun &loaded)
{
    AttemptView view(loaded);
    QJsonArray steps;
    for (const model::StepPolicy &policy : loaded.definition->policy.steps) {
        const model::Step *reached = loaded.run.find(policy.step);
        model::Step pending;
        pending.step = policy.step;
        steps.append(stepJson(reached ? *reached : pending, &policy, view));
    }
    return steps;
}

QJsonArray journalJson(const LoadedRun &loaded)
{
    QJsonArray list;
    for (const JournaledEntry &item : loaded.journal) {
        QJsonObject json = model::masked(item.entry.toJson());
        json.insert(u"seq"_s, item.seq);
        json.insert(u"at"_s, instantJson(item.entry.at));
        if (item.entry.due != model::never)
            json.insert(u"due"_s, instantJson(item.entry.due));
        list.append(json);
    }
    return list;
}
} // namespace

QString stepStatus(const model::Step &step, const model::StepPolicy *policy)
{
    if (step.waived)
        return u"waived"_s;
    if (step.undo.phase != Phase::idle)
        return undoStatus(step.undo);
    const model::Operation &forward = step.forward;
    const bool paused = forward.gate == "pause"_L1;
    switch (forward.phase) {
    case Phase::idle: return u"pending"_s;
    case Phase::preparing:
    case Phase::ready:
    case Phase::sending: return u"running"_s;
    case Phase::gated: return paused ? u"held"_s : u"waiting"_s;
    case Phase::asking: return u"approval"_s;
    case Phase::waiting: return u"waiting"_s;
    case Phase::settling: return paused ? u"held"_s : u"ambiguous"_s;
    case Phase::verifying: return u"verifying"_s;
    case Phase::review: return u"review"_s;
    case Phase::succeeded: return forward.replayed ? u"replayed"_s : u"succeeded"_s;
    case Phase::failed: return failedStatus(step, policy);
    case Phase::skipped: return u"skipped"_s;
    }
    Q_UNREACHABLE();
}

QJsonObject runJson(const ports::RunRow &row)
{
    const bool timed = row.startedAt != model::never && row.finishedAt != model::never;
    return {{u"run_id"_s, row.runId},
            {u"workflow"_s, row.workflow},
            {u"version"_s, row.version},
            {u"event_id"_s, row.eventId},
            {u"generation"_s, row.generation},
            {u"status"_s, model::runStatusName(row.status)},
            {u"created_at"_s, instantJson(row.createdAt)},
            {u"started_at"_s, instantJson(row.startedAt)},
            {u"finished_at"_s, instantJson(row.finishedAt)},
            {u"updated_at"_s, instantJson(row.updatedAt)},
            {u"duration_ms"_s, timed ? QJsonValue(row.finishedAt - row.startedAt) : QJsonValue()},
            {u"key_outputs"_s, model::masked(row.outputs)},
            {u"retry_count"_s, row.retryCount},
            {u"compensation_count"_s, row.compensationCount},
            {u"duplicates_prevented"_s, row.duplicatesPrevented},
            {u"step"_s, textOrNull(row.step)},
            {u"reason"_s, textOrNull(row.reason)},
            {u"due"_s, instantJson(row.due)},
            {u"seq"_s, row.seq}};
}

QJsonObject wholeRunJson(const LoadedRun &loaded, const QVector<ports::ReviewRow> &reviews)
{
    QJsonObject json = runJson(loaded.row);
    json.insert(u"input"_s, model::masked(loaded.run.input));
    json.insert(u"deadline_at"_s, instantJson(loaded.run.deadlineAt));
    json.insert(u"trace_id"_s, model::traceOf(loaded.run.runId, loaded.run.traceparent).traceId);
    json.insert(u"steps"_s, reachedJson(loaded));
    QJsonArray items;
    for (const ports::ReviewRow &review : reviews)
        items.append(reviewJson(review));
    json.insert(u"reviews"_s, items);
    json.insert(u"journal"_s, journalJson(loaded));
    json.insert(u"verdict"_s, describe(loaded));
    json.insert(u"contract"_s,
                QJsonObject{{u"workflow"_s, loaded.row.workflow},
                            {u"version"_s, loaded.row.version},
                            {u"source"_s, model::maskedSource(loaded.definition->workflow.source)},
                            {u"steps"_s, stepsJson(*loaded.definition)}});
    return json;
}

QJsonObject reviewJson(const ports::ReviewRow &row)
{
    QJsonObject json{{u"id"_s, row.id},
                     {u"kind"_s, row.kind},
                     {u"run_id"_s, textOrNull(row.runId)},
                     {u"step"_s, textOrNull(row.step)},
                     {u"direction"_s, textOrNull(row.direction)},
                     {u"workflow"_s, textOrNull(row.workflow)},
                     {u"dependency"_s, textOrNull(row.dependency)},
                     {u"version"_s, row.version},
                     {u"opened_at"_s, instantJson(row.openedAt)},
                     {u"expires_at"_s, instantJson(row.expiresAt)},
                     {u"claimed_by"_s, textOrNull(row.claimedBy)},
                     {u"claimed_until"_s, instantJson(row.claimedUntil)},
                     {u"snoozed_until"_s, instantJson(row.snoozedUntil)},
                     {u"evidence"_s, model::masked(row.evidence)}};
    if (row.decidedAt != model::never) {
        json.insert(u"decided_at"_s, instantJson(row.decidedAt));
        json.insert(u"decided_by"_s, row.decidedBy);
        json.insert(u"decision"_s, row.decision);
        json.insert(u"reason"_s, row.reason);
    }
    return json;
}

} // namespace holdfast::control
