// I17 and I19: every run that a caller was told of is there, once for its event, and goes on, waits
// for something that will come, or has ended.
#include "simulation/checkers/all.h"

#include <set>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

void checkNothingLost(Evidence &evidence)
{
    std::map<std::pair<QString, QString>, QString> runs;
    for (const Acknowledged &start : evidence.record.starts) {
        if (!evidence.database.runs.count(start.runId) || !evidence.run(start.runId))
            evidence.add("I17", u"%1 was accepted and is gone"_s.arg(start.eventId));
        const QString known =
            runs.emplace(std::pair(start.workflow, start.eventId), start.runId).first->second;
        if (known != start.runId)
            evidence.add("I19", u"event %1 has two runs"_s.arg(start.eventId));
    }
    std::map<std::pair<QString, QString>, int> events;
    std::set<QString> asked;
    for (const auto &[id, review] : evidence.database.reviews) {
        if (review.decidedAt == model::never)
            asked.insert(review.runId);
    }
    for (const auto &[id, run] : evidence.database.runs) {
        if (++events[{run.workflow, run.eventId}] > 1)
            evidence.add("I19", u"event %1 stands for two runs"_s.arg(run.eventId));
        const bool waits = run.due != model::never || !run.worker.isEmpty() || asked.count(id);
        if (!model::isFinal(run.status) && !waits)
            evidence.add("I17", u"%1 is %2 and nothing will wake it"_s.arg(
                                    run.eventId, model::runStatusName(run.status)));
    }
}

} // namespace holdfast::simulation
