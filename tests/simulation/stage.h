// What outlives a seed: the definitions, parsed and deployed once through the real door, the
// database object whose tables every seed finds empty, and the doors people come through. Building
// these anew would cost more than a seed does.
#pragma once

#include "control/local_door.h"
#include "runtime/answers.h"
#include "runtime/catalog.h"
#include "simulation/faulty_store.h"

#include <array>

namespace holdfast::simulation
{

class Stage
{
public:
    Stage();

    // Empty but for the definitions.
    void reset(Scene *scene);

    Agenda agenda;
    const std::shared_ptr<store::MemoryDatabase> database;
    runtime::Catalog catalog;
    const std::shared_ptr<runtime::Answers> answers = std::make_shared<runtime::Answers>();
    // Each with a connection of its own, so that one person can be quicker than another.
    struct Desk {
        Desk(const QString &who, Stage &stage);

        FaultyStore store;
        control::LocalDoor door;
    };
    std::array<std::unique_ptr<Desk>, 2> desks;

    const model::Policy &policy(const QString &workflow) const;
    const model::StepPolicy *step(const QString &workflow, const QString &step) const;
    // Of the operation that `direction` concerns; a verify concerns the step's own.
    const model::OperationPolicy *operation(const QString &workflow, const QString &step,
                                            model::Direction direction) const;
    const model::DependencyPolicy &dependency(const QString &name) const;
    // Of an ordinary day; a twin is started only where there are to be some.
    QStringList workflows() const;

private:
    QMap<QString, std::shared_ptr<const runtime::DeployedWorkflow>> m_workflows;
    QMap<QString, model::DependencyPolicy> m_dependencies;
};

} // namespace holdfast::simulation
