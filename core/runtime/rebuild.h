// Folds every journal again and compares what follows from it with the rows that stand: the proof
// that the projections are projections. With repair, differing rows are replaced by what the
// journal says.
#pragma once

#include "ports/store.h"
#include "runtime/catalog.h"

namespace holdfast::runtime
{

struct RebuildReport {
    qint64 runs = 0;
    qint64 journalRows = 0;
    QStringList
        differences; // "run ID: status is X, the journal says Y"; at most a hundred are named
    qint64 differenceCount = 0;
    bool repaired = false;
};

Result<RebuildReport> rebuild(ports::Store &store, Catalog &catalog, bool repair);

} // namespace holdfast::runtime
