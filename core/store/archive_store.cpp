#include "store/archive_store.h"

#include "store/archive_check.h"
#include "store/archive_pack.h"

#include <QDir>
#include <QStorageInfo>
#include <sys/stat.h>

namespace holdfast::store
{

using namespace Qt::StringLiterals;

Result<void> ArchiveStore::open()
{
    if (isOpen())
        return {};
    // It was opened before and lost its name then.
    if (!QDir().mkpath(folder.path()) || ::chmod(QFile::encodeName(folder.path()), 0700) != 0)
        return model::refused(u"cannot create %1"_s.arg(folder.path()));
    const Result<void> unpacked = unpack();
    const Result<void> opened = unpacked ? SqliteStore::open() : unpacked;
    folder.remove();
    if (!opened)
        return opened;
    // Another schema has other columns; the hash of the whole was compared already.
    if (m_manifest.value("schema"_L1).toInt() != newestSchema())
        return {};
    ArchiveCheck check(*this, m_manifest);
    while (true) {
        const Result<bool> done = check.step();
        if (!done) {
            close();
            return done.error();
        }
        if (*done)
            return {};
    }
}

Result<void> ArchiveStore::unpack()
{
    Unpacker unpacker(m_file, unpackedPath);
    const auto manifest = unpacker.begin();
    if (!manifest)
        return manifest.error();
    m_manifest = *manifest;
    const qint64 size = m_manifest.value("size"_L1).toInteger();
    if (const qint64 free = QStorageInfo(folder.path()).bytesAvailable(); free < size)
        return Error{ErrorKind::full,
                     u"%1 unpacks to %2 MB and %3 has only %4 MB free; set TMPDIR to a place with "
                     "more"_s.arg(m_file)
                         .arg(size >> 20)
                         .arg(folder.path())
                         .arg(free >> 20)};
    const int schema = m_manifest.value("schema"_L1).toInt();
    if (schema > newestSchema())
        return Error{ErrorKind::unsupported,
                     u"%1 was made with schema %2, but this program knows only up to %3; use a "
                     "newer Holdfast"_s.arg(m_file)
                         .arg(schema)
                         .arg(newestSchema())};
    while (true) {
        const Result<bool> done = unpacker.step();
        if (!done)
            return done.error();
        if (*done)
            break;
    }
    return schema < newestSchema() ? bringUpToDate(unpackedPath) : Result<void>();
}

ports::Rights ArchiveStore::rights() const
{
    ports::Rights rights;
    rights.readOnly = u"this is an archive, read only: nothing can be done to runs in it; what is "
                      "to be done again is started anew in the run database"_s;
    return rights;
}

} // namespace holdfast::store
