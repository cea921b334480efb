#include "runtime/turn.h"

#include "engine/command.h"
#include "engine/retry.h"
#include "engine/status.h"
#include "runtime/crash_point.h"

#include <algorithm>

namespace holdfast::runtime
{

using engine::LedgerAnswered;
using model::Direction;

namespace
{
constexpr int commandsMax = 500;
constexpr int triesMost = 3;

ports::LedgerRow ledgerRow(const model::Run &run, const engine::ClaimKey &claim, model::Instant now)
{
    const model::Step &step = *run.find(claim.step);
    const model::Operation &operation =
        claim.direction == Direction::compensate ? step.undo : step.forward;
    ports::LedgerRow row;
    row.operation = operation.operation;
    row.key = operation.key;
    row.hash = operation.hash;
    row.status = QStringLiteral("processing");
    row.runId = run.runId;
    row.step = claim.step;
    row.direction = model::directionName(claim.direction);
    row.createdAt = now;
    return row;
}

LedgerAnswered::Outcome outcomeOf(const ports::LedgerRow &asked, const ports::KeyAnswer &answer)
{
    if (answer.inserted)
        return LedgerAnswered::Outcome::mine;
    const ports::LedgerRow &found = answer.row;
    if (found.hash != asked.hash)
        return LedgerAnswered::Outcome::otherRequest;
    if (found.status == QLatin1String("compensated"))
        return LedgerAnswered::Outcome::compensated;
    const bool mine = found.runId == asked.runId && found.step == asked.step &&
                      found.direction == asked.direction;
    // Whoever asks again for its own key has had no effect under it, however long ago that was.
    if (found.status == QLatin1String("expired"))
        return mine ? LedgerAnswered::Outcome::failed : LedgerAnswered::Outcome::expired;
    if (mine && found.status == QLatin1String("processing"))
        return LedgerAnswered::Outcome::mine;
    if (found.status == QLatin1String("succeeded"))
        return LedgerAnswered::Outcome::succeeded;
    return found.status == QLatin1String("failed") ? LedgerAnswered::Outcome::failed
                                                   : LedgerAnswered::Outcome::processing;
}

// The run still asks this: whoever decided it before has to be asked again.
bool stillAsks(const model::Run &run, const QString &reviewId)
{
    if (run.deadLetterId == reviewId || run.standaloneReviews.contains(reviewId))
        return true;
    return std::any_of(run.steps.cbegin(), run.steps.cend(), [&](const model::Step &step) {
        return step.forward.reviewId == reviewId || step.undo.reviewId == reviewId;
    });
}

bool isConflict(LedgerAnswered::Outcome outcome)
{
    return outcome == LedgerAnswered::Outcome::otherRequest ||
           outcome == LedgerAnswered::Outcome::compensated ||
           outcome == LedgerAnswered::Outcome::expired;
}

LedgerAnswered answerFor(const engine::ClaimKey &claim, const ports::LedgerRow &asked,
                         const ports::KeyAnswer &answer)
{
    LedgerAnswered event;
    event.step = claim.step;
    event.direction = claim.direction;
    event.outcome = outcomeOf(asked, answer);
    event.ownerRunId = answer.row.runId;
    event.result = answer.row.result;
    if (!answer.inserted) {
        event.evidence = {{QStringLiteral("other_run"), answer.row.runId},
                          {QStringLiteral("other_step"), answer.row.step},
                          {QStringLiteral("other_result"), answer.row.result},
                          {QStringLiteral("other_status"), answer.row.status}};
    }
    return event;
}
} // namespace

Turn::Turn(ports::Store &store, Catalog &catalog, ports::Sender &sender, const ports::Clock &clock,
           TurnOptions options, std::shared_ptr<Answers> answers)
    : m_store(store), m_catalog(catalog), m_sender(sender), m_clock(clock),
      m_options(std::move(options)),
      m_answers(answers ? std::move(answers) : std::make_shared<Answers>())
{
}

// Where others were quicker with what was left of a quota, it is decided again with what is left
// now, and the last time without asking for more.
Result<TurnReport> Turn::turn(const QVector<model::CallResult> &results)
{
    if (m_commitUnknown) {
        if (const auto settled = settleUnknownCommit(); !settled)
            return settled.error();
    }
    for (int tries = 1;; ++tries) {
        m_isCautious = tries >= triesMost;
        const auto stands = tryTurn(results);
        if (!stands)
            return stands.error();
        if (*stands)
            return m_report;
    }
}

Result<bool> Turn::tryTurn(const QVector<model::CallResult> &results)
{
    m_isShort = false;
    m_limited.clear();
    m_work.clear();
    m_keys.clear();
    m_taken.clear();
    m_lateReports.clear();
    m_writes = {};
    m_report = {};
    if (!results.isEmpty())
        pass(CrashPoint::afterResponse);
    if (const auto begun = m_store.begin(); !begun)
        return begun.error();
    const auto decided = decideAll(results);
    if (!decided) {
        m_store.rollback();
        return decided.error();
    }
    if (m_isShort || !decided->isEmpty()) {
        // We were taken over while we were not looking. Nothing of this turn stands; what our
        // attempts in those runs came to is evidence for their new owner.
        m_store.rollback();
        for (const QString &runId : *decided)
            m_owned.remove(runId);
        return false;
    }
    if (const auto committed = commit(); !committed)
        return committed.error();
    finishTurn();
    return true;
}

Result<QSet<QString>> Turn::decideAll(const QVector<model::CallResult> &results)
{
    if (const auto loaded = loadGates(results); !loaded)
        return loaded.error();
    if (const auto applied = applyResults(results); !applied)
        return applied.error();
    const auto lost = loadClaimed();
    if (!lost || !lost->isEmpty())
        return lost;
    if (const auto applied = applyCommands(); !applied)
        return applied.error();
    for (Work *work : claimedInTurns())
        decideOn(*work, engine::Tick{});
    lookAtPausesAgain();
    if (const auto settled = settleKeys(); !settled)
        return settled.error();
    const auto taken = takeQuotas();
    if (!taken)
        return taken.error();
    m_isShort = !*taken;
    return m_isShort ? QSet<QString>() : write();
}

// After a long sleep our own lease has run out and our own runs come up as orphans. Those nobody
// took meanwhile are still ours, attempts and all.
bool Turn::isStillOurs(const ports::ClaimedRun &item) const
{
    const QString &runId = item.run.runId;
    if (item.run.worker != m_options.worker)
        return false;
    const qint64 fenceInTable = item.run.fence - 1;
    const auto work = m_work.constFind(runId);
    if (work != m_work.constEnd())
        return work->row.fence == fenceInTable;
    const auto owned = m_owned.constFind(runId);
    return owned != m_owned.constEnd() && owned->row.fence == fenceInTable;
}

// Answers with the runs that this turn had begun to decide and that turn out to be somebody else's.
Result<QSet<QString>> Turn::loadClaimed()
{
    QSet<QString> lost;
    // What this turn's results have just settled makes room at once.
    const auto settled = std::count_if(m_work.cbegin(), m_work.cend(), [](const Work &work) {
        return !engine::hasOpenAttempt(work.run);
    });
    const int room = m_options.concurrency - owned() + int(settled);
    if (!m_claiming || room <= 0)
        return lost;
    ports::ClaimRequest request;
    request.worker = m_options.worker;
    request.limit = std::min(room, m_options.claimsMax);
    request.now = m_now;
    request.onlyCommanded = m_options.onlyCommanded;
    const auto claimed = m_store.claim(request);
    if (!claimed)
        return claimed.error();
    m_report.claimed = int(claimed->size());
    m_report.moreIsDue = m_report.claimed == request.limit;
    if (m_report.claimed > 0)
        pass(CrashPoint::afterClaim);
    for (const ports::ClaimedRun &item : *claimed) {
        if (isStillOurs(item))
            continue;
        if (m_work.contains(item.run.runId)) {
            lost.insert(item.run.runId);
            continue;
        }
        model::Run run = runFrom(item.journal);
        const auto deployed = deployedFor(run);
        if (!deployed)
            return deployed.error();
        m_owned.remove(run.runId);
        Work &work = m_work[run.runId];
        work.seqBefore = run.seq;
        work.row = item.run;
        work.deployed = *deployed;
        work.claimed = true;
        work.run = std::move(run);
        if (item.takenOver)
            decideOn(work, engine::TakenOver{});
    }
    return lost;
}

// The end of a pause wakes runs that nobody holds. What was held by an attempt of ours then has to
// look for itself before it is put down.
void Turn::lookAtPausesAgain()
{
    for (Work &work : m_work) {
        if (!work.claimed && engine::isAtPause(work.run))
            decideOn(work, engine::Tick{});
    }
}

// Where a limit lets only some of them through, it is not always those of the same workflow: one of
// each, oldest first, and who begins changes from turn to turn.
QVector<Turn::Work *> Turn::claimedInTurns()
{
    QMap<QString, QVector<Work *>> queues;
    qsizetype longest = 0;
    for (Work &work : m_work) {
        if (!work.claimed)
            continue;
        QVector<Work *> &queue = queues[work.run.workflow];
        queue.append(&work);
        longest = std::max(longest, queue.size());
    }
    QStringList order = queues.keys();
    std::sort(order.begin(), order.end(), [this](const QString &a, const QString &b) {
        const auto place = [this](const QString &workflow) {
            return engine::jitterHash(workflow, {}, Direction::forward, int(m_now));
        };
        return place(a) < place(b);
    });
    QVector<Work *> all;
    for (qsizetype i = 0; i < longest; ++i) {
        for (const QString &workflow : std::as_const(order)) {
            if (i < queues[workflow].size())
                all.append(queues[workflow].at(i));
        }
    }
    return all;
}

Result<Turn::Work *> Turn::workFor(const QString &runId)
{
    const auto found = m_work.find(runId);
    if (found != m_work.end())
        return &*found;
    const auto loaded = m_owned.find(runId);
    if (loaded == m_owned.end())
        return static_cast<Work *>(nullptr);
    if (loaded->lent) {
        const auto back = takeBack(*loaded);
        if (!back)
            return back.error();
        if (!*back) {
            m_owned.erase(loaded);
            return static_cast<Work *>(nullptr);
        }
    }
    const auto deployed = deployedFor(loaded->run);
    if (!deployed)
        return deployed.error();
    Work &work = m_work[runId];
    work.seqBefore = loaded->run.seq;
    work.run = std::exchange(loaded->run, {});
    work.row = loaded->row;
    work.deployed = *deployed;
    loaded->lent = true;
    return &work;
}

void Turn::doubtOwned()
{
    for (Loaded &loaded : m_owned)
        loaded.lent = true;
}

// False: somebody else has written to it since, so it is not ours any more.
Result<bool> Turn::takeBack(Loaded &loaded)
{
    const auto rows = m_store.journal(loaded.row.runId);
    if (!rows)
        return rows.error();
    loaded.run = runFrom(*rows);
    loaded.lent = false;
    const bool isOurs = !rows->isEmpty() && rows->last().worker == m_options.worker;
    return isOurs && loaded.run.seq == loaded.row.seq;
}

Result<void> Turn::applyResults(const QVector<model::CallResult> &results)
{
    for (const model::CallResult &result : results) {
        const auto found = workFor(result.runId);
        if (!found)
            return found.error();
        Work *work = *found;
        if (!work || result.fence != work->row.fence) {
            if (const auto kept = keepOrphan(result); !kept)
                return kept.error();
            continue;
        }
        const auto dependency = m_catalog.dependency(dependencyOf(*work, result));
        const engine::AttemptEnded ended = m_answers->ended(
            work->run, *work->deployed, dependency ? &dependency->dependency : nullptr, result);
        decideOn(*work, ended);
    }
    return {};
}

Result<void> Turn::applyCommands()
{
    const auto commands = m_store.pendingCommands(commandsMax);
    if (!commands)
        return commands.error();
    for (const ports::CommandRow &command : *commands) {
        const auto work = workFor(command.runId);
        if (!work)
            return work.error();
        if (*work)
            applyCommand(command, **work);
    }
    return {};
}

void Turn::applyCommand(const ports::CommandRow &command, Work &work)
{
    work.commanded = true;
    ports::CommandRow applied = command;
    applied.appliedAt = m_now;
    applied.result = QStringLiteral("applied");
    const auto event = engine::commandEvent({command.name, command.actor, command.arguments});
    if (!event) {
        applied.result = QStringLiteral("rejected");
        applied.message =
            QStringLiteral("this version does not know the command %1").arg(command.name);
    } else {
        engine::Outcome outcome = decide(work, *event);
        const bool rejected = outcome.kind == engine::Outcome::Kind::rejected;
        if (rejected) {
            applied.result = QStringLiteral("rejected");
            applied.message = outcome.reason;
        }
        take(work, std::move(outcome));
        // Recording it took the item off the list; asking the target again never does.
        const QString item = command.arguments.value(QLatin1String("review")).toString();
        const bool decides =
            command.arguments.value(QLatin1String("verdict")).toString() != QLatin1String("verify");
        if (rejected && decides && !item.isEmpty() && stillAsks(work.run, item))
            m_writes.reviewsReopened.append(item);
    }
    m_writes.commandsApplied.append(applied);
}

// The run goes in and comes back with the outcome, whatever that is; nothing of it is copied.
engine::Outcome Turn::decide(Work &work, const engine::Event &event) const
{
    return engine::decide(std::move(work.run), event, work.deployed->policy,
                          {m_now, work.row.fence, m_gates});
}

void Turn::decideOn(Work &work, const engine::Event &event) { take(work, decide(work, event)); }

// Adopts an outcome and answers, within the turn, whatever the engine asked in it.
void Turn::take(Work &work, engine::Outcome outcome)
{
    if (outcome.lookAgainAt != model::never &&
        (work.lookAgainAt == model::never || outcome.lookAgainAt < work.lookAgainAt))
        work.lookAgainAt = outcome.lookAgainAt;
    if (!outcome.limitedBy.isEmpty())
        ++m_limited[outcome.limitedBy];
    work.run = std::move(outcome.next);
    if (!outcome.accepted())
        return;
    ++m_report.decided;
    work.entries += outcome.entries;
    noteBreaker(work, outcome.entries);
    for (const auto &effect : outcome.effects) {
        if (const auto *prepare = std::get_if<engine::Prepare>(&effect))
            decideOn(work, m_answers->prepare(work.run, *work.deployed, *prepare));
        else if (std::get_if<engine::Collect>(&effect))
            decideOn(work, m_answers->collect(work.run, *work.deployed));
        else if (const auto *claim = std::get_if<engine::ClaimKey>(&effect))
            m_keys.append({work.run.runId, *claim});
        else if (const auto *sent = std::get_if<engine::Send>(&effect)) {
            engine::spend(m_gates, sent->question, m_now);
            work.sends.append(*sent);
        } else if (const auto *trip = std::get_if<engine::TripPause>(&effect)) {
            work.trips.append(*trip);
        }
    }
}

// A person who is to judge a conflict sees both requests; the other one stands in its run's
// journal.
Result<void> Turn::showBoth(LedgerAnswered &event, const ports::LedgerRow &asked,
                            const ports::LedgerRow &found)
{
    const model::Step &step = *m_work.constFind(asked.runId)->run.find(event.step);
    const bool undo = event.direction == Direction::compensate;
    event.evidence.insert(QStringLiteral("this_request"),
                          (undo ? step.undo : step.forward).request.toJson());
    const auto rows = m_store.journal(found.runId);
    if (!rows)
        return rows.error();
    for (const ports::JournalRow &row : *rows) {
        for (const model::Entry &entry : model::entriesFromJson(row.entries)) {
            if (entry.request && entry.key == found.key && entry.operation == found.operation)
                event.evidence.insert(QStringLiteral("other_request"), entry.request->toJson());
        }
    }
    return {};
}

void Turn::takeOver(const ports::LedgerRow &row)
{
    ports::LedgerUpdate update;
    update.operation = row.operation;
    update.key = row.key;
    update.runId = row.runId;
    update.status = QStringLiteral("processing");
    update.takeOver = true;
    update.taken = row;
    m_writes.ledger.append(update);
    m_taken.insert({row.operation, row.key}, row);
}

// All new keys are asked for in one statement; an answer may lead to the next step and so to more
// keys.
Result<void> Turn::settleKeys()
{
    while (!m_keys.isEmpty()) {
        const QVector<PendingKey> pending = std::exchange(m_keys, {});
        QVector<ports::KeyClaim> claims;
        claims.reserve(pending.size());
        for (const PendingKey &key : pending)
            claims.append({ledgerRow(m_work.constFind(key.runId)->run, key.claim, m_now)});
        const auto answers = m_store.claimKeys(claims);
        if (!answers)
            return answers.error();
        Q_ASSERT(answers->size() == claims.size());
        for (qsizetype i = 0; i < pending.size(); ++i) {
            const ports::LedgerRow &asked = claims.at(i).row;
            // What another run of this turn took over is in progress.
            const auto taken = m_taken.constFind({asked.operation, asked.key});
            const ports::KeyAnswer answer =
                taken == m_taken.constEnd() ? answers->at(i) : ports::KeyAnswer{false, *taken};
            LedgerAnswered event = answerFor(pending.at(i).claim, asked, answer);
            if (isConflict(event.outcome)) {
                if (const auto shown = showBoth(event, asked, answer.row); !shown)
                    return shown.error();
            }
            if (event.outcome == LedgerAnswered::Outcome::failed)
                takeOver(asked);
            decideOn(m_work[pending.at(i).runId], event);
        }
    }
    return {};
}

} // namespace holdfast::runtime
