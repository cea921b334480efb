// The run database on PostgreSQL, shared by any number of workers and consoles. Batches travel as
// arrays, one statement per kind; claims skip what others hold; time is the database's. One object,
// one thread.
#pragma once

#include "store/postgres_address.h"
#include "store/sql_store.h"

#include <QElapsedTimer>

namespace holdfast::store
{

class PostgresStore : public SqlStore
{
public:
    enum class Mode { writer, reader };

    explicit PostgresStore(const PostgresAddress &address, Mode mode = Mode::writer);
    ~PostgresStore() override;

    QString describe() const override { return m_address.describe(); }
    Result<void> open() override;
    ports::Rights rights() const override { return m_rights; }
    Result<void> stillFits() override;
    Result<ports::Instant> now() override;

    // Nothing is sent until the first statement, which then carries the begin.
    Result<void> begin() override;
    Result<void> commit() override;
    void rollback() override;

    Result<ports::GateRows> lockGates(const QString &worker) override;
    Result<QVector<ports::BreakerRow>> lockBreakers(const QStringList &dependencies) override;
    Result<QVector<ports::ClaimedRun>> claim(const ports::ClaimRequest &request) override;
    Result<QVector<ports::KeyAnswer>> claimKeys(const QVector<ports::KeyClaim> &claims) override;
    Result<QSet<QString>> write(const ports::TurnWrites &writes) override;
    Result<QVector<ports::QuotaRow>> quotas(const QStringList &dependencies) override;
    Result<bool> swapQuotas(const QVector<ports::QuotaRow> &rows) override;
    Result<void> reclaimQuotas(const QStringList &dependencies) override;
    // The database numbers and hashes the row itself: it takes nobody's word for what came before.
    Result<void> appendAudit(ports::AuditRow row) override;

    Result<bool> startBatch(const ports::BatchRow &batch,
                            const QVector<ports::BatchItemRow> &items) override;
    Result<bool> takeBatchItem(const ports::BatchRow &batch, const ports::BatchItemRow &item,
                               ports::Instant at) override;

    Result<bool> decideGroup(const ports::GroupDecision &decision) override;
    Result<bool> startArchive(const ports::ArchiveRow &archive) override;
    Result<bool> setArchive(const ports::ArchiveRow &archive, const QString &from) override;
    Result<QStringList> removeRuns(const ports::ArchiveRow &archive,
                                   const QVector<ports::RunVersion> &runs) override;

    // For the owner: the group roles, and who has which.
    Result<void> createRoles();
    Result<void> grantRole(const QString &login, ports::Role role);
    Result<void> revokeRole(const QString &login, ports::Role role);
    struct Member {
        QString login;
        QStringList roles;
    };
    Result<QVector<Member>> members();

    static constexpr ports::Millis notifyInterval = 250;

protected:
    Result<void> ensureBegun() override;
    Result<void> lockGatesForChange() override;
    void workAdded() override { m_hasNews = true; }
    bool isRunId(const QString &runId) const override;
    QVariant journalValue(const QByteArray &entries) const override
    {
        return QString::fromUtf8(entries);
    }
    QString lowestRunId() const override;
    QString highestRunId() const override;
    Result<void> addRollups(const QVector<ports::RollupRow> &rollups) override;

private:
    Result<void> connect(SqlConnection &connection);
    // Opened when it is first needed, and again after a loss.
    Result<SqlConnection *> quotaConnection();
    void tellOthers();

    Result<QSet<QString>> writeRuns(const ports::TurnWrites &writes);
    Result<void> writeChanged(const ports::TurnWrites &writes, QSet<QString> &fenced);
    Result<void> lockUnchanged(const ports::TurnWrites &writes, QSet<QString> &fenced);
    Result<void> writeBreakers(const QVector<ports::BreakerWrite> &writes);
    Result<void> writeJournal(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeLedger(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeReviews(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeCommands(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeFailures(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeOthers(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    // Sends a batch unless it is empty.
    Result<void> send(const char *name, const class PostgresColumns &columns);

    PostgresAddress m_address;
    Mode m_mode;
    ports::Rights m_rights;
    SqlConnection m_quotaConnection{Dialect::postgres};
    bool m_begun = false; // the server knows of the transaction
    bool m_hasNews = false;
    QElapsedTimer m_sinceNotify;
};

} // namespace holdfast::store
