#include "store/run_filter.h"

#include <QUuid>
#include <algorithm>

namespace holdfast::store
{

using namespace ports;

namespace
{
bool isNamed(const RunRow &row, const RunFilter &filter)
{
    const auto isIts = [&row](const QString &id) { return id == row.runId || id == row.eventId; };
    return (filter.eventId.isEmpty() || row.eventId == filter.eventId) &&
           std::all_of(filter.ids.cbegin(), filter.ids.cend(), isIts) &&
           (!filter.runIds || filter.runIds->contains(row.runId));
}
} // namespace

bool matches(const RunRow &row, const RunFilter &filter)
{
    return (filter.statuses.isEmpty() ||
            filter.statuses.contains(model::runStatusName(row.status))) &&
           (filter.workflow.isEmpty() || row.workflow == filter.workflow) &&
           (filter.step.isEmpty() || row.step == filter.step) &&
           (filter.reason.isEmpty() || row.reason == filter.reason) &&
           (filter.standsAt.isEmpty() || filter.standsAt.contains({row.workflow, row.step})) &&
           isNamed(row, filter) && row.createdAt >= filter.since &&
           (filter.until == model::never || row.createdAt < filter.until) &&
           (filter.cursor.isEmpty() || row.runId < filter.cursor);
}

QString lowestIdAt(Instant instant)
{
    const quint64 millis = quint64(std::max<Instant>(instant, 1));
    return QUuid(uint(millis >> 16), ushort(millis & 0xffff), 0, 0, 0, 0, 0, 0, 0, 0, 0)
        .toString(QUuid::WithoutBraces);
}

} // namespace holdfast::store
