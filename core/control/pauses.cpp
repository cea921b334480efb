// The switch: committed gates with scope and depth, what is in flight under them, and the proof
// that nothing started since.
#include "control/arguments.h"
#include "control/pause_scope.h"
#include "control/record.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int journalPageSize = 1000;

Result<PauseTarget> scopeOf(const QJsonObject &arguments)
{
    const QString workflow = arguments.value("workflow"_L1).toString();
    const QString dependency = arguments.value("dependency"_L1).toString();
    if (!workflow.isEmpty() && !dependency.isEmpty())
        return model::invalid(u"a pause concerns a workflow or a dependency, not both"_s);
    if (!workflow.isEmpty())
        return PauseTarget{u"workflow"_s, workflow};
    if (!dependency.isEmpty())
        return PauseTarget{u"dependency"_s, dependency};
    return PauseTarget{u"all"_s, QString()};
}

// A pause with a mistyped name would stop nothing, and look as if it did.
Result<void> checkTarget(Context &context, const PauseTarget &scope)
{
    if (scope.scope == "workflow"_L1) {
        const auto found = context.store.workflow(scope.target, 0);
        if (!found)
            return found.error();
        if (!*found)
            return model::notFound(u"no workflow named %1 is deployed"_s.arg(scope.target));
    }
    if (scope.scope == "dependency"_L1) {
        const auto found = context.store.dependency(scope.target, 0);
        if (!found)
            return found.error();
        if (!*found)
            return model::notFound(u"no dependency named %1 is deployed"_s.arg(scope.target));
    }
    return {};
}

Result<void> addInFlight(Context &context, const ports::PauseRow &row, QJsonObject &json)
{
    const auto open = context.store.openRuns();
    if (!open)
        return open.error();
    const QJsonArray attempts = inFlightUnder(row, *open);
    json.insert(u"in_flight"_s, attempts.size());
    json.insert(u"in_flight_attempts"_s, attempts);
    return {};
}

Result<void> addSinceAndHeld(Context &context, const ports::PauseRow &row, QJsonObject &json)
{
    StartedSince counter(context, row);
    qint64 after = row.journalMark;
    while (true) {
        const auto page = context.store.journalAfter(after, journalPageSize);
        if (!page)
            return page.error();
        for (const ports::JournalRow &journaled : *page) {
            if (const auto counted = counter.add(journaled); !counted)
                return counted;
            after = journaled.id;
        }
        if (page->size() < journalPageSize)
            break;
    }
    json.insert(u"started_since"_s, counter.count());
    const auto held = heldUnder(context, row);
    if (!held)
        return held.error();
    json.insert(u"held"_s, *held);
    return {};
}
} // namespace

Result<QJsonValue> pause(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    const auto reason = reasonOf(arguments, true);
    if (!reason)
        return reason.error();
    const auto scope = scopeOf(arguments);
    if (!scope)
        return scope.error();
    const QString depth = arguments.value("depth"_L1).toString(u"writes"_s);
    if (!engine::pauseDepthFromName(depth))
        return model::invalid(u"the depth of a pause is writes, all or intake"_s);
    if (const auto exists = checkTarget(context, *scope); !exists)
        return exists.error();
    ports::PauseRow row;
    row.id = context.request.id;
    row.scope = scope->scope;
    row.target = scope->target;
    row.depth = depth;
    row.reason = *reason;
    row.actor = context.request.actor;
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto known = context.store.pauses(false);
        if (!known)
            return known.error();
        for (const ports::PauseRow &pause : *known) {
            if (pause.id == row.id) {
                row = pause;
                return {};
            }
        }
        const auto added = context.store.addPause(row);
        if (!added)
            return added.error();
        row = *added;
        // One that stands already was added at the same moment, by this very request.
        if (const auto kept = rememberAnswer(context, {{u"pause"_s, row.id}}, row.at); !kept)
            return kept;
        return context.store.appendAudit(auditRow(context, u"system"_s, row.id,
                                                  {{u"scope"_s, row.scope},
                                                   {u"target"_s, row.target},
                                                   {u"depth"_s, row.depth},
                                                   {u"reason"_s, row.reason}},
                                                  row.at));
    });
    if (!written)
        return written.error();
    QJsonObject json = pauseJson(row);
    if (const auto added = addInFlight(context, row, json); !added)
        return added.error();
    return QJsonValue(json);
}

Result<QJsonValue> resume(Context &context)
{
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known)
        return **known;
    const QJsonObject &arguments = context.arguments();
    const auto reason = reasonOf(arguments, false);
    if (!reason)
        return reason.error();
    auto scope = scopeOf(arguments);
    if (!scope)
        return scope.error();
    if (arguments.value("ramp"_L1).toBool())
        return resumeByRamp(context, *scope, *reason);
    ports::PauseRow lifted;
    lifted.id = arguments.value("pause"_L1).toString();
    lifted.liftedBy = context.request.actor;
    lifted.liftedReason = *reason;
    if (!lifted.id.isEmpty()) {
        const auto rows = context.store.pauses(true);
        if (!rows)
            return rows.error();
        for (const ports::PauseRow &row : *rows) {
            if (row.id == lifted.id)
                *scope = PauseTarget{row.scope, row.target};
        }
    }
    const auto now = context.store.now();
    if (!now)
        return now.error();
    QJsonObject answer;
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto rows = context.store.liftPauses(scope->scope, scope->target,
                                                   arguments.value("depth"_L1).toString(), lifted);
        if (!rows)
            return rows.error();
        if (rows->isEmpty())
            return model::notFound(u"no such pause is in force; `pauses` lists those that are"_s);
        QJsonArray list;
        for (const ports::PauseRow &row : *rows)
            list.append(pauseJson(row));
        answer = {{u"resumed"_s, list}};
        if (const auto kept = rememberAnswer(context, answer, *now); !kept)
            return kept;
        return context.store.appendAudit(auditRow(context, u"system"_s, scope->scope,
                                                  {{u"resumed"_s, list}, {u"reason"_s, *reason}},
                                                  *now));
    });
    return written ? Result<QJsonValue>(QJsonValue(answer)) : Result<QJsonValue>(written.error());
}

Result<QJsonValue> pauses(Context &context)
{
    const auto rows = context.store.pauses(!context.arguments().value("all"_L1).toBool());
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::PauseRow &row : *rows) {
        QJsonObject json = pauseJson(row);
        if (row.liftedAt == model::never) {
            if (const auto added = addInFlight(context, row, json); !added)
                return added.error();
            if (const auto added = addSinceAndHeld(context, row, json); !added)
                return added.error();
        }
        list.append(json);
    }
    return QJsonValue(QJsonObject{{u"pauses"_s, list}});
}

} // namespace holdfast::control
