// I13: of several decisions on one item one wins; an act that was sent twice acts once; an approval
// is used once.
#include "simulation/checkers/all.h"

#include <set>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
void checkNotes(Evidence &evidence)
{
    std::map<QString, int> written;
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            if (fact.entry.kind == EntryKind::noted)
                ++written[fact.entry.detail.value("text"_L1).toString()];
        }
    }
    for (const Act &act : evidence.record.acts) {
        if (act.name != "note"_L1)
            continue;
        if (written[act.id] > 1 || (act.acknowledged && written[act.id] == 0))
            evidence.add("I13", u"the note %1 was recorded and stands %2 times"_s.arg(act.id).arg(
                                    written[act.id]));
    }
}
} // namespace

void checkOneDecision(Evidence &evidence)
{
    std::map<QString, std::set<QString>> decided; // by item
    for (const Act &act : evidence.record.acts) {
        if (act.acknowledged && !act.item.isEmpty() && act.verdict != "verify"_L1 &&
            !evidence.wasTurnedDown(act))
            decided[act.item].insert(act.id);
    }
    for (const auto &[item, acts] : decided) {
        if (acts.size() > 1)
            evidence.add("I13",
                         u"%1 decisions on item %2 were accepted"_s.arg(acts.size()).arg(item));
    }
    for (const RunFacts &run : evidence.runs) {
        std::map<std::pair<QString, int>, int> approvals;
        for (const Fact &fact : run.facts) {
            if (fact.entry.kind == EntryKind::approved &&
                ++approvals[{fact.entry.step, int(fact.entry.direction)}] > 1)
                evidence.add("I13",
                             u"%1 %2 was approved twice"_s.arg(run.eventId, fact.entry.step));
        }
    }
    checkNotes(evidence);
}

} // namespace holdfast::simulation
