// Deployed definitions, parsed once and shared. A workflow version never changes; a dependency has
// revisions, and the newest is in force. Lookups are safe from any thread; loading happens on the
// runtime's.
#pragma once

#include "contract/parser.h"
#include "ports/store.h"

#include <memory>
#include <mutex>

namespace holdfast::runtime
{

using model::Result;

struct DeployedWorkflow {
    contract::Workflow workflow;
    model::Policy policy;  // with the dependencies now in force
    QStringList calls;     // the dependencies it names
    bool namesRun = false; // some expression may look at `run`
    bool namesSteps = false;
};

struct DeployedDependency {
    contract::Dependency dependency;
    model::DependencyPolicy policy;
    int compatibleSince = 0; // origin and protection are the same since this revision
};

class Catalog
{
public:
    // Reads the newest dependency revisions; cheap when nothing changed.
    Result<void> refresh(ports::Store &store);
    Result<std::shared_ptr<const DeployedWorkflow>> workflow(ports::Store &store,
                                                             const QString &name, int version);
    std::shared_ptr<const DeployedDependency> dependency(const QString &name) const;
    QVector<std::shared_ptr<const DeployedDependency>> dependencies() const;
    // For senders: the dependency as it is now; revisions before it are not called any more.
    std::shared_ptr<const contract::Dependency> definition(const QString &name, int revision) const;

private:
    Result<std::shared_ptr<const DeployedDependency>> load(ports::Store &store,
                                                           const ports::DependencyRow &row);

    mutable std::mutex m_mutex;
    QMap<QString, std::shared_ptr<const DeployedDependency>> m_dependencies;
    QMap<QPair<QString, int>, std::shared_ptr<const DeployedWorkflow>> m_workflows;
};

} // namespace holdfast::runtime
