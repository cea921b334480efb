// The run database in memory, over a connection that may be lost at any moment: before a
// transaction, inside it, and around its commit, when nobody can say whether it took. It also is
// the witness of what was committed, in which order and by whom.
#pragma once

#include "simulation/noting_store.h"
#include "simulation/scene.h"

namespace holdfast::simulation
{

class FaultyStore : public NotingStore
{
public:
    FaultyStore(const QString &who, const ports::Clock &clock,
                std::shared_ptr<store::MemoryDatabase> database)
        : NotingStore(&clock, std::move(database)), m_who(who)
    {
    }

    // A new simulation. Without a scene nothing goes wrong and nothing is recorded.
    void enter(Scene *scene);
    void setMayDie(bool mayDie) { m_mayDie = mayDie; }
    void lose() { m_lost = true; }
    static void awayUntil(Instant until) { s_awayUntil = until; }

    bool isOpen() const override { return !m_lost && NotingStore::isOpen(); }
    model::Result<void> open() override;
    model::Result<void> begin() override;
    model::Result<void> commit() override;
    void rollback() override;

    model::Result<ports::Instant> now() override;
    model::Result<ports::GateRows> lockGates(const QString &worker) override;
    model::Result<QVector<ports::BreakerRow>> lockBreakers(const QStringList &names) override;
    model::Result<QVector<ports::ClaimedRun>> claim(const ports::ClaimRequest &request) override;
    model::Result<QVector<ports::KeyAnswer>>
    claimKeys(const QVector<ports::KeyClaim> &claims) override;
    model::Result<QSet<QString>> write(const ports::TurnWrites &writes) override;
    // Over a connection of their own, which is lost alone.
    model::Result<QVector<ports::QuotaRow>> quotas(const QStringList &names) override;
    model::Result<bool> swapQuotas(const QVector<ports::QuotaRow> &rows) override;
    model::Result<void> reclaimQuotas(const QStringList &names) override;
    model::Result<ports::Instant> nextDue() override;
    model::Result<ports::PauseRow> addPause(const ports::PauseRow &pause) override;
    model::Result<QVector<ports::PauseRow>> liftPauses(const QString &scope, const QString &target,
                                                       const QString &depth,
                                                       const ports::PauseRow &lifted) override;
    model::Result<QVector<ports::PauseRow>> lockPauses() override;
    model::Result<void> setRamp(const ports::PauseRow &pause, const QString &wakeUpTo) override;
    model::Result<void> setBreaker(const ports::BreakerRow &breaker) override;
    model::Result<bool> startBatch(const ports::BatchRow &batch,
                                   const QVector<ports::BatchItemRow> &items) override;
    model::Result<bool> setBatchState(const ports::BatchRow &batch, const QString &by,
                                      ports::Instant at) override;
    model::Result<QVector<ports::BatchRow>> lockBatches() override;
    model::Result<void> settleBatchItems() override;
    model::Result<bool> takeBatchItem(const ports::BatchRow &batch, const ports::BatchItemRow &item,
                                      ports::Instant at) override;
    model::Result<int> sweepLedger(ports::Instant now, int limit) override;
    model::Result<QVector<ports::JournalRow>> journal(const QString &runId) override;
    model::Result<QVector<ports::JournalRow>> journalAfter(qint64 id, int limit) override;
    model::Result<QVector<ports::PauseRow>> pauses(bool onlyActive) override;
    model::Result<std::optional<ports::CommandRow>> command(const QString &id) override;
    model::Result<std::optional<ports::BatchRow>> batch(const QString &id) override;

private:
    bool breaks(int perMille);
    std::optional<model::Error> failure();
    std::optional<model::Error> quotaFailure();
    model::Error gone(model::ErrorKind kind = model::ErrorKind::lost);
    template <typename T>
    model::Result<T> moving(const std::function<model::Result<T>()> &move);
    void witness();
    void witnessActs();
    void traceRow(const ports::JournalRow &row) const;

    const QString m_who;
    Scene *m_scene = nullptr;
    bool m_mayDie = false;
    bool m_lost = false;
    bool m_inside = false;       // a transaction
    bool m_failedInside = false; // something could not be read or written in this transaction
    qint64 m_journalBefore = 0;
    QVector<GateMove> m_moves;             // of this transaction
    QVector<Act> m_acts;                   // those that a batch does in it
    QMap<QString, QString> m_batchesMoved; // in it, and their states
    QSet<QString> m_claimed;               // in this transaction
    static Instant s_awayUntil;
};

} // namespace holdfast::simulation
