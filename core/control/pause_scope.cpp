#include "control/pause_scope.h"

#include "control/arguments.h"
#include "control/run_query.h"
#include "engine/ramp.h"

#include <limits>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Direction;

namespace
{
constexpr int heldPageSize = 1000;
constexpr qsizetype definitionsMax = 10'000; // runs remembered while counting

bool isInScope(const ports::PauseRow &pause, const QString &workflow, const QString &dependency)
{
    if (pause.scope == "workflow"_L1)
        return pause.target == workflow;
    if (pause.scope == "dependency"_L1)
        return pause.target == dependency;
    return true;
}

bool isInDepth(const ports::PauseRow &pause, const QString &direction, bool writes)
{
    if (pause.depth == "all"_L1)
        return true;
    if (pause.depth == "writes"_L1)
        return direction == "compensate"_L1 || (direction == "forward"_L1 && writes);
    return false;
}

const model::OperationPolicy *operationOf(const Definition &definition, const model::Entry &entry)
{
    for (const model::StepPolicy &step : definition.policy.steps) {
        if (step.step != entry.step)
            continue;
        const bool undo = entry.direction == Direction::compensate && step.undo;
        return undo ? &*step.undo : &step.forward;
    }
    return nullptr;
}

QJsonValue rampJson(const ports::PauseRow &row)
{
    const engine::Ramp ramp = engine::Ramp::fromText(row.ramp);
    if (ramp.state == engine::RampState::none)
        return {};
    QJsonArray labels;
    for (const engine::RampStage &stage : ramp.stages)
        labels.append(stage.label);
    return QJsonObject{{u"state"_s, engine::rampStateName(ramp.state)},
                       {u"stages"_s, labels},
                       {u"stage"_s, ramp.stage},
                       {u"admitted"_s, ramp.admitted()},
                       {u"ok"_s, ramp.ok},
                       {u"failed"_s, ramp.failed},
                       {u"note"_s, textOrNull(ramp.note)}};
}
} // namespace

QJsonObject pauseJson(const ports::PauseRow &row)
{
    QJsonObject json{{u"id"_s, row.id},
                     {u"scope"_s, row.scope},
                     {u"target"_s, row.target.isEmpty() ? QJsonValue() : QJsonValue(row.target)},
                     {u"depth"_s, row.depth},
                     {u"reason"_s, row.reason},
                     {u"actor"_s, row.actor},
                     {u"at"_s, instantJson(row.at)},
                     {u"ramp"_s, rampJson(row)}};
    if (row.liftedAt != model::never) {
        json.insert(u"lifted_at"_s, instantJson(row.liftedAt));
        json.insert(u"lifted_by"_s, row.liftedBy);
        json.insert(u"lifted_reason"_s, row.liftedReason);
    }
    return json;
}

QJsonArray inFlightUnder(const ports::PauseRow &pause, const QVector<ports::RunRow> &openRuns)
{
    QJsonArray list;
    for (const ports::RunRow &run : openRuns) {
        for (const ports::OpenAttempt &open : run.open) {
            const bool writes = open.effect != model::Effect::read;
            if (!isInScope(pause, run.workflow, open.dependency) ||
                !isInDepth(pause, model::directionName(open.direction), writes))
                continue;
            QJsonObject attempt = open.toJson();
            attempt.insert(u"run_id"_s, run.runId);
            attempt.insert(u"workflow"_s, run.workflow);
            attempt.insert(u"worker"_s, run.worker);
            attempt.insert(u"since"_s, instantJson(open.since));
            list.append(attempt);
        }
    }
    return list;
}

Result<QVector<HeldRun>> heldBy(Context &context, const ports::PauseRow &pause, qsizetype most)
{
    ports::RunFilter filter;
    filter.statuses = {u"held"_s};
    filter.limit = heldPageSize;
    if (pause.scope == "workflow"_L1)
        filter.workflow = pause.target;
    if (pause.scope == "dependency"_L1) {
        const auto steps = stepsCalling(context, pause.target);
        if (!steps)
            return steps.error();
        filter.standsAt = *steps;
        if (steps->isEmpty())
            return QVector<HeldRun>();
    }
    QVector<HeldRun> held;
    while (held.size() < most) {
        const auto page = context.store.runPage(filter);
        if (!page)
            return page.error();
        for (const ports::RunRow &row : page->rows)
            held.append({row.runId, row.createdAt});
        if (page->cursor.isEmpty())
            break;
        filter.cursor = page->cursor;
    }
    return held;
}

Result<int> heldUnder(Context &context, const ports::PauseRow &pause)
{
    const auto held = heldBy(context, pause, std::numeric_limits<qsizetype>::max());
    return held ? Result<int>(int(held->size())) : Result<int>(held.error());
}

StartedSince::StartedSince(Context &context, const ports::PauseRow &pause)
    : m_context(context), m_pause(pause), m_admits(engine::Ramp::fromText(pause.ramp).admits())
{
}

Result<std::shared_ptr<const Definition>> StartedSince::definitionOf(const QString &runId)
{
    const auto known = m_definitions.constFind(runId);
    if (known != m_definitions.constEnd())
        return *known;
    const auto row = m_context.store.run(runId);
    if (!row)
        return row.error();
    if (!*row)
        return std::shared_ptr<const Definition>();
    const auto definition =
        m_context.definitions.workflow(m_context.store, (*row)->workflow, (*row)->version);
    if (!definition)
        return definition.error();
    if (m_definitions.size() >= definitionsMax)
        m_definitions.clear();
    m_definitions.insert(runId, *definition);
    return *definition;
}

Result<void> StartedSince::add(const ports::JournalRow &row)
{
    if (row.runId <= m_admits)
        return {}; // let through by the pause's own ramp
    const bool countsRuns = m_pause.depth == "intake"_L1;
    if (!row.entries.contains(countsRuns ? "accepted" : "intent"))
        return {};
    const model::Entries entries = model::entriesFromJson(row.entries);
    for (const model::Entry &entry : entries) {
        const bool isRun =
            entry.kind == model::EntryKind::accepted && !entry.detail.value("held"_L1).toBool();
        if (countsRuns ? !isRun : entry.kind != model::EntryKind::intent)
            continue;
        const auto definition = definitionOf(row.runId);
        if (!definition)
            return definition.error();
        if (!*definition)
            continue;
        const model::OperationPolicy *operation = operationOf(**definition, entry);
        const QString dependency = operation ? operation->dependency : QString();
        if (!isInScope(m_pause, (*definition)->workflow.name, dependency))
            continue;
        const bool writes = !operation || operation->effect != model::Effect::read;
        if (countsRuns || isInDepth(m_pause, model::directionName(entry.direction), writes))
            ++m_count;
    }
    return {};
}

} // namespace holdfast::control
