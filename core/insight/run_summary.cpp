#include "insight/run_summary.h"

#include "model/mask.h"

namespace holdfast::insight
{

using namespace Qt::StringLiterals;

QJsonObject runSummary(const model::Run &run)
{
    const bool timed = run.startedAt != model::never && run.finishedAt != model::never;
    return {{u"run_id"_s, run.runId},
            {u"workflow"_s, run.workflow},
            {u"version"_s, run.version},
            {u"event_id"_s, run.eventId},
            {u"status"_s, model::runStatusName(run.status)},
            {u"finished_at"_s, model::instantText(run.finishedAt)},
            {u"duration_ms"_s, timed ? QJsonValue(run.finishedAt - run.startedAt) : QJsonValue()},
            {u"key_outputs"_s, model::masked(run.outputs)},
            {u"retry_count"_s, run.retryCount},
            {u"compensation_count"_s, run.compensationCount},
            {u"duplicates_prevented"_s, run.duplicatesPrevented}};
}

} // namespace holdfast::insight
