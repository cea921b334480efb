// The run database in memory, for simulation and tests: the same rules as the SQL ones, with an
// undo log for rollback. Several stores may share one database, as connections would; a transaction
// excludes all others, as on SQLite. One store belongs to one thread; the database may be shared
// between threads.
#pragma once

#include "ports/clock.h"
#include "ports/store.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace holdfast::store
{

using model::Error;
using model::ErrorKind;
using model::Result;

// The tables. Change them through MemoryStore only: it keeps the undo log and the indexes.
struct MemoryDatabase {
    using Pair = std::pair<QString, QString>;
    using RollupKey = std::tuple<ports::Instant, QString, QString, QString, QString>;

    std::timed_mutex mutex;
    std::map<QString, ports::RunRow> runs;
    std::map<Pair, QString> runsByEvent; // (event, workflow)
    // Runs nobody holds, by workflow.
    std::map<QString, std::set<std::pair<ports::Instant, QString>>> due;
    std::set<QString> owned;
    // Id is the position plus one; one without a run was removed.
    std::vector<ports::JournalRow> journal;
    std::map<QString, std::vector<size_t>> journalOfRun;
    std::map<Pair, ports::LedgerRow> ledger; // (key, operation)
    std::map<QString, ports::ReviewRow> reviews;
    std::map<QString, ports::PauseRow> pauses;
    std::map<QString, ports::BreakerRow> breakers;
    std::map<QString, ports::QuotaRow> quotas;
    std::map<QString, ports::WorkerRow> workers;
    std::map<QString, ports::CommandRow> commands;
    std::set<std::pair<ports::Instant, QString>> pendingCommands;
    std::map<QString, ports::BatchRow> batches;
    std::map<std::pair<QString, int>, ports::BatchItemRow> batchItems; // (batch, place)
    std::map<QString, ports::FailureGroupRow> failureGroups;
    std::map<Pair, ports::FailureRow> failures;     // (group, run)
    std::map<QString, QStringList> failureGroupsOf; // by run
    std::map<QString, QVector<ports::GroupNoteRow>> groupNotes;
    std::map<std::pair<ports::Instant, ports::Instant>, ports::SignoffRow> signoffs;
    std::map<QString, ports::ArchiveRow> archives;
    std::map<QString, ports::ArchivedRunRow> archivedRuns;
    std::map<Pair, QString> archivedByEvent; // (event, workflow)
    std::vector<ports::AuditRow> audit;
    std::map<QString, std::pair<qint64, QString>> auditHeads;
    std::map<RollupKey, QMap<QString, qint64>> rollups;
    std::map<QString, ports::OutboxRow> outbox;
    std::map<QString, ports::AlertTargetRow> alertTargets;
    std::map<Pair, ports::DeliveryRow> deliveries; // (alert, target)
    std::map<QString, ports::TripwireRow> tripwires;
    std::map<QString, QString> settings;
    std::map<std::pair<QString, int>, ports::WorkflowRow> workflows;
    std::map<std::pair<QString, int>, ports::DependencyRow> dependencies;
};

class MemoryStore : public ports::Store
{
public:
    // Without a clock, the system's. Without a database, one of its own.
    explicit MemoryStore(const ports::Clock *clock = nullptr,
                         std::shared_ptr<MemoryDatabase> database = nullptr);
    ~MemoryStore() override;

    std::shared_ptr<MemoryDatabase> database() const { return m_database; }

    QString describe() const override { return QStringLiteral("memory:"); }
    Result<void> open() override;
    bool isOpen() const override { return m_open; }
    Result<int> schemaVersion() override;
    Result<qint64> settledAudit() override;
    Result<ports::Instant> now() override { return m_clock.now(); }

    Result<void> begin() override;
    Result<void> commit() override;
    void rollback() override;

    Result<ports::GateRows> lockGates(const QString &worker) override;
    Result<QVector<ports::BreakerRow>> lockBreakers(const QStringList &dependencies) override;
    Result<QVector<ports::ClaimedRun>> claim(const ports::ClaimRequest &request) override;
    Result<QVector<ports::KeyAnswer>> claimKeys(const QVector<ports::KeyClaim> &claims) override;
    Result<QVector<ports::CommandRow>> pendingCommands(int limit) override;
    Result<QSet<QString>> write(const ports::TurnWrites &writes) override;

    // As with a connection of their own: a rollback does not take these back.
    Result<QVector<ports::QuotaRow>> quotas(const QStringList &dependencies) override;
    Result<bool> swapQuotas(const QVector<ports::QuotaRow> &rows) override;
    Result<void> reclaimQuotas(const QStringList &dependencies) override;

    ports::WorkerRow lifeOf(const QString &worker);
    Result<ports::WorkerRow> registerWorker(const ports::WorkerRow &worker,
                                            ports::Millis lease) override;
    Result<ports::Instant> renewLease(const QString &worker, ports::Millis lease,
                                      const QString &state) override;
    Result<QVector<ports::WorkerRow>> workers() override;
    Result<ports::Instant> nextDue() override;
    Result<qint64> unsettledRuns() override;

    Result<ports::StartAnswer> startRun(const ports::NewRun &run) override;
    Result<bool> addCommand(const ports::CommandRow &command) override;
    Result<bool> decideReview(const ports::ReviewDecision &decision) override;
    Result<bool> claimReview(const ports::ReviewClaim &claim) override;
    Result<bool> snoozeReview(const QString &id, ports::Instant until) override;
    Result<void> putSetting(const ports::SettingRow &setting) override;
    Result<bool> removeSetting(const QString &name) override;
    Result<ports::PauseRow> addPause(const ports::PauseRow &pause) override;
    Result<QVector<ports::PauseRow>> liftPauses(const QString &scope, const QString &target,
                                                const QString &depth,
                                                const ports::PauseRow &lifted) override;
    Result<QVector<ports::PauseRow>> lockPauses() override;
    Result<void> setRamp(const ports::PauseRow &pause, const QString &wakeUpTo) override;
    Result<qint64> journalMark() override;
    Result<void> setBreaker(const ports::BreakerRow &breaker) override;
    Result<void> addReview(const ports::ReviewRow &review) override;
    Result<void> appendAudit(ports::AuditRow row) override;
    Result<bool> deployWorkflow(const ports::WorkflowRow &workflow) override;
    Result<ports::DependencyRow> deployDependency(const ports::DependencyRow &dependency) override;
    Result<bool> startBatch(const ports::BatchRow &batch,
                            const QVector<ports::BatchItemRow> &items) override;
    Result<bool> setBatchState(const ports::BatchRow &batch, const QString &by,
                               ports::Instant at) override;
    Result<bool> anyBatchGoes() override;
    Result<QVector<ports::BatchRow>> lockBatches() override;
    Result<void> settleBatchItems() override;
    Result<bool> takeBatchItem(const ports::BatchRow &batch, const ports::BatchItemRow &item,
                               ports::Instant at) override;
    // There is nothing to be faster than.
    Result<int> sumHours(ports::Instant, int) override { return 0; }
    Result<bool> addSignoff(const ports::SignoffRow &signoff) override;
    Result<int> sweepLedger(ports::Instant now, int limit) override;
    Result<void> announce(const ports::OutboxRow &row) override;
    Result<bool> addAlertTarget(const ports::AlertTargetRow &target) override;
    Result<bool> setAlertTarget(const QString &name, const QString &state, const QString &reason,
                                const QString &by) override;
    Result<bool> removeAlertTarget(const QString &name, const QString &by) override;
    Result<QVector<ports::AlertTargetRow>> alertTargets() override;
    Result<QVector<ports::OutboxRow>> lockOutbox(int limit) override;
    Result<void> handOut(const QString &outboxId, const QVector<ports::DeliveryRow> &deliveries,
                         ports::Instant at) override;
    Result<QVector<ports::DeliveryRow>> takeDeliveries(ports::Instant now, ports::Instant until,
                                                       int limit) override;
    Result<bool> settleDelivery(const ports::DeliveryRow &delivery) override;
    Result<bool> anyDeliveryDue(ports::Instant by) override;
    Result<std::optional<ports::OutboxRow>> outbox(const QString &id) override;
    Result<QVector<ports::DeliveryRow>> deliveries(const ports::DeliveryFilter &filter) override;
    Result<int> sweepOutbox(ports::Instant before, int limit) override;
    Result<bool> addTripwire(const ports::TripwireRow &tripwire) override;
    Result<bool> setTripwire(const QString &name, const QString &state, const QString &by) override;
    Result<bool> removeTripwire(const QString &name, const QString &by) override;
    Result<QVector<ports::TripwireRow>> tripwires() override;
    Result<std::optional<ports::TripwireRow>> lockTripwire(const QString &name) override;
    Result<void> keepTripwire(const ports::TripwireRow &tripwire) override;
    Result<bool> startArchive(const ports::ArchiveRow &archive) override;
    Result<bool> setArchive(const ports::ArchiveRow &archive, const QString &from) override;
    Result<QStringList> removeRuns(const ports::ArchiveRow &archive,
                                   const QVector<ports::RunVersion> &runs) override;

    Result<std::optional<ports::RunRow>> run(const QString &runId) override;
    Result<std::optional<ports::RunRow>> runByEvent(const QString &workflow,
                                                    const QString &eventId) override;
    Result<QVector<ports::RunRow>> runs(const ports::RunFilter &filter) override;
    Result<ports::RunPage> runPage(const ports::RunFilter &filter) override;
    Result<ports::RunCount> countRuns(const ports::RunFilter &filter, qint64 most) override;
    Result<QStringList> runReasons(int limit) override;
    Result<QVector<ports::RunRow>> openRuns() override;
    Result<QVector<ports::JournalRow>> journal(const QString &runId) override;
    Result<QVector<ports::JournalRow>> journalAfter(qint64 id, int limit) override;
    Result<QVector<ports::ReviewRow>> reviews(const ports::ReviewFilter &filter) override;
    Result<QVector<ports::PauseRow>> pauses(bool onlyActive) override;
    Result<QVector<ports::BreakerRow>> breakers() override;
    Result<QVector<ports::LedgerRow>> ledger(const QString &key) override;
    Result<QVector<ports::LedgerRow>> ledgerPage(const QString &afterOperation,
                                                 const QString &afterKey, int limit) override;
    Result<ports::LedgerPage> ledgerOf(const ports::LedgerFilter &filter) override;
    Result<std::optional<ports::CommandRow>> command(const QString &id) override;
    Result<QVector<ports::AuditRow>> audit(qint64 afterSeq, int limit) override;
    Result<ports::AuditPage> auditOf(const ports::AuditFilter &filter) override;
    Result<QVector<ports::RollupRow>> rollups(ports::Instant since, ports::Instant until) override;
    Result<QVector<ports::RollupRow>> rollupSeries(ports::Instant since, ports::Instant until,
                                                   ports::Millis bucket) override;
    Result<QVector<ports::RollupRow>> rollupSums(ports::Instant since,
                                                 ports::Instant until) override;
    Result<QVector<ports::SettingRow>> settings(const QString &prefix) override;
    Result<QVector<ports::OutboxRow>> undelivered(int limit) override;
    Result<std::optional<ports::WorkflowRow>> workflow(const QString &name, int version) override;
    Result<QVector<ports::WorkflowRow>> workflows() override;
    Result<std::optional<ports::DependencyRow>> dependency(const QString &name,
                                                           int revision) override;
    Result<QVector<ports::DependencyRow>> dependencies() override;
    Result<QVector<ports::BatchRow>> batches(int limit) override;
    Result<std::optional<ports::BatchRow>> batch(const QString &id) override;
    Result<QVector<ports::BatchItemRow>> batchItems(const ports::BatchItemFilter &filter) override;
    Result<QVector<ports::BatchCount>> batchCounts(const QString &id, int after) override;
    Result<std::optional<ports::SignoffRow>> signoff(ports::Instant since,
                                                     ports::Instant until) override;
    Result<QVector<ports::SignoffRow>> signoffs(int limit) override;
    Result<QVector<ports::AuditRow>> systemAudit(ports::Instant since, ports::Instant until,
                                                 int limit) override;
    Result<QVector<ports::RunRow>> undoneRuns(ports::Instant since, ports::Instant until,
                                              int limit) override;
    Result<QVector<ports::ArchiveRow>> archives(int limit) override;
    Result<std::optional<ports::ArchiveRow>> archive(const QString &id) override;
    Result<QVector<ports::ArchiveVerdict>>
    archivable(ports::Instant before, const QString &afterRunId, int limit) override;
    Result<std::optional<ports::ArchivedRunRow>> archivedRun(const QString &runId) override;
    Result<QVector<ports::CommandRow>> commandsOf(const QString &runId) override;
    Result<ports::Instant> sealedUntil() override;
    Result<ports::StoreCounts> counts() override;
    Result<ports::StorePulse> pulse() override;

    Result<void> replaceRun(const ports::RunRow &run) override;
    Result<void> replaceLedger(const ports::LedgerRow &row) override;
    Result<void> replaceRollups(const QVector<ports::RollupRow> &rollups) override;
    Result<QVector<ports::RunRow>> runsPage(const QString &afterRunId, int limit) override;

    Result<bool> decideGroup(const ports::GroupDecision &decision) override;
    Result<QVector<ports::FailureCount>> failureCounts(ports::Instant since,
                                                       ports::Instant until) override;
    Result<QVector<ports::FailureCount>>
    failureCountsOf(const QStringList &groups, ports::Instant since, ports::Instant until) override;
    Result<qint64> failingRuns(ports::Instant since, ports::Instant until) override;
    Result<QVector<ports::FailureGroupRow>> failureGroups(const QStringList &ids) override;
    Result<QVector<ports::FailureGroupRow>> newestFailureGroups(int limit) override;
    Result<QStringList> regressedGroups(const QStringList &ids) override;
    Result<QVector<ports::FailureRow>> failuresOfGroup(const QString &group, int limit) override;
    Result<QVector<ports::FailureRow>> failuresOfRun(const QString &runId) override;
    Result<QVector<int>> failureVersions(const QString &group) override;
    Result<QVector<ports::GroupNoteRow>> groupNotes(const QString &group) override;
    Result<void> replaceFailures(const QString &runId,
                                 const QVector<ports::FailureSeen> &failures) override;

private:
    // Holds the database for one call; inside a transaction it is held already.
    class Hold;

    template <typename T>
    Result<T> atomically(const std::function<Result<T>()> &work);
    template <typename Map>
    void put(Map &map, const typename Map::key_type &key, typename Map::mapped_type value);
    template <typename Map>
    void drop(Map &map, const typename Map::key_type &key);

    Result<void> putRun(const ports::RunRow &row);
    Result<void> wake(const std::function<bool(const ports::RunRow &)> &whom);
    void index(const ports::RunRow &row, bool add);
    void addJournal(ports::JournalRow row);
    bool isOutdated(const ports::CommandRow &command) const;
    bool addCommandRow(const ports::CommandRow &row);
    void applyCommand(const ports::CommandRow &row);
    bool closeReview(const ports::ReviewDecision &decision);
    void putOutbox(const ports::OutboxRow &row);
    void putLedger(const ports::LedgerRow &row);
    void writeLedger(const ports::LedgerUpdate &update);
    void writeRest(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    void addRollups(const QVector<ports::RollupRow> &rollups);
    void addFailures(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    void putFailure(const ports::FailureRow &row);
    bool isInGroups(const QString &runId, const QStringList &groups) const;
    QVector<ports::FailureRow> failuresSeen(const QStringList &groups, ports::Instant since,
                                            ports::Instant until) const;
    QVector<QString> claimable(const ports::ClaimRequest &request) const;
    bool isOrphaned(const ports::RunRow &row) const;
    bool isGone(const QString &worker) const;
    QVector<ports::JournalRow> journalRows(const QString &runId) const;
    QString keptFor(const ports::RunRow &row, ports::Instant before) const;
    void removeRun(const ports::RunRow &row, const QString &archive);
    qint64 removedBy(const QString &archive) const;

    ports::SystemClock m_systemClock;
    const ports::Clock &m_clock;
    std::shared_ptr<MemoryDatabase> m_database;
    bool m_open = false;
    bool m_inTransaction = false;
    std::vector<std::function<void()>> m_undo;
    std::map<QString, qint64> m_claimed; // stored fences, as in SqlStore
    std::vector<ports::LedgerRow> m_claimedKeys;
};

} // namespace holdfast::store
