#include "contract/parser.h"

#include "contract/dependency_reader.h"
#include "contract/input_schema.h"
#include "contract/workflow_reader.h"
#include "model/json.h"

#include <QSet>

namespace holdfast::contract
{

namespace
{
constexpr qsizetype inputBytesMax = 1 << 20;

void readDefinition(Report &report, const YamlDocument &document, Parsed &parsed)
{
    const YamlNode &root = *document.root;
    const bool isWorkflow = root.member(QStringLiteral("workflow"));
    const bool isDependency = root.member(QStringLiteral("dependency"));
    if (isWorkflow && !isDependency)
        parsed.workflows.append(readWorkflow(report, document));
    else if (isDependency && !isWorkflow)
        parsed.dependencies.append(readDependency(report, document));
    else
        report.error(root.place, "document",
                     QStringLiteral("a document defines either a 'workflow' or a 'dependency'"));
}

template <typename Definitions>
void refuseTwice(Report &report, const Definitions &definitions)
{
    QSet<QString> names;
    for (const auto &each : definitions) {
        if (!each.name.isEmpty() && names.contains(each.name))
            report.error(each.place, "duplicate_name",
                         QStringLiteral("'%1' is defined twice in this file").arg(each.name));
        names.insert(each.name);
    }
}
} // namespace

Parsed parse(const QString &file, const QByteArray &text)
{
    Parsed parsed;
    Report report(file);
    const QVector<YamlDocument> documents = readYaml(text, report);
    for (const YamlDocument &document : documents)
        readDefinition(report, document, parsed);
    if (documents.isEmpty() && report.findings().isEmpty())
        report.error({1, 1}, "document", QStringLiteral("the file defines nothing"));
    refuseTwice(report, parsed.workflows);
    refuseTwice(report, parsed.dependencies);
    parsed.findings = report.findings();
    return parsed;
}

model::Result<void> validateInput(const Workflow &workflow, const QJsonObject &input)
{
    if (model::compactJson(input).size() > inputBytesMax)
        return model::invalid(
            QStringLiteral("the input is larger than %1 bytes").arg(inputBytesMax));
    if (workflow.inputSchema.isEmpty())
        return {};
    auto schema = InputSchema::cached(workflow.hash, workflow.inputSchema);
    if (!schema)
        return schema.error();
    if (const auto valid = (*schema)->validate(input); !valid)
        return model::invalid(QStringLiteral("the input does not fit the schema of '%1': %2")
                                  .arg(workflow.name, valid.error().message));
    return {};
}

} // namespace holdfast::contract
