// A person's acts on a whole run.
#include "control/arguments.h"
#include "control/record.h"
#include "engine/decide.h"
#include "model/mask.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
Result<Decision> decisionOnRun(Context &context, bool needsReason)
{
    const auto runId = requiredText(context.arguments(), "run");
    if (!runId)
        return runId.error();
    const auto reason = reasonOf(context.arguments(), needsReason);
    if (!reason)
        return reason.error();
    const auto version = integerOr(context.arguments(), "version", -1);
    if (!version)
        return version.error();
    Decision decision;
    decision.runId = *runId;
    decision.arguments = {{u"reason"_s, *reason}};
    if (*version >= 0)
        decision.versionSeen = *version;
    return decision;
}

// The exact request a step's compensation would send, where everything it needs is known.
void addRequest(QJsonObject &planned, const LoadedRun &loaded, const QString &step,
                contract::Evaluator &evaluator)
{
    const auto prepared = evaluator.prepare(loaded.definition->workflow, loaded.stepIndex(step),
                                            contract::Target::undo, undoScope(loaded.run, step));
    if (!prepared) {
        planned.insert(u"problem"_s, prepared.error().message);
        return;
    }
    planned.insert(u"operation"_s, prepared->operation);
    planned.insert(u"key"_s, prepared->key);
    planned.insert(u"request"_s, model::masked(prepared->request.toJson()));
}

Result<QJsonValue> preview(Context &context, const QString &runId, const QStringList &steps)
{
    const auto loaded = loadRun(context, runId);
    if (!loaded)
        return loaded.error();
    for (const QString &step : steps) {
        if (loaded->stepIndex(step) < 0)
            return model::invalid(u"the workflow has no step named %1"_s.arg(step));
    }
    contract::Evaluator evaluator;
    QJsonArray plan;
    const auto planned = engine::planCompensation(loaded->run, loaded->definition->policy, steps);
    for (const engine::PlannedStep &step : planned) {
        QJsonObject json{{u"step"_s, step.step},
                         {u"verdict"_s, engine::plannedVerdictName(step.verdict)},
                         {u"why"_s, step.why},
                         {u"request"_s, QJsonValue()}};
        if (step.verdict == engine::PlannedStep::Verdict::willCompensate)
            addRequest(json, *loaded, step.step, evaluator);
        plan.append(json);
    }
    return QJsonValue(QJsonObject{{u"run_id"_s, runId},
                                  {u"version"_s, loaded->run.seq},
                                  {u"status"_s, model::runStatusName(loaded->run.status)},
                                  {u"plan"_s, plan}});
}
} // namespace

Result<QJsonValue> cancel(Context &context)
{
    const auto decision = decisionOnRun(context, false);
    return decision ? record(context, *decision) : Result<QJsonValue>(decision.error());
}

Result<QJsonValue> retry(Context &context)
{
    const auto decision = decisionOnRun(context, false);
    return decision ? record(context, *decision) : Result<QJsonValue>(decision.error());
}

Result<QJsonValue> compensate(Context &context)
{
    const bool onlyLooks = context.arguments().value("preview"_L1).toBool();
    auto decision = decisionOnRun(context, !onlyLooks);
    if (!decision)
        return decision.error();
    const auto steps = listOf(context.arguments(), "steps");
    if (!steps)
        return steps.error();
    if (onlyLooks)
        return preview(context, decision->runId, *steps);
    if (!steps->isEmpty())
        decision->arguments.insert(u"steps"_s, QJsonArray::fromStringList(*steps));
    return record(context, *decision);
}

Result<QJsonValue> signal(Context &context)
{
    auto decision = decisionOnRun(context, false);
    if (!decision)
        return decision.error();
    const auto event = requiredText(context.arguments(), "event");
    if (!event)
        return event.error();
    const QJsonValue data = context.arguments().value("data"_L1);
    if (!data.isUndefined() && !data.isObject())
        return model::invalid(u"the data of an event is a JSON object"_s);
    decision->arguments.insert(u"event"_s, *event);
    decision->arguments.insert(u"data"_s, data.toObject());
    return record(context, *decision);
}

Result<QJsonValue> note(Context &context)
{
    auto decision = decisionOnRun(context, false);
    if (!decision)
        return decision.error();
    const auto text = requiredText(context.arguments(), "text");
    if (!text)
        return text.error();
    if (text->size() > reasonMax)
        return model::invalid(u"the note is longer than %1 characters"_s.arg(reasonMax));
    decision->arguments.insert(u"text"_s, *text);
    return record(context, *decision);
}

Result<QJsonValue> command(Context &context)
{
    const auto id = requiredText(context.arguments(), "command");
    if (!id)
        return id.error();
    const auto row = context.store.command(*id);
    if (!row)
        return row.error();
    if (!*row)
        return model::notFound(u"there is no command %1"_s.arg(*id));
    return QJsonValue(commandJson(**row));
}

} // namespace holdfast::control
