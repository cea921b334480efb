// The disk of a machine whose power can fail, under the SQLite of this process. What was synced is
// kept; of what was written since, chance decides piece by piece whether it is there, torn or
// missing, in whatever order. From the moment the power is off every access fails, until
// switchOn(). One at a time, used by one thread.
#pragma once

#include "support/dice.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QVector>

namespace holdfast::tests
{

class ForgetfulDisk
{
public:
    // A sync of the log is a lie on a disk that answers too early, and is left out by a database
    // that is told not to wait for it.
    enum class Log { synced, notSynced };

    explicit ForgetfulDisk(Log log = Log::synced);
    ~ForgetfulDisk();
    Q_DISABLE_COPY_MOVE(ForgetfulDisk)

    enum class Access { writeToLog, syncOfLog, writeToFile, syncOfFile, journal };

    // The power fails at that access from now on: a sync does not take, and of what is written any
    // part may be there. 0: it does not fail.
    void failAt(qint64 access)
    {
        m_failsIn = access;
        m_failsInSyncs = 0;
    }
    void failAtSync(qint64 sync)
    {
        m_failsIn = 0;
        m_failsInSyncs = sync;
    }
    bool isOff() const { return m_isOff; }
    void switchOn();
    // What is found of `database` and its log when the power is back, once for each of the folders.
    bool leave(const QString &database, const QStringList &folders, Dice &dice) const;

    // How often the power failed where.
    const QMap<Access, int> &failures() const { return m_failures; }
    static QString nameOf(Access access);

    // For the functions that SQLite calls.
    void opened(const QString &path);
    bool failsWriting(const QString &path); // at this write, or already off
    bool failsSyncing(const QString &path);
    void wrote(const QString &path, qint64 offset, const QByteArray &bytes);
    void truncated(const QString &path, qint64 size);
    void synced(const QString &path);
    void removed(const QString &path);

private:
    struct Piece {
        qint64 offset = 0;
        QByteArray bytes;
        bool isEnd = false; // the file ends at the offset
    };
    struct File {
        QByteArray kept;
        QVector<Piece> pieces; // since the last sync
        bool isRemoved = false;
    };

    bool turnsOff(Access access, bool isTime);
    static void apply(QByteArray &image, const Piece &piece);
    static QByteArray found(const File &file, Dice &dice);

    const Log m_log;
    QMap<QString, File> m_files;
    qint64 m_failsIn = 0; // 0: not at all
    qint64 m_failsInSyncs = 0;
    bool m_isOff = false;
    QMap<Access, int> m_failures;
};

} // namespace holdfast::tests
