// One version of a workflow: its text, its contract step by step, and what is to be said against
// it.
#include "control/arguments.h"
#include "control/context.h"
#include "control/workflow_view.h"
#include "model/mask.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

Result<QJsonValue> workflow(Context &context)
{
    const auto name = requiredText(context.arguments(), "workflow");
    if (!name)
        return name.error();
    const auto version = integerOr(context.arguments(), "version", 0);
    if (!version)
        return version.error();
    const auto definition = context.definitions.workflow(context.store, *name, int(*version));
    if (!definition)
        return definition.error();
    const auto row = context.store.workflow(*name, (*definition)->workflow.version);
    if (!row)
        return row.error();
    const auto rows = context.store.workflows();
    if (!rows)
        return rows.error();
    QJsonArray versions;
    for (const ports::WorkflowRow &deployed : *rows) {
        if (deployed.name == *name)
            versions.append(deployed.version);
    }
    const auto known = context.definitions.dependencies(context.store);
    if (!known)
        return known.error();
    return QJsonValue(
        QJsonObject{{u"workflow"_s, *name},
                    {u"version"_s, (*row)->version},
                    {u"owner"_s, (*row)->owner},
                    {u"source"_s, model::maskedSource((*row)->source)},
                    {u"hash"_s, (*row)->hash},
                    {u"deployed_at"_s, instantJson((*row)->deployedAt)},
                    {u"deployed_by"_s, (*row)->deployedBy},
                    {u"versions"_s, versions},
                    {u"deadline_ms"_s, (*definition)->workflow.deadline},
                    {u"steps"_s, stepsJson(**definition)},
                    {u"findings"_s, findingsJson(contract::lint((*definition)->workflow, *known))},
                    {u"readiness"_s, readinessJson(**definition)}});
}

} // namespace holdfast::control
