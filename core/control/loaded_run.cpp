#include "control/loaded_run.h"

#include "engine/fold.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

const model::StepPolicy *LoadedRun::stepPolicy(const QString &step) const
{
    const int index = stepIndex(step);
    return index < 0 ? nullptr : &definition->policy.steps.at(index);
}

int LoadedRun::stepIndex(const QString &step) const
{
    for (qsizetype i = 0; i < definition->policy.steps.size(); ++i) {
        if (definition->policy.steps.at(i).step == step)
            return int(i);
    }
    return -1;
}

QString LoadedRun::startedBy() const
{
    return journal.isEmpty() ? QString() : journal.first().entry.actor;
}

namespace
{
// Where a run is that is not here any more.
model::Error notHere(Context &context, const QString &runId)
{
    const auto gone = context.store.archivedRun(runId);
    const auto archive =
        gone && *gone
            ? context.store.archive((*gone)->archive)
            : Result<std::optional<ports::ArchiveRow>>(std::optional<ports::ArchiveRow>());
    if (!archive || !*archive)
        return model::notFound(u"there is no run %1"_s.arg(runId));
    return model::notFound(
        u"run %1 ended %2 on %3 and is archived in %4 on %5; open it there with `holdfastctl --db "
        "archive:%4 show %1`"_s.arg(runId, model::runStatusName((*gone)->status),
                                    model::instantText((*gone)->finishedAt), (*archive)->file,
                                    (*archive)->host));
}
} // namespace

Result<LoadedRun> loadRun(Context &context, const QString &runId)
{
    const auto row = context.store.run(runId);
    if (!row)
        return row.error();
    if (!*row)
        return notHere(context, runId);
    const auto journal = context.store.journal(runId);
    if (!journal)
        return journal.error();
    LoadedRun loaded;
    loaded.row = **row;
    for (const ports::JournalRow &journaled : *journal) {
        const model::Entries entries = model::entriesFromJson(journaled.entries);
        for (const model::Entry &entry : entries) {
            engine::fold(loaded.run, entry);
            loaded.journal.append({journaled.seq, entry});
        }
        loaded.run.seq = journaled.seq;
    }
    const auto definition =
        context.definitions.workflow(context.store, loaded.row.workflow, loaded.row.version);
    if (!definition)
        return definition.error();
    loaded.definition = *definition;
    return loaded;
}

Result<engine::Gates> readGates(Context &context)
{
    const auto pauses = context.store.pauses(true);
    if (!pauses)
        return pauses.error();
    const auto breakers = context.store.breakers();
    if (!breakers)
        return breakers.error();
    const auto known = context.definitions.dependencies(context.store);
    if (!known)
        return known.error();
    engine::Gates gates;
    for (const ports::PauseRow &row : *pauses)
        gates.pauses.append(engine::pauseFrom(row.scope, row.target, row.depth, row.ramp));
    for (const contract::Dependency &dependency : *known)
        gates.dependencies[dependency.name].revision = dependency.revision;
    for (const ports::BreakerRow &row : *breakers) {
        engine::Breaker &breaker = gates.dependencies[row.dependency].breaker;
        breaker.state =
            engine::breakerStateFromName(row.state).value_or(engine::BreakerState::closed);
        breaker.failures = row.failures;
        breaker.openUntil = row.openUntil;
        breaker.trialUntil = row.trialUntil;
        breaker.reason = row.reason;
    }
    // Retries are not refused here: whether the budget lasts is the worker's to say, later.
    for (engine::DependencyGate &gate : gates.dependencies)
        gate.retries = 1000;
    return gates;
}

contract::Scope undoScope(const model::Run &run, const QString &name)
{
    contract::Scope scope;
    scope.input = run.input;
    scope.run = {{u"run_id"_s, run.runId},
                 {u"workflow"_s, run.workflow},
                 {u"version"_s, run.version},
                 {u"event_id"_s, run.eventId},
                 {u"generation"_s, run.generation}};
    for (const model::Step &step : run.steps) {
        QJsonObject object{{u"status"_s, model::phaseName(step.forward.phase)}};
        if (step.forward.phase == model::Phase::succeeded)
            object.insert(u"receipt"_s, step.forward.receipt);
        if (step.hasBefore)
            object.insert(u"before"_s, step.before);
        scope.steps.insert(step.step, object);
    }
    if (const model::Step *step = run.find(name)) {
        if (step->hasBefore)
            scope.before = step->before;
        scope.receipt = step->forward.receipt;
        if (!step->forward.key.isEmpty())
            scope.key = step->forward.key;
    }
    return scope;
}

} // namespace holdfast::control
