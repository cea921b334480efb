#include "contract/workflow_reader.h"

#include "contract/fields.h"
#include "contract/input_schema.h"
#include "contract/schema_keywords.h"
#include "contract/step_reader.h"
#include "model/json.h"

#include <climits>

namespace holdfast::contract
{

namespace
{
void readInput(Report &report, ExpressionCheck &expressions, const YamlNode &node,
               Workflow &workflow)
{
    if (node.kind != YamlNode::Kind::map) {
        report.error(node.place, "not_a_map", QStringLiteral("input must be a JSON Schema"));
        return;
    }
    const int before = int(report.findings().size());
    checkSchema(report, node);
    workflow.inputSchema = node.toJson().toObject();
    if (report.hasErrorsSince(before))
        return;
    if (const auto compiled = InputSchema::compile(workflow.inputSchema); !compiled)
        report.error(node.place, "schema", compiled.error().message);
    const QJsonObject properties =
        workflow.inputSchema.value(QLatin1String("properties")).toObject();
    const bool isClosed =
        workflow.inputSchema.value(QLatin1String("additionalProperties")) == QJsonValue(false) &&
        !workflow.inputSchema.contains(QLatin1String("patternProperties"));
    if (isClosed) {
        const QStringList names = properties.keys();
        expressions.closeInput(QSet<QString>(names.cbegin(), names.cend()));
    }
}

void readSteps(const ReadContext &context, const YamlNode &node, Workflow &workflow)
{
    if (node.kind != YamlNode::Kind::list || node.items.isEmpty()) {
        context.report.error(node.place, "steps", QStringLiteral("steps must be a list of steps"));
        return;
    }
    if (node.items.size() > stepsMax) {
        context.report.error(node.place, "too_many_steps",
                             QStringLiteral("%1 steps; at most %2 are allowed")
                                 .arg(node.items.size())
                                 .arg(stepsMax));
        return;
    }
    QSet<QString> names;
    for (const auto &item : node.items) {
        const StepDefinition step = readStep(context, *item);
        if (!step.step.isEmpty() && names.contains(step.step))
            context.report.error(step.place, "duplicate_step",
                                 QStringLiteral("two steps are called '%1'").arg(step.step));
        names.insert(step.step);
        context.expressions.allowStep(step.step);
        workflow.steps.append(step);
    }
}

void readOutputs(const ReadContext &context, const YamlNode &node, Workflow &workflow)
{
    const Names names = Names(Name::input) | Name::steps | Name::run;
    if (node.kind != YamlNode::Kind::map)
        context.report.error(node.place, "not_a_map", QStringLiteral("outputs must be a map"));
    for (const auto &member : node.members)
        workflow.outputs.append({member.name, readValueTemplate(context, *member.value, names)});
}

void readHead(Report &report, Fields &fields, Workflow &workflow)
{
    fields.require("holdfast");
    fields.integer("holdfast", 1, 1);
    workflow.name = fields.text("workflow");
    if (!isName(workflow.name))
        report.error(
            fields.find("workflow")->place, "name",
            QStringLiteral("a workflow's name is a-z, then a-z, 0-9, _ and -, at most 63"));
    fields.require("version");
    workflow.version = fields.integer("version", 1, INT_MAX).value_or(0);
    fields.require("owner");
    workflow.owner = fields.text("owner");
    workflow.deadline = fields.duration("deadline").value_or(0);
}
} // namespace

Workflow readWorkflow(Report &report, const YamlDocument &document)
{
    const YamlNode &root = *document.root;
    Workflow workflow;
    workflow.file = report.file();
    workflow.source = document.source;
    workflow.place = root.place;
    workflow.hash = model::sha256Hex(model::canonicalJson(root.toJson()));
    ExpressionCheck expressions(report);
    const ReadContext context{report, expressions};
    Fields fields(report, root, QStringLiteral("a workflow"));
    readHead(report, fields, workflow);
    if (const YamlNode *input = fields.find("input"))
        readInput(report, expressions, *input, workflow);
    if (const YamlNode *eventId = fields.find("event_id"))
        workflow.eventId = readTextTemplate(context, *eventId, Name::input);
    if (const YamlNode *steps = fields.require("steps"))
        readSteps(context, *steps, workflow);
    if (const YamlNode *outputs = fields.find("outputs"))
        readOutputs(context, *outputs, workflow);
    fields.refuseUnknown();
    return workflow;
}

} // namespace holdfast::contract
