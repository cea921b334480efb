// I1c: whatever a worker learnt of an attempt, and lived to write down, stands in the journal, be
// it as a late report to the run's new owner; and an effect that came twice because a worker had
// frozen opens an item.
#include "simulation/checkers/all.h"

#include <set>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
using Told4 = std::tuple<QString, QString, int, int>; // run, step, direction, attempt

bool saysHowItEnded(const model::Entry &entry)
{
    if (entry.kind == EntryKind::lateReport)
        return true;
    const bool ends = entry.kind == EntryKind::attemptEnded ||
                      entry.kind == EntryKind::snapshotKept ||
                      (entry.kind == EntryKind::confirmed && entry.attempt > 0);
    return ends && entry.reason != "worker_lost"_L1;
}

bool suspects(const RunFacts &run, const QString &step)
{
    for (const Fact &fact : run.facts) {
        if (fact.entry.kind == EntryKind::reviewOpened && fact.entry.step == step &&
            fact.entry.reason == "late_effect_suspected"_L1)
            return true;
    }
    return false;
}

int effectsOf(const Evidence &evidence, const model::Call &call)
{
    int count = 0;
    for (const Arrival &arrival : evidence.record.arrivals)
        count += arrival.effect && arrival.key == call.key && arrival.service == call.dependency;
    return count;
}
} // namespace

void checkLateNoticed(Evidence &evidence)
{
    std::set<Told4> written;
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            if (saysHowItEnded(fact.entry))
                written.insert(
                    {run.runId, fact.entry.step, int(fact.entry.direction), fact.entry.attempt});
        }
    }
    for (const SentCall &sent : evidence.record.sent) {
        const model::Call &call = sent.call;
        if (!sent.reachedTurn)
            continue;
        if (!written.count({call.runId, call.step, int(call.direction), call.attempt}))
            evidence.add("I1c", u"what %1 #%2 came to is written nowhere"_s.arg(call.step).arg(
                                    call.attempt));
        const RunFacts *run = evidence.run(call.runId);
        const bool mayHaveHappened = sent.told == Told::done || sent.told == Told::unsure;
        if (sent.pastLastCheck && mayHaveHappened && isAction(call.direction) &&
            effectsOf(evidence, call) > 1 && run &&
            evidence.sentAgainByPeople(call.runId, call.step, call.direction, {}) == 0 &&
            !suspects(*run, call.step))
            evidence.add("I1c", u"nobody was told that %1 came twice"_s.arg(call.key));
    }
}

} // namespace holdfast::simulation
