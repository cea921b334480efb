// I11: from the commit of a pause to the commit that lifts it, no intent in its scope and depth
// commits, but for runs that the stage of its ramp lets through; a run taken in under a paused
// intake does not start.
#include "simulation/checkers/all.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
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
    QVector<QPair<int, QString>> letThrough{}; // from which order on; up to which run

    bool holds(int order) const { return order > from && order < to; }
    bool holds(int order, const QString &runId) const
    {
        QString upTo;
        for (const auto &[since, newest] : letThrough) {
            if (since < order)
                upTo = newest;
        }
        return holds(order) && (upTo.isEmpty() || runId > upTo);
    }
};

QString letThroughBy(const QString &text)
{
    const QJsonObject ramp = QJsonDocument::fromJson(text.toUtf8()).object();
    const QString state = ramp["state"_L1].toString();
    if (state != "ramping"_L1 && state != "holding"_L1)
        return {};
    return ramp["stages"_L1][ramp["stage"_L1].toInt()]["admits"_L1].toString();
}

QVector<Span> spansOf(const Record &record)
{
    QVector<Span> spans;
    for (const GateMove &move : record.gates) {
        if (move.kind == GateMove::Kind::paused) {
            spans.append({move.pause, move.order});
            continue;
        }
        for (Span &span : spans) {
            if (span.pause.id != move.pause.id)
                continue;
            if (move.kind == GateMove::Kind::lifted)
                span.to = std::min(span.to, move.order);
            else if (move.kind == GateMove::Kind::ramped)
                span.letThrough.append({move.order, letThroughBy(move.pause.ramp)});
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

// A run that was let through once goes on, whatever becomes of the ramp that let it.
bool isStart(const Fact &fact)
{
    return !fact.entry.step.isEmpty() && fact.entry.kind != EntryKind::gated;
}

void checkIntake(Evidence &evidence, const QVector<Span> &spans, const RunFacts &run)
{
    const auto start = std::find_if(run.facts.cbegin(), run.facts.cend(), isStart);
    if (start == run.facts.cend())
        return;
    for (const Span &span : spans) {
        const bool covers = span.pause.scope == "all"_L1 || (span.pause.scope == "workflow"_L1 &&
                                                             span.pause.target == run.workflow);
        if (covers && span.pause.depth == "intake"_L1 && span.holds(run.facts.first().order) &&
            span.holds(start->order, run.runId))
            evidence.add("I11", u"%1 started although the intake of %2 %3 is paused"_s.arg(
                                    run.eventId, span.pause.scope, span.pause.target));
    }
}

void checkIntents(Evidence &evidence, const QVector<Span> &spans, const RunFacts &run)
{
    for (const Fact &fact : run.facts) {
        if (fact.entry.kind != EntryKind::intent)
            continue;
        const auto *policy =
            evidence.stage.operation(run.workflow, fact.entry.step, fact.entry.direction);
        for (const Span &span : spans) {
            if (policy && span.holds(fact.order, run.runId) && covers(span, run, *policy) &&
                stops(span, fact.entry, *policy))
                evidence.add("I11", u"%1 started %2 under the pause of %3 %4 (%5)"_s.arg(
                                        run.eventId, fact.entry.step, span.pause.scope,
                                        span.pause.target, span.pause.depth));
        }
    }
}
} // namespace

void checkPause(Evidence &evidence)
{
    const QVector<Span> spans = spansOf(evidence.record);
    if (spans.isEmpty())
        return;
    for (const RunFacts &run : evidence.runs) {
        checkIntake(evidence, spans, run);
        checkIntents(evidence, spans, run);
    }
}

} // namespace holdfast::simulation
