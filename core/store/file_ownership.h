// Who owns a SQLite file. Exactly one process writes or checkpoints it (two can corrupt a WAL), so
// the owner holds a lock on PATH.lock, which its death releases. The lock file names the holder's
// process and the socket it listens on, for whoever comes second.
#pragma once

#include "model/result.h"

#include <QString>

namespace holdfast::store
{

struct FileHolder {
    qint64 pid = 0;
    QString socket; // name of the local socket commands go to; empty: none yet
};

class FileOwnership
{
public:
    FileOwnership() = default;
    ~FileOwnership();
    Q_DISABLE_COPY_MOVE(FileOwnership)

    enum class Outcome { held, heldByOther };
    struct Answer {
        Outcome outcome = Outcome::held;
        FileHolder other; // when it is held by another
    };

    // Of the database at path. Holding it already is fine. The lock file is never deleted: another
    // process may have it open and would then hold a lock on a file nobody sees.
    model::Result<Answer> tryAcquire(const QString &path, const QString &socket = {});
    // Names the socket once it is listening.
    model::Result<void> setSocket(const QString &socket);
    // Says that the database was closed in order, and lets go.
    void releaseCleanly();
    // Lets go as a death would: the next owner checks the file.
    void release();
    bool isHeld() const { return m_descriptor >= 0; }
    // Whether the last holder let go without saying so, or nobody knows.
    bool wasUnclean() const { return m_wasUnclean; }

    static FileHolder holderOf(const QString &path);

private:
    model::Result<void> describe(bool clean);

    int m_descriptor = -1;
    bool m_wasUnclean = false;
    QString m_lockPath;
    QString m_socket;
};

} // namespace holdfast::store
