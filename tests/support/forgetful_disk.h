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

    // The power fails at that write or sync from now on, before it takes.
    void failAt(qint64 access) { m_failsIn = access; }
    bool isOff() const { return m_isOff; }
    void switchOn();
    // What is found of `database` and its log when the power is back, once for each of the folders.
    bool leave(const QString &database, const QStringList &folders, Dice &dice) const;

    struct Figures {
        qint64 syncs = 0;
        qint64 truncations = 0;
        qint64 writesToFile = 0; // not to the log: the log was folded into it
    };
    const Figures &figures() const { return m_figures; }

    // For the functions that SQLite calls.
    void opened(const QString &path);
    bool fails(); // at this access, or already off
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

    static void apply(QByteArray &image, const Piece &piece);
    static QByteArray found(const File &file, Dice &dice);

    const Log m_log;
    QMap<QString, File> m_files;
    qint64 m_failsIn = 0; // 0: not at all
    bool m_isOff = false;
    Figures m_figures;
};

} // namespace holdfast::tests
