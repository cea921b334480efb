// A service's limits hold for all workers together: never more attempts open at once than its
// concurrency, and never more started within a second than its rate. Counted again from what was
// committed.
#include "simulation/checkers/all.h"

#include <deque>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
struct Moves {
    Instant at = model::never;
    int starts = 0;
    int ends = 0;
};

bool ends(const model::Entry &entry)
{
    return entry.kind == EntryKind::attemptEnded || entry.kind == EntryKind::snapshotKept ||
           (entry.kind == EntryKind::confirmed && entry.attempt > 0);
}

// What ends in a commit makes room for what starts in it.
void checkConcurrency(Evidence &evidence, const QString &service,
                      const std::map<int, Moves> &commits, int most)
{
    int open = 0;
    for (const auto &[order, moves] : commits) {
        open += moves.starts - moves.ends;
        if (moves.starts > 0 && open > most) {
            evidence.add(
                "limits",
                u"%1 attempts are open at %2, which takes %3"_s.arg(open).arg(service).arg(most));
            return;
        }
    }
}

void checkRate(Evidence &evidence, const QString &service, const std::map<int, Moves> &commits,
               int most)
{
    std::deque<Moves> window;
    int count = 0;
    for (const auto &[order, moves] : commits) {
        if (moves.starts == 0)
            continue;
        window.push_back(moves);
        count += moves.starts;
        while (window.front().at <= moves.at - model::second) {
            count -= window.front().starts;
            window.pop_front();
        }
        if (count > most) {
            evidence.add("limits",
                         u"%1 attempts started within a second at %2, which takes %3"_s.arg(count)
                             .arg(service)
                             .arg(most));
            return;
        }
    }
}
} // namespace

void checkSharedLimits(Evidence &evidence)
{
    std::map<QString, std::map<int, Moves>> services; // by the order of the commit
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            const auto *policy =
                evidence.stage.operation(run.workflow, fact.entry.step, fact.entry.direction);
            const bool starts = fact.entry.kind == EntryKind::intent;
            if (!policy || policy->dependency.isEmpty() || (!starts && !ends(fact.entry)))
                continue;
            Moves &moves = services[policy->dependency][fact.order];
            moves.at = fact.entry.at;
            (starts ? moves.starts : moves.ends) += 1;
        }
    }
    for (const auto &[service, commits] : services) {
        const model::LimitPolicy &limit = evidence.stage.dependency(service).limit;
        if (limit.concurrency > 0)
            checkConcurrency(evidence, service, commits, limit.concurrency);
        if (limit.ratePerSecond > 0)
            checkRate(evidence, service, commits, limit.ratePerSecond);
    }
}

} // namespace holdfast::simulation
