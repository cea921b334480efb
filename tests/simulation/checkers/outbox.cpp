// I17a: whatever is to be announced was committed with what it announces: no change without its
// row, no row without its change.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
// Successes are no news, and whoever cancels a run knows.
bool isNews(model::RunStatus status)
{
    return status == model::RunStatus::failed || status == model::RunStatus::compensated ||
           status == model::RunStatus::compensationFailed;
}
} // namespace

void checkOutbox(Evidence &evidence)
{
    std::map<std::pair<QString, QString>, int> owed; // run and kind
    for (const RunFacts &run : evidence.runs) {
        for (const Fact &fact : run.facts) {
            // A question that goes back to its item is no news.
            if (fact.entry.kind == EntryKind::reviewOpened &&
                !fact.entry.detail.value("again"_L1).toBool())
                ++owed[{run.runId, u"review."_s + model::reviewKindName(*fact.entry.reviewKind)}];
            if (fact.entry.kind == EntryKind::finished && isNews(*fact.entry.runStatus))
                ++owed[{run.runId, u"run."_s + model::runStatusName(*fact.entry.runStatus)}];
        }
    }
    for (const auto &[id, pause] : evidence.database.pauses) {
        ++owed[{id, u"pause.set"_s}];
        if (pause.liftedAt != model::never)
            ++owed[{id, u"pause.cleared"_s}];
    }
    for (const auto &[id, review] : evidence.database.reviews) {
        if (review.runId.isEmpty())
            ++owed[{id, u"review."_s + review.kind}];
    }
    for (const auto &[id, row] : evidence.database.outbox) {
        if (row.kind.startsWith("breaker."_L1))
            continue; // a breaker's row says how it is, not how often it changed
        const QString about =
            row.kind.startsWith("pause."_L1) ? row.payload.value("pause"_L1).toString() : row.runId;
        --owed[{about.isEmpty() ? row.payload.value("review"_L1).toString() : about, row.kind}];
    }
    for (const auto &[what, count] : owed) {
        if (count > 0)
            evidence.add("I17a", u"%1 was never announced"_s.arg(what.second));
        else if (count < 0)
            evidence.add("I17a", u"%1 was announced and did not happen"_s.arg(what.second));
    }
}

} // namespace holdfast::simulation
