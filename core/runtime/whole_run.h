// Everything the database knows of one run that has ended, and the definitions it was executed by.
#pragma once

#include "ports/store.h"

#include <map>

namespace holdfast::runtime
{

using model::Result;

// Each once, by name and version.
class Definitions
{
public:
    Result<void> add(ports::Store &store, const ports::WholeRun &run);
    // With the newest of every dependency, which is how a list of them is read.
    Result<ports::ArchiveDefinitions> rows(ports::Store &store);

private:
    using Named = std::pair<QString, int>;
    Result<void> addDependency(ports::Store &store, const Named &named);

    std::map<Named, ports::WorkflowRow> m_workflows;
    std::map<Named, ports::DependencyRow> m_dependencies;
};

// Nothing: it moved while it was read, or a key of it is still processing.
Result<std::optional<ports::WholeRun>> wholeRun(ports::Store &store, const QString &runId);

} // namespace holdfast::runtime
