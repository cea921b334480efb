// The words engine stories are told in: how an attempt can end, small policies, and the whole of a
// run as text.
#pragma once

#include "engine/event.h"
#include "model/run.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace holdfast::tests
{

using namespace engine;
using Ended = AttemptEnded;

// How an attempt can end.

inline Ended answered(int status)
{
    Ended ended;
    ended.status = status;
    ended.readable = status >= 200 && status < 300;
    if (ended.readable)
        ended.receipt = {{QStringLiteral("id"), QStringLiteral("r-1")}};
    return ended;
}

inline Ended done() { return answered(200); }

inline Ended broken(const char *error)
{
    Ended ended;
    ended.error = QString::fromLatin1(error);
    ended.status = -1;
    return ended;
}

inline Ended unsent(const char *error)
{
    Ended ended = broken(error);
    ended.sent = false;
    return ended;
}

inline Ended unreadable()
{
    Ended ended = answered(200);
    ended.readable = false;
    ended.receipt = {};
    return ended;
}

inline Ended exited(int code)
{
    Ended ended;
    ended.status = code;
    ended.readable = code == 0;
    return ended;
}

inline Ended told(Ended::Verdict verdict)
{
    Ended ended = answered(200);
    ended.verdict = verdict;
    return ended;
}

inline Ended found() { return told(Ended::Verdict::happened); }
inline Ended absent() { return told(Ended::Verdict::absent); }
inline Ended unclear() { return told(Ended::Verdict::unknown); }

// Policies. No jitter, so that stories can say when something is due.

inline OperationPolicy operationOf(Effect effect, Protection protection, bool verify = false)
{
    OperationPolicy policy;
    policy.effect = effect;
    policy.protection = protection;
    policy.dependency = QStringLiteral("payments");
    policy.timeout = 10 * second;
    policy.retention = protection == Protection::native ? day : 0;
    policy.settleAfter = verify ? 5 * second : 0;
    policy.hasVerify = verify;
    policy.retry = {3, second, 200, minute, false};
    return policy;
}

inline StepPolicy stepOf(const char *name, const OperationPolicy &forward)
{
    StepPolicy step;
    step.step = QString::fromLatin1(name);
    step.forward = forward;
    return step;
}

inline StepPolicy reads(const char *name)
{
    return stepOf(name, operationOf(Effect::read, Protection::none));
}

inline StepPolicy writes(const char *name, Protection protection = Protection::native,
                         bool verify = false)
{
    return stepOf(name, operationOf(Effect::write, protection, verify));
}

inline StepPolicy undoable(StepPolicy step, Protection protection = Protection::native,
                           bool verify = false)
{
    step.undo = operationOf(Effect::write, protection, verify);
    return step;
}

inline StepPolicy kind(const char *name, StepKind stepKind)
{
    StepPolicy step;
    step.step = QString::fromLatin1(name);
    step.forward.kind = stepKind;
    return step;
}

inline Policy workflow(const QVector<StepPolicy> &steps, Millis deadline = 0)
{
    Policy policy;
    policy.workflow = QStringLiteral("order");
    policy.version = 1;
    policy.deadline = deadline;
    policy.steps = steps;
    return policy;
}

// The whole of a run as text, for comparing and for showing.

inline QJsonObject operationJson(const Operation &operation)
{
    return {{QStringLiteral("phase"), phaseName(operation.phase)},
            {QStringLiteral("ambiguous"), operation.ambiguous},
            {QStringLiteral("happened"), operation.knownToHaveHappened},
            {QStringLiteral("late"), operation.lateEffect},
            {QStringLiteral("approved"), operation.approved},
            {QStringLiteral("tries"), operation.tries},
            {QStringLiteral("verify_tries"), operation.verifyTries},
            {QStringLiteral("server_errors"), operation.serverErrors},
            {QStringLiteral("gate"), operation.gate},
            {QStringLiteral("due"), operation.due},
            {QStringLiteral("first_intent"), operation.firstIntentAt},
            {QStringLiteral("last_ended"), operation.lastEndedAt},
            {QStringLiteral("operation"), operation.operation},
            {QStringLiteral("key"), operation.key},
            {QStringLiteral("hash"), operation.hash},
            {QStringLiteral("request"), operation.request.toJson()},
            {QStringLiteral("receipt"), operation.receipt},
            {QStringLiteral("reason"), operation.reason},
            {QStringLiteral("review"), operation.reviewId},
            {QStringLiteral("review_kind"),
             operation.reviewKind ? reviewKindName(*operation.reviewKind) : QString()},
            {QStringLiteral("review_at"), operation.reviewOpenedAt},
            {QStringLiteral("confirmed"), operation.confirmedAt},
            {QStringLiteral("replayed"), operation.replayed}};
}

inline QJsonObject stepJson(const Step &step)
{
    QJsonArray attempts;
    for (const Attempt &attempt : step.attempts)
        attempts.append(QJsonArray{attempt.number, directionName(attempt.direction),
                                   attempt.startedAt, attempt.endedAt,
                                   failureClassName(attempt.failureClass), attempt.reason,
                                   attempt.status, attempt.fence, attempt.dependencyRevision});
    return {{QStringLiteral("step"), step.step},
            {QStringLiteral("forward"), operationJson(step.forward)},
            {QStringLiteral("undo"), operationJson(step.undo)},
            {QStringLiteral("before"), step.before},
            {QStringLiteral("has_before"), step.hasBefore},
            {QStringLiteral("waived"), step.waived},
            {QStringLiteral("attempts"), attempts}};
}

// `seq` is left out: it counts commits, which are the runtime's.
inline QByteArray picture(const Run &run)
{
    QJsonArray steps;
    for (const Step &step : run.steps)
        steps.append(stepJson(step));
    const QJsonObject object{
        {QStringLiteral("run"), QJsonArray{run.runId, run.workflow, run.version, run.eventId,
                                           run.generation, runStatusName(run.status)}},
        {QStringLiteral("input"), run.input},
        {QStringLiteral("times"), QJsonArray{run.createdAt, run.startedAt, run.finishedAt,
                                             run.deadlineAt, run.clockStoppedAt}},
        {QStringLiteral("flags"),
         QJsonArray{run.held, run.compensating, run.cancelRequested, run.partial}},
        {QStringLiteral("failed"), QJsonArray{run.failedStep, run.reason, run.deadLetterId}},
        {QStringLiteral("chosen"), QJsonArray::fromStringList(run.chosenSteps)},
        {QStringLiteral("counts"), QJsonArray{run.confirmations, run.retryCount,
                                              run.compensationCount, run.duplicatesPrevented}},
        {QStringLiteral("outputs"), run.outputs},
        {QStringLiteral("steps"), steps}};
    return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

} // namespace holdfast::tests
