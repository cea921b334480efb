// I21: nothing happens to a run that has ended, but for what a person does and what is only written
// down: notes, late reports, items beside it.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

void checkFinalIsFinal(Evidence &evidence)
{
    for (const RunFacts &run : evidence.runs) {
        qint64 endedIn = 0;
        for (const Fact &fact : run.facts) {
            const model::Entry &entry = fact.entry;
            const bool onlyWritten =
                entry.kind == EntryKind::noted || entry.kind == EntryKind::lateReport ||
                entry.kind == EntryKind::reviewOpened || entry.kind == EntryKind::reviewClosed;
            if (entry.kind == EntryKind::finished) {
                if (endedIn != 0)
                    evidence.add("I21", u"%1 ended twice"_s.arg(run.eventId));
                endedIn = fact.journal;
                continue;
            }
            if (endedIn == 0 || onlyWritten)
                continue;
            if (entry.actor.isEmpty())
                evidence.add("I21", u"%1 went on by itself after its end: %2 %3"_s.arg(
                                        run.eventId, model::entryKindName(entry.kind), entry.step));
            endedIn = 0;
        }
    }
}

} // namespace holdfast::simulation
