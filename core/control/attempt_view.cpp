#include "control/attempt_view.h"

#include "control/arguments.h"
#include "control/attempt_text.h"
#include "model/mask.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::EntryKind;

namespace
{
bool isAboutUndo(const model::Step &step, Direction direction)
{
    return direction == Direction::compensate ||
           (direction == Direction::verify && step.undo.phase != model::Phase::idle);
}
} // namespace

const model::Entry *AttemptView::endOf(const QString &step, const model::Attempt &attempt) const
{
    for (const JournaledEntry &item : m_loaded.journal) {
        const model::Entry &entry = item.entry;
        const bool ends = entry.kind == EntryKind::attemptEnded ||
                          entry.kind == EntryKind::confirmed ||
                          entry.kind == EntryKind::snapshotKept;
        if (ends && entry.step == step && entry.attempt == attempt.number &&
            entry.direction == attempt.direction)
            return &entry;
    }
    return nullptr;
}

// The bytes of a step and of its compensation stand in the journal; a verify or a snapshot only
// reads and is rendered again, from the same values.
QJsonValue AttemptView::requestOf(const model::Step &step, const model::Attempt &attempt)
{
    if (attempt.direction == Direction::forward)
        return model::masked(step.forward.request.toJson());
    if (attempt.direction == Direction::compensate)
        return model::masked(step.undo.request.toJson());
    const int index = m_loaded.stepIndex(step.step);
    if (index < 0)
        return {};
    if (!m_evaluator)
        m_evaluator = std::make_unique<contract::Evaluator>();
    const contract::Workflow &workflow = m_loaded.definition->workflow;
    const bool undo = isAboutUndo(step, attempt.direction);
    contract::Scope scope = undoScope(m_loaded.run, step.step);
    if (undo && !step.undo.key.isEmpty())
        scope.key = step.undo.key;
    const auto target = undo ? contract::Target::undo : contract::Target::forward;
    const auto request = attempt.direction == Direction::verify
                             ? m_evaluator->verifyRequest(workflow, index, target, scope)
                             : m_evaluator->snapshotRequest(workflow, index, scope);
    return request ? QJsonValue(model::masked(request->toJson())) : QJsonValue();
}

QJsonObject AttemptView::json(const model::Step &step, const model::Attempt &attempt)
{
    const bool failed = attempt.failureClass != model::FailureClass::none;
    QJsonObject json{{u"number"_s, attempt.number},
                     {u"direction"_s, model::directionName(attempt.direction)},
                     {u"started_at"_s, instantJson(attempt.startedAt)},
                     {u"ended_at"_s, instantJson(attempt.endedAt)},
                     {u"class"_s, failed ? QJsonValue(model::failureClassName(attempt.failureClass))
                                         : QJsonValue()},
                     {u"reason"_s, textOrNull(attempt.reason)},
                     {u"status"_s, attempt.status > 0 ? QJsonValue(attempt.status) : QJsonValue()},
                     {u"request"_s, requestOf(step, attempt)},
                     {u"response"_s, QJsonValue()},
                     {u"error"_s, QJsonValue()},
                     {u"why"_s, u"It is under way; its outcome is open."_s}};
    const model::Entry *end = endOf(step.step, attempt);
    if (!end)
        return json;
    const model::StepPolicy *policy = m_loaded.stepPolicy(step.step);
    const bool undo = policy && policy->undo && isAboutUndo(step, attempt.direction);
    const model::OperationPolicy *operation = !policy ? nullptr
                                              : undo  ? &*policy->undo
                                                      : &policy->forward;
    json.insert(u"why"_s, whyText(*end, operation));
    const QString unreadable = end->detail.value("unreadable"_L1).toString();
    const QString detail = end->detail.value("detail"_L1).toString(unreadable);
    json.insert(u"error"_s, textOrNull(detail));
    const QJsonValue response = end->detail.value("response"_L1);
    if (response.isString())
        json.insert(u"response"_s, model::masked(response));
    return json;
}

} // namespace holdfast::control
