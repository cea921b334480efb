// I6: a key is not sent again once the destination may have forgotten it.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
bool wasDenied(const Evidence &evidence, const SentCall &first, const SentCall &second)
{
    for (const Asked &asked : evidence.record.asked) {
        if (!asked.found && asked.order > first.order && asked.order < second.order &&
            asked.key == first.call.key)
            return true;
    }
    return false;
}
} // namespace

void checkKeyFreshness(Evidence &evidence)
{
    for (const auto &[key, calls] : evidence.writes) {
        const SentCall *unsure = nullptr; // the first of this key that may have happened
        for (const int index : calls) {
            const SentCall &sent = evidence.record.sent.at(index);
            const RunFacts *run = evidence.run(sent.call.runId);
            const auto *policy =
                run ? evidence.stage.operation(run->workflow, sent.call.step, sent.call.direction)
                    : nullptr;
            if (!policy || policy->protection != model::Protection::native)
                continue;
            if (unsure &&
                (unsure->call.runId != sent.call.runId || wasDenied(evidence, *unsure, sent) ||
                 evidence.personDecided(sent.call.runId, sent.call.step,
                                        {unsure->order, sent.order})))
                unsure = nullptr;
            if (unsure && sent.at - unsure->at >= policy->retention)
                evidence.add("I6", u"%1 was sent again after %2 s"_s.arg(key.second)
                                       .arg((sent.at - unsure->at) / model::second));
            if (!unsure && sent.told != Told::refused && sent.told != Told::notSent)
                unsure = &sent;
        }
    }
}

} // namespace holdfast::simulation
