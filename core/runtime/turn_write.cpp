// The second half of a turn: write, commit, and only then perform.
#include "runtime/turn.h"

#include "engine/classify.h"
#include "engine/command.h"
#include "engine/status.h"
#include "model/ids.h"
#include "model/json.h"
#include "ports/alert.h"
#include "runtime/crash_point.h"
#include "runtime/rollup_sum.h"

namespace holdfast::runtime
{

namespace
{
constexpr model::Millis unchangedPoll = model::second;
constexpr model::Millis pausePoll = 30 * model::second;

// A run that can go on but neither is open nor has a due instant would be forgotten: it is due now.
// A gate that was found closed again is in no entry, so when to look at it again is not in the run,
// whatever else of it is due later. One that waits for a person and at a pause is not listed as
// held, so the end of the pause does not wake it, and it looks from time to time.
model::Instant dueOf(const model::Run &run, model::Instant lookAgainAt, model::Instant now)
{
    const bool goesOn = run.status == model::RunStatus::queued ||
                        run.status == model::RunStatus::running ||
                        run.status == model::RunStatus::compensating;
    const auto sooner = [](model::Instant a, model::Instant b) {
        return a == model::never || b == model::never ? std::max(a, b) : std::min(a, b);
    };
    model::Instant due = engine::nextDue(run);
    if (lookAgainAt != model::never)
        due = due <= now ? lookAgainAt : sooner(due, lookAgainAt);
    else if (due == model::never && goesOn)
        due = now;
    if (run.status != model::RunStatus::held && engine::isAtPause(run))
        due = sooner(due, now + pausePoll);
    return due;
}

bool standsAlike(const ports::RunRow &before, const ports::RunRow &after)
{
    return before.status == after.status && before.worker == after.worker &&
           before.due == after.due && before.reason == after.reason &&
           before.finishedAt == after.finishedAt;
}

bool hasReceipt(const model::Entries &entries)
{
    for (const model::Entry &entry : entries) {
        if (entry.kind == model::EntryKind::confirmed && entry.attempt > 0)
            return true;
    }
    return false;
}

// A result handed in again after a commit that took in spite of a lost connection says nothing new.
// That of an attempt which a restored database has forgotten does.
bool isNews(const model::Run &run, const model::CallResult &result)
{
    const model::Step *step = run.find(result.step);
    if (!step)
        return false;
    for (const model::Attempt &attempt : step->attempts) {
        if (attempt.number == result.attempt && attempt.direction == result.direction)
            return attempt.reason == QLatin1String("worker_lost");
    }
    return true;
}

bool hasUndone(const model::Entries &entries)
{
    for (const model::Entry &entry : entries) {
        if (entry.kind == model::EntryKind::confirmed &&
            entry.direction == model::Direction::compensate)
            return true;
    }
    return false;
}
} // namespace

Result<QSet<QString>> Turn::write()
{
    RollupSum rollups;
    for (Work &work : m_work) {
        if (work.entries.isEmpty()) {
            if (work.claimed) {
                model::Instant due = dueOf(work.run, work.lookAgainAt, m_now);
                if (due != model::never && due <= m_now && m_options.maySend)
                    due = m_now + unchangedPoll;
                m_writes.releases.append({work.run.runId, work.row.fence, due});
            } else if (work.commanded) {
                m_writes.unchanged.append({work.run.runId, work.row.fence, work.seqBefore});
            }
            continue;
        }
        work.run.seq = work.seqBefore + 1;
        const bool open = engine::hasOpenAttempt(work.run);
        ports::RunRow row = projectRun(work.run, work.deployed->policy, work.row);
        row.worker = open ? m_options.worker : QString();
        row.due = open ? model::never : dueOf(work.run, work.lookAgainAt, m_now);
        row.updatedAt = m_now;
        const bool keepsPlace = standsAlike(work.row, row);
        const bool wasFinal = model::isFinal(work.row.status);
        work.row = row;
        m_writes.runs.append({std::move(row), work.row.fence, keepsPlace});
        m_writes.journal.append({0, work.run.runId, work.run.seq, m_now, m_options.worker,
                                 work.row.fence, model::entriesToJson(work.entries)});
        const Change change{work.run, work.entries, work.deployed->policy, m_options.worker,
                            wasFinal};
        projectChange(change, m_writes);
        rollups.add(change);
        if (hasReceipt(work.entries))
            pass(CrashPoint::beforeReceipt);
    }
    m_writes.rollups = rollups.rows();
    m_writes.commandsAdded = m_lateReports;
    writeBreakers();
    return m_store.write(m_writes);
}

void Turn::writeBreakers()
{
    for (auto gate = m_gates.dependencies.cbegin(); gate != m_gates.dependencies.cend(); ++gate) {
        const engine::Breaker &breaker = gate->breaker;
        if (breaker == m_breakersBefore.value(gate.key()))
            continue;
        const QString before = engine::breakerStateName(m_breakersBefore.value(gate.key()).state);
        m_writes.breakers.append(
            {{gate.key(), engine::breakerStateName(breaker.state), breaker.failures,
              breaker.openUntil, breaker.trialUntil, breaker.reason},
             before});
        const auto deployed = m_catalog.dependency(gate.key());
        const auto told =
            ports::breakerChanged(before, m_writes.breakers.last().row,
                                  deployed ? deployed->dependency.owner : QString(), m_now);
        if (told)
            m_writes.outbox.append(*told);
    }
}

Result<void> Turn::commit()
{
    bool intents = false;
    for (const Work &work : std::as_const(m_work))
        intents = intents || !work.sends.isEmpty();
    if (intents)
        pass(CrashPoint::beforeCommit);
    const auto committed = m_store.commit();
    if (committed)
        return {};
    // Lost under the commit: whether it took is in the database, and nothing is done before that is
    // read.
    m_commitUnknown = committed.error().kind == model::ErrorKind::unknownOutcome;
    return committed.error();
}

// PostgreSQL may still be at that commit when it is asked over another connection. Whoever opens
// one registers first, and that waits for the row of this worker which the lost turn holds in share
// mode (lock_gates); so a connection that was not opened in that order is not believed.
Result<void> Turn::settleUnknownCommit()
{
    if (!m_store.isOpen())
        return model::Error{model::ErrorKind::lost, QStringLiteral("the run database is not open")};
    bool took = false;
    for (const ports::JournalRow &written : std::as_const(m_writes.journal)) {
        const auto rows = m_store.journal(written.runId);
        if (!rows)
            return rows.error();
        for (const ports::JournalRow &row : *rows)
            took = took || (row.seq == written.seq && row.worker == written.worker &&
                            row.fence == written.fence);
        break;
    }
    m_commitUnknown = false;
    if (took)
        finishTurn();
    return {};
}

void Turn::finishTurn()
{
    for (Work &work : m_work) {
        if (work.entries.isEmpty())
            continue;
        if (hasReceipt(work.entries))
            pass(CrashPoint::afterReceipt);
        if (hasUndone(work.entries))
            pass(CrashPoint::betweenUndo);
    }
    for (Work &work : m_work) {
        perform(work);
        if (m_options.telemetry && !work.entries.isEmpty())
            m_options.telemetry->committed({work.run, work.entries, work.deployed->policy});
        if (work.entries.isEmpty() && work.claimed)
            continue;
        const QString runId = work.run.runId;
        if (engine::hasOpenAttempt(work.run))
            m_owned[runId] = {std::move(work.run), std::move(work.row)};
        else
            m_owned.remove(runId);
    }
    settleQuotas();
}

void Turn::perform(const Work &work)
{
    for (const engine::Send &sending : work.sends)
        send(work, sending);
    for (const engine::TripPause &trip : work.trips)
        tripPause(work, trip);
}

void Turn::send(const Work &work, const engine::Send &sending)
{
    pass(CrashPoint::afterCommit);
    ++m_report.sent;
    const auto made = m_answers->call(work.run, *work.deployed, sending);
    model::Call call;
    if (made) {
        call = *made;
    } else {
        call.runId = work.run.runId;
        call.step = sending.step;
        call.direction = sending.direction;
        call.attempt = sending.attempt;
    }
    call.fence = work.row.fence;
    if (!made) {
        model::CallResult result;
        result.runId = call.runId;
        result.step = call.step;
        result.direction = call.direction;
        result.attempt = call.attempt;
        result.fence = call.fence;
        result.sent = false;
        result.error = QStringLiteral("prepare_failed");
        result.detail = made.error().message;
        m_refused.append(result);
        return;
    }
    // Of the turn that committed the intent: a commit whose answer was lost may be made sure of
    // only much later, under another lease, when others have had the run.
    call.sendBeforeMonotonic = m_leaseOfTurn;
    if (sending.before != model::never) {
        const model::Millis last = m_askedAt + (sending.before - m_now);
        if (call.sendBeforeMonotonic == 0 || last < call.sendBeforeMonotonic)
            call.sendBeforeMonotonic = last;
    }
    if (m_options.telemetry)
        m_options.telemetry->sending(call);
    m_sender.send(call);
    pass(CrashPoint::afterSend);
}

QVector<model::CallResult> Turn::takeRefused() { return std::exchange(m_refused, {}); }

// Best effort by design: when this is lost, the next refused attempt trips it again. All of it or
// nothing: a pause without its item would wait for nobody.
void Turn::tripPause(const Work &work, const engine::TripPause &trip)
{
    if (!m_store.begin())
        return;
    // Under the lock, because many workers see the same refusal at once.
    const auto active = m_store.lockPauses();
    const bool isNeeded =
        active && std::none_of(active->cbegin(), active->cend(), [&](const ports::PauseRow &pause) {
            return pause.scope == QLatin1String("dependency") && pause.target == trip.dependency &&
                   pause.depth == QLatin1String("all");
        });
    const Result<void> done =
        isNeeded && writeTrip(work, trip) ? m_store.commit() : (m_store.rollback(), Result<void>());
    Q_UNUSED(done);
}

bool Turn::writeTrip(const Work &work, const engine::TripPause &trip)
{
    ports::PauseRow pause;
    pause.id = model::newId(m_now);
    pause.scope = QStringLiteral("dependency");
    pause.target = trip.dependency;
    pause.depth = QStringLiteral("all");
    pause.reason = trip.reason;
    pause.actor = QStringLiteral("engine");
    const auto added = m_store.addPause(pause);
    if (!added)
        return false;
    ports::ReviewRow review;
    review.id = QStringLiteral("rv-") + pause.id;
    review.kind = QStringLiteral("tripwire");
    review.step = trip.step;
    review.workflow = work.run.workflow;
    review.dependency = trip.dependency;
    review.openedAt = added->at;
    const auto deployed = m_catalog.dependency(trip.dependency);
    review.evidence = {
        {QStringLiteral("reason"), trip.reason},
        {QStringLiteral("pause"), pause.id},
        {QStringLiteral("first_run"), work.run.runId},
        {QStringLiteral("owner"), deployed ? deployed->dependency.owner : QString()}};
    ports::AuditRow audit;
    audit.chain = QStringLiteral("system");
    audit.at = added->at;
    audit.actor = pause.actor;
    audit.action = QStringLiteral("pause");
    audit.subject = QStringLiteral("dependency ") + trip.dependency;
    audit.body = QString::fromUtf8(model::canonicalJson(review.evidence));
    return m_store.addReview(review).ok() && m_store.appendAudit(audit).ok();
}

// A result for a run this worker lost sight of, for instance because it was frozen and taken over.
Result<void> Turn::keepOrphan(const model::CallResult &result)
{
    const auto rows = m_store.journal(result.runId);
    if (!rows)
        return rows.error();
    const model::Run run = runFrom(*rows);
    if (!isNews(run, result))
        return {};
    const auto deployed = m_catalog.workflow(m_store, run.workflow, run.version);
    if (!deployed)
        return deployed.error();
    const engine::AttemptEnded ended = m_answers->ended(run, **deployed, nullptr, result);
    const model::OperationPolicy *policy =
        model::operationPolicy((*deployed)->policy, ended.step, ended.direction);
    if (!policy)
        return {};
    ports::CommandRow command;
    command.id = QStringLiteral("late-%1-%2-%3-%4")
                     .arg(result.runId, ended.step, model::directionName(ended.direction))
                     .arg(ended.attempt);
    command.name = QStringLiteral("late_report");
    command.runId = result.runId;
    command.actor = QStringLiteral("worker ") + m_options.worker;
    command.arguments = engine::lateReportArguments(engine::lateReport(*policy, ended));
    command.at = m_now;
    m_lateReports.append(command);
    return {};
}

} // namespace holdfast::runtime
