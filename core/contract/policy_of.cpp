#include "contract/parser.h"

namespace holdfast::contract
{

namespace
{
constexpr model::Millis retentionAssumed = model::day;

// What the dependency decides where the file of the workflow says nothing.
void complete(model::OperationPolicy &policy, const OperationTemplate &operation,
              const QMap<QString, Dependency> &known)
{
    const auto found = known.constFind(policy.dependency);
    const Dependency *dependency = found == known.constEnd() ? nullptr : &*found;
    policy.protection = operation.protection.value_or(dependency ? dependency->protection
                                                                 : model::Protection::none);
    if (policy.protection == model::Protection::probe && !policy.hasVerify)
        policy.protection = model::Protection::none;
    if (dependency) {
        policy.owner = dependency->owner;
        policy.retention = dependency->retention;
        policy.classify += dependency->classify;
    }
    if (policy.protection == model::Protection::native && policy.retention == 0)
        policy.retention = retentionAssumed;
}
} // namespace

model::Policy policyOf(const Workflow &workflow, const QMap<QString, Dependency> &known)
{
    model::Policy policy;
    policy.workflow = workflow.name;
    policy.version = workflow.version;
    policy.deadline = workflow.deadline;
    policy.owner = workflow.owner;
    policy.steps.reserve(workflow.steps.size());
    for (const StepDefinition &definition : workflow.steps) {
        model::StepPolicy step = definition.policy;
        complete(step.forward, definition.forward, known);
        if (step.undo && definition.undo)
            complete(*step.undo, *definition.undo, known);
        policy.steps.append(step);
    }
    return policy;
}

model::DependencyPolicy policyOf(const Dependency &dependency)
{
    model::DependencyPolicy policy;
    policy.dependency = dependency.name;
    policy.revision = dependency.revision;
    policy.origin = dependency.url;
    policy.protection = dependency.protection;
    policy.breaker = dependency.breaker;
    policy.limit = dependency.limit;
    return policy;
}

} // namespace holdfast::contract
