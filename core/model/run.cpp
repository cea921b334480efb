#include "model/run.h"

#include "model/names.h"

#include <algorithm>

namespace holdfast::model
{

namespace
{
constexpr std::array<Name<RunStatus>, 12> runStatuses{
    {{RunStatus::queued, u"queued"},
     {RunStatus::running, u"running"},
     {RunStatus::waiting, u"waiting"},
     {RunStatus::review, u"review"},
     {RunStatus::compensating, u"compensating"},
     {RunStatus::held, u"held"},
     {RunStatus::succeeded, u"succeeded"},
     {RunStatus::succeededPartial, u"succeeded_partial"},
     {RunStatus::failed, u"failed"},
     {RunStatus::compensated, u"compensated"},
     {RunStatus::compensationFailed, u"compensation_failed"},
     {RunStatus::cancelled, u"cancelled"}}};
constexpr std::array<Name<Phase>, 13> phases{{{Phase::idle, u"idle"},
                                              {Phase::preparing, u"preparing"},
                                              {Phase::ready, u"ready"},
                                              {Phase::gated, u"gated"},
                                              {Phase::asking, u"asking"},
                                              {Phase::waiting, u"waiting"},
                                              {Phase::sending, u"sending"},
                                              {Phase::settling, u"settling"},
                                              {Phase::verifying, u"verifying"},
                                              {Phase::review, u"review"},
                                              {Phase::succeeded, u"succeeded"},
                                              {Phase::failed, u"failed"},
                                              {Phase::skipped, u"skipped"}}};
constexpr std::array<Name<ReviewKind>, 6> reviewKinds{
    {{ReviewKind::ambiguous, u"ambiguous"},
     {ReviewKind::approval, u"approval"},
     {ReviewKind::compensationFailed, u"compensation_failed"},
     {ReviewKind::conflict, u"conflict"},
     {ReviewKind::deadLetter, u"dead_letter"},
     {ReviewKind::tripwire, u"tripwire"}}};
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
