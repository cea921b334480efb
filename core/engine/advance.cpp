#include "engine/draft.h"
#include "engine/status.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
bool anyAmbiguous(const Run &run)
{
    return std::any_of(run.steps.cbegin(), run.steps.cend(),
                       [](const Step &step) { return step.forward.ambiguous; });
}

// Whether a step on the critical path is not done yet.
bool isUnderWay(const Draft &draft)
{
    for (const Step &step : draft.run().steps) {
        const StepPolicy *policy = draft.stepPolicy(step.step);
        if (policy && !policy->detached && !isSettled(step.forward.phase))
            return true;
    }
    return false;
}
} // namespace

bool forwardSettled(const Run &run)
{
    return std::all_of(run.steps.cbegin(), run.steps.cend(),
                       [](const Step &step) { return isSettled(step.forward.phase); });
}

// Starts whatever may start now: the next step, the next compensation, or the end.
void advance(Draft &draft)
{
    const Run &run = draft.run();
    if (isFinal(run.status))
        return;
    if (run.compensating) {
        advanceCompensation(draft);
        return;
    }
    // A cancelled run starts nothing more, but what is in flight or unknown has to be settled
    // first.
    if (run.cancelRequested && !hasOpenAttempt(run) && !anyAmbiguous(run)) {
        beginCompensation(draft, QStringLiteral("cancelled"));
        return;
    }
    for (const Step &step : run.steps) {
        if (step.forward.phase == Phase::preparing)
            draft.effect(Prepare{step.step, Direction::forward});
    }
    if (isUnderWay(draft))
        return;
    if (run.cancelRequested)
        return;
    if (run.steps.size() < draft.policy().steps.size()) {
        const StepPolicy &next = draft.policy().steps.at(run.steps.size());
        if (draft.deadlinePassed()) {
            failStep(draft, next.step, Direction::forward, QStringLiteral("deadline_exceeded"));
            return;
        }
        draft.effect(Prepare{next.step, Direction::forward});
        return;
    }
    if (!forwardSettled(run))
        return;
    if (draft.policy().hasOutputs) {
        draft.effect(Collect{});
        return;
    }
    Entry entry = draft.entry(EntryKind::finished, {});
    entry.runStatus = run.partial ? RunStatus::succeededPartial : RunStatus::succeeded;
    draft.add(std::move(entry));
}

} // namespace holdfast::engine
