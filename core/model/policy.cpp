#include "model/policy.h"

#include "model/names.h"

namespace holdfast::model
{

namespace
{
constexpr std::array<Name<Effect>, 3> effects{
    {{Effect::read, "read"}, {Effect::write, "write"}, {Effect::destructive, "destructive"}}};
constexpr std::array<Name<Protection>, 4> protections{{{Protection::native, "native"},
                                                       {Protection::natural, "natural"},
                                                       {Protection::probe, "probe"},
                                                       {Protection::none, "none"}}};
constexpr std::array<Name<StepKind>, 6> stepKinds{{{StepKind::http, "http"},
                                                   {StepKind::command, "command"},
                                                   {StepKind::llm, "llm"},
                                                   {StepKind::check, "check"},
                                                   {StepKind::approval, "approval"},
                                                   {StepKind::wait, "wait"}}};
constexpr std::array<Name<OnFailure>, 3> onFailures{{{OnFailure::compensate, "compensate"},
                                                     {OnFailure::continueRun, "continue"},
                                                     {OnFailure::review, "review"}}};
constexpr std::array<Name<FailureClass>, 4> failureClasses{
    {{FailureClass::none, "none"},
     {FailureClass::transient, "transient"},
     {FailureClass::permanent, "permanent"},
     {FailureClass::ambiguous, "ambiguous"}}};
constexpr std::array<Name<Direction>, 4> directions{{{Direction::forward, "forward"},
                                                     {Direction::verify, "verify"},
                                                     {Direction::compensate, "compensate"},
                                                     {Direction::snapshot, "snapshot"}}};
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

} // namespace holdfast::model
