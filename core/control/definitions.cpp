#include "control/definitions.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
model::Error damaged(const QString &what)
{
    return {model::ErrorKind::corrupt,
            u"%1 is stored but cannot be read by this version"_s.arg(what)};
}
} // namespace

Result<QMap<QString, contract::Dependency>> Definitions::dependencies(ports::Store &store)
{
    const auto rows = store.dependencies();
    if (!rows)
        return rows.error();
    for (const ports::DependencyRow &row : *rows) {
        const auto known = m_dependencies.constFind(row.name);
        if (known != m_dependencies.constEnd() && known->revision == row.revision)
            continue;
        contract::Parsed parsed = contract::parse(row.name, row.source.toUtf8());
        if (parsed.dependencies.size() != 1)
            return damaged(u"dependency %1 revision %2"_s.arg(row.name).arg(row.revision));
        parsed.dependencies.first().revision = row.revision;
        m_dependencies.insert(row.name, parsed.dependencies.first());
    }
    return m_dependencies;
}

Result<std::shared_ptr<const Definition>> Definitions::workflow(ports::Store &store,
                                                                const QString &name, int version)
{
    std::shared_ptr<const contract::Workflow> workflow = m_workflows.value({name, version});
    if (version == 0 || !workflow) {
        const auto row = store.workflow(name, version);
        if (!row)
            return row.error();
        if (!*row) {
            return model::notFound(
                version == 0 ? u"no workflow named %1 is deployed"_s.arg(name)
                             : u"workflow %1 version %2 is not deployed"_s.arg(name).arg(version));
        }
        workflow = m_workflows.value({name, (*row)->version});
        if (!workflow) {
            const contract::Parsed parsed = contract::parse(name, (*row)->source.toUtf8());
            if (parsed.workflows.size() != 1)
                return damaged(u"workflow %1 version %2"_s.arg(name).arg((*row)->version));
            workflow = std::make_shared<contract::Workflow>(parsed.workflows.first());
            m_workflows.insert({name, (*row)->version}, workflow);
        }
    }
    const auto known = dependencies(store);
    if (!known)
        return known.error();
    auto definition = std::make_shared<Definition>();
    definition->workflow = *workflow;
    definition->policy = contract::policyOf(*workflow, *known);
    definition->policy.hasOutputs = !workflow->outputs.isEmpty();
    return std::shared_ptr<const Definition>(definition);
}

} // namespace holdfast::control
