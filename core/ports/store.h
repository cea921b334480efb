// The run database behind one interface: SQLite, PostgreSQL, memory. One Store object belongs to
// one thread. Everything between begin() and commit() is one transaction; reads outside a
// transaction see committed data. A store decides nothing: it keeps rows, and its constraints
// repeat the engine's invariants.
#pragma once

#include "model/result.h"
#include "ports/archive.h"
#include "ports/rights.h"
#include "ports/signoff.h"
#include "ports/turn_rows.h"

#include <QSet>

namespace holdfast::ports
{

struct NewRun {
    RunRow run;
    JournalRow journal;
};

struct StartAnswer {
    bool created = false; // else `run` is the one that already stood for this event
    RunRow run;
    QString archive{}; // where it is now; then only what identifies the run is known
};

struct WorkflowStep {
    QString workflow;
    QString step;

    bool operator==(const WorkflowStep &) const = default;
};

struct RunFilter {
    QStringList statuses;
    QString workflow;
    QString eventId;
    QString step;
    QString reason;
    QVector<WorkflowStep> standsAt;    // at one of these; empty: anywhere
    QStringList ids;                   // each is the run's id or its event's
    std::optional<QStringList> runIds; // only these
    QStringList groups;                // with a failure in one of these; empty: any
    Instant since = model::never;      // created
    Instant until = model::never;
    QString cursor; // run id to continue after; lists go from newest to oldest
    int limit = 100;
};

// A page that looked at no more than examinedMax rows, however few of them matched.
struct RunPage {
    QVector<RunRow> rows;
    QString cursor; // to continue after; empty: that was all. A short page may have one.
};

struct RunCount {
    qint64 count = 0;
    bool capped = false; // there may be more: counting stopped
};

// Open items come oldest first; with those decided, the newest `limit` of them, oldest first.
struct ReviewFilter {
    bool onlyOpen = true;
    QString kind;
    QString runId;
    QString id;
    int limit = 500;
    // Only where items decided are asked for, of all runs.
    Instant since = model::never; // opened
    Instant until = model::never;
    QString notKind{};
};

// A person looks at an item, so that two do not look at the same one.
struct ReviewClaim {
    QString id;
    QString by;
    Instant until = model::never; // never: lets go of it
    Instant now = model::never;   // a claim that has run out by then does not count
};

struct LedgerFilter {
    QString afterKey; // where the last page ended
    QString afterOperation;
    QString status; // empty: any
    int limit = 100;
};

struct LedgerPage {
    QVector<LedgerRow> rows;
    bool more = false;
    QString lastKey; // to continue after
    QString lastOperation;
};

struct AuditFilter {
    QString actor;
    QString action;
    QString chain;     // a run id, or "system"
    qint64 before = 0; // 0: from the newest
    int limit = 100;
};

struct AuditPage {
    QVector<AuditRow> rows; // newest first
    qint64 before = 0;      // to continue with; 0: that was all
};

struct StoreCounts {
    QMap<QString, qint64> runsByStatus; // each no further than countedMax
    QMap<QString, qint64> openReviewsByKind;
    qint64 pendingCommands = 0;
    qint64 inFlight = 0;

    static constexpr qint64 countedMax = 100'000;
};

struct DeliveryFilter {
    QString target; // empty: any
    QString state;  // empty: any
    int limit = 100;
};

struct BatchItemFilter {
    QString batch;
    QString state; // empty: any
    int after = 0; // the place a page continues after
    int limit = 100;
};

// How many items of a batch stand alike.
struct BatchCount {
    QString state;
    QString verdict;
    QString runStatus; // of applied items, as their runs stand now
    qint64 count = 0;
};

// Signs of life, cheap enough to be asked for several times a second.
struct StorePulse {
    qint64 journal = 0; // highest ids
    qint64 audit = 0;
    qint64 pendingCommands = 0;
    qint64 inFlight = 0;
    qint64 workersAlive = 0;
    QMap<QString, qint64> openRunsByStatus; // not final; each no further than countedMax
    QMap<QString, qint64> openReviewsByKind;
    QMap<QString, Instant> oldestReviewByKind;
};

// How far a database has come, for whoever was there before to compare.
struct StoreMark {
    QString database;    // made with it and kept in it; empty: it cannot be told from another
    QString incarnation; // of the server: another after a restore or a failover
    qint64 journal = 0;  // highest ids
    qint64 audit = 0;

    bool operator==(const StoreMark &) const = default;
};

class Store : public FailureBook
{
public:
    // How many rows a page may look at where an index narrows only part of what is asked for.
    static constexpr int examinedMax = 10'000;

    virtual QString
    describe() const = 0; // "sqlite:PATH" or "postgresql://user@host/db", no password
    // Connects, and creates or migrates the schema where the login may. Called again after a loss.
    virtual Result<void> open() = 0;
    virtual bool isOpen() const = 0;
    virtual Result<int> schemaVersion() = 0;
    // The schema is still the one this program was written for: another program may have changed it
    // since it was opened. Else unsupported, with both versions.
    virtual Result<void> stillFits() { return {}; }
    // What whoever opened it may do, as it was then.
    virtual Rights rights() const { return {}; }
    virtual Result<Instant> now() = 0; // database time
    virtual Result<StoreMark> mark() { return StoreMark{}; }
    // The highest audit number below which no row can still appear.
    virtual Result<qint64> settledAudit() = 0;
    // Space kept beside a file for the day its disk is full; false: too little is free to keep any.
    // A database elsewhere has nothing to keep.
    virtual bool takeReserve() { return true; }
    virtual void releaseReserve() {}
    // Also seen from other processes: whoever executes runs without it is short of space.
    virtual bool hasReserve() const { return true; }

    // Transactions. commit() answers unknownOutcome when the connection died under it.
    virtual Result<void> begin() = 0;
    virtual Result<void> commit() = 0;
    virtual void rollback() = 0;

    // The turn, inside a transaction. Nobody takes back what the worker holds of the quotas before
    // it ends; an empty name holds nothing.
    virtual Result<GateRows> lockGates(const QString &worker) = 0;
    // FOR UPDATE, in name order; rows that do not exist yet are created closed.
    virtual Result<QVector<BreakerRow>> lockBreakers(const QStringList &dependencies) = 0;
    virtual Result<QVector<ClaimedRun>> claim(const ClaimRequest &request) = 0;
    virtual Result<QVector<KeyAnswer>> claimKeys(const QVector<KeyClaim> &claims) = 0;
    virtual Result<QVector<CommandRow>> pendingCommands(int limit) = 0; // oldest first
    // Returns the ids of runs that were fenced off: nothing of theirs was written.
    virtual Result<QSet<QString>> write(const TurnWrites &writes) = 0;

    // Quotas: what all workers together may use of a dependency's limits. On a shared database
    // these are transactions of their own, also while a turn's is open, so that nobody waits for
    // them through another's commit; they are on disk before any commit that comes after them.
    virtual Result<QVector<QuotaRow>> quotas(const QStringList &dependencies) = 0;
    // All of them, each as the next version of the one that was read; false: another was quicker,
    // and nothing is changed.
    virtual Result<bool> swapQuotas(const QVector<QuotaRow> &rows) = 0;
    // Takes back the places of workers whose lease has run out and who have no attempt open.
    virtual Result<void> reclaimQuotas(const QStringList &dependencies) = 0;

    // Workers. A lease lives on the worker's row and is counted in database time.
    virtual Result<WorkerRow> registerWorker(const WorkerRow &worker, Millis lease) = 0;
    virtual Result<Instant> renewLease(const QString &worker, Millis lease,
                                       const QString &state) = 0;
    virtual Result<QVector<WorkerRow>> workers() = 0;
    // Earliest due instant of a run nobody holds, or expiry of a lease that holds one; never:
    // nothing is due.
    virtual Result<Instant> nextDue() = 0;
    // Runs that are neither final nor in review, held, nor waiting without a due instant.
    virtual Result<qint64> unsettledRuns() = 0;

    // Each of these is one transaction of its own when called outside begin()/commit().
    virtual Result<StartAnswer> startRun(const NewRun &run) = 0;
    virtual Result<bool> addCommand(const CommandRow &command) = 0; // false: known already
    virtual Result<bool>
    decideReview(const ReviewDecision &decision) = 0; // false: was decided before
    // False: it is decided, not there, or another's claim on it has not run out.
    virtual Result<bool> claimReview(const ReviewClaim &claim) = 0;
    virtual Result<bool> snoozeReview(const QString &id, Instant until) = 0; // false: not open
    virtual Result<void> putSetting(const SettingRow &setting) = 0;
    virtual Result<bool> removeSetting(const QString &name) = 0;  // false: was not there
    virtual Result<PauseRow> addPause(const PauseRow &pause) = 0; // fills at and journalMark
    virtual Result<QVector<PauseRow>> liftPauses(const QString &scope, const QString &target,
                                                 const QString &depth, const PauseRow &lifted) = 0;
    // Inside a transaction: keeps turns and other pauses out until it ends, as a new pause does.
    // Answers with the pauses in force; all journal rows of turns before it are committed.
    virtual Result<QVector<PauseRow>> lockPauses() = 0;
    // Keeps ramp and journalMark, and lets runs that are held look again: all up to `wakeUpTo`.
    virtual Result<void> setRamp(const PauseRow &pause, const QString &wakeUpTo) = 0;
    virtual Result<qint64> journalMark() = 0; // the highest journal id there is
    // By a person: turns that read it as it was are over before it stands. Closed: whatever waits
    // for a breaker looks again.
    virtual Result<void> setBreaker(const BreakerRow &breaker) = 0;
    virtual Result<void> addReview(const ReviewRow &review) = 0;
    virtual Result<void> appendAudit(AuditRow row) = 0; // seq, previous and hash are filled in
    // False: this version exists with other content. An equal one is no change.
    virtual Result<bool> deployWorkflow(const WorkflowRow &workflow) = 0;
    virtual Result<DependencyRow> deployDependency(const DependencyRow &dependency) = 0;
    // Adds the counters of hours that ended by then up, at most so many hours at a time; returns
    // how many. What is asked of the counters is the same before and after, only faster.
    virtual Result<int> sumHours(Instant until, int most) = 0;
    // Batches. False: one of this id stands already.
    virtual Result<bool> startBatch(const BatchRow &batch, const QVector<BatchItemRow> &items) = 0;
    // False: it is not where it could become this. Going on sets the base, stopping skips what is
    // pending.
    virtual Result<bool> setBatchState(const BatchRow &batch, const QString &by, Instant at) = 0;
    // Whether a worker has anything to look after.
    virtual Result<bool> anyBatchGoes() = 0;
    // Inside a transaction: those running, kept from others until it ends.
    virtual Result<QVector<BatchRow>> lockBatches() = 0;
    // What was recorded becomes what its command became.
    virtual Result<void> settleBatchItems() = 0;
    // Inside a transaction: the next item as `item.state` says. Recorded, its command, decision and
    // audit row are written with it. False: the batch was held instead.
    virtual Result<bool> takeBatchItem(const BatchRow &batch, const BatchItemRow &item,
                                       Instant at) = 0;
    // Alerts. A change outside of a turn is announced with it: pauses, breakers that people set and
    // items that concern no single run are announced by the store itself.
    virtual Result<void> announce(const OutboxRow &row) = 0;
    // False: one of this name stands already.
    virtual Result<bool> addAlertTarget(const AlertTargetRow &target) = 0;
    virtual Result<bool> setAlertTarget(const QString &name, const QString &state,
                                        const QString &reason, const QString &by) = 0;
    // What still waits for it is given up.
    virtual Result<bool> removeAlertTarget(const QString &name, const QString &by) = 0;
    virtual Result<QVector<AlertTargetRow>> alertTargets() = 0; // by name
    // Inside a transaction: alerts that have no deliveries yet, kept from others until it ends.
    virtual Result<QVector<OutboxRow>> lockOutbox(int limit) = 0;
    // These deliveries stand for this alert from now on; there may be none.
    virtual Result<void> handOut(const QString &outboxId, const QVector<DeliveryRow> &deliveries,
                                 Instant at) = 0;
    // Those due for targets that are enabled, each with its try counted and put off to `until`.
    virtual Result<QVector<DeliveryRow>> takeDeliveries(Instant now, Instant until, int limit) = 0;
    // Ends it whoever has it; put off, only where this try is the last. False: it was not so.
    virtual Result<bool> settleDelivery(const DeliveryRow &delivery) = 0;
    // Something is to be handed out, or is due for an enabled target by then.
    virtual Result<bool> anyDeliveryDue(Instant by) = 0;
    virtual Result<std::optional<OutboxRow>> outbox(const QString &id) = 0;
    virtual Result<QVector<DeliveryRow>>
    deliveries(const DeliveryFilter &filter) = 0; // newest first
    // Alerts handed out before then, none of whose deliveries waits; returns how many.
    virtual Result<int> sweepOutbox(Instant before, int limit) = 0;
    // Tripwires. False: one of this name stands already, or none does.
    virtual Result<bool> addTripwire(const TripwireRow &tripwire) = 0;
    virtual Result<bool> setTripwire(const QString &name, const QString &state,
                                     const QString &by) = 0;
    virtual Result<bool> removeTripwire(const QString &name, const QString &by) = 0;
    virtual Result<QVector<TripwireRow>> tripwires() = 0; // by name
    // Inside a transaction: as it stands, kept from others until it ends.
    virtual Result<std::optional<TripwireRow>> lockTripwire(const QString &name) = 0;
    // What a watch keeps of it, and nothing else.
    virtual Result<void> keepTripwire(const TripwireRow &tripwire) = 0;
    // False: this window is signed already.
    virtual Result<bool> addSignoff(const SignoffRow &signoff) = 0;
    // Expired keys become tombstones; returns how many.
    virtual Result<int> sweepLedger(Instant now, int limit) = 0;
    // Retention. False: one of this id stands, or another that was written is not finished. One
    // that was never written is dropped.
    virtual Result<bool> startArchive(const ArchiveRow &archive) = 0;
    // False: it is not in the state `from`.
    virtual Result<bool> setArchive(const ArchiveRow &archive, const QString &from) = 0;
    // Inside a transaction, for an archive that is removing: takes out those of these runs that are
    // as they were and still may go, and says which.
    virtual Result<QStringList> removeRuns(const ArchiveRow &archive,
                                           const QVector<RunVersion> &runs) = 0;

    // Reads.
    virtual Result<std::optional<RunRow>> run(const QString &runId) = 0;
    virtual Result<std::optional<RunRow>> runByEvent(const QString &workflow,
                                                     const QString &eventId) = 0;
    virtual Result<QVector<RunRow>> runs(const RunFilter &filter) = 0;
    virtual Result<RunPage> runPage(const RunFilter &filter) = 0;
    virtual Result<RunCount> countRuns(const RunFilter &filter, qint64 most) = 0;
    virtual Result<QStringList> runReasons(int limit) = 0; // those that runs stand for, sorted
    virtual Result<QVector<RunRow>> openRuns() = 0;        // runs with an attempt open
    virtual Result<QVector<JournalRow>> journal(const QString &runId) = 0;
    virtual Result<QVector<JournalRow>> journalAfter(qint64 id, int limit) = 0;
    virtual Result<QVector<ReviewRow>> reviews(const ReviewFilter &filter) = 0;
    virtual Result<QVector<PauseRow>> pauses(bool onlyActive) = 0;
    virtual Result<QVector<BreakerRow>> breakers() = 0;
    virtual Result<QVector<LedgerRow>> ledger(const QString &key) = 0;
    virtual Result<QVector<LedgerRow>> ledgerPage(const QString &afterOperation,
                                                  const QString &afterKey, int limit) = 0;
    virtual Result<LedgerPage> ledgerOf(const LedgerFilter &filter) = 0;
    virtual Result<std::optional<CommandRow>> command(const QString &id) = 0;
    virtual Result<QVector<AuditRow>> audit(qint64 afterSeq, int limit) = 0;
    virtual Result<AuditPage> auditOf(const AuditFilter &filter) = 0;
    virtual Result<QVector<RollupRow>> rollups(Instant since, Instant until) = 0;
    // Sums for each bucket that has any, counted from `since`; only minute and counts are set.
    virtual Result<QVector<RollupRow>> rollupSeries(Instant since, Instant until,
                                                    Millis bucket) = 0;
    // Sums for each workflow, step and dependency.
    virtual Result<QVector<RollupRow>> rollupSums(Instant since, Instant until) = 0;
    virtual Result<QVector<SettingRow>> settings(const QString &prefix) = 0; // by name
    virtual Result<QVector<OutboxRow>> undelivered(int limit) = 0;
    virtual Result<std::optional<WorkflowRow>> workflow(const QString &name,
                                                        int version) = 0; // 0: newest
    virtual Result<QVector<WorkflowRow>> workflows() = 0;
    virtual Result<std::optional<DependencyRow>> dependency(const QString &name,
                                                            int revision) = 0; // 0: newest
    virtual Result<QVector<DependencyRow>> dependencies() = 0; // newest revision of each
    virtual Result<QVector<BatchRow>> batches(int limit) = 0;  // newest first
    virtual Result<std::optional<BatchRow>> batch(const QString &id) = 0;
    virtual Result<QVector<BatchItemRow>> batchItems(const BatchItemFilter &filter) = 0;
    // Of the items after this place.
    virtual Result<QVector<BatchCount>> batchCounts(const QString &id, int after) = 0;
    virtual Result<std::optional<SignoffRow>> signoff(Instant since, Instant until) = 0;
    virtual Result<QVector<SignoffRow>> signoffs(int limit) = 0; // newest first
    // What concerns no single run, by when it happened, newest first.
    virtual Result<QVector<AuditRow>> systemAudit(Instant since, Instant until, int limit) = 0;
    // Runs that ended compensated, or in a compensation that failed, by their end, newest first.
    virtual Result<QVector<RunRow>> undoneRuns(Instant since, Instant until, int limit) = 0;
    virtual Result<QVector<ArchiveRow>> archives(int limit) = 0; // newest first
    virtual Result<std::optional<ArchiveRow>> archive(const QString &id) = 0;
    // All runs, oldest first, each with what it is kept for at that cut-off.
    virtual Result<QVector<ArchiveVerdict>> archivable(Instant before, const QString &afterRunId,
                                                       int limit) = 0;
    virtual Result<std::optional<ArchivedRunRow>> archivedRun(const QString &runId) = 0;
    virtual Result<QVector<CommandRow>> commandsOf(const QString &runId) = 0;
    // Rollups from before it stay as they are; never: none are sealed.
    virtual Result<Instant> sealedUntil() = 0;
    virtual Result<StoreCounts> counts() = 0;
    virtual Result<StorePulse> pulse() = 0;

    // Rebuilding projections: replaces the projected columns of these runs and the rollups as a
    // whole, but for those that are sealed.
    virtual Result<void> replaceRun(const RunRow &run) = 0;
    virtual Result<void> replaceLedger(const LedgerRow &row) = 0;
    virtual Result<void> replaceRollups(const QVector<RollupRow> &rollups) = 0;
    // Pages through all runs, oldest first.
    virtual Result<QVector<RunRow>> runsPage(const QString &afterRunId, int limit) = 0;
};

// What a run that starts adds to the counters. The rows of one minute are spread, so that those who
// start runs at once do not wait for each other.
RollupRow startedRollup(const RunRow &run);

// What taking an item of a batch records in the name of whoever started it. The id is made of batch
// and place, so that it is recorded once.
CommandRow commandOf(const BatchRow &batch, const BatchItemRow &item, Instant at);
AuditRow auditRowOf(const BatchRow &batch, const BatchItemRow &item, Instant at);
// Nothing: the act decides no item, as asking the target again does not.
std::optional<ReviewDecision> decisionOf(const BatchRow &batch, const BatchItemRow &item,
                                         Instant at);

// The ledger rows of a run, found by the keys that its fold names.
Result<QVector<LedgerRow>> ledgerOfRun(Store &store, const model::Run &run);

} // namespace holdfast::ports
