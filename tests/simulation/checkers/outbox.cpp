// I17a: whatever is to be announced was committed with what it announces: no change without its
// row, no row without its change.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

void checkOutbox(Evidence &evidence)
{
    std::map<std::pair<QString, QString>, int> owed; // run and kind
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            if (fact.entry.kind == EntryKind::reviewOpened)
                ++owed[{run.runId, u"review."_s + model::reviewKindName(*fact.entry.reviewKind)}];
            if (fact.entry.kind == EntryKind::finished)
                ++owed[{run.runId, u"run."_s + model::runStatusName(*fact.entry.runStatus)}];
        }
    }
    for (const auto &[id, row] : evidence.database.outbox)
        --owed[{row.runId, row.kind}];
    for (const auto &[what, count] : owed) {
        if (count > 0)
            evidence.add("I17a", u"%1 was never announced"_s.arg(what.second));
        else if (count < 0)
            evidence.add("I17a", u"%1 was announced and did not happen"_s.arg(what.second));
    }
}

} // namespace holdfast::simulation
