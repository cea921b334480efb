// I2 and I3: whatever was handed to a sender had its intent committed before, and each intent was
// handed over once.
#include "simulation/checkers/all.h"

#include <set>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
using Identity = std::tuple<QString, QString, int, int>; // run, step, direction, attempt
}

void checkIntentFirst(Evidence &evidence)
{
    std::map<Identity, int> intents;
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            if (fact.entry.kind == model::EntryKind::intent)
                intents[{run.runId, fact.entry.step, int(fact.entry.direction),
                         fact.entry.attempt}] = fact.order;
        }
    }
    std::set<Identity> seen;
    for (const SentCall &sent : evidence.record.sent) {
        const model::Call &call = sent.call;
        const Identity identity{call.runId, call.step, int(call.direction), call.attempt};
        const QString name =
            u"%1 %2#%3"_s.arg(call.step, model::directionName(call.direction)).arg(call.attempt);
        const auto intent = intents.find(identity);
        if (intent == intents.end() || intent->second > sent.order)
            evidence.add("I3", name + u" was sent without a committed intent"_s);
        if (!seen.insert(identity).second)
            evidence.add("I2", name + u" was sent twice"_s);
    }
}

} // namespace holdfast::simulation
