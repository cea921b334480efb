// Single acts of people and of intake: each is one transaction unless it is part of one.
#include "ports/alert.h"
#include "store/audit_chain.h"
#include "store/row_reader.h"
#include "store/sql_store.h"

namespace holdfast::store
{

using namespace ports;

Result<StartAnswer> SqlStore::startRun(const NewRun &run)
{
    if (!isRunId(run.run.runId))
        return model::invalid(QStringLiteral("%1 is not a run id").arg(run.run.runId));
    return atomically<StartAnswer>([&]() -> Result<StartAnswer> {
        const Result<int> inserted = change("insert_run", valuesOf(run.run));
        if (!inserted)
            return inserted.error();
        if (*inserted == 0) {
            const Result<std::optional<RunRow>> standing =
                runByEvent(run.run.workflow, run.run.eventId);
            if (!standing)
                return standing.error();
            if (!*standing) {
                const auto gone =
                    one("archived_by_event", {run.run.eventId, run.run.workflow}, readArchivedRun);
                if (!gone)
                    return gone.error();
                if (*gone)
                    return StartAnswer{false, runOf(**gone), (*gone)->archive};
                return Error{ErrorKind::busy,
                             QStringLiteral("the run for event %1 of %2 is being changed")
                                 .arg(run.run.eventId, run.run.workflow)};
            }
            return StartAnswer{false, **standing};
        }
        const JournalRow &row = run.journal;
        const Result<int> journaled =
            change("insert_journal", {run.run.runId, row.seq, row.at, textValue(row.worker),
                                      row.fence, journalValue(row.entries)});
        if (!journaled)
            return journaled.error();
        if (const Result<void> counted = addRollups({startedRollup(run.run)}); !counted)
            return counted.error();
        workAdded();
        return StartAnswer{true, run.run};
    });
}

Result<bool> SqlStore::addCommand(const CommandRow &command)
{
    if (!command.runId.isEmpty() && !isRunId(command.runId))
        return model::invalid(QStringLiteral("%1 is not a run id").arg(command.runId));
    return atomically<bool>([&]() -> Result<bool> {
        const Result<int> inserted = change("insert_command", valuesOf(command));
        if (!inserted)
            return inserted.error();
        if (*inserted > 0)
            workAdded();
        return *inserted > 0;
    });
}

Result<bool> SqlStore::decideReview(const ReviewDecision &decision)
{
    return atomically<bool>([&]() -> Result<bool> {
        const Result<int> changed =
            change("decide_review", {textValue(decision.decision), textValue(decision.by),
                                     textValue(decision.reason), decision.at, decision.id});
        if (!changed)
            return changed.error();
        if (*changed > 0)
            return true;
        const Result<std::optional<ReviewRow>> standing =
            one("review_by_id", {decision.id}, readReview);
        if (!standing)
            return standing.error();
        if (!*standing)
            return model::notFound(QStringLiteral("there is no item %1").arg(decision.id));
        return false;
    });
}

Result<bool> SqlStore::claimReview(const ReviewClaim &claim)
{
    const bool release = claim.until == model::never;
    const Result<int> changed =
        change("claim_review", {textValue(release ? QString() : claim.by),
                                instantValue(claim.until), claim.id, claim.by, claim.now});
    return changed ? Result<bool>(*changed > 0) : Result<bool>(changed.error());
}

Result<bool> SqlStore::snoozeReview(const QString &id, Instant until)
{
    const Result<int> changed = change("snooze_review", {instantValue(until), id});
    return changed ? Result<bool>(*changed > 0) : Result<bool>(changed.error());
}

Result<void> SqlStore::putSetting(const SettingRow &setting)
{
    const Result<int> changed =
        change("put_setting", {textValue(setting.name), textValue(setting.value)});
    return changed ? Result<void>() : Result<void>(changed.error());
}

Result<bool> SqlStore::removeSetting(const QString &name)
{
    const Result<int> changed = change("remove_setting", {textValue(name)});
    return changed ? Result<bool>(*changed > 0) : Result<bool>(changed.error());
}

Result<PauseRow> SqlStore::addPause(const PauseRow &pause)
{
    return atomically<PauseRow>([&]() -> Result<PauseRow> {
        if (const Result<void> locked = lockGatesForChange(); !locked)
            return locked.error();
        const Result<std::optional<PauseRow>> standing =
            one("pause_by_id", {textValue(pause.id)}, readPause);
        if (!standing)
            return standing.error();
        if (*standing)
            return **standing;
        const Result<Instant> moment = now();
        if (!moment)
            return moment.error();
        const Result<qint64> mark = number("journal_mark");
        if (!mark)
            return mark.error();
        PauseRow row = pause;
        row.at = *moment;
        row.journalMark = *mark;
        const Result<int> inserted =
            change("insert_pause", {textValue(row.id), textValue(row.scope), textValue(row.target),
                                    textValue(row.depth), textValue(row.reason),
                                    textValue(row.actor), row.at, row.journalMark});
        if (!inserted)
            return inserted.error();
        if (const Result<int> touched = change("touch_gate"); !touched)
            return touched.error();
        if (const Result<void> told = announce(pauseSet(row)); !told)
            return told.error();
        return row;
    });
}

Result<QVector<PauseRow>> SqlStore::liftPauses(const QString &scope, const QString &target,
                                               const QString &depth, const PauseRow &lifted)
{
    return atomically<QVector<PauseRow>>([&]() -> Result<QVector<PauseRow>> {
        if (const Result<void> locked = lockGatesForChange(); !locked)
            return locked.error();
        const Result<Instant> moment = now();
        if (!moment)
            return moment.error();
        const Result<QVector<PauseRow>> rows =
            list("lift_pauses",
                 {*moment, textValue(lifted.liftedBy), textValue(lifted.liftedReason),
                  textValue(scope), textValue(target), textValue(depth), textValue(depth),
                  textValue(lifted.id), textValue(lifted.id)},
                 readPause);
        if (!rows)
            return rows.error();
        if (const Result<int> touched = change("touch_gate"); !touched)
            return touched.error();
        if (rows->isEmpty())
            return *rows;
        if (const Result<int> woken = change("wake_held", {*moment}); !woken)
            return woken.error();
        for (const PauseRow &row : *rows) {
            if (const Result<void> told = announce(pauseCleared(row)); !told)
                return told.error();
        }
        workAdded();
        return *rows;
    });
}

Result<QVector<PauseRow>> SqlStore::lockPauses()
{
    if (const Result<void> locked = lockGatesForChange(); !locked)
        return locked.error();
    return pauses(true);
}

Result<void> SqlStore::setRamp(const PauseRow &pause, const QString &wakeUpTo)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        if (const Result<void> locked = lockGatesForChange(); !locked)
            return locked.error();
        const Result<int> changed =
            change("set_ramp", {textValue(pause.ramp), pause.journalMark, textValue(pause.id)});
        if (!changed)
            return changed.error();
        if (const Result<int> touched = change("touch_gate"); !touched)
            return touched.error();
        if (wakeUpTo.isEmpty())
            return true;
        const Result<Instant> moment = now();
        if (!moment)
            return moment.error();
        if (const Result<int> woken = change("wake_admitted", {*moment, textValue(wakeUpTo)});
            !woken)
            return woken.error();
        workAdded();
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<qint64> SqlStore::journalMark() { return number("journal_mark"); }

// A person means now: the turns under way are waited for, as with a pause.
Result<void> SqlStore::setBreaker(const BreakerRow &breaker)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        if (const Result<void> locked = lockGatesForChange(); !locked)
            return locked.error();
        if (const Result<void> told = announceBreaker(breaker); !told)
            return told.error();
        if (const Result<int> changed = change("set_breaker", valuesOf(breaker)); !changed)
            return changed.error();
        if (breaker.state != QLatin1String("closed"))
            return true;
        const Result<Instant> moment = now();
        if (!moment)
            return moment.error();
        if (const Result<int> woken = change("wake_at_breaker", {*moment}); !woken)
            return woken.error();
        workAdded();
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> SqlStore::addReview(const ReviewRow &review)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        const Result<int> changed = change("insert_review", valuesOf(review));
        if (!changed)
            return changed.error();
        const Result<void> told = *changed > 0 ? announce(itemOpened(review)) : Result<void>();
        return told ? Result<bool>(true) : Result<bool>(told.error());
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> SqlStore::appendAudit(AuditRow row)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        const Result<QSqlQuery *> head = query("audit_head", {textValue(row.chain)});
        if (!head)
            return head.error();
        row.chainSeq = 1;
        row.previous = QLatin1String("");
        if ((*head)->next()) {
            row.chainSeq = (*head)->value(0).toLongLong() + 1;
            row.previous = (*head)->value(1).toString();
        }
        (*head)->finish();
        row.hash = auditHash(row);
        const Result<int> inserted = change(
            "insert_audit", {textValue(row.chain), row.chainSeq, row.at, textValue(row.actor),
                             textValue(row.action), textValue(row.subject), textValue(row.body),
                             row.previous, row.hash});
        if (!inserted)
            return inserted.error();
        const Result<int> moved =
            change("set_audit_head", {textValue(row.chain), row.chainSeq, row.hash});
        return moved ? Result<bool>(true) : Result<bool>(moved.error());
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<bool> SqlStore::deployWorkflow(const WorkflowRow &workflow)
{
    return atomically<bool>([&]() -> Result<bool> {
        const Result<int> inserted =
            change("insert_workflow",
                   {textValue(workflow.name), workflow.version, textValue(workflow.owner),
                    textValue(workflow.source), textValue(workflow.hash), workflow.deployedAt,
                    textValue(workflow.deployedBy)});
        if (!inserted)
            return inserted.error();
        if (*inserted > 0)
            return true;
        const Result<std::optional<WorkflowRow>> standing =
            this->workflow(workflow.name, workflow.version);
        if (!standing)
            return standing.error();
        return *standing && (*standing)->hash == workflow.hash;
    });
}

Result<DependencyRow> SqlStore::deployDependency(const DependencyRow &dependency)
{
    return atomically<DependencyRow>([&]() -> Result<DependencyRow> {
        const Result<std::optional<DependencyRow>> newest = this->dependency(dependency.name, 0);
        if (!newest)
            return newest.error();
        if (*newest && (*newest)->hash == dependency.hash)
            return **newest;
        DependencyRow row = dependency;
        row.revision = *newest ? (*newest)->revision + 1 : 1;
        const Result<int> inserted =
            change("insert_dependency",
                   {textValue(row.name), row.revision, textValue(row.owner), textValue(row.source),
                    textValue(row.hash), row.deployedAt, textValue(row.deployedBy)});
        if (!inserted)
            return inserted.error();
        return row;
    });
}

Result<int> SqlStore::sweepLedger(Instant now, int limit)
{
    return change("sweep_ledger", {now, limit});
}

} // namespace holdfast::store
