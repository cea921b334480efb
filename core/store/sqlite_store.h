// The run database as one SQLite file. The writer owns the file (FileOwnership) and is the only
// connection that writes or checkpoints; readers are query_only and never checkpoint. One object,
// one thread.
#pragma once

#include "ports/clock.h"
#include "store/disk_reserve.h"
#include "store/file_ownership.h"
#include "store/sql_store.h"
#include "store/sqlite_time.h"

namespace holdfast::store
{

class SqliteStore : public SqlStore
{
public:
    // An archived one is a file that nobody writes: it is opened without locks.
    enum class Mode { writer, reader, archived };

    explicit SqliteStore(const QString &path, Mode mode = Mode::writer,
                         const ports::Clock *clock = nullptr);
    ~SqliteStore() override;

    QString describe() const override;
    Result<void> open() override;
    Result<ports::Instant> now() override;
    bool takeReserve() override { return m_reserve.take(); }
    void releaseReserve() override { m_reserve.release(); }
    bool hasReserve() const override { return m_reserve.isThere(); }

    Result<void> begin() override;
    Result<void> commit() override;
    void rollback() override;

    Result<ports::GateRows> lockGates(const QString &worker) override;
    Result<QVector<ports::BreakerRow>> lockBreakers(const QStringList &dependencies) override;
    Result<QVector<ports::ClaimedRun>> claim(const ports::ClaimRequest &request) override;
    Result<QVector<ports::KeyAnswer>> claimKeys(const QVector<ports::KeyClaim> &claims) override;
    Result<QSet<QString>> write(const ports::TurnWrites &writes) override;
    // Part of the transaction, because a file has one writer and nobody to keep waiting.
    Result<QVector<ports::QuotaRow>> quotas(const QStringList &dependencies) override;
    Result<bool> swapQuotas(const QVector<ports::QuotaRow> &rows) override;
    Result<void> reclaimQuotas(const QStringList &dependencies) override;

    // Whoever holds the file is alone, so no older lease counts. open() calls it when it has
    // newly taken the file.
    Result<void> voidLeases();
    // Lets go of the file in order; open() works again afterwards.
    void close();
    // The lock beside the file, to name the socket in. Held while a writer is open.
    FileOwnership &ownership() { return m_ownership; }
    // The last owner did not close in order. Files up to quickCheckMax were then checked by open();
    // for a larger one run quickCheck() on a reader, in the background.
    bool closedUncleanly() const { return m_closedUncleanly; }
    Result<void> quickCheck();

    static constexpr qint64 quickCheckMax = 64 << 20;
    static constexpr int applicationId = 0x486f6c64; // "Hold"

protected:
    QVariant journalValue(const QByteArray &entries) const override { return entries; }
    QString lowestRunId() const override { return QStringLiteral(""); }
    bool isRunId(const QString &) const override { return true; }
    QString highestRunId() const override { return QStringLiteral("\x7f"); }
    Result<void> addRollups(const QVector<ports::RollupRow> &rollups) override;

private:
    Result<void> openFile();
    Result<void> takeOwnership();
    Result<void> identify(bool isNew);
    Result<void> configure();
    Result<void> migrate();
    Result<void> beginTime();
    Result<qint64> pragma(const char *name);

    Result<void> collectClaims(const char *name, const QVariantList &values, int limit,
                               QVector<ports::ClaimedRun> &claimed);
    Result<void> collectDue(const ports::ClaimRequest &request,
                            QVector<ports::ClaimedRun> &claimed);
    Result<QSet<QString>> writeRuns(const ports::TurnWrites &writes);
    Result<void> loadJournals(QVector<ports::ClaimedRun> &claimed);
    Result<int> writeRun(const ports::RunWrite &write);
    Result<int> writeInPlace(const ports::RunWrite &write);
    Result<void> writeJournal(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeLedger(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeReviews(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeCommands(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeFailures(const ports::TurnWrites &writes, const QSet<QString> &fenced);
    Result<void> writeOthers(const ports::TurnWrites &writes, const QSet<QString> &fenced);

    QString m_path;
    Mode m_mode;
    ports::SystemClock m_systemClock;
    SqliteTime m_time;
    DiskReserve m_reserve;
    FileOwnership m_ownership;
    bool m_closedUncleanly = false;
    bool m_isInDoubt = false;     // a sync failed: whoever opens the file next has to look
    bool m_leasesAreOurs = false; // since this object took the file
};

} // namespace holdfast::store
