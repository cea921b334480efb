#include "runtime/answers.h"

#include "engine/fold.h"
#include "model/trace.h"

#include <algorithm>

namespace holdfast::runtime
{

using contract::Scope;
using contract::Target;
using model::Direction;
using model::Phase;

namespace
{
constexpr qsizetype evidenceMax = 16 * 1024; // bytes of a response body kept in the journal

int indexOf(const DeployedWorkflow &deployed, const QString &step)
{
    for (qsizetype i = 0; i < deployed.policy.steps.size(); ++i) {
        if (deployed.policy.steps.at(i).step == step)
            return int(i);
    }
    return -1;
}

// What no expression of the workflow names need not be built; this runs several times for every
// step.
Scope scopeOf(const model::Run &run, const DeployedWorkflow &deployed)
{
    Scope scope;
    scope.input = run.input;
    if (deployed.namesRun || run.generation > 1) {
        scope.run = {{QStringLiteral("run_id"), run.runId},
                     {QStringLiteral("workflow"), run.workflow},
                     {QStringLiteral("version"), run.version},
                     {QStringLiteral("event_id"), run.eventId},
                     {QStringLiteral("generation"), run.generation}};
    }
    if (!deployed.namesSteps)
        return scope;
    for (const model::Step &step : run.steps) {
        QJsonObject object{{QStringLiteral("status"), model::phaseName(step.forward.phase)}};
        if (step.forward.phase == Phase::succeeded)
            object.insert(QStringLiteral("receipt"), step.forward.receipt);
        if (step.hasBefore)
            object.insert(QStringLiteral("before"), step.before);
        scope.steps.insert(step.step, object);
    }
    return scope;
}

Scope scopeFor(const model::Run &run, const DeployedWorkflow &deployed, const QString &name,
               Target target)
{
    Scope scope = scopeOf(run, deployed);
    const model::Step *step = run.find(name);
    if (!step)
        return scope;
    if (step->hasBefore)
        scope.before = step->before;
    if (target == Target::undo)
        scope.receipt = step->forward.receipt;
    if (!step->forward.key.isEmpty())
        scope.key = step->forward.key;
    return scope;
}

Target targetOf(const model::Run &run, const QString &name, Direction direction)
{
    if (direction == Direction::compensate)
        return Target::undo;
    const model::Step *step = run.find(name);
    const bool undoing = step && step->undo.phase != Phase::idle;
    return direction == Direction::verify && undoing ? Target::undo : Target::forward;
}

// In a verify and in a receipt, `key` is the key of the operation that is asked about.
void useOwnKey(Scope &scope, const model::Step &step, Target target)
{
    const QString &key = target == Target::undo ? step.undo.key : step.forward.key;
    if (!key.isEmpty())
        scope.key = key;
}

QJsonObject evidenceOf(const model::CallResult &result)
{
    QJsonObject evidence;
    if (!result.detail.isEmpty())
        evidence.insert(QStringLiteral("detail"), result.detail);
    if (!result.body.isEmpty()) {
        evidence.insert(QStringLiteral("response"),
                        QString::fromUtf8(result.body.left(evidenceMax)));
        if (result.body.size() > evidenceMax)
            evidence.insert(QStringLiteral("response_bytes"), result.body.size());
    }
    return evidence;
}

bool isAnswer(const model::CallResult &result, bool command)
{
    if (!result.sent || !result.error.isEmpty())
        return false;
    if (command)
        return result.status == 0;
    return result.status >= 200 && result.status < 300;
}

engine::AttemptEnded::Verdict verdictOf(contract::Verdict verdict)
{
    switch (verdict) {
    case contract::Verdict::happened: return engine::AttemptEnded::Verdict::happened;
    case contract::Verdict::absent: return engine::AttemptEnded::Verdict::absent;
    case contract::Verdict::unknown: return engine::AttemptEnded::Verdict::unknown;
    }
    Q_UNREACHABLE();
}

void note(engine::AttemptEnded &ended, const model::Error &error)
{
    ended.evidence.insert(QStringLiteral("unreadable"), error.message);
}
} // namespace

engine::Prepared Answers::prepare(const model::Run &run, const DeployedWorkflow &deployed,
                                  const engine::Prepare &question)
{
    engine::Prepared answer;
    answer.step = question.step;
    answer.direction = question.direction;
    const int index = indexOf(deployed, question.step);
    const bool undo = question.direction == Direction::compensate;
    const Target target = undo ? Target::undo : Target::forward;
    const Scope scope = scopeFor(run, deployed, question.step, target);
    const model::Result<bool> done =
        undo ? model::Result<bool>(false) : prepareForward(run, deployed, index, scope, answer);
    if (done && *done)
        return answer;
    const auto prepared = done ? m_evaluator.prepare(deployed.workflow, index, target, scope)
                               : model::Result<contract::PreparedOperation>(done.error());
    if (!prepared) {
        answer.outcome = engine::Prepared::Outcome::failed;
        answer.message = prepared.error().message;
        return answer;
    }
    answer.operation = prepared->operation;
    answer.key = prepared->key;
    answer.hash = prepared->hash;
    answer.request = prepared->request;
    return answer;
}

// True: the answer is complete, there is no request to make.
model::Result<bool> Answers::prepareForward(const model::Run &run, const DeployedWorkflow &deployed,
                                            int index, const Scope &scope, engine::Prepared &answer)
{
    using Outcome = engine::Prepared::Outcome;
    const model::StepPolicy &policy = deployed.policy.steps.at(index);
    const model::Step *step = run.find(policy.step);
    const bool hasBefore = step && step->hasBefore;
    if (policy.hasWhen && !hasBefore) {
        const auto when = m_evaluator.when(deployed.workflow, index, scope);
        if (!when)
            return when.error();
        if (!*when) {
            answer.outcome = Outcome::skipped;
            return true;
        }
    }
    if (policy.hasSnapshot && !hasBefore) {
        answer.outcome = Outcome::snapshot;
        return true;
    }
    switch (policy.forward.kind) {
    case model::StepKind::check: {
        const auto check = m_evaluator.check(deployed.workflow, index, scope);
        if (!check)
            return check.error();
        answer.outcome = *check ? Outcome::checkTrue : Outcome::checkFalse;
        return true;
    }
    case model::StepKind::wait:
        answer.outcome = Outcome::nothing;
        if (policy.wait.hasUntil) {
            const auto until = m_evaluator.waitUntil(deployed.workflow, index, scope);
            if (!until)
                return until.error();
            answer.outcome = Outcome::waitUntil;
            answer.until = *until;
        }
        return true;
    case model::StepKind::approval:
    case model::StepKind::llm: answer.outcome = Outcome::nothing; return true;
    case model::StepKind::http:
    case model::StepKind::command: return false;
    }
    Q_UNREACHABLE();
}

engine::Collected Answers::collect(const model::Run &run, const DeployedWorkflow &deployed)
{
    const auto outputs = m_evaluator.outputs(deployed.workflow, scopeOf(run, deployed));
    if (!outputs)
        return {{}, outputs.error().message};
    return {*outputs, {}};
}

engine::AttemptEnded Answers::ended(const model::Run &run, const DeployedWorkflow &deployed,
                                    const contract::Dependency *dependency,
                                    const model::CallResult &result)
{
    engine::AttemptEnded ended;
    ended.step = result.step;
    ended.direction = result.direction;
    ended.attempt = result.attempt;
    ended.sent = result.sent;
    ended.error = result.error;
    ended.status = result.status;
    ended.retryAfter = result.retryAfter;
    ended.evidence = evidenceOf(result);
    const int index = indexOf(deployed, result.step);
    const model::Step *step = run.find(result.step);
    if (!result.sent || index < 0 || !step)
        return ended;
    const Target target = targetOf(run, result.step, result.direction);
    Scope scope = scopeFor(run, deployed, result.step, target);
    useOwnKey(scope, *step, target);
    const auto response = contract::responseOf(result);
    if (!response) {
        note(ended, response.error());
        return ended;
    }
    scope.response = *response;
    const model::StepPolicy &policy = deployed.policy.steps.at(index);
    const model::OperationPolicy &operation =
        target == Target::undo && policy.undo ? *policy.undo : policy.forward;
    if (!operation.classify.isEmpty())
        ended.classifyWhen =
            m_evaluator.classifyWhen(deployed.workflow, dependency, index, target, scope);
    if (result.direction == Direction::verify)
        readVerdict(deployed, index, target, scope, result, ended);
    else
        readReceipt(deployed, index, target, scope, result, ended);
    return ended;
}

// Only an answer counts; an error page that happens to look empty proves nothing.
void Answers::readVerdict(const DeployedWorkflow &deployed, int index, Target target,
                          const Scope &scope, const model::CallResult &result,
                          engine::AttemptEnded &ended)
{
    const model::StepPolicy &policy = deployed.policy.steps.at(index);
    const bool command = policy.forward.kind == model::StepKind::command;
    const bool gone = result.error.isEmpty() && (result.status == 404 || result.status == 410);
    if (!isAnswer(result, command) && !gone)
        return;
    const auto verdict = m_evaluator.verdict(deployed.workflow, index, target, scope);
    if (!verdict) {
        note(ended, verdict.error());
        return;
    }
    ended.verdict = verdictOf(*verdict);
    ended.readable = true;
    if (*verdict != contract::Verdict::happened)
        return;
    const auto receipt = m_evaluator.verifyReceipt(deployed.workflow, index, target, scope);
    if (receipt) {
        ended.receipt = *receipt;
        return;
    }
    note(ended, receipt.error());
    ended.verdict = engine::AttemptEnded::Verdict::unknown;
}

void Answers::readReceipt(const DeployedWorkflow &deployed, int index, Target target,
                          const Scope &scope, const model::CallResult &result,
                          engine::AttemptEnded &ended)
{
    const model::StepPolicy &policy = deployed.policy.steps.at(index);
    const model::OperationPolicy &operation =
        target == Target::undo && policy.undo ? *policy.undo : policy.forward;
    const bool deleted = operation.isDelete && operation.protection == model::Protection::natural &&
                         (result.status == 404 || result.status == 410);
    if (deleted) {
        ended.receipt = {{QStringLiteral("status"), result.status}};
        return;
    }
    if (!isAnswer(result, operation.kind == model::StepKind::command))
        return;
    const auto receipt = result.direction == Direction::snapshot
                             ? m_evaluator.snapshotReceipt(deployed.workflow, index, scope)
                             : m_evaluator.receipt(deployed.workflow, index, target, scope);
    if (receipt) {
        ended.receipt = *receipt;
        ended.readable = true;
    } else {
        note(ended, receipt.error());
    }
}

model::Result<model::Call> Answers::call(const model::Run &run, const DeployedWorkflow &deployed,
                                         const engine::Send &send)
{
    const int index = indexOf(deployed, send.step);
    const model::Step &step = *run.find(send.step);
    const Target target = targetOf(run, send.step, send.direction);
    const model::StepPolicy &policy = deployed.policy.steps.at(index);
    const model::OperationPolicy &operation =
        target == Target::undo && policy.undo ? *policy.undo : policy.forward;
    model::Call call;
    call.runId = run.runId;
    call.step = send.step;
    call.direction = send.direction;
    call.attempt = send.attempt;
    call.dependency = operation.dependency;
    call.timeout = operation.timeout;
    call.effect = send.question.effect;
    call.traceparent = model::traceparentFor(
        model::traceOf(run.runId, run.traceparent),
        model::attemptSpanId(run.runId, send.step, send.direction, send.attempt));
    for (const model::Attempt &attempt : step.attempts) {
        if (attempt.number == send.attempt && attempt.direction == send.direction) {
            call.fence = attempt.fence;
            call.dependencyRevision = attempt.dependencyRevision;
        }
    }
    switch (send.direction) {
    case Direction::forward:
        call.request = step.forward.request;
        call.key = step.forward.key;
        return call;
    case Direction::compensate:
        call.request = step.undo.request;
        call.key = step.undo.key;
        return call;
    case Direction::verify:
    case Direction::snapshot: break;
    }
    Scope scope = scopeFor(run, deployed, send.step, target);
    useOwnKey(scope, step, target);
    const auto request = send.direction == Direction::verify
                             ? m_evaluator.verifyRequest(deployed.workflow, index, target, scope)
                             : m_evaluator.snapshotRequest(deployed.workflow, index, scope);
    if (!request)
        return request.error();
    call.request = *request;
    return call;
}

} // namespace holdfast::runtime
