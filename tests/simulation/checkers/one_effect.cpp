// I1: for each key at most one effect in the books, whatever the runs, workers and attempts, unless
// a person sent it again. What left a worker that had frozen after its last look at the clock is
// the one thing no client can prevent (I1c); it must have been noticed instead.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

void checkOneEffect(Evidence &evidence)
{
    std::map<Evidence::Key, int> effects;
    for (const Arrival &arrival : evidence.record.arrivals) {
        if (arrival.effect)
            ++effects[{arrival.service, arrival.key}];
    }
    for (const auto &[key, count] : effects) {
        if (count < 2)
            continue;
        int allowed = 1;
        QSet<QString> owners;
        for (const int index : evidence.writes[key]) {
            const SentCall &sent = evidence.record.sent.at(index);
            allowed += sent.pastLastCheck && key.first == "depot"_L1 ? 1 : 0;
            if (!owners.contains(sent.call.runId)) {
                owners.insert(sent.call.runId);
                allowed += evidence.sentAgainByPeople(sent.call.runId, sent.call.step);
            }
        }
        if (count > allowed)
            evidence.add("I1",
                         u"%1 has %2 effects of %3"_s.arg(key.first).arg(count).arg(key.second));
    }
}

} // namespace holdfast::simulation
