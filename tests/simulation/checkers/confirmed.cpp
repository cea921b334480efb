// What is called confirmed stands in the books, unless a person said so of that key: nothing is
// believed to have happened that did not.
#include "simulation/checkers/all.h"

#include <map>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
bool isDoneBefore(const Evidence &evidence, const Evidence::Key &key, int order)
{
    for (const Arrival &arrival : evidence.record.arrivals) {
        if (arrival.effect && arrival.order < order && arrival.service == key.first &&
            arrival.key == key.second)
            return true;
    }
    return false;
}
} // namespace

void checkConfirmed(Evidence &evidence)
{
    std::map<Evidence::Key, int> said; // by people, and when first
    QVector<std::pair<Evidence::Key, const Fact *>> believed;
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            const model::Entry &entry = fact.entry;
            if (entry.kind != EntryKind::confirmed && entry.kind != EntryKind::replayed)
                continue;
            const auto *policy =
                evidence.stage.operation(run.workflow, entry.step, entry.direction);
            if (!policy || policy->dependency.isEmpty() || policy->effect == model::Effect::read ||
                !isAction(entry.direction))
                continue;
            const Evidence::Key key{policy->dependency,
                                    evidence.keyOf(run, entry.step, entry.direction)};
            if (entry.actor.isEmpty())
                believed.append({key, &fact});
            else
                said.emplace(key, fact.order);
        }
    }
    for (const auto &[key, fact] : std::as_const(believed)) {
        const auto word = said.find(key);
        const bool wasSaid = word != said.end() && word->second < fact->order;
        if (!wasSaid && !isDoneBefore(evidence, key, fact->order))
            evidence.add("confirmed",
                         u"%1 is said to have happened (%2), and %3 does not know it"_s.arg(
                             key.second, fact->entry.reason, key.first));
    }
}

} // namespace holdfast::simulation
