// The run database in memory that can write down every change of what it holds, so that the same
// can be done again to another database and compared.
#pragma once

#include "store/memory_store.h"

namespace holdfast::simulation
{

using model::Instant;
using model::Result;

// Does one thing to a store; answers with what came out otherwise, or with nothing.
using Deed = std::function<QString(ports::Store &)>;

struct NotedTransaction {
    Instant at = model::never;
    QVector<Deed> deeds;
};

// In the order in which they were committed.
using Notes = std::vector<NotedTransaction>;

class NotingStore : public store::MemoryStore
{
public:
    using MemoryStore::MemoryStore;

    void noteTo(Notes *notes) { m_notes = notes; }

    Result<void> begin() override;
    Result<void> commit() override;
    void rollback() override;

    Result<QVector<ports::BreakerRow>> lockBreakers(const QStringList &names) override;
    Result<QVector<ports::ClaimedRun>> claim(const ports::ClaimRequest &request) override;
    Result<QVector<ports::KeyAnswer>> claimKeys(const QVector<ports::KeyClaim> &claims) override;
    Result<QSet<QString>> write(const ports::TurnWrites &writes) override;
    Result<bool> swapQuotas(const QVector<ports::QuotaRow> &rows) override;
    Result<void> reclaimQuotas(const QStringList &names) override;
    Result<ports::WorkerRow> registerWorker(const ports::WorkerRow &worker,
                                            ports::Millis lease) override;
    Result<Instant> renewLease(const QString &worker, ports::Millis lease,
                               const QString &state) override;
    Result<ports::StartAnswer> startRun(const ports::NewRun &run) override;
    Result<bool> addCommand(const ports::CommandRow &command) override;
    Result<bool> decideReview(const ports::ReviewDecision &decision) override;
    Result<ports::PauseRow> addPause(const ports::PauseRow &pause) override;
    Result<QVector<ports::PauseRow>> liftPauses(const QString &scope, const QString &target,
                                                const QString &depth,
                                                const ports::PauseRow &lifted) override;
    Result<void> setRamp(const ports::PauseRow &pause, const QString &wakeUpTo) override;
    Result<void> setBreaker(const ports::BreakerRow &breaker) override;
    Result<void> addReview(const ports::ReviewRow &review) override;
    Result<void> appendAudit(ports::AuditRow row) override;
    Result<int> sumHours(Instant until, int most) override;
    Result<int> sweepLedger(Instant now, int limit) override;
    Result<bool> startBatch(const ports::BatchRow &batch,
                            const QVector<ports::BatchItemRow> &items) override;
    Result<bool> setBatchState(const ports::BatchRow &batch, const QString &by,
                               Instant at) override;
    Result<void> settleBatchItems() override;
    Result<bool> takeBatchItem(const ports::BatchRow &batch, const ports::BatchItemRow &item,
                               Instant at) override;

private:
    // `again` does the same to another store and compares with what came out here. Outside a
    // transaction a lost connection may have hidden that; then there is nothing to compare with.
    template <typename Act, typename Again, typename... Arguments>
    std::invoke_result_t<Act> noted(Act act, Again again, const Arguments &...arguments);
    // For what is no part of a transaction.
    template <typename Act, typename Again, typename... Arguments>
    std::invoke_result_t<Act> notedAlone(Act act, Again again, const Arguments &...arguments);

    Notes *m_notes = nullptr;
    QVector<Deed> m_deeds; // of this transaction
    Deed m_upcoming;       // what the next transaction is made for
    bool m_inside = false; // a transaction
    bool m_acting = false; // what it does by itself on the way is no deed of its own
};

} // namespace holdfast::simulation
