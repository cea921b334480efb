// I7: what was completed is never attempted again.
#include "simulation/checkers/all.h"

#include <set>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

void checkCompletedOnce(Evidence &evidence)
{
    for (const RunFacts &run : evidence.runs) {
        std::set<std::pair<QString, bool>> completed; // step, and whether it is its compensation
        for (const Fact &fact : run.facts) {
            const model::Entry &entry = fact.entry;
            const bool undo = entry.direction == model::Direction::compensate;
            if (entry.kind == EntryKind::confirmed || entry.kind == EntryKind::replayed)
                completed.insert({entry.step, undo});
            if (entry.kind == EntryKind::intent && entry.direction != model::Direction::verify &&
                completed.count({entry.step, undo}))
                evidence.add("I7",
                             u"%1 runs %2 again after it was done"_s.arg(run.eventId, entry.step));
        }
    }
}

} // namespace holdfast::simulation
