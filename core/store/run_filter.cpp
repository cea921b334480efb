#include "store/run_filter.h"

namespace holdfast::store
{

using namespace ports;

bool matches(const RunRow &row, const RunFilter &filter)
{
    return (filter.statuses.isEmpty() ||
            filter.statuses.contains(model::runStatusName(row.status))) &&
           (filter.workflow.isEmpty() || row.workflow == filter.workflow) &&
           (filter.eventId.isEmpty() || row.eventId == filter.eventId) &&
           (filter.step.isEmpty() || row.step == filter.step) &&
           (filter.reason.isEmpty() || row.reason == filter.reason) &&
           row.createdAt >= filter.since &&
           (filter.until == model::never || row.createdAt < filter.until) &&
           (filter.cursor.isEmpty() || row.runId < filter.cursor);
}

} // namespace holdfast::store
