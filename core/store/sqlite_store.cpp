#include "store/sqlite_store.h"

#include "store/row_reader.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUrl>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace holdfast::store
{

using namespace ports;

namespace
{
// File locks and shared memory, on which the WAL rests, cannot be trusted across a network.
bool isNetworkFileSystem(const QString &folder)
{
    struct statfs facts {
    };
    if (::statfs(QFile::encodeName(folder).constData(), &facts) != 0)
        return false;
    constexpr unsigned long nfs = 0x6969, smb = 0x517b, smb2 = 0xfe534d42, cifs = 0xff534d42,
                            afs = 0x5346414f, ceph = 0x00c36400, coda = 0x73757245;
    const auto type = static_cast<unsigned long>(facts.f_type) & 0xffffffffUL;
    return type == nfs || type == smb || type == smb2 || type == cifs || type == afs ||
           type == ceph || type == coda;
}

bool isSqliteFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(16) == QByteArray("SQLite format 3\0", 16);
}
} // namespace

SqliteStore::SqliteStore(const QString &path, Mode mode, const Clock *clock)
    : SqlStore(Dialect::sqlite), m_path(path), m_mode(mode), m_time(clock ? *clock : m_systemClock),
      m_reserve(path)
{
}

SqliteStore::~SqliteStore() { close(); }

QString SqliteStore::describe() const { return QStringLiteral("sqlite:") + m_path; }

Result<Instant> SqliteStore::now() { return m_time.now(); }

void SqliteStore::close()
{
    const bool inOrder = m_connection.isOpen() && !m_inTransaction && !m_isInDoubt;
    rollback();
    m_connection.detach();
    if (m_mode == Mode::writer && inOrder)
        m_ownership.releaseCleanly();
    m_ownership.release();
    m_leasesAreOurs = false;
}

Result<void> SqliteStore::open()
{
    rollback();
    m_connection.detach();
    const QFileInfo file(m_path);
    const QString folder = file.absolutePath();
    if (m_mode == Mode::writer && !QDir(folder).exists()) {
        if (!QDir().mkpath(folder))
            return model::refused(QStringLiteral("cannot create the folder %1").arg(folder));
        ::chmod(QFile::encodeName(folder).constData(), 0700);
    }
    if (isNetworkFileSystem(folder)) {
        return Error{ErrorKind::unsupported,
                     QStringLiteral("%1 is on a network file system, where SQLite can lose data; "
                                    "use a local disk or PostgreSQL")
                         .arg(m_path)};
    }
    if (m_mode == Mode::writer) {
        if (const Result<void> owned = takeOwnership(); !owned)
            return owned;
    }
    const Result<void> opened = openFile();
    if (!opened) {
        m_connection.detach();
        // Let go of a file that was never ours; keep one whose attempts may still be under way.
        if (!m_leasesAreOurs)
            m_ownership.release();
    }
    return opened;
}

Result<void> SqliteStore::takeOwnership()
{
    const bool heldBefore = m_ownership.isHeld();
    const Result<FileOwnership::Answer> answer = m_ownership.tryAcquire(m_path);
    if (!answer)
        return answer.error();
    if (answer->outcome == FileOwnership::Outcome::heldByOther) {
        return Error{ErrorKind::busy,
                     QStringLiteral("%1 is in use by process %2 (socket %3)")
                         .arg(m_path)
                         .arg(answer->other.pid)
                         .arg(answer->other.socket.isEmpty() ? QStringLiteral("none")
                                                             : answer->other.socket)};
    }
    if (!heldBefore)
        m_closedUncleanly = m_ownership.wasUnclean() && QFileInfo(m_path).size() > 0;
    return {};
}

Result<void> SqliteStore::openFile()
{
    const bool isNew = QFileInfo(m_path).size() == 0;
    if (m_mode != Mode::writer && isNew)
        return model::notFound(QStringLiteral("there is no run database at %1").arg(m_path));
    // Power that failed while the file was made leaves a torn first page, and a journal by which
    // SQLite takes it back.
    const bool isHalfMade = QFileInfo::exists(m_path + QStringLiteral("-journal"));
    if (!isNew && !isHalfMade && !isSqliteFile(m_path)) {
        return Error{ErrorKind::corrupt, QStringLiteral("%1 is not an SQLite file; it was left "
                                                        "untouched")
                                             .arg(m_path)};
    }
    if (isNew) {
        const int descriptor = ::open(QFile::encodeName(m_path).constData(),
                                      O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (descriptor < 0)
            return model::refused(QStringLiteral("cannot create %1").arg(m_path));
        ::close(descriptor);
    }
    // Nobody else's business, even if the file came from elsewhere.
    if (m_mode == Mode::writer)
        ::chmod(QFile::encodeName(m_path).constData(), 0600);
    QSqlDatabase &database = m_connection.attach();
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=10000");
    database.setDatabaseName(m_path);
    if (m_mode == Mode::archived) {
        options += QStringLiteral(";QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI");
        database.setDatabaseName(
            QStringLiteral("file:%1?immutable=1")
                .arg(QString::fromLatin1(QUrl::toPercentEncoding(m_path, QByteArrayLiteral("/")))));
    }
    database.setConnectOptions(options);
    if (!database.open())
        return m_connection.errorOf(database.lastError());
    if (const Result<void> known = identify(isNew); !known)
        return known;
    if (const Result<void> configured = configure(); !configured)
        return configured;
    if (m_closedUncleanly && m_mode == Mode::writer && QFileInfo(m_path).size() <= quickCheckMax) {
        if (const Result<void> sound = quickCheck(); !sound)
            return sound;
    }
    if (const Result<void> migrated = migrate(); !migrated)
        return migrated;
    if (const Result<void> begun = beginTime(); !begun)
        return begun;
    // Only a new owner does this: one that opens again after an error still has its own lease.
    if (!m_leasesAreOurs && m_mode == Mode::writer) {
        if (const Result<void> voided = voidLeases(); !voided)
            return voided;
        m_leasesAreOurs = true;
    }
    return {};
}

Result<qint64> SqliteStore::pragma(const char *name)
{
    QSqlQuery query(m_connection.database());
    if (!query.exec(QStringLiteral("pragma ") + QLatin1String(name)))
        return m_connection.errorOf(query.lastError());
    return query.next() ? query.value(0).toLongLong() : 0;
}

Result<void> SqliteStore::identify(bool isNew)
{
    if (isNew)
        return {};
    const Result<qint64> id = pragma("application_id");
    if (!id)
        return id.error();
    const Result<qint64> changes = pragma("schema_version");
    if (!changes)
        return changes.error();
    // An opening that died before its first commit leaves an SQLite file without a single table.
    if (*id == 0 && *changes == 0)
        return {};
    if (*id != applicationId) {
        return model::refused(
            QStringLiteral("%1 is an SQLite file, but not a run database of Holdfast; it was left "
                           "untouched")
                .arg(m_path));
    }
    return {};
}

Result<void> SqliteStore::configure()
{
    // FULL: an acknowledged commit survives a power loss. No mmap: a torn file must be an error.
    QStringList pragmas{
        QStringLiteral("pragma foreign_keys=on"), QStringLiteral("pragma synchronous=full"),
        QStringLiteral("pragma temp_store=memory"), QStringLiteral("pragma cache_size=-2000"),
        QStringLiteral("pragma mmap_size=0")};
    if (m_mode == Mode::writer) {
        pragmas << QStringLiteral("pragma journal_mode=wal")
                << QStringLiteral("pragma wal_autocheckpoint=2000");
    } else {
        pragmas << QStringLiteral("pragma wal_autocheckpoint=0")
                << QStringLiteral("pragma query_only=on");
    }
    for (const QString &text : std::as_const(pragmas)) {
        if (const Result<void> set = m_connection.direct(text); !set)
            return set;
    }
    return {};
}

Result<void> SqliteStore::quickCheck()
{
    QSqlQuery query(m_connection.database());
    query.setForwardOnly(true);
    if (!query.exec(QStringLiteral("pragma quick_check(1)")) || !query.next())
        return Error{
            ErrorKind::corrupt,
            QStringLiteral("%1 is damaged: %2").arg(m_path, query.lastError().databaseText())};
    const QString verdict = query.value(0).toString();
    if (verdict != QLatin1String("ok")) {
        return Error{ErrorKind::corrupt,
                     QStringLiteral("%1 is damaged: %2; restore a backup, nothing was changed")
                         .arg(m_path, verdict)};
    }
    return {};
}

Result<void> SqliteStore::migrate()
{
    const Statements &statements = m_connection.statements();
    const Result<qint64> changes = pragma("schema_version");
    if (!changes)
        return changes.error();
    int version = 0;
    if (*changes != 0) {
        const Result<int> stored = schemaVersion();
        if (!stored)
            return stored.error();
        version = *stored;
    }
    if (version > statements.newestSchema()) {
        return Error{ErrorKind::unsupported,
                     QStringLiteral("%1 has schema %2, but this program knows only up to %3; use a "
                                    "newer Holdfast")
                         .arg(m_path)
                         .arg(version)
                         .arg(statements.newestSchema())};
    }
    if (version < statements.newestSchema() && m_mode != Mode::writer) {
        return Error{ErrorKind::busy, QStringLiteral("%1 has schema %2 and waits for its owner to "
                                                     "bring it to %3")
                                          .arg(m_path)
                                          .arg(version)
                                          .arg(statements.newestSchema())};
    }
    for (const Migration &migration : statements.migrations()) {
        if (migration.number <= version)
            continue;
        if (const Result<void> begun = begin(); !begun)
            return begun;
        QStringList texts = migration.statements;
        texts.append(QStringLiteral("pragma application_id=%1").arg(applicationId));
        for (const QString &text : std::as_const(texts)) {
            if (const Result<void> done = m_connection.direct(text); !done) {
                rollback();
                return done;
            }
        }
        const Result<int> set = change("set_schema_version", {QString::number(migration.number)});
        if (!set) {
            rollback();
            return set.error();
        }
        if (const Result<void> committed = commit(); !committed)
            return committed;
    }
    return {};
}

Result<void> SqliteStore::beginTime()
{
    const QString name = QStringLiteral("clock");
    const auto kept = settings(name);
    if (!kept)
        return kept.error();
    const Result<qint64> newest = number("newest_instant");
    if (!newest)
        return newest.error();
    m_time.begin(kept->isEmpty() ? QString() : kept->first().value, *newest);
    return m_mode == Mode::writer ? putSetting({name, m_time.text()}) : Result<void>();
}

Result<void> SqliteStore::voidLeases()
{
    const Result<int> changed = change("void_leases");
    return changed ? Result<void>() : Result<void>(changed.error());
}

Result<void> SqliteStore::begin()
{
    Q_ASSERT(!m_inTransaction);
    // Immediate: a deferred transaction fails at its first write without waiting.
    const Result<void> begun = m_connection.direct(QStringLiteral("begin immediate"));
    if (begun)
        m_inTransaction = true;
    return begun;
}

Result<void> SqliteStore::commit()
{
    const Result<void> committed = m_connection.direct(QStringLiteral("commit"));
    if (committed) {
        forgetTransaction();
        return {};
    }
    rollback();
    // After a failed sync nobody knows what reached the disk.
    if (committed.error().kind == ErrorKind::lost) {
        m_isInDoubt = true;
        return Error{ErrorKind::unknownOutcome, committed.error().message};
    }
    return committed;
}

void SqliteStore::rollback()
{
    if (!m_inTransaction)
        return;
    // SQLite may have rolled back by itself (disk full); then there is nothing left to undo.
    const Result<void> undone = m_connection.direct(QStringLiteral("rollback"));
    Q_UNUSED(undone);
    forgetTransaction();
}

} // namespace holdfast::store
