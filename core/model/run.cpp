#include "model/run.h"

#include "model/names.h"

#include <algorithm>

namespace holdfast::model
{

namespace
{
constexpr std::array<Name<RunStatus>, 12> runStatuses{
    {{RunStatus::queued, "queued"},
     {RunStatus::running, "running"},
     {RunStatus::waiting, "waiting"},
     {RunStatus::review, "review"},
     {RunStatus::compensating, "compensating"},
     {RunStatus::held, "held"},
     {RunStatus::succeeded, "succeeded"},
     {RunStatus::succeededPartial, "succeeded_partial"},
     {RunStatus::failed, "failed"},
     {RunStatus::compensated, "compensated"},
     {RunStatus::compensationFailed, "compensation_failed"},
     {RunStatus::cancelled, "cancelled"}}};
constexpr std::array<Name<Phase>, 13> phases{{{Phase::idle, "idle"},
                                              {Phase::preparing, "preparing"},
                                              {Phase::ready, "ready"},
                                              {Phase::gated, "gated"},
                                              {Phase::asking, "asking"},
                                              {Phase::waiting, "waiting"},
                                              {Phase::sending, "sending"},
                                              {Phase::settling, "settling"},
                                              {Phase::verifying, "verifying"},
                                              {Phase::review, "review"},
                                              {Phase::succeeded, "succeeded"},
                                              {Phase::failed, "failed"},
                                              {Phase::skipped, "skipped"}}};
constexpr std::array<Name<ReviewKind>, 6> reviewKinds{
    {{ReviewKind::ambiguous, "ambiguous"},
     {ReviewKind::approval, "approval"},
     {ReviewKind::compensationFailed, "compensation_failed"},
     {ReviewKind::conflict, "conflict"},
     {ReviewKind::deadLetter, "dead_letter"},
     {ReviewKind::tripwire, "tripwire"}}};
} // namespace

QString runStatusName(RunStatus status) { return nameOf(runStatuses, status); }
std::optional<RunStatus> runStatusFromName(const QString &name)
{
    return valueOf(runStatuses, name);
}
QString phaseName(Phase phase) { return nameOf(phases, phase); }
std::optional<Phase> phaseFromName(const QString &name) { return valueOf(phases, name); }
QString reviewKindName(ReviewKind kind) { return nameOf(reviewKinds, kind); }
std::optional<ReviewKind> reviewKindFromName(const QString &name)
{
    return valueOf(reviewKinds, name);
}

bool isFinal(RunStatus status)
{
    switch (status) {
    case RunStatus::queued:
    case RunStatus::running:
    case RunStatus::waiting:
    case RunStatus::review:
    case RunStatus::compensating:
    case RunStatus::held: return false;
    case RunStatus::succeeded:
    case RunStatus::succeededPartial:
    case RunStatus::failed:
    case RunStatus::compensated:
    case RunStatus::compensationFailed:
    case RunStatus::cancelled: return true;
    }
    Q_UNREACHABLE();
}

Step *Run::find(const QString &step)
{
    const auto found = std::find_if(steps.begin(), steps.end(),
                                    [&](const Step &candidate) { return candidate.step == step; });
    return found == steps.end() ? nullptr : &*found;
}

const Step *Run::find(const QString &step) const
{
    const auto found = std::find_if(steps.cbegin(), steps.cend(),
                                    [&](const Step &candidate) { return candidate.step == step; });
    return found == steps.cend() ? nullptr : &*found;
}

} // namespace holdfast::model
