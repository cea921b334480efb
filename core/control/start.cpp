// Intake: one source event, one run; and a run anew, where that is safe.
#include "contract/evaluator.h"
#include "control/arguments.h"
#include "control/describe.h"
#include "control/record.h"
#include "control/rerun.h"
#include "engine/decide.h"
#include "engine/fold.h"
#include "model/ids.h"
#include "model/json.h"
#include "model/trace.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype eventIdMax = 255;

struct Intake {
    std::shared_ptr<const Definition> definition;
    QJsonObject input;
    QString eventId;
    QString traceparent;
    int generation = 1;
    QString rerunOf;
    QString reason;
};

Result<void> checkEventId(const QString &eventId)
{
    if (eventId.trimmed().isEmpty())
        return model::invalid(u"the event id is empty"_s);
    if (eventId.size() > eventIdMax)
        return model::invalid(u"the event id is longer than %1 characters"_s.arg(eventIdMax));
    const bool hasControl = std::any_of(eventId.cbegin(), eventId.cend(), [](QChar c) {
        return c.category() == QChar::Other_Control;
    });
    if (hasControl)
        return model::invalid(u"the event id holds control characters"_s);
    return {};
}

Result<QString> eventIdOf(const Context &context, const contract::Workflow &workflow,
                          const QJsonObject &input)
{
    const QString given = context.arguments().value("event_id"_L1).toString();
    if (!given.isNull())
        return given;
    if (workflow.eventId.isEmpty()) {
        return model::invalid(
            u"workflow %1 declares no event_id, so the event's id must be given (--event-id)"_s.arg(
                workflow.name));
    }
    contract::Evaluator evaluator;
    return evaluator.eventId(workflow, input);
}

// The trace that the caller wants its run to be part of.
Result<QString> traceparentOf(const QJsonObject &arguments)
{
    const QJsonValue given = arguments.value("traceparent"_L1);
    if (given.isUndefined() || given.isNull())
        return QString();
    if (!model::parseTraceparent(given.toString()))
        return model::invalid(u"the traceparent is none (VERSION-TRACE-PARENT-FLAGS in lower case "
                              "hexadecimal digits, as in W3C Trace Context); no run was started"_s);
    return given.toString();
}

ports::NewRun newRun(const Context &context, const Intake &intake, model::Instant now, bool held)
{
    model::Run run;
    run.runId = model::newId(now);
    run.workflow = intake.definition->workflow.name;
    run.version = intake.definition->workflow.version;
    run.eventId = intake.eventId;
    run.generation = intake.generation;
    run.traceparent = intake.traceparent;
    run.input = intake.input;
    model::Entry entry =
        engine::acceptedEntry(run, now, intake.definition->workflow.deadline, held);
    entry.actor = context.request.actor;
    const model::Entries entries{entry};
    const model::Run folded = engine::foldAll(entries);

    ports::NewRun created;
    ports::RunRow &row = created.run;
    row.runId = run.runId;
    row.workflow = run.workflow;
    row.version = run.version;
    row.eventId = run.eventId;
    row.generation = run.generation;
    row.inputHash = model::sha256Hex(model::canonicalJson(run.input));
    row.status = folded.status;
    row.seq = 1;
    row.due = held ? model::never : now;
    row.createdAt = now;
    row.updatedAt = now;
    created.journal.runId = run.runId;
    created.journal.seq = 1;
    created.journal.at = now;
    created.journal.entries = model::entriesToJson(entries);
    return created;
}

// Gate and run are one transaction: what a pause of the intake does not see is held.
Result<ports::StartAnswer> accept(Context &context, const Intake &intake)
{
    ports::StartAnswer answer;
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto rows = context.store.lockGates({});
        if (!rows)
            return rows.error();
        const auto gates = readGates(context);
        if (!gates)
            return gates.error();
        const bool held = engine::isIntakePaused(*gates, intake.definition->workflow.name, {});
        const ports::NewRun run = newRun(context, intake, rows->now, held);
        const auto started = context.store.startRun(run);
        if (!started)
            return started.error();
        answer = *started;
        if (!answer.created)
            return {};
        QJsonObject body{{u"workflow"_s, run.run.workflow},
                         {u"version"_s, run.run.version},
                         {u"event_id"_s, run.run.eventId},
                         {u"input_hash"_s, run.run.inputHash}};
        if (!intake.rerunOf.isEmpty()) {
            body.insert(u"rerun_of"_s, intake.rerunOf);
            body.insert(u"reason"_s, intake.reason);
        }
        return context.store.appendAudit(
            auditRow(context, run.run.runId, run.run.runId, body, rows->now));
    });
    if (!written)
        return written.error();
    return answer;
}

QJsonObject startJson(const ports::StartAnswer &answer)
{
    QJsonObject json{
        {u"run_id"_s, answer.run.runId},    {u"status"_s, model::runStatusName(answer.run.status)},
        {u"replayed"_s, !answer.created},   {u"workflow"_s, answer.run.workflow},
        {u"version"_s, answer.run.version}, {u"event_id"_s, answer.run.eventId}};
    if (!answer.archive.isEmpty())
        json.insert(u"archive"_s, answer.archive);
    return json;
}

QString rerunEventId(const model::Run &run)
{
    QString base = run.eventId;
    const QString suffix = u"#%1"_s.arg(run.generation);
    if (run.generation > 1 && base.endsWith(suffix))
        base.chop(suffix.size());
    return u"%1#%2"_s.arg(base).arg(run.generation + 1);
}
} // namespace

Result<void> rerunIsSafe(const LoadedRun &loaded, bool isConfirmed)
{
    const model::Run &run = loaded.run;
    if (const QString step = unknownStep(run); !step.isEmpty())
        return model::refused(
            u"nobody knows whether step %1 happened; resolve that first"_s.arg(step));
    if (!model::isFinal(run.status))
        return model::refused(
            u"the run has not ended (%1); cancel it first"_s.arg(model::runStatusName(run.status)));
    const QStringList standing = standingEffects(loaded);
    if (standing.isEmpty() || isConfirmed)
        return {};
    return model::refused(
        u"the effects of %1 stand and a rerun would do them again under new keys; compensate the "
        "run first, or confirm that this is meant (--confirm)"_s.arg(standing.join(u", ")));
}

Result<QJsonValue> start(Context &context)
{
    const auto name = requiredText(context.arguments(), "workflow");
    if (!name)
        return name.error();
    const auto version = integerOr(context.arguments(), "version", 0);
    if (!version)
        return version.error();
    const QJsonValue input = context.arguments().value("input"_L1);
    if (!input.isObject())
        return model::invalid(u"the input of a run is a JSON object"_s);
    const auto definition = context.definitions.workflow(context.store, *name, int(*version));
    if (!definition)
        return definition.error();
    const auto traceparent = traceparentOf(context.arguments());
    if (!traceparent)
        return traceparent.error();
    Intake intake{*definition, input.toObject(), {}, *traceparent, 1, {}, {}};
    const contract::Workflow &workflow = intake.definition->workflow;
    if (const auto valid = contract::validateInput(workflow, intake.input); !valid)
        return valid.error();
    const auto eventId = eventIdOf(context, workflow, intake.input);
    if (!eventId)
        return eventId.error();
    if (const auto valid = checkEventId(*eventId); !valid)
        return valid.error();
    intake.eventId = *eventId;
    const auto answer = accept(context, intake);
    if (!answer)
        return answer.error();
    if (!answer->created &&
        answer->run.inputHash != model::sha256Hex(model::canonicalJson(intake.input))) {
        return model::Error{model::ErrorKind::conflict,
                            u"event %1 of %2 is run %3 already, with other input; no run was "
                            "started"_s.arg(intake.eventId, workflow.name, answer->run.runId)};
    }
    return QJsonValue(startJson(*answer));
}

Result<QJsonValue> rerun(Context &context)
{
    const auto runId = requiredText(context.arguments(), "run");
    if (!runId)
        return runId.error();
    const auto loaded = loadRun(context, *runId);
    if (!loaded)
        return loaded.error();
    const bool isConfirmed = context.arguments().value("confirm"_L1).toBool();
    if (const auto safe = rerunIsSafe(*loaded, isConfirmed); !safe)
        return safe.error();
    const auto version = integerOr(context.arguments(), "version", loaded->run.version);
    if (!version)
        return version.error();
    const auto definition =
        context.definitions.workflow(context.store, loaded->run.workflow, int(*version));
    if (!definition)
        return definition.error();
    const auto reason = reasonOf(context.arguments(), false);
    if (!reason)
        return reason.error();
    Intake intake{*definition, loaded->run.input,          rerunEventId(loaded->run),
                  {},          loaded->run.generation + 1, *runId,
                  *reason};
    if (const auto valid = contract::validateInput(intake.definition->workflow, intake.input);
        !valid)
        return valid.error();
    const auto answer = accept(context, intake);
    if (!answer)
        return answer.error();
    QJsonObject json = startJson(*answer);
    json.insert(u"rerun_of"_s, *runId);
    json.insert(u"generation"_s, intake.generation);
    return QJsonValue(json);
}

} // namespace holdfast::control
