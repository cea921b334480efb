#include "runtime/catalog.h"

namespace holdfast::runtime
{

namespace
{
model::Error damaged(const QString &what)
{
    return {model::ErrorKind::corrupt,
            QStringLiteral("%1 is stored but cannot be read by this version").arg(what)};
}

Result<contract::Dependency> parseDependency(const ports::DependencyRow &row)
{
    contract::Parsed parsed = contract::parse(row.name, row.source.toUtf8());
    if (parsed.dependencies.size() != 1)
        return damaged(QStringLiteral("dependency %1 revision %2").arg(row.name).arg(row.revision));
    contract::Dependency dependency = parsed.dependencies.first();
    dependency.revision = row.revision;
    return dependency;
}

QStringList callsOf(const model::Policy &policy)
{
    QStringList calls;
    for (const model::StepPolicy &step : policy.steps) {
        calls.append(step.forward.dependency);
        if (step.undo)
            calls.append(step.undo->dependency);
    }
    calls.removeAll(QString());
    calls.removeDuplicates();
    return calls;
}
} // namespace

Result<std::shared_ptr<const DeployedDependency>> Catalog::load(ports::Store &store,
                                                                const ports::DependencyRow &row)
{
    Result<contract::Dependency> newest = parseDependency(row);
    if (!newest)
        return newest.error();
    auto deployed = std::make_shared<DeployedDependency>();
    deployed->dependency = *newest;
    deployed->policy = contract::policyOf(*newest);
    deployed->policy.revision = row.revision;
    deployed->compatibleSince = row.revision;
    for (int revision = row.revision - 1; revision >= 1; --revision) {
        const auto older = store.dependency(row.name, revision);
        if (!older)
            return older.error();
        if (!*older)
            break;
        const Result<contract::Dependency> parsed = parseDependency(**older);
        if (!parsed || parsed->url != newest->url || parsed->protection != newest->protection)
            break;
        deployed->compatibleSince = revision;
    }
    return std::shared_ptr<const DeployedDependency>(deployed);
}

Result<void> Catalog::refresh(ports::Store &store)
{
    const auto rows = store.dependencies();
    if (!rows)
        return rows.error();
    for (const ports::DependencyRow &row : *rows) {
        const auto known = dependency(row.name);
        if (known && known->policy.revision == row.revision)
            continue;
        const auto loaded = load(store, row);
        if (!loaded)
            return loaded.error();
        const std::lock_guard lock(m_mutex);
        m_dependencies.insert(row.name, *loaded);
        // Policies hold what dependencies decide, so they are made anew.
        m_workflows.clear();
    }
    return {};
}

Result<std::shared_ptr<const DeployedWorkflow>> Catalog::workflow(ports::Store &store,
                                                                  const QString &name, int version)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_workflows.constFind({name, version});
        if (found != m_workflows.constEnd())
            return *found;
    }
    const auto row = store.workflow(name, version);
    if (!row)
        return row.error();
    if (!*row)
        return model::notFound(
            QStringLiteral("workflow %1 version %2 is not deployed").arg(name).arg(version));
    contract::Parsed parsed = contract::parse(name, (*row)->source.toUtf8());
    if (parsed.workflows.size() != 1)
        return damaged(QStringLiteral("workflow %1 version %2").arg(name).arg(version));
    if (const auto refreshed = refresh(store); !refreshed)
        return refreshed.error();
    QMap<QString, contract::Dependency> known;
    for (const auto &deployed : dependencies())
        known.insert(deployed->dependency.name, deployed->dependency);
    auto deployed = std::make_shared<DeployedWorkflow>();
    deployed->workflow = parsed.workflows.first();
    deployed->policy = contract::policyOf(deployed->workflow, known);
    deployed->calls = callsOf(deployed->policy);
    deployed->namesRun = deployed->workflow.source.contains(QLatin1String("run"));
    deployed->namesSteps = deployed->workflow.source.contains(QLatin1String("steps."));
    deployed->policy.hasOutputs = !deployed->workflow.outputs.isEmpty();
    const std::lock_guard lock(m_mutex);
    m_workflows.insert({name, (*row)->version}, deployed);
    return std::shared_ptr<const DeployedWorkflow>(deployed);
}

std::shared_ptr<const DeployedDependency> Catalog::dependency(const QString &name) const
{
    const std::lock_guard lock(m_mutex);
    return m_dependencies.value(name);
}

QVector<std::shared_ptr<const DeployedDependency>> Catalog::dependencies() const
{
    const std::lock_guard lock(m_mutex);
    return m_dependencies.values();
}

std::shared_ptr<const contract::Dependency> Catalog::definition(const QString &name,
                                                                int revision) const
{
    Q_UNUSED(revision);
    const auto deployed = dependency(name);
    if (!deployed)
        return nullptr;
    return {deployed, &deployed->dependency};
}

} // namespace holdfast::runtime
