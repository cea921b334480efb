#include "support/forgetful_disk.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <cstring>
#include <sqlite3.h>

namespace holdfast::tests
{

namespace
{
constexpr int sectorSize = 512;

bool isLog(const QString &path) { return path.endsWith(QLatin1String("-wal")); }
bool isJournal(const QString &path) { return path.endsWith(QLatin1String("-journal")); }

ForgetfulDisk *theDisk = nullptr;

// SQLite allocates it, and behind it the file of the system that does the work.
struct Handle {
    sqlite3_file base;
    QString *path; // of files that a power failure concerns; null for all others
};

sqlite3_file *inner(sqlite3_file *file)
{
    return reinterpret_cast<sqlite3_file *>(reinterpret_cast<Handle *>(file) + 1);
}
const QString *pathOf(sqlite3_file *file) { return reinterpret_cast<Handle *>(file)->path; }

int closeFile(sqlite3_file *file)
{
    const int code = inner(file)->pMethods->xClose(inner(file));
    delete reinterpret_cast<Handle *>(file)->path;
    return code;
}

int readFile(sqlite3_file *file, void *to, int size, sqlite3_int64 offset)
{
    if (pathOf(file) && theDisk->isOff())
        return SQLITE_IOERR_READ;
    return inner(file)->pMethods->xRead(inner(file), to, size, offset);
}

int writeFile(sqlite3_file *file, const void *from, int size, sqlite3_int64 offset)
{
    const QString *path = pathOf(file);
    if (path && theDisk->isOff())
        return SQLITE_IOERR_WRITE;
    // What is being written when the power fails may be there as well.
    const bool fails = path && theDisk->failsWriting(*path);
    if (path)
        theDisk->wrote(*path, offset, QByteArray(static_cast<const char *>(from), size));
    return fails ? SQLITE_IOERR_WRITE
                 : inner(file)->pMethods->xWrite(inner(file), from, size, offset);
}

int truncateFile(sqlite3_file *file, sqlite3_int64 size)
{
    const QString *path = pathOf(file);
    if (path && theDisk->isOff())
        return SQLITE_IOERR_TRUNCATE;
    const bool fails = path && theDisk->failsWriting(*path);
    if (path)
        theDisk->truncated(*path, size);
    return fails ? SQLITE_IOERR_TRUNCATE : inner(file)->pMethods->xTruncate(inner(file), size);
}

// The file of the system is not synced: it is this process that has to survive, not the machine.
int syncFile(sqlite3_file *file, int flags)
{
    const QString *path = pathOf(file);
    if (!path)
        return inner(file)->pMethods->xSync(inner(file), flags);
    if (theDisk->failsSyncing(*path))
        return SQLITE_IOERR_FSYNC;
    theDisk->synced(*path);
    return SQLITE_OK;
}

int sizeOfFile(sqlite3_file *file, sqlite3_int64 *size)
{
    return inner(file)->pMethods->xFileSize(inner(file), size);
}
int lockFile(sqlite3_file *file, int lock)
{
    return inner(file)->pMethods->xLock(inner(file), lock);
}
int unlockFile(sqlite3_file *file, int lock)
{
    return inner(file)->pMethods->xUnlock(inner(file), lock);
}
int checkLock(sqlite3_file *file, int *isReserved)
{
    return inner(file)->pMethods->xCheckReservedLock(inner(file), isReserved);
}
int controlFile(sqlite3_file *file, int operation, void *argument)
{
    return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}
int sectorOfFile(sqlite3_file *file) { return inner(file)->pMethods->xSectorSize(inner(file)); }
int traitsOfFile(sqlite3_file *file)
{
    return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}
int mapIndex(sqlite3_file *file, int page, int size, int extend, void volatile **to)
{
    return inner(file)->pMethods->xShmMap(inner(file), page, size, extend, to);
}
int lockIndex(sqlite3_file *file, int offset, int count, int flags)
{
    return inner(file)->pMethods->xShmLock(inner(file), offset, count, flags);
}
void orderIndex(sqlite3_file *file) { inner(file)->pMethods->xShmBarrier(inner(file)); }
int unmapIndex(sqlite3_file *file, int isLast)
{
    return inner(file)->pMethods->xShmUnmap(inner(file), isLast);
}

const sqlite3_io_methods methods = [] {
    sqlite3_io_methods all{};
    all.iVersion = 2; // shared memory, but nothing mapped
    all.xClose = closeFile;
    all.xRead = readFile;
    all.xWrite = writeFile;
    all.xTruncate = truncateFile;
    all.xSync = syncFile;
    all.xFileSize = sizeOfFile;
    all.xLock = lockFile;
    all.xUnlock = unlockFile;
    all.xCheckReservedLock = checkLock;
    all.xFileControl = controlFile;
    all.xSectorSize = sectorOfFile;
    all.xDeviceCharacteristics = traitsOfFile;
    all.xShmMap = mapIndex;
    all.xShmLock = lockIndex;
    all.xShmBarrier = orderIndex;
    all.xShmUnmap = unmapIndex;
    return all;
}();

sqlite3_vfs *theSystem = nullptr;
sqlite3_vfs ours{};

int openFile(sqlite3_vfs *, const char *name, sqlite3_file *file, int flags, int *flagsBack)
{
    constexpr int lasting = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
    Handle *handle = reinterpret_cast<Handle *>(file);
    handle->base.pMethods = nullptr;
    handle->path = nullptr;
    const bool lasts = name && (flags & lasting) != 0;
    if (lasts && theDisk->isOff())
        return SQLITE_CANTOPEN;
    const int code = theSystem->xOpen(theSystem, name, inner(file), flags, flagsBack);
    if (!inner(file)->pMethods)
        return code;
    handle->base.pMethods = &methods;
    if (lasts) {
        handle->path = new QString(QFile::decodeName(name));
        theDisk->opened(*handle->path);
    }
    return code;
}

int removeFile(sqlite3_vfs *, const char *name, int syncFolder)
{
    if (theDisk->isOff())
        return SQLITE_IOERR_DELETE;
    const QString path = QFile::decodeName(name);
    theDisk->opened(path);
    const int code = theSystem->xDelete(theSystem, name, syncFolder);
    if (code == SQLITE_OK)
        theDisk->removed(path);
    return code;
}
} // namespace

ForgetfulDisk::ForgetfulDisk(Log log) : m_log(log)
{
    Q_ASSERT(!theDisk);
    theDisk = this;
    theSystem = sqlite3_vfs_find(nullptr);
    ours = *theSystem;
    ours.zName = "forgetful";
    ours.pNext = nullptr;
    ours.szOsFile = int(sizeof(Handle)) + theSystem->szOsFile;
    ours.xOpen = openFile;
    ours.xDelete = removeFile;
    sqlite3_vfs_register(&ours, 1);
}

ForgetfulDisk::~ForgetfulDisk()
{
    sqlite3_vfs_unregister(&ours);
    sqlite3_vfs_register(theSystem, 1);
    theDisk = nullptr;
}

void ForgetfulDisk::switchOn()
{
    m_isOff = false;
    failAt(0);
    m_files.clear();
}

// What is there when it is opened for the first time has been there for long.
void ForgetfulDisk::opened(const QString &path)
{
    const auto known = m_files.constFind(path);
    if (known != m_files.constEnd() && !known->isRemoved)
        return;
    QFile file(path);
    m_files.insert(path,
                   {file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray(), {}, false});
}

bool ForgetfulDisk::turnsOff(Access access, bool isTime)
{
    if (!m_isOff && isTime) {
        m_isOff = true;
        ++m_failures[access];
    }
    return m_isOff;
}

bool ForgetfulDisk::failsWriting(const QString &path)
{
    const Access access = isJournal(path) ? Access::journal
                          : isLog(path)   ? Access::writeToLog
                                          : Access::writeToFile;
    return turnsOff(access, m_failsIn > 0 && --m_failsIn == 0);
}

bool ForgetfulDisk::failsSyncing(const QString &path)
{
    const Access access = isJournal(path) ? Access::journal
                          : isLog(path)   ? Access::syncOfLog
                                          : Access::syncOfFile;
    const bool isTime = m_failsIn > 0 && --m_failsIn == 0;
    const bool isTimeOfSync = m_failsInSyncs > 0 && --m_failsInSyncs == 0;
    return turnsOff(access, isTime || isTimeOfSync);
}

QString ForgetfulDisk::nameOf(Access access)
{
    switch (access) {
    case Access::writeToLog: return QStringLiteral("writing the log");
    case Access::syncOfLog: return QStringLiteral("syncing the log");
    case Access::writeToFile: return QStringLiteral("writing the file");
    case Access::syncOfFile: return QStringLiteral("syncing the file");
    case Access::journal: return QStringLiteral("making the file");
    }
    Q_UNREACHABLE();
}

void ForgetfulDisk::wrote(const QString &path, qint64 offset, const QByteArray &bytes)
{
    m_files[path].pieces.append({offset, bytes, false});
}

void ForgetfulDisk::truncated(const QString &path, qint64 size)
{
    m_files[path].pieces.append({size, {}, true});
}

// The first sync of a log or a journal also syncs its folder, so what was removed stays away.
void ForgetfulDisk::synced(const QString &path)
{
    if (m_log == Log::notSynced && isLog(path))
        return;
    File &file = m_files[path];
    for (const Piece &piece : std::as_const(file.pieces))
        apply(file.kept, piece);
    file.pieces.clear();
    if (isLog(path) || isJournal(path))
        m_files.removeIf([](QMap<QString, File>::iterator entry) { return entry->isRemoved; });
}

void ForgetfulDisk::removed(const QString &path)
{
    const auto known = m_files.find(path);
    if (known != m_files.end())
        known->isRemoved = true;
}

void ForgetfulDisk::apply(QByteArray &image, const Piece &piece)
{
    const qsizetype end = qsizetype(piece.offset) + piece.bytes.size();
    if (piece.isEnd || image.size() < end)
        image.append(QByteArray(std::max<qsizetype>(0, end - image.size()), '\0'));
    if (piece.isEnd)
        image.truncate(end);
    else
        std::memcpy(image.data() + piece.offset, piece.bytes.constData(),
                    size_t(piece.bytes.size()));
}

QByteArray ForgetfulDisk::found(const File &file, Dice &dice)
{
    QByteArray image = file.kept;
    const int survive = dice.below(101); // in percent: all, none, or anything between
    for (const Piece &piece : file.pieces) {
        if (!dice.oneIn(4)) {
            if (dice.percent(survive))
                apply(image, piece);
            continue;
        }
        if (piece.isEnd)
            continue;
        qint64 at = 0; // torn at the borders of sectors
        while (at < piece.bytes.size()) {
            const qint64 next = std::min<qint64>(
                piece.bytes.size(), at + sectorSize - (piece.offset + at) % sectorSize);
            if (dice.percent(survive))
                apply(image, {piece.offset + at, piece.bytes.mid(at, next - at), false});
            at = next;
        }
    }
    return image;
}

bool ForgetfulDisk::leave(const QString &database, const QStringList &folders, Dice &dice) const
{
    for (auto file = m_files.cbegin(); file != m_files.cend(); ++file) {
        if (!file.key().startsWith(database) || (file->isRemoved && dice.oneIn(2)))
            continue;
        const QByteArray image = found(*file, dice);
        for (const QString &folder : folders) {
            QFile to(QDir(folder).filePath(QFileInfo(file.key()).fileName()));
            if (!to.open(QIODevice::WriteOnly) || to.write(image) != image.size())
                return false;
        }
    }
    return true;
}

} // namespace holdfast::tests
