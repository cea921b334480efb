// Answers the engine's questions: evaluates expressions for a run and reads what a call brought
// back. All the runtime does with definitions is here; it decides nothing.
#pragma once

#include "contract/evaluator.h"
#include "engine/decide.h"
#include "runtime/catalog.h"

namespace holdfast::runtime
{

class Answers
{
public:
    engine::Prepared prepare(const model::Run &run, const DeployedWorkflow &deployed,
                             const engine::Prepare &question);
    engine::Collected collect(const model::Run &run, const DeployedWorkflow &deployed);
    engine::AttemptEnded ended(const model::Run &run, const DeployedWorkflow &deployed,
                               const contract::Dependency *dependency,
                               const model::CallResult &result);
    // The call for a decided intent. An error: its request could not be made, nothing was sent.
    model::Result<model::Call> call(const model::Run &run, const DeployedWorkflow &deployed,
                                    const engine::Send &send);

private:
    model::Result<bool> prepareForward(const model::Run &run, const DeployedWorkflow &deployed,
                                       int index, const contract::Scope &scope,
                                       engine::Prepared &answer);
    void readVerdict(const DeployedWorkflow &deployed, int index, contract::Target target,
                     const contract::Scope &scope, const model::CallResult &result,
                     engine::AttemptEnded &ended);
    void readReceipt(const DeployedWorkflow &deployed, int index, contract::Target target,
                     const contract::Scope &scope, const model::CallResult &result,
                     engine::AttemptEnded &ended);

    contract::Evaluator m_evaluator;
};

} // namespace holdfast::runtime
