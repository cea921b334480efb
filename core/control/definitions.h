// Deployed definitions for those who look and ask: parsed once, kept while this door lives. A
// workflow version never changes; dependencies are read anew each time, because a new revision
// counts at once.
#pragma once

#include "contract/parser.h"
#include "ports/store.h"

#include <memory>

namespace holdfast::control
{

struct Definition {
    contract::Workflow workflow;
    model::Policy policy; // with the dependencies now in force
};

class Definitions
{
public:
    // Version 0: the newest.
    model::Result<std::shared_ptr<const Definition>> workflow(ports::Store &store,
                                                              const QString &name, int version);
    model::Result<QMap<QString, contract::Dependency>> dependencies(ports::Store &store);

private:
    QMap<QPair<QString, int>, std::shared_ptr<const contract::Workflow>> m_workflows;
    QMap<QString, contract::Dependency> m_dependencies;
};

} // namespace holdfast::control
