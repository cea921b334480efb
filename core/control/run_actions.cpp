#include "control/run_actions.h"

#include "control/access.h"
#include "control/rerun.h"
#include "engine/command.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
QJsonObject action(bool allowed, const QString &why)
{
    return {{u"allowed"_s, allowed}, {u"why"_s, why}};
}

QJsonObject asked(const DryRun &dry, const std::optional<engine::Event> &event)
{
    const engine::Outcome outcome = dry.decide(*event);
    if (outcome.kind == engine::Outcome::Kind::rejected)
        return action(false, outcome.reason);
    return action(true, dry.thenText(outcome));
}

QJsonObject rerunAction(const LoadedRun &loaded)
{
    const auto safe = rerunIsSafe(loaded, false);
    if (safe)
        return action(true, u"Starts a new run for the same event, under new keys."_s);
    QJsonObject json = action(false, safe.error().message);
    json.insert(u"may_confirm"_s, rerunIsSafe(loaded, true).ok());
    return json;
}

// The open question that the target itself could answer.
QString reviewToVerify(const model::Run &run)
{
    for (const model::Step &step : run.steps) {
        for (const model::Operation *operation : {&step.forward, &step.undo}) {
            if (operation->reviewKind == model::ReviewKind::ambiguous)
                return operation->reviewId;
        }
    }
    return {};
}
} // namespace

QJsonObject actionsJson(const Context &context, const LoadedRun &loaded, const DryRun &dry)
{
    const QString &actor = context.request.actor;
    QJsonObject json;
    for (const QString &name : {u"cancel"_s, u"retry"_s, u"compensate"_s})
        json.insert(name, asked(dry, engine::commandEvent({name, actor, {}})));
    json.insert(u"rerun"_s, rerunAction(loaded));
    for (const QString &name : json.keys()) {
        const QString problem = accessProblem(context.store.rights(), name);
        if (!problem.isEmpty())
            json.insert(name, action(false, problem));
    }
    const QString review = reviewToVerify(loaded.run);
    const QString problem = accessProblem(context.store.rights(), u"resolve"_s);
    if (!review.isEmpty() && !problem.isEmpty()) {
        json.insert(u"verify"_s, action(false, problem));
        return json;
    }
    if (review.isEmpty()) {
        json.insert(u"verify"_s, action(false, u"nothing in this run waits to be verified"_s));
        return json;
    }
    QJsonObject verify = asked(
        dry, engine::commandEvent(
                 {u"resolve"_s, actor, {{u"review"_s, review}, {u"verdict"_s, u"verify"_s}}}));
    verify.insert(u"review"_s, review);
    json.insert(u"verify"_s, verify);
    return json;
}

} // namespace holdfast::control
