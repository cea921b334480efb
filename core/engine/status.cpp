#include "engine/status.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
struct Phases {
    bool open = false;
    bool review = false;
    bool asking = false;
    bool paused = false;
    bool waiting = false;
};

Phases phasesOf(const Run &run)
{
    Phases phases;
    for (const Step &step : run.steps) {
        for (const Operation *operation : {&step.forward, &step.undo}) {
            switch (operation->phase) {
            case Phase::sending:
            case Phase::verifying: phases.open = true; break;
            case Phase::review: phases.review = true; break;
            case Phase::asking: phases.asking = true; break;
            case Phase::gated:
            case Phase::settling:
                if (operation->gate == QLatin1String("pause"))
                    phases.paused = true;
                else
                    phases.waiting = true;
                break;
            case Phase::waiting: phases.waiting = true; break;
            case Phase::idle:
            case Phase::preparing:
            case Phase::ready:
            case Phase::succeeded:
            case Phase::failed:
            case Phase::skipped: break;
            }
        }
    }
    return phases;
}
} // namespace

RunStatus statusOf(const Run &run)
{
    if (run.finishedAt != never)
        return run.status;
    const Phases phases = phasesOf(run);
    if (phases.open)
        return run.compensating ? RunStatus::compensating : RunStatus::running;
    if (phases.review)
        return RunStatus::review;
    if (phases.asking)
        return RunStatus::waiting;
    if (phases.paused || run.held)
        return RunStatus::held;
    if (run.compensating)
        return RunStatus::compensating;
    if (phases.waiting)
        return RunStatus::waiting;
    return run.startedAt == never ? RunStatus::queued : RunStatus::running;
}

bool isAtPause(const Run &run) { return !isFinal(run.status) && phasesOf(run).paused; }

Instant nextDue(const Run &run)
{
    if (isFinal(run.status))
        return never;
    Instant due = never;
    const auto consider = [&](Instant candidate) {
        if (candidate != never && (due == never || candidate < due))
            due = candidate;
    };
    bool forwardRests = false;
    for (const Step &step : run.steps) {
        consider(step.forward.due);
        consider(step.undo.due);
        const bool rests =
            step.forward.phase == Phase::waiting || step.forward.phase == Phase::gated;
        forwardRests = forwardRests || (rests && !step.forward.ambiguous);
    }
    if (forwardRests && !run.compensating && run.clockStoppedAt == never)
        consider(run.deadlineAt);
    return due;
}

const Attempt *openAttempt(const Step &step)
{
    for (auto attempt = step.attempts.crbegin(); attempt != step.attempts.crend(); ++attempt) {
        if (attempt->endedAt == never)
            return &*attempt;
    }
    return nullptr;
}

bool hasOpenAttempt(const Run &run)
{
    return std::any_of(run.steps.cbegin(), run.steps.cend(),
                       [](const Step &step) { return openAttempt(step) != nullptr; });
}

} // namespace holdfast::engine
