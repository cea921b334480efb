#include "store/memory_store.h"

#include "ports/alert.h"
#include "store/audit_chain.h"
#include "store/memory_store_impl.h"
#include "store/statements.h"

#include <chrono>

namespace holdfast::store
{

using namespace ports;

MemoryStore::MemoryStore(const Clock *clock, std::shared_ptr<MemoryDatabase> database)
    : m_clock(clock ? *clock : m_systemClock),
      m_database(database ? std::move(database) : std::make_shared<MemoryDatabase>())
{
}

MemoryStore::~MemoryStore() { rollback(); }

Result<void> MemoryStore::open()
{
    rollback();
    m_open = true;
    return {};
}

Result<int> MemoryStore::schemaVersion() { return Statements::of(Dialect::sqlite).newestSchema(); }

Result<qint64> MemoryStore::settledAudit()
{
    return atomically<qint64>([&]() -> Result<qint64> { return qint64(m_database->audit.size()); });
}

Result<void> MemoryStore::begin()
{
    Q_ASSERT(!m_inTransaction);
    if (!m_open)
        return Error{ErrorKind::lost, QStringLiteral("the run database is not open")};
    if (!m_database->mutex.try_lock_for(std::chrono::seconds(10)))
        return Error{ErrorKind::busy, QStringLiteral("another transaction is open")};
    m_inTransaction = true;
    return {};
}

Result<void> MemoryStore::commit()
{
    if (!m_inTransaction)
        return Error{ErrorKind::invalid, QStringLiteral("no transaction is open")};
    m_undo.clear();
    rollback();
    return {};
}

void MemoryStore::rollback()
{
    if (!m_inTransaction)
        return;
    for (auto undo = m_undo.rbegin(); undo != m_undo.rend(); ++undo)
        (*undo)();
    m_undo.clear();
    m_claimed.clear();
    m_claimedKeys.clear();
    m_inTransaction = false;
    m_database->mutex.unlock();
}

void MemoryStore::index(const RunRow &row, bool add)
{
    MemoryDatabase &db = *m_database;
    if (!row.worker.isEmpty()) {
        if (add)
            db.owned.insert(row.runId);
        else
            db.owned.erase(row.runId);
    } else if (row.due != model::never) {
        auto &due = db.due[row.workflow];
        if (add)
            due.insert({row.due, row.runId});
        else
            due.erase({row.due, row.runId});
        if (due.empty())
            db.due.erase(row.workflow);
    }
}

// Repeats the constraints of the SQL schema, so that simulation finds what a database would refuse.
Result<void> MemoryStore::putRun(const RunRow &row)
{
    const auto refuse = [&row](const char *why) {
        return Error{ErrorKind::conflict,
                     QStringLiteral("run %1 breaks %2").arg(row.runId, QLatin1String(why))};
    };
    if (row.seq < 1)
        return refuse("seq");
    if ((row.finishedAt != model::never) != model::isFinal(row.status))
        return refuse("run_finished");
    if (row.worker.isEmpty() != row.open.isEmpty())
        return refuse("run_owned");
    MemoryDatabase &db = *m_database;
    const auto found = db.runs.find(row.runId);
    const bool isNew = found == db.runs.end();
    const RunRow old = isNew ? RunRow() : found->second;
    if (!isNew)
        index(old, false);
    db.runs[row.runId] = row;
    index(row, true);
    m_undo.push_back([this, isNew, old, row] {
        index(row, false);
        if (isNew) {
            m_database->runs.erase(row.runId);
            return;
        }
        m_database->runs[row.runId] = old;
        index(old, true);
    });
    return {};
}

void MemoryStore::addJournal(JournalRow row)
{
    MemoryDatabase &db = *m_database;
    row.id = qint64(db.journal.size()) + 1;
    db.journalOfRun[row.runId].push_back(db.journal.size());
    db.journal.push_back(row);
    m_undo.push_back([&db, runId = row.runId] {
        db.journal.pop_back();
        db.journalOfRun[runId].pop_back();
    });
}

bool MemoryStore::addCommandRow(const CommandRow &row)
{
    MemoryDatabase &db = *m_database;
    if (db.commands.count(row.id))
        return false;
    put(db.commands, row.id, row);
    if (row.appliedAt == model::never) {
        db.pendingCommands.insert({row.at, row.id});
        m_undo.push_back([&db, row] { db.pendingCommands.erase({row.at, row.id}); });
    }
    return true;
}

void MemoryStore::applyCommand(const CommandRow &row)
{
    MemoryDatabase &db = *m_database;
    const auto found = db.commands.find(row.id);
    if (found == db.commands.end() || found->second.appliedAt != model::never)
        return;
    CommandRow applied = found->second;
    applied.appliedAt = row.appliedAt;
    applied.result = row.result;
    applied.message = row.message;
    db.pendingCommands.erase({applied.at, applied.id});
    m_undo.push_back([&db, applied] { db.pendingCommands.insert({applied.at, applied.id}); });
    put(db.commands, row.id, applied);
}

bool MemoryStore::closeReview(const ReviewDecision &decision)
{
    const auto found = m_database->reviews.find(decision.id);
    if (found == m_database->reviews.end() || found->second.decidedAt != model::never)
        return false;
    ReviewRow row = found->second;
    row.decision = decision.decision;
    row.decidedBy = decision.by;
    row.reason = decision.reason;
    row.decidedAt = decision.at;
    put(m_database->reviews, row.id, row);
    return true;
}

void MemoryStore::putLedger(const LedgerRow &row)
{
    put(m_database->ledger, {row.key, row.operation}, row);
}

void MemoryStore::addRollups(const QVector<RollupRow> &rollups)
{
    for (const RollupRow &row : rollups) {
        const MemoryDatabase::RollupKey key{row.minute, row.workflow, row.step, row.dependency,
                                            row.worker};
        const auto found = m_database->rollups.find(key);
        QMap<QString, qint64> sum =
            found == m_database->rollups.end() ? QMap<QString, qint64>() : found->second;
        for (auto count = row.counts.cbegin(); count != row.counts.cend(); ++count)
            sum[count.key()] += count.value();
        put(m_database->rollups, key, sum);
    }
}

Result<StartAnswer> MemoryStore::startRun(const NewRun &run)
{
    return atomically<StartAnswer>([&]() -> Result<StartAnswer> {
        MemoryDatabase &db = *m_database;
        const MemoryDatabase::Pair event{run.run.eventId, run.run.workflow};
        if (const auto found = db.runsByEvent.find(event); found != db.runsByEvent.end())
            return StartAnswer{false, db.runs.at(found->second)};
        if (const auto gone = db.archivedByEvent.find(event); gone != db.archivedByEvent.end()) {
            const ArchivedRunRow &row = db.archivedRuns.at(gone->second);
            return StartAnswer{false, runOf(row), row.archive};
        }
        if (db.runs.count(run.run.runId))
            return Error{ErrorKind::conflict,
                         QStringLiteral("run %1 exists already").arg(run.run.runId)};
        if (const Result<void> stored = putRun(run.run); !stored)
            return stored.error();
        put(db.runsByEvent, event, run.run.runId);
        addJournal(run.journal);
        addRollups({startedRollup(run.run)});
        return StartAnswer{true, run.run};
    });
}

// Whoever decided saw another version of the run, or of the item.
bool MemoryStore::isOutdated(const CommandRow &command) const
{
    const QJsonValue seen = command.arguments.value(QLatin1String("version"));
    const auto run = m_database->runs.find(command.runId);
    if (!seen.isDouble() || command.appliedAt != model::never || run == m_database->runs.end() ||
        run->second.seq == seen.toInteger())
        return false;
    const auto review =
        m_database->reviews.find(command.arguments.value(QLatin1String("review")).toString());
    return review == m_database->reviews.end() || review->second.version != seen.toInteger();
}

Result<bool> MemoryStore::addCommand(const CommandRow &command)
{
    return atomically<bool>([&]() -> Result<bool> {
        if (isOutdated(command))
            return Error{ErrorKind::conflict,
                         QStringLiteral("the run moved on since you looked; look again")};
        return addCommandRow(command);
    });
}

Result<bool> MemoryStore::decideReview(const ReviewDecision &decision)
{
    return atomically<bool>([&]() -> Result<bool> {
        if (!m_database->reviews.count(decision.id))
            return model::notFound(QStringLiteral("there is no item %1").arg(decision.id));
        return closeReview(decision);
    });
}

Result<PauseRow> MemoryStore::addPause(const PauseRow &pause)
{
    return atomically<PauseRow>([&]() -> Result<PauseRow> {
        MemoryDatabase &db = *m_database;
        if (const auto found = db.pauses.find(pause.id); found != db.pauses.end())
            return found->second;
        PauseRow row = pause;
        row.at = m_clock.now();
        row.journalMark = qint64(db.journal.size());
        put(db.pauses, row.id, row);
        putOutbox(pauseSet(row));
        return row;
    });
}

Result<QVector<PauseRow>> MemoryStore::liftPauses(const QString &scope, const QString &target,
                                                  const QString &depth, const PauseRow &lifted)
{
    return atomically<QVector<PauseRow>>([&]() -> Result<QVector<PauseRow>> {
        QVector<PauseRow> rows;
        for (const auto &[id, pause] : m_database->pauses) {
            if (pause.liftedAt == model::never && pause.scope == scope && pause.target == target &&
                (depth.isEmpty() || pause.depth == depth) &&
                (lifted.id.isEmpty() || id == lifted.id))
                rows.append(pause);
        }
        for (PauseRow &row : rows) {
            row.liftedAt = m_clock.now();
            row.liftedBy = lifted.liftedBy;
            row.liftedReason = lifted.liftedReason;
            put(m_database->pauses, row.id, row);
            putOutbox(pauseCleared(row));
        }
        if (rows.isEmpty())
            return rows;
        const Result<void> woken =
            wake([](const RunRow &run) { return run.status == model::RunStatus::held; });
        return woken ? Result<QVector<PauseRow>>(rows) : Result<QVector<PauseRow>>(woken.error());
    });
}

// Lets runs that nobody holds look again.
Result<void> MemoryStore::wake(const std::function<bool(const RunRow &)> &whom)
{
    QVector<RunRow> sleepers;
    for (const auto &[id, run] : m_database->runs) {
        if (run.worker.isEmpty() && whom(run))
            sleepers.append(run);
    }
    for (RunRow &run : sleepers) {
        run.due = m_clock.now();
        if (const Result<void> woken = putRun(run); !woken)
            return woken;
    }
    return {};
}

Result<QVector<PauseRow>> MemoryStore::lockPauses() { return pauses(true); }

Result<void> MemoryStore::setRamp(const PauseRow &pause, const QString &wakeUpTo)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->pauses.find(pause.id);
        if (found == m_database->pauses.end() || found->second.liftedAt != model::never)
            return true;
        PauseRow row = found->second;
        row.ramp = pause.ramp;
        row.journalMark = pause.journalMark;
        put(m_database->pauses, row.id, row);
        const Result<void> woken = wake([&wakeUpTo](const RunRow &run) {
            return run.status == model::RunStatus::held && run.runId <= wakeUpTo;
        });
        return woken ? Result<bool>(true) : Result<bool>(woken.error());
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<qint64> MemoryStore::journalMark()
{
    const Hold hold(*this);
    return qint64(m_database->journal.size());
}

Result<void> MemoryStore::setBreaker(const BreakerRow &breaker)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        const auto standing = m_database->breakers.find(breaker.dependency);
        const QString before = standing == m_database->breakers.end() ? QStringLiteral("closed")
                                                                      : standing->second.state;
        const auto deployed = dependency(breaker.dependency, 0);
        if (!deployed)
            return deployed.error();
        if (const auto told = breakerChanged(
                before, breaker, *deployed ? (*deployed)->owner : QString(), m_clock.now()))
            putOutbox(*told);
        put(m_database->breakers, breaker.dependency, breaker);
        if (breaker.state != QLatin1String("closed"))
            return true;
        const Result<void> woken = wake([](const RunRow &run) {
            return run.status == model::RunStatus::waiting &&
                   run.reason == QLatin1String("breaker");
        });
        return woken ? Result<bool>(true) : Result<bool>(woken.error());
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> MemoryStore::addReview(const ReviewRow &review)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        if (m_database->reviews.count(review.id))
            return true;
        put(m_database->reviews, review.id, review);
        putOutbox(itemOpened(review));
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> MemoryStore::appendAudit(AuditRow row)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        MemoryDatabase &db = *m_database;
        const auto head = db.auditHeads.find(row.chain);
        row.chainSeq = head == db.auditHeads.end() ? 1 : head->second.first + 1;
        row.previous = head == db.auditHeads.end() ? QLatin1String("") : head->second.second;
        row.hash = auditHash(row);
        row.seq = qint64(db.audit.size()) + 1;
        db.audit.push_back(row);
        m_undo.push_back([&db] { db.audit.pop_back(); });
        put(db.auditHeads, row.chain, {row.chainSeq, row.hash});
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<bool> MemoryStore::deployWorkflow(const WorkflowRow &workflow)
{
    return atomically<bool>([&]() -> Result<bool> {
        const std::pair<QString, int> key{workflow.name, workflow.version};
        const auto found = m_database->workflows.find(key);
        if (found != m_database->workflows.end())
            return found->second.hash == workflow.hash;
        put(m_database->workflows, key, workflow);
        return true;
    });
}

Result<DependencyRow> MemoryStore::deployDependency(const DependencyRow &dependency)
{
    return atomically<DependencyRow>([&]() -> Result<DependencyRow> {
        const auto newest = this->dependency(dependency.name, 0);
        if (*newest && (*newest)->hash == dependency.hash)
            return **newest;
        DependencyRow row = dependency;
        row.revision = *newest ? (*newest)->revision + 1 : 1;
        put(m_database->dependencies, {row.name, row.revision}, row);
        return row;
    });
}

Result<void> MemoryStore::replaceRun(const RunRow &run)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        if (!m_database->runs.count(run.runId))
            return model::notFound(QStringLiteral("run %1 does not exist").arg(run.runId));
        const Result<void> stored = putRun(run);
        return stored ? Result<bool>(true) : Result<bool>(stored.error());
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> MemoryStore::replaceLedger(const LedgerRow &row)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        putLedger(row);
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> MemoryStore::replaceRollups(const QVector<RollupRow> &rollups)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        m_undo.push_back([this, old = m_database->rollups] { m_database->rollups = old; });
        const Result<Instant> sealed = sealedUntil();
        if (!sealed)
            return sealed.error();
        std::erase_if(m_database->rollups,
                      [&](const auto &entry) { return std::get<0>(entry.first) >= *sealed; });
        QVector<RollupRow> unsealed = rollups;
        unsealed.removeIf([&](const RollupRow &row) { return row.minute < *sealed; });
        addRollups(unsealed);
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

} // namespace holdfast::store
