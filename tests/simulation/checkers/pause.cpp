// I11: from the commit of a pause to the commit that lifts it, no intent in its scope and depth
// commits; a run taken in under a paused intake does not start.
#include "simulation/checkers/all.h"

#include <limits>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
struct Span {
    ports::PauseRow pause;
    int from = 0;
    int to = std::numeric_limits<int>::max();

    bool holds(int order) const { return order > from && order < to; }
};

QVector<Span> spansOf(const Record &record)
{
    QVector<Span> spans;
    for (const GateMove &move : record.gates) {
        if (move.kind == GateMove::Kind::paused) {
            spans.append({move.pause, move.order});
        } else if (move.kind == GateMove::Kind::lifted) {
            for (Span &span : spans) {
                if (span.pause.id == move.pause.id)
                    span.to = std::min(span.to, move.order);
            }
        }
    }
    return spans;
}

bool covers(const Span &span, const RunFacts &run, const model::OperationPolicy &policy)
{
    if (span.pause.scope == "workflow"_L1)
        return span.pause.target == run.workflow;
    if (span.pause.scope == "dependency"_L1)
        return span.pause.target == policy.dependency;
    return true;
}

bool stops(const Span &span, const model::Entry &intent, const model::OperationPolicy &policy)
{
    const bool writes =
        intent.direction == model::Direction::compensate ||
        (intent.direction == model::Direction::forward && policy.effect != model::Effect::read);
    return span.pause.depth == "all"_L1 || (span.pause.depth == "writes"_L1 && writes);
}
} // namespace

void checkPause(Evidence &evidence)
{
    const QVector<Span> spans = spansOf(evidence.record);
    if (spans.isEmpty())
        return;
    for (const RunFacts &run : evidence.runs) {
        const int accepted = run.facts.first().order;
        for (const Fact &fact : run.facts) {
            if (fact.entry.kind != EntryKind::intent)
                continue;
            const auto *policy =
                evidence.stage.operation(run.workflow, fact.entry.step, fact.entry.direction);
            for (const Span &span : spans) {
                if (!span.holds(fact.order) || !policy || !covers(span, run, *policy))
                    continue;
                const bool intake = span.pause.depth == "intake"_L1 && span.holds(accepted) &&
                                    span.pause.scope != "dependency"_L1;
                if (intake || stops(span, fact.entry, *policy))
                    evidence.add("I11", u"%1 started %2 under the pause of %3 %4 (%5)"_s.arg(
                                            run.eventId, fact.entry.step, span.pause.scope,
                                            span.pause.target, span.pause.depth));
            }
        }
    }
}

} // namespace holdfast::simulation
