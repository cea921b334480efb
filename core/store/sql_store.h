// What both SQL databases do alike: everything that is not the turn. Statements of the same name
// take the same parameters in both folders of SQL, so a difference shows up as a different .sql
// file, not as code. Belongs to one thread.
#pragma once

#include "ports/store.h"
#include "store/sql_connection.h"

#include <QHash>
#include <functional>

namespace holdfast::store
{

class SqlStore : public ports::Store
{
public:
    bool isOpen() const override { return m_connection.isOpen(); }
    // For tests of pages that stop early: examinedMax with fewer rows.
    void examineAtMost(int rows) { m_examinedMax = rows; }
    Result<int> schemaVersion() override;
    Result<ports::StoreMark> mark() override;
    Result<qint64> settledAudit() override { return number("settled_audit"); }

    Result<QVector<ports::CommandRow>> pendingCommands(int limit) override;
    Result<ports::WorkerRow> registerWorker(const ports::WorkerRow &worker,
                                            ports::Millis lease) override;
    Result<ports::Instant> renewLease(const QString &worker, ports::Millis lease,
                                      const QString &state) override;
    Result<void> keepLife(const QString &worker, ports::Instant moment);
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
    Result<int> sumHours(ports::Instant until, int most) override;
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

protected:
    explicit SqlStore(Dialect dialect) : m_connection(dialect) {}

    // Makes sure that what follows stands inside the transaction that begin() promised.
    virtual Result<void> ensureBegun() { return {}; }
    // Keeps turns out while the gates change.
    virtual Result<void> lockGatesForChange() { return {}; }
    // Others may want to look for work once this commits.
    virtual void workAdded() {}
    // Whether an id can be looked up at all: a malformed uuid is "not there", not an error.
    virtual bool isRunId(const QString &runId) const { return !runId.isEmpty(); }
    // Differs because entries are bytes on SQLite and text on PostgreSQL.
    virtual QVariant journalValue(const QByteArray &entries) const = 0;
    // Bounds of run ids for pages that start at an end.
    virtual QString lowestRunId() const = 0;
    virtual QString highestRunId() const = 0;
    virtual Result<void> addRollups(const QVector<ports::RollupRow> &rollups) = 0;

    Result<QSqlQuery *> query(const char *name, const QVariantList &values = {});
    Result<int> change(const char *name, const QVariantList &values = {});
    // Inside a transaction, part of it; outside, one of its own.
    template <typename T>
    Result<T> atomically(const std::function<Result<T>()> &work);

    template <typename Row>
    Result<QVector<Row>> list(const char *name, const QVariantList &values,
                              Row (*read)(const QSqlQuery &));
    template <typename Row>
    Result<std::optional<Row>> one(const char *name, const QVariantList &values,
                                   Row (*read)(const QSqlQuery &));
    Result<qint64> number(const char *name, const QVariantList &values = {});

    // The fence a claimed run has in the table. Its new one is written by write(), so that claiming
    // costs no update; the lock on the row (or the file) keeps others out until then.
    qint64 storedFence(const QString &runId, qint64 expected) const
    {
        return m_claimed.value(runId, expected);
    }
    void forgetTransaction();
    // To be called before it is set.
    Result<void> announceBreaker(const ports::BreakerRow &breaker);
    Result<void> sumAgainFrom(ports::Instant hour);
    // Takes back the keys which fenced runs claimed in this transaction.
    Result<void> unclaimKeys(const QSet<QString> &fenced);

    // One index range that a filter is answered from.
    struct RunRange {
        const char *page;
        const char *count;
        const char *bound;
        QVariantList narrowedBy;
        bool hasResidue; // rows of the range may not match
        QVariantList alsoAsked{};
    };
    static QVector<RunRange> rangesOf(const ports::RunFilter &filter);
    static QVector<RunRange> rangesOfGroups(const ports::RunFilter &filter);
    Result<bool> isInGroups(const ports::RunRow &row, const QStringList &groups);
    // Nothing: the filter names no run.
    Result<std::optional<QVector<ports::RunRow>>> runsByName(const ports::RunFilter &filter);
    Result<QVariantList> idsOf(const ports::RunFilter &filter) const; // from below, and at least
    // The last id a page may look at; empty: all of the range. Ranges share what may be looked at.
    Result<QString> boundOf(const RunRange &range, const QVariantList &ids, qsizetype ranges);
    Result<void> readCounts(const char *name, const QVariantList &values,
                            QMap<QString, qint64> &into);

    SqlConnection m_connection;
    int m_examinedMax = examinedMax;
    bool m_inTransaction = false;
    QHash<QString, qint64> m_claimed;
    struct ClaimedKey {
        QString operation;
        QString key;
        QString runId;
    };
    QVector<ClaimedKey> m_claimedKeys;
};

template <typename T>
Result<T> SqlStore::atomically(const std::function<Result<T>()> &work)
{
    if (m_inTransaction)
        return work();
    if (const Result<void> begun = begin(); !begun)
        return begun.error();
    Result<T> answer = work();
    if (!answer) {
        rollback();
        return answer;
    }
    if (const Result<void> committed = commit(); !committed)
        return committed.error();
    return answer;
}

template <typename Row>
Result<QVector<Row>> SqlStore::list(const char *name, const QVariantList &values,
                                    Row (*read)(const QSqlQuery &))
{
    const Result<QSqlQuery *> result = query(name, values);
    if (!result)
        return result.error();
    QVector<Row> rows;
    while ((*result)->next())
        rows.append(read(**result));
    const QSqlError error = (*result)->lastError();
    (*result)->finish();
    if (error.type() != QSqlError::NoError)
        return m_connection.errorOf(error);
    return rows;
}

template <typename Row>
Result<std::optional<Row>> SqlStore::one(const char *name, const QVariantList &values,
                                         Row (*read)(const QSqlQuery &))
{
    const Result<QVector<Row>> rows = list(name, values, read);
    if (!rows)
        return rows.error();
    return rows->isEmpty() ? std::optional<Row>() : std::optional<Row>(rows->first());
}

} // namespace holdfast::store
