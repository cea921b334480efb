// I1: for each key at most one effect in the books, whatever the runs, workers and attempts, unless
// a person sent it again. What left a worker that had frozen after its last look at the clock is
// the one thing no client can prevent (I1c), where the service knows no key or has forgotten it; it
// must have been noticed instead.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
bool isBeyondAClient(const Evidence &evidence, const Arrival &arrival, Instant first)
{
    const SentCall &sent = evidence.record.sent.at(arrival.sent);
    const RunFacts *run = evidence.run(sent.call.runId);
    const auto *policy =
        run ? evidence.stage.operation(run->workflow, sent.call.step, sent.call.direction)
            : nullptr;
    if (!sent.pastLastCheck || !policy)
        return false;
    return policy->protection == model::Protection::probe ||
           (policy->protection == model::Protection::native &&
            arrival.at - first >= policy->retention);
}
} // namespace

void checkOneEffect(Evidence &evidence)
{
    struct Effects {
        int count = 0;
        int allowed = 1;
        Instant first = model::never;
    };
    std::map<Evidence::Key, Effects> effects;
    for (const Arrival &arrival : evidence.record.arrivals) {
        if (!arrival.effect)
            continue;
        Effects &known = effects[{arrival.service, arrival.key}];
        if (++known.count == 1)
            known.first = arrival.at;
        known.allowed += isBeyondAClient(evidence, arrival, known.first) ? 1 : 0;
    }
    for (const auto &[key, known] : effects) {
        int allowed = known.allowed;
        QSet<QString> owners;
        for (const int index : evidence.writes[key]) {
            const SentCall &sent = evidence.record.sent.at(index);
            if (known.count > 1 && !owners.contains(sent.call.runId)) {
                owners.insert(sent.call.runId);
                allowed += evidence.sentAgainByPeople(sent.call.runId, sent.call.step,
                                                      sent.call.direction, {});
            }
        }
        if (known.count > allowed)
            evidence.add(
                "I1", u"%1 has %2 effects of %3"_s.arg(key.first).arg(known.count).arg(key.second));
    }
}

} // namespace holdfast::simulation
