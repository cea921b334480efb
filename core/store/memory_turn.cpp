// The turn, the workers and the sweeps in memory.
#include "store/memory_store_impl.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;

Result<GateRows> MemoryStore::lockGates(const QString &)
{
    const Hold hold(*this);
    GateRows gates;
    gates.now = m_clock.now();
    for (const auto &[id, pause] : m_database->pauses) {
        if (pause.liftedAt == model::never)
            gates.pauses.append(pause);
    }
    for (const auto &[name, breaker] : m_database->breakers)
        gates.breakers.append(breaker);
    for (const auto &[name, quota] : m_database->quotas)
        gates.quotas.append(quota);
    return gates;
}

Result<QVector<BreakerRow>> MemoryStore::lockBreakers(const QStringList &dependencies)
{
    QStringList names = dependencies;
    names.sort();
    names.removeDuplicates();
    QVector<BreakerRow> rows;
    for (const QString &name : std::as_const(names)) {
        if (!m_database->breakers.count(name)) {
            BreakerRow row;
            row.dependency = name;
            row.state = QStringLiteral("closed");
            put(m_database->breakers, name, row);
        }
        rows.append(m_database->breakers.at(name));
    }
    return rows;
}

namespace
{
// What is due, oldest first, shared evenly between the workflows that have any.
std::set<std::pair<Instant, QString>> fairlyDue(const MemoryDatabase &db,
                                                const ClaimRequest &request)
{
    const auto ready = std::count_if(db.due.cbegin(), db.due.cend(), [&](const auto &each) {
        return each.second.begin()->first <= request.now;
    });
    std::set<std::pair<Instant, QString>> chosen;
    for (const auto &[workflow, runs] : db.due) {
        auto left = ready > 0 ? 1 + (request.limit - 1) / ready : 0;
        for (auto run = runs.cbegin(); run != runs.cend() && run->first <= request.now; ++run) {
            if (left-- == 0)
                break;
            chosen.insert(*run);
        }
    }
    return chosen;
}
} // namespace

bool MemoryStore::isOrphaned(const RunRow &row) const
{
    const auto worker = m_database->workers.find(row.worker);
    return worker == m_database->workers.end() || worker->second.leaseUntil < m_clock.now();
}

QVector<QString> MemoryStore::claimable(const ClaimRequest &request) const
{
    const MemoryDatabase &db = *m_database;
    QVector<QString> found;
    const auto add = [&](const QString &runId) {
        if (found.size() < request.limit && !m_claimed.count(runId) && !found.contains(runId))
            found.append(runId);
    };
    for (const auto &[at, id] : db.pendingCommands) {
        const auto run = db.runs.find(db.commands.at(id).runId);
        if (run != db.runs.end() && run->second.worker.isEmpty())
            add(run->first);
    }
    if (request.onlyCommanded)
        return found;
    for (const QString &runId : db.owned) {
        if (isOrphaned(db.runs.at(runId)))
            add(runId);
    }
    for (const auto &[due, runId] : fairlyDue(db, request))
        add(runId);
    return found;
}

Result<QVector<ClaimedRun>> MemoryStore::claim(const ClaimRequest &request)
{
    QVector<ClaimedRun> claimed;
    for (const QString &runId : claimable(request)) {
        const RunRow &row = m_database->runs.at(runId);
        m_claimed[runId] = row.fence;
        ClaimedRun run{row, journalRows(runId), !row.worker.isEmpty()};
        ++run.run.fence;
        claimed.append(run);
    }
    return claimed;
}

Result<QVector<KeyAnswer>> MemoryStore::claimKeys(const QVector<KeyClaim> &claims)
{
    QVector<KeyAnswer> answers;
    for (const KeyClaim &claim : claims) {
        const auto found = m_database->ledger.find({claim.row.key, claim.row.operation});
        if (found != m_database->ledger.end()) {
            answers.append({false, found->second});
            continue;
        }
        putLedger(claim.row);
        m_claimedKeys.push_back(claim.row);
        answers.append({true, claim.row});
    }
    return answers;
}

Result<QVector<CommandRow>> MemoryStore::pendingCommands(int limit)
{
    const Hold hold(*this);
    QVector<CommandRow> rows;
    for (const auto &[at, id] : m_database->pendingCommands) {
        if (rows.size() >= limit)
            break;
        rows.append(m_database->commands.at(id));
    }
    return rows;
}

Result<QSet<QString>> MemoryStore::write(const TurnWrites &writes)
{
    Q_ASSERT(m_inTransaction);
    MemoryDatabase &db = *m_database;
    QSet<QString> fenced;
    for (const RunWrite &write : writes.runs) {
        RunRow row = write.row;
        const auto found = db.runs.find(row.runId);
        const auto claimed = m_claimed.find(row.runId);
        const qint64 fence = claimed == m_claimed.end() ? write.fenceExpected : claimed->second;
        if (found == db.runs.end() || found->second.fence != fence ||
            found->second.seq != row.seq - 1) {
            fenced.insert(row.runId);
            continue;
        }
        // What a run was started with never changes.
        const RunRow &old = found->second;
        row.workflow = old.workflow;
        row.version = old.version;
        row.eventId = old.eventId;
        row.generation = old.generation;
        row.inputHash = old.inputHash;
        row.createdAt = old.createdAt;
        if (const Result<void> stored = putRun(row); !stored)
            return stored.error();
        m_claimed.erase(row.runId);
    }
    for (const Unchanged &run : writes.unchanged) {
        const auto found = db.runs.find(run.runId);
        if (found == db.runs.end() || found->second.fence != run.fence ||
            found->second.seq != run.seq)
            fenced.insert(run.runId);
    }
    for (const Release &release : writes.releases) {
        const auto found = db.runs.find(release.runId);
        const auto claimed = m_claimed.find(release.runId);
        const qint64 fence = claimed == m_claimed.end() ? release.fence : claimed->second;
        if (found == db.runs.end() || found->second.fence != fence ||
            !found->second.worker.isEmpty() || found->second.due == release.due)
            continue;
        RunRow row = found->second;
        row.due = release.due;
        if (const Result<void> stored = putRun(row); !stored)
            return stored.error();
    }
    for (const JournalRow &row : writes.journal) {
        if (!fenced.contains(row.runId))
            addJournal(row);
    }
    writeRest(writes, fenced);
    return fenced;
}

void MemoryStore::writeRest(const TurnWrites &writes, const QSet<QString> &fenced)
{
    MemoryDatabase &db = *m_database;
    for (const LedgerUpdate &update : writes.ledger) {
        if (!fenced.contains(update.runId))
            writeLedger(update);
    }
    for (const ReviewRow &row : writes.reviewsOpened) {
        if (!fenced.contains(row.runId) && !db.reviews.count(row.id))
            put(db.reviews, row.id, row);
    }
    for (const QString &id : writes.reviewsReopened) {
        const auto found = db.reviews.find(id);
        if (found == db.reviews.end())
            continue;
        ReviewRow row = found->second;
        row.decision.clear();
        row.decidedBy.clear();
        row.reason.clear();
        row.decidedAt = model::never;
        put(db.reviews, id, row);
    }
    for (const ReviewDecision &decision : writes.reviewsClosed) {
        const auto found = db.reviews.find(decision.id);
        if (found != db.reviews.end() && !fenced.contains(found->second.runId))
            closeReview(decision);
    }
    for (const CommandRow &row : writes.commandsApplied) {
        if (!fenced.contains(row.runId))
            applyCommand(row);
    }
    for (const CommandRow &row : writes.commandsAdded)
        addCommandRow(row);
    for (const BreakerWrite &write : writes.breakers) {
        const auto found = db.breakers.find(write.row.dependency);
        if (found == db.breakers.end() || found->second.state == write.stateBefore)
            put(db.breakers, write.row.dependency, write.row);
    }
    for (const OutboxRow &row : writes.outbox) {
        if (!fenced.contains(row.runId) && !db.outbox.count(row.id))
            put(db.outbox, row.id, row);
    }
    for (const LedgerRow &row : m_claimedKeys) {
        const MemoryDatabase::Pair key{row.key, row.operation};
        const auto found = db.ledger.find(key);
        if (!fenced.contains(row.runId) || found == db.ledger.end())
            continue;
        m_undo.push_back([&db, key, old = found->second] { db.ledger[key] = old; });
        db.ledger.erase(found);
    }
    addFailures(writes, fenced);
    addRollups(writes.rollups);
}

void MemoryStore::writeLedger(const LedgerUpdate &update)
{
    const auto found = m_database->ledger.find({update.key, update.operation});
    if (found == m_database->ledger.end())
        return;
    LedgerRow row = found->second;
    if (update.takeOver) {
        if (row.status != QLatin1String("failed") && row.status != QLatin1String("expired"))
            return;
        row.runId = update.runId;
        row.step = update.taken.step;
        row.direction = update.taken.direction;
        row.hash = update.taken.hash;
        row.request = update.taken.request;
        row.createdAt = update.taken.createdAt;
    } else if (row.runId != update.runId) {
        return;
    }
    row.status = update.status;
    row.result = update.result;
    row.expiresAt = update.expiresAt;
    putLedger(row);
}

// The life this worker goes on with. One that ended long enough ago is kept in a row of its own.
WorkerRow MemoryStore::lifeOf(const QString &worker)
{
    const Instant now = m_clock.now();
    const auto found = m_database->workers.find(worker);
    WorkerRow life = found == m_database->workers.end() ? WorkerRow() : found->second;
    const Instant until = std::max(life.leaseUntil, life.livedUntil);
    if (life.id.isEmpty() || until < now - ports::lapseOverlooked) {
        WorkerRow over = life;
        over.id += QStringLiteral("/%1").arg(life.startedAt);
        over.state = QStringLiteral("gone");
        over.leaseUntil = model::never;
        over.livedUntil = until;
        if (!life.id.isEmpty())
            put(m_database->workers, over.id, over);
        life.startedAt = now;
        life.livedUntil = model::never;
    }
    return life;
}

Result<WorkerRow> MemoryStore::registerWorker(const WorkerRow &worker, Millis lease)
{
    return atomically<WorkerRow>([&]() -> Result<WorkerRow> {
        WorkerRow row = worker;
        row.startedAt = lifeOf(worker.id).startedAt;
        row.leaseUntil = m_clock.now() + lease;
        if (row.state.isEmpty())
            row.state = QStringLiteral("running");
        put(m_database->workers, row.id, row);
        return row;
    });
}

Result<Instant> MemoryStore::renewLease(const QString &worker, Millis lease, const QString &state)
{
    return atomically<Instant>([&]() -> Result<Instant> {
        if (m_database->workers.count(worker) == 0)
            return model::notFound(QStringLiteral("worker %1 is not registered").arg(worker));
        WorkerRow row = lifeOf(worker);
        row.leaseUntil = m_clock.now() + lease;
        row.state = state;
        put(m_database->workers, worker, row);
        return row.leaseUntil;
    });
}

Result<Instant> MemoryStore::nextDue()
{
    const Hold hold(*this);
    const MemoryDatabase &db = *m_database;
    for (const auto &[at, id] : db.pendingCommands) {
        const auto run = db.runs.find(db.commands.at(id).runId);
        if (run != db.runs.end() && run->second.worker.isEmpty())
            return m_clock.now();
    }
    Instant next = model::never;
    for (const auto &[workflow, runs] : db.due) {
        const Instant first = runs.begin()->first;
        next = next == model::never ? first : std::min(next, first);
    }
    for (const QString &runId : db.owned) {
        const auto worker = db.workers.find(db.runs.at(runId).worker);
        const Instant lease =
            worker == db.workers.end() ? 1 : std::max<Instant>(worker->second.leaseUntil, 1);
        next = next == model::never ? lease : std::min(next, lease);
    }
    return next;
}

Result<qint64> MemoryStore::unsettledRuns()
{
    const Hold hold(*this);
    using model::RunStatus;
    return qint64(
        std::count_if(m_database->runs.cbegin(), m_database->runs.cend(), [](const auto &entry) {
            const RunRow &row = entry.second;
            return row.status == RunStatus::queued || row.status == RunStatus::running ||
                   row.status == RunStatus::compensating ||
                   (row.status == RunStatus::waiting &&
                    (row.due != model::never || !row.worker.isEmpty()) &&
                    row.reason != QLatin1String("approval_needed") &&
                    row.reason != QLatin1String("event") && row.reason != QLatin1String("pause"));
        }));
}

Result<int> MemoryStore::sweepLedger(Instant now, int limit)
{
    return atomically<int>([&]() -> Result<int> {
        const auto isOpen = [this](const QString &runId) {
            const auto run = m_database->runs.find(runId);
            return run != m_database->runs.end() && !model::isFinal(run->second.status);
        };
        QVector<LedgerRow> expired;
        for (const auto &[key, row] : m_database->ledger) {
            if (row.expiresAt != model::never && row.expiresAt <= now &&
                row.status != QLatin1String("expired") &&
                row.status != QLatin1String("processing") && !isOpen(row.runId))
                expired.append(row);
        }
        std::stable_sort(expired.begin(), expired.end(),
                         [](const auto &a, const auto &b) { return a.expiresAt < b.expiresAt; });
        expired.resize(std::min<qsizetype>(expired.size(), limit));
        for (LedgerRow &row : expired) {
            row.status = QStringLiteral("expired");
            row.request = {};
            row.result = {};
            putLedger(row);
        }
        return int(expired.size());
    });
}

} // namespace holdfast::store
