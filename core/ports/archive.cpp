#include "ports/archive.h"

namespace holdfast::ports
{

RunRow runOf(const ArchivedRunRow &archived)
{
    RunRow row;
    row.runId = archived.runId;
    row.workflow = archived.workflow;
    row.version = archived.version;
    row.eventId = archived.eventId;
    row.generation = archived.generation;
    row.inputHash = archived.inputHash;
    row.status = archived.status;
    row.seq = archived.seq;
    row.createdAt = archived.createdAt;
    row.startedAt = archived.startedAt;
    row.finishedAt = archived.finishedAt;
    return row;
}

} // namespace holdfast::ports
