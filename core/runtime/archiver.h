// Copies old runs into a file, and removes them once it is safe on disk, in pieces that are short
// enough to stand between two turns. Whoever asks for the next piece decides the pace; asking no
// more stops it, and asking later, also of another process, goes on where the database says it
// stands. Belongs to the thread of the store it is given.
#pragma once

#include "ports/store.h"
#include "runtime/whole_run.h"

#include <functional>
#include <memory>

namespace holdfast::runtime
{

using model::Result;

class Archiver
{
public:
    using Open = std::function<std::unique_ptr<ports::ArchiveFile>(const ports::ArchiveRow &)>;
    Archiver(Open open, const QString &host, const QString &programVersion);

    Result<ports::ArchiveStep> goOn(ports::Store &store, const QString &id, const QString &actor);

private:
    enum class Doing { writing, checking, packing, reading, removing };
    // Of the archive this process is at. Lost with the process: what it did not commit is begun
    // anew.
    struct Session {
        ports::ArchiveRow row;
        std::unique_ptr<ports::ArchiveFile> file;
        Doing doing = Doing::writing;
        QString after; // the run it has come to
        qint64 done = 0;
        Definitions used;
    };
    Result<void> enter(const ports::ArchiveRow &row);
    Result<void> piece(ports::Store &store, const QString &actor);
    Result<void> write(ports::Store &store, const QString &actor);
    Result<void> endWriting(ports::Store &store, const QString &actor);
    Result<void> pack(ports::Store &store, const QString &actor);
    Result<void> read(ports::Store &store, const QString &actor);
    Result<void> recordWritten(ports::Store &store, const QString &actor);
    Result<void> remove(ports::Store &store, const QString &actor);
    Result<void> removePage(ports::Store &store, const QString &actor,
                            const QVector<ports::RunVersion> &runs);
    Result<void> become(ports::Store &store, const QString &actor, const QString &state,
                        const QJsonObject &facts = {});
    void leave();

    const Open m_open;
    const QString m_host;
    const QString m_programVersion;
    std::unique_ptr<Session> m_session;
};

} // namespace holdfast::runtime
