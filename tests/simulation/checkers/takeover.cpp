// I10: whoever takes over a run with an attempt open first writes that nobody knows how it ended; a
// write is ambiguous from then on.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
using Open = std::tuple<QString, int, int>; // step, direction, attempt

bool onlyReads(const Evidence &evidence, const RunFacts &run, const model::Entry &entry)
{
    const auto *policy = evidence.stage.operation(run.workflow, entry.step, entry.direction);
    return !isAction(entry.direction) || !policy || policy->effect == model::Effect::read;
}
} // namespace

void checkTakeover(Evidence &evidence)
{
    for (const RunFacts &run : evidence.runs) {
        std::map<Open, qint64> open; // and the fence it was opened under
        for (const Fact &fact : run.facts) {
            const model::Entry &entry = fact.entry;
            const Open which{entry.step, int(entry.direction), entry.attempt};
            const bool ends = entry.kind == EntryKind::attemptEnded ||
                              entry.kind == EntryKind::snapshotKept ||
                              (entry.kind == EntryKind::confirmed && entry.attempt > 0);
            const auto known = open.find(which);
            if (ends && known != open.end()) {
                const bool lost = entry.reason == "worker_lost"_L1;
                if (known->second < fact.fence && !lost)
                    evidence.add("I10", u"%1 ended an attempt of %2 that was not its own"_s.arg(
                                            fact.worker, run.eventId));
                if (lost && !onlyReads(evidence, run, entry) &&
                    entry.failureClass != model::FailureClass::ambiguous)
                    evidence.add("I10", u"a lost attempt of %1 %2 is not ambiguous"_s.arg(
                                            run.eventId, entry.step));
                open.erase(known);
            }
            if (entry.kind != EntryKind::intent)
                continue;
            for (const auto &[other, fence] : open) {
                if (std::get<0>(other) == entry.step)
                    evidence.add("I10", u"%1 starts %2 over an attempt that is open"_s.arg(
                                            run.eventId, entry.step));
            }
            open[which] = fact.fence;
        }
    }
}

} // namespace holdfast::simulation
