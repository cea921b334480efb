#include "control/run_query.h"

#include "control/arguments.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 countMax = 10'000;
constexpr int reasonsMax = 200;
constexpr int groupsOffered = 50;

Result<QStringList> runsOfKey(Context &context, const QString &key)
{
    const auto rows = context.store.ledger(key);
    if (!rows)
        return rows.error();
    QStringList runIds;
    for (const ports::LedgerRow &row : *rows)
        runIds.append(row.runId);
    return runIds;
}

Result<void> narrowToRuns(Context &context, const RunWords &words, ports::RunFilter &filter)
{
    if (!words.runId.isEmpty())
        filter.runIds = QStringList{words.runId};
    if (words.key.isEmpty())
        return {};
    auto runIds = runsOfKey(context, words.key);
    if (!runIds)
        return runIds.error();
    if (!words.runId.isEmpty())
        runIds->removeIf([&words](const QString &runId) { return runId != words.runId; });
    filter.runIds = *runIds;
    return {};
}

Result<void> narrowToDependency(Context &context, const RunWords &words, ports::RunFilter &filter)
{
    if (words.dependency.isEmpty())
        return {};
    const auto known = context.definitions.dependencies(context.store);
    if (!known)
        return known.error();
    if (!known->contains(words.dependency))
        return model::invalid(u"no dependency named %1 is deployed; known are %2"_s.arg(
            words.dependency, QStringList(known->keys()).join(u", "_s)));
    const auto steps = stepsCalling(context, words.dependency);
    if (!steps)
        return steps.error();
    filter.standsAt = *steps;
    // No step calls it, so no run stands at one.
    if (steps->isEmpty())
        filter.runIds = QStringList();
    return {};
}

// With what is merged into it, as it is shown.
Result<void> narrowToGroup(Context &context, const RunWords &words, ports::RunFilter &filter)
{
    if (words.group.isEmpty())
        return {};
    const auto rows = context.store.failureGroups({words.group});
    if (!rows)
        return rows.error();
    for (const ports::FailureGroupRow &row : *rows)
        filter.groups.append(row.id);
    if (!filter.groups.contains(words.group))
        return model::invalid(u"there is no failure group %1"_s.arg(words.group));
    return {};
}

// One argument for each part, as the command line gives them.
Result<ports::RunFilter> filterOfParts(const QJsonObject &arguments)
{
    ports::RunFilter filter;
    const auto statuses = listOf(arguments, "status");
    if (!statuses)
        return statuses.error();
    for (const QString &status : *statuses) {
        if (!model::runStatusFromName(status))
            return model::invalid(u"%1 is no status of a run"_s.arg(status));
    }
    const auto since = instantOf(arguments, "since");
    if (!since)
        return since.error();
    const auto until = instantOf(arguments, "until");
    if (!until)
        return until.error();
    filter.statuses = *statuses;
    filter.workflow = arguments.value("workflow"_L1).toString();
    filter.eventId = arguments.value("event_id"_L1).toString();
    filter.step = arguments.value("step"_L1).toString();
    filter.reason = arguments.value("reason"_L1).toString();
    filter.since = *since;
    filter.until = *until;
    return filter;
}

QJsonArray sorted(QStringList names)
{
    names.removeDuplicates();
    names.sort();
    return QJsonArray::fromStringList(names);
}
} // namespace

Result<ports::RunFilter> runFilterOf(Context &context, const QString &text)
{
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const auto words = parseRunFilter(text, *now);
    if (!words)
        return words.error();
    ports::RunFilter filter;
    filter.statuses = words->statuses;
    filter.workflow = words->workflow;
    filter.step = words->step;
    filter.reason = words->reason;
    filter.eventId = words->eventId;
    filter.since = words->since;
    filter.until = words->until;
    filter.ids = words->ids;
    if (const auto narrowed = narrowToRuns(context, *words, filter); !narrowed)
        return narrowed.error();
    if (const auto narrowed = narrowToDependency(context, *words, filter); !narrowed)
        return narrowed.error();
    if (const auto narrowed = narrowToGroup(context, *words, filter); !narrowed)
        return narrowed.error();
    return filter;
}

Result<ports::RunFilter> runFilterOfArguments(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    const QJsonValue text = arguments.value("filter"_L1);
    if (text.isUndefined())
        return filterOfParts(arguments);
    for (const char *part :
         {"status", "workflow", "event_id", "step", "reason", "since", "until"}) {
        if (arguments.contains(QLatin1String(part)))
            return model::invalid(u"give a filter or %1, not both"_s.arg(QLatin1String(part)));
    }
    return runFilterOf(context, text.toString());
}
Result<QVector<ports::WorkflowStep>> stepsCalling(Context &context, const QString &dependency)
{
    const auto rows = context.store.workflows();
    if (!rows)
        return rows.error();
    QVector<ports::WorkflowStep> steps;
    for (const ports::WorkflowRow &row : *rows) {
        const auto definition = context.definitions.workflow(context.store, row.name, row.version);
        if (!definition)
            return definition.error();
        for (const model::StepPolicy &step : (*definition)->policy.steps) {
            const bool calls = step.forward.dependency == dependency ||
                               (step.undo && step.undo->dependency == dependency);
            const ports::WorkflowStep found{row.name, step.step};
            if (calls && !steps.contains(found))
                steps.append(found);
        }
    }
    return steps;
}

Result<QJsonValue> count(Context &context)
{
    const auto filter = runFilterOf(context, context.arguments().value("filter"_L1).toString());
    if (!filter)
        return filter.error();
    const auto counted = context.store.countRuns(*filter, countMax);
    if (!counted)
        return counted.error();
    return QJsonValue(QJsonObject{{u"count"_s, counted->count}, {u"capped"_s, counted->capped}});
}

// For completion: what could be typed after each word now.
Result<QJsonValue> filterWords(Context &context)
{
    const auto rows = context.store.workflows();
    if (!rows)
        return rows.error();
    QStringList workflowNames, steps;
    for (const ports::WorkflowRow &row : *rows) {
        // The newest version of each comes first.
        if (workflowNames.contains(row.name))
            continue;
        workflowNames.append(row.name);
        const auto definition = context.definitions.workflow(context.store, row.name, row.version);
        if (!definition)
            return definition.error();
        for (const model::StepPolicy &step : (*definition)->policy.steps)
            steps.append(step.step);
    }
    const auto known = context.definitions.dependencies(context.store);
    if (!known)
        return known.error();
    const auto reasons = context.store.runReasons(reasonsMax);
    if (!reasons)
        return reasons.error();
    const auto newest = context.store.newestFailureGroups(groupsOffered);
    if (!newest)
        return newest.error();
    QStringList groups;
    for (const ports::FailureGroupRow &row : *newest)
        groups.append(row.id);
    const QJsonObject words{{u"status"_s, QJsonArray::fromStringList(runStatusNames())},
                            {u"workflow"_s, sorted(workflowNames)},
                            {u"step"_s, sorted(steps)},
                            {u"reason"_s, sorted(*reasons)},
                            {u"dependency"_s, sorted(known->keys())},
                            {u"group"_s, QJsonArray::fromStringList(groups)}};
    return QJsonValue(QJsonObject{{u"words"_s, words}});
}

} // namespace holdfast::control
