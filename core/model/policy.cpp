#include "model/policy.h"

#include "model/names.h"

#include <algorithm>

namespace holdfast::model
{

namespace
{
constexpr std::array<Name<Effect>, 3> effects{
    {{Effect::read, u"read"}, {Effect::write, u"write"}, {Effect::destructive, u"destructive"}}};
constexpr std::array<Name<Protection>, 4> protections{{{Protection::native, u"native"},
                                                       {Protection::natural, u"natural"},
                                                       {Protection::probe, u"probe"},
                                                       {Protection::none, u"none"}}};
constexpr std::array<Name<StepKind>, 6> stepKinds{{{StepKind::http, u"http"},
                                                   {StepKind::command, u"command"},
                                                   {StepKind::llm, u"llm"},
                                                   {StepKind::check, u"check"},
                                                   {StepKind::approval, u"approval"},
                                                   {StepKind::wait, u"wait"}}};
constexpr std::array<Name<OnFailure>, 3> onFailures{{{OnFailure::compensate, u"compensate"},
                                                     {OnFailure::continueRun, u"continue"},
                                                     {OnFailure::review, u"review"}}};
constexpr std::array<Name<FailureClass>, 4> failureClasses{
    {{FailureClass::none, u"none"},
     {FailureClass::transient, u"transient"},
     {FailureClass::permanent, u"permanent"},
     {FailureClass::ambiguous, u"ambiguous"}}};
constexpr std::array<Name<Direction>, 4> directions{{{Direction::forward, u"forward"},
                                                     {Direction::verify, u"verify"},
                                                     {Direction::compensate, u"compensate"},
                                                     {Direction::snapshot, u"snapshot"}}};
} // namespace

QString effectName(Effect effect) { return nameOf(effects, effect); }
QString protectionName(Protection protection) { return nameOf(protections, protection); }
QString stepKindName(StepKind kind) { return nameOf(stepKinds, kind); }
QString onFailureName(OnFailure onFailure) { return nameOf(onFailures, onFailure); }
QString failureClassName(FailureClass failureClass) { return nameOf(failureClasses, failureClass); }
QString directionName(Direction direction) { return nameOf(directions, direction); }

std::optional<Effect> effectFromName(const QString &name) { return valueOf(effects, name); }
std::optional<Protection> protectionFromName(const QString &name)
{
    return valueOf(protections, name);
}
std::optional<OnFailure> onFailureFromName(const QString &name)
{
    return valueOf(onFailures, name);
}
std::optional<FailureClass> failureClassFromName(const QString &name)
{
    return valueOf(failureClasses, name);
}
std::optional<Direction> directionFromName(const QString &name)
{
    return valueOf(directions, name);
}

const StepPolicy *stepPolicy(const Policy &policy, const QString &step)
{
    const auto found = std::find_if(policy.steps.cbegin(), policy.steps.cend(),
                                    [&](const StepPolicy &known) { return known.step == step; });
    return found == policy.steps.cend() ? nullptr : &*found;
}

const OperationPolicy *operationPolicy(const Policy &policy, const QString &step, Direction target)
{
    const StepPolicy *found = stepPolicy(policy, step);
    if (!found)
        return nullptr;
    if (target != Direction::compensate)
        return &found->forward;
    return found->undo ? &*found->undo : nullptr;
}

} // namespace holdfast::model
