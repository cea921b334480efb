// Definition files: checked as a whole, stored as a whole, never changed.
#include "control/arguments.h"
#include "control/record.h"
#include "control/workflow_view.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype filesMax = 1000;

// Everything the given files hold, and what was found in them.
struct Checked {
    QVector<contract::Workflow> workflows;
    QVector<contract::Dependency> dependencies;
    contract::Findings findings;
};

template <typename T>
void findDoubles(const QVector<T> &definitions, const std::function<QString(const T &)> &identity,
                 contract::Findings &findings)
{
    QMap<QString, const T *> seen;
    for (const T &definition : definitions) {
        const QString name = identity(definition);
        if (const T *first = seen.value(name)) {
            findings.append({contract::Finding::Severity::error, u"defined_twice"_s,
                             u"%1 is defined in %2 as well"_s.arg(name, first->file),
                             definition.file, definition.place.line, definition.place.column});
            continue;
        }
        seen.insert(name, &definition);
    }
}

Result<Checked> checkAll(Context &context)
{
    const QJsonArray files = context.arguments().value("files"_L1).toArray();
    if (files.isEmpty())
        return model::invalid(u"no files were given"_s);
    if (files.size() > filesMax)
        return model::invalid(u"more than %1 files at once"_s.arg(filesMax));
    Checked checked;
    for (const QJsonValue &file : files) {
        const contract::Parsed parsed =
            contract::parse(file["file"_L1].toString(), file["text"_L1].toString().toUtf8());
        checked.workflows += parsed.workflows;
        checked.dependencies += parsed.dependencies;
        checked.findings += parsed.findings;
    }
    auto known = context.definitions.dependencies(context.store);
    if (!known)
        return known.error();
    for (const contract::Dependency &dependency : std::as_const(checked.dependencies))
        known->insert(dependency.name, dependency);
    for (const contract::Workflow &workflow : std::as_const(checked.workflows))
        checked.findings += contract::lint(workflow, *known);
    findDoubles<contract::Workflow>(
        checked.workflows,
        [](const contract::Workflow &workflow) {
            return u"workflow %1 version %2"_s.arg(workflow.name).arg(workflow.version);
        },
        checked.findings);
    findDoubles<contract::Dependency>(
        checked.dependencies,
        [](const contract::Dependency &dependency) {
            return u"dependency %1"_s.arg(dependency.name);
        },
        checked.findings);
    return checked;
}

QJsonObject namesJson(const Checked &checked)
{
    QJsonArray workflowNames;
    for (const contract::Workflow &workflow : checked.workflows)
        workflowNames.append(QJsonObject{{u"workflow"_s, workflow.name},
                                         {u"version"_s, workflow.version},
                                         {u"hash"_s, workflow.hash}});
    QJsonArray dependencyNames;
    for (const contract::Dependency &dependency : checked.dependencies)
        dependencyNames.append(QJsonObject{{u"dependency"_s, dependency.name}});
    return {{u"workflows"_s, workflowNames},
            {u"dependencies"_s, dependencyNames},
            {u"findings"_s, findingsJson(checked.findings)}};
}

QString countText(const contract::Findings &findings)
{
    const auto errors =
        std::count_if(findings.cbegin(), findings.cend(), [](const contract::Finding &finding) {
            return finding.severity == contract::Finding::Severity::error;
        });
    return errors == 1 ? u"1 error"_s : u"%1 errors"_s.arg(errors);
}

Result<void> storeDependencies(Context &context, const Checked &checked, model::Instant now,
                               QJsonArray &stored)
{
    for (const contract::Dependency &dependency : checked.dependencies) {
        ports::DependencyRow row;
        row.name = dependency.name;
        row.owner = dependency.owner;
        row.source = dependency.source;
        row.hash = dependency.hash;
        row.deployedAt = now;
        row.deployedBy = context.request.actor;
        const auto deployed = context.store.deployDependency(row);
        if (!deployed)
            return deployed.error();
        stored.append(QJsonObject{{u"dependency"_s, dependency.name},
                                  {u"revision"_s, deployed->revision},
                                  {u"changed"_s, deployed->deployedAt == now}});
    }
    return {};
}

Result<void> storeWorkflows(Context &context, const Checked &checked, model::Instant now,
                            QJsonArray &stored)
{
    for (const contract::Workflow &workflow : checked.workflows) {
        const auto standing = context.store.workflow(workflow.name, workflow.version);
        if (!standing)
            return standing.error();
        ports::WorkflowRow row;
        row.name = workflow.name;
        row.version = workflow.version;
        row.owner = workflow.owner;
        row.source = workflow.source;
        row.hash = workflow.hash;
        row.deployedAt = now;
        row.deployedBy = context.request.actor;
        const auto same = context.store.deployWorkflow(row);
        if (!same)
            return same.error();
        if (!*same) {
            return model::Error{
                model::ErrorKind::conflict,
                u"workflow %1 version %2 is deployed with other content, and a "
                "deployed version never changes; give it a new version"_s.arg(workflow.name)
                    .arg(workflow.version)};
        }
        stored.append(QJsonObject{{u"workflow"_s, workflow.name},
                                  {u"version"_s, workflow.version},
                                  {u"hash"_s, workflow.hash},
                                  {u"changed"_s, !*standing}});
    }
    return {};
}
} // namespace

Result<QJsonValue> check(Context &context)
{
    const auto checked = checkAll(context);
    if (!checked)
        return checked.error();
    QJsonObject answer = namesJson(*checked);
    if (contract::hasErrors(checked->findings))
        answer.insert(u"refused"_s, u"%1 found"_s.arg(countText(checked->findings)));
    return QJsonValue(answer);
}

Result<QJsonValue> deploy(Context &context)
{
    const auto checked = checkAll(context);
    if (!checked)
        return checked.error();
    if (contract::hasErrors(checked->findings)) {
        return QJsonValue(QJsonObject{
            {u"refused"_s, u"nothing was deployed: %1 found"_s.arg(countText(checked->findings))},
            {u"findings"_s, findingsJson(checked->findings)}});
    }
    if (checked->workflows.isEmpty() && checked->dependencies.isEmpty())
        return model::invalid(u"the files hold no workflow and no dependency"_s);
    const auto now = context.store.now();
    if (!now)
        return now.error();
    QJsonArray dependencyList, workflowList;
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        if (const auto done = storeDependencies(context, *checked, *now, dependencyList); !done)
            return done;
        if (const auto done = storeWorkflows(context, *checked, *now, workflowList); !done)
            return done;
        return context.store.appendAudit(
            auditRow(context, u"system"_s, u"definitions"_s,
                     {{u"workflows"_s, workflowList}, {u"dependencies"_s, dependencyList}}, *now));
    });
    if (!written)
        return written.error();
    return QJsonValue(QJsonObject{{u"workflows"_s, workflowList},
                                  {u"dependencies"_s, dependencyList},
                                  {u"findings"_s, findingsJson(checked->findings)}});
}

Result<QJsonValue> workflows(Context &context)
{
    const auto rows = context.store.workflows();
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::WorkflowRow &row : *rows) {
        QJsonObject json{{u"workflow"_s, row.name},
                         {u"version"_s, row.version},
                         {u"owner"_s, row.owner},
                         {u"hash"_s, row.hash},
                         {u"deployed_at"_s, instantJson(row.deployedAt)},
                         {u"deployed_by"_s, row.deployedBy}};
        if (context.arguments().value("source"_L1).toBool())
            json.insert(u"source"_s, row.source);
        list.append(json);
    }
    return QJsonValue(QJsonObject{{u"workflows"_s, list}});
}

} // namespace holdfast::control
