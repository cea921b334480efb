// I4: a step that failed by itself had no effect, neither before nor after it was called failed.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
bool wasDone(const Evidence &evidence, int sentIndex)
{
    for (const Arrival &arrival : evidence.record.arrivals) {
        if (arrival.sent == sentIndex && arrival.effect)
            return true;
    }
    return false;
}
} // namespace

void checkNoFalseFailure(Evidence &evidence)
{
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            const model::Entry &failed = fact.entry;
            if (failed.kind != model::EntryKind::stepFailed || !failed.actor.isEmpty() ||
                evidence.sentAgainByPeople(run.runId, failed.step, failed.direction,
                                           {0, fact.order}) > 0)
                continue;
            for (int i = 0; i < int(evidence.record.sent.size()); ++i) {
                const SentCall &sent = evidence.record.sent.at(i);
                if (sent.order < fact.order && sent.call.runId == run.runId &&
                    sent.call.step == failed.step && sent.call.direction == failed.direction &&
                    !sent.pastLastCheck && wasDone(evidence, i))
                    evidence.add("I4", u"%1 %2 is called failed (%3) and happened"_s.arg(
                                           run.eventId, failed.step, failed.reason));
            }
        }
    }
}

} // namespace holdfast::simulation
