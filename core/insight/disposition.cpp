#include "insight/disposition.h"

namespace holdfast::insight
{

using model::Direction;

const model::Operation *operationOf(const model::Run &run, const model::Entry &entry)
{
    const model::Step *step = run.find(entry.step);
    if (!step)
        return nullptr;
    switch (entry.direction) {
    case Direction::forward:
    case Direction::snapshot: return &step->forward;
    case Direction::compensate: return &step->undo;
    case Direction::verify:
        return step->undo.phase == model::Phase::idle ? &step->forward : &step->undo;
    }
    Q_UNREACHABLE();
}

QString dispositionOf(const model::Run &run, const model::Operation *operation)
{
    if (!operation || model::isFinal(run.status))
        return model::runStatusName(run.status);
    return model::phaseName(operation->phase);
}

bool endsBadly(model::RunStatus status)
{
    return status == model::RunStatus::failed || status == model::RunStatus::compensationFailed;
}

} // namespace holdfast::insight
