#include "app/ctl/database.h"

#include "api/remote_door.h"
#include "app/ctl/apply.h"
#include "model/ids.h"
#include "runtime/archiver.h"
#include "store/audit_chain.h"
#include "store/file_ownership.h"
#include "store/packed_archive.h"
#include "store/postgres_address.h"
#include "store/store_url.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QSysInfo>
#include <QThread>
#include <pwd.h>
#include <unistd.h>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
constexpr int pollMs = 20;
constexpr model::Millis applyPatience = 3 * model::second;

QString sqliteVersion()
{
    QString version = u"unknown"_s;
    {
        QSqlDatabase memory = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"holdfast-version"_s);
        memory.setDatabaseName(u":memory:"_s);
        if (memory.open()) {
            QSqlQuery query(memory);
            if (query.exec(u"select sqlite_version()"_s) && query.next())
                version = query.value(0).toString();
        }
    }
    QSqlDatabase::removeDatabase(u"holdfast-version"_s);
    return version;
}
} // namespace

QString databaseUrl(const QString &given)
{
    if (!given.isEmpty())
        return given;
    const QString configured = qEnvironmentVariable("HOLDFAST_DB");
    if (!configured.isEmpty())
        return configured;
    QString data = qEnvironmentVariable("XDG_DATA_HOME");
    if (!QDir::isAbsolutePath(data))
        data = QDir::homePath() + u"/.local/share"_s;
    return u"sqlite:%1/holdfast/holdfast.db"_s.arg(data);
}

QString sqlitePath(const QString &url)
{
    return url.startsWith("sqlite:"_L1) ? url.mid(7) : QString();
}

bool isArchive(const QString &url) { return url.startsWith("archive:"_L1); }

QString currentActor(const QString &url)
{
    if (url.startsWith("postgres"_L1)) {
        const auto address = store::PostgresAddress::parse(url);
        if (address && !address->user.isEmpty())
            return address->user;
    }
    const passwd *entry = ::getpwuid(::geteuid());
    return entry ? QString::fromLocal8Bit(entry->pw_name) : u"uid %1"_s.arg(::geteuid());
}

QString memoryFile()
{
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(state))
        state = QDir::homePath() + u"/.local/state"_s;
    return state + u"/holdfast/known-databases.json"_s;
}

control::Surroundings surroundings(const QString &url)
{
    control::Surroundings around;
    around.auditHash = store::auditHash;
    around.host = QSysInfo::machineHostName();
    const auto archiver = std::make_shared<runtime::Archiver>(
        [](const ports::ArchiveRow &row) { return std::make_unique<store::PackedArchive>(row); },
        around.host, QCoreApplication::applicationVersion());
    around.archiveStep = [archiver](ports::Store &store, const QString &id, const QString &actor) {
        return archiver->goOn(store, id, actor);
    };
    around.facts = [url] {
        QJsonObject facts{{u"program_version"_s, QCoreApplication::applicationVersion()}};
        const QString path = sqlitePath(url);
        facts.insert(u"kind"_s, isArchive(url)   ? u"archive"_s
                                : path.isEmpty() ? u"postgresql"_s
                                                 : u"sqlite"_s);
        if (path.isEmpty())
            return facts;
        const store::FileHolder holder = store::FileOwnership::holderOf(path);
        facts.insert(u"owner_pid"_s, holder.pid);
        facts.insert(u"owner_socket"_s, holder.socket);
        facts.insert(u"sqlite_version"_s, sqliteVersion());
        facts.insert(u"note"_s,
                     u"SQLite before 3.51.3 can corrupt a WAL when two connections write; "
                     "Holdfast lets only one process own the file and only one connection "
                     "write. Do not open it for writing with other tools."_s);
        return facts;
    };
    return around;
}

Database::Database(const QString &url) : m_url(url) {}
Database::~Database() = default;

void Database::letGo()
{
    if (sqlitePath(m_url).isEmpty())
        return;
    m_door.reset();
    m_store.reset();
}

Result<control::Door *> Database::openOnce()
{
    auto opened = store::openStore(m_url);
    if (!opened)
        return opened.error();
    const auto ready = (*opened)->open();
    if (ready) {
        m_store = std::move(*opened);
        m_door = std::make_unique<control::LocalDoor>(*m_store, surroundings(m_url));
        return m_door.get();
    }
    const QString path = sqlitePath(m_url);
    if (ready.error().kind != ErrorKind::busy || path.isEmpty())
        return ready.error();
    const store::FileHolder holder = store::FileOwnership::holderOf(path);
    if (holder.socket.isEmpty())
        return ready.error();
    auto remote = std::make_unique<api::RemoteDoor>(holder.socket);
    // The owner may just be going away; then the file is free in a moment.
    if (const auto connected = remote->connectToOwner(); !connected)
        return Error{ErrorKind::busy, connected.error().message};
    m_door = std::move(remote);
    return m_door.get();
}

Result<control::Door *> Database::door()
{
    if (m_door)
        return m_door.get();
    const model::Millis until = m_clock.monotonic() + patience;
    while (true) {
        auto opened = openOnce();
        const bool mayPass = !opened && opened.error().kind == ErrorKind::busy;
        if (!mayPass || m_clock.monotonic() >= until)
            return opened;
        QThread::msleep(pollMs);
    }
}

Result<ports::Store *> Database::store()
{
    if (const auto opened = door(); !opened)
        return opened.error();
    if (!m_store) {
        return model::refused(u"process %1 owns the database; end it first"_s.arg(
            store::FileOwnership::holderOf(sqlitePath(m_url)).pid));
    }
    return m_store.get();
}

Result<QJsonValue> Database::call(const control::Request &request)
{
    const model::Millis until = m_clock.monotonic() + patience;
    while (true) {
        const auto opened = door();
        if (!opened)
            return opened.error();
        const auto answer = (*opened)->call(request);
        const bool ownerDied = !answer && answer.error().kind == ErrorKind::lost && !m_store;
        if (!ownerDied || m_clock.monotonic() >= until)
            return answer;
        m_door.reset();
        QThread::msleep(pollMs);
    }
}

Result<QJsonValue> Database::call(const QString &name, const QJsonObject &arguments)
{
    return call({model::newId(m_clock.now()), name, arguments, currentActor(m_url)});
}

Result<bool> Database::workerLives()
{
    if (!m_store)
        return true; // the owner of the file runs the engine
    const auto workers = call(u"workers"_s, {});
    if (!workers)
        return workers.error();
    const QJsonArray list = (*workers)["workers"_L1].toArray();
    for (const QJsonValue &worker : list) {
        if (worker["alive"_L1].toBool())
            return true;
    }
    return false;
}

Result<QJsonValue> Database::await(const QString &command)
{
    const model::Millis until = m_clock.monotonic() + applyPatience;
    while (true) {
        const auto answer = call(u"command"_s, {{u"command"_s, command}});
        if (!answer || (*answer)["state"_L1].toString() != "recorded"_L1 ||
            m_clock.monotonic() >= until)
            return answer;
        QThread::msleep(pollMs);
    }
}

Result<QJsonValue> Database::act(const QString &name, const QJsonObject &arguments)
{
    const auto answer = call(name, arguments);
    if (!answer || (*answer)["state"_L1].toString() != "recorded"_L1)
        return answer;
    const auto lives = workerLives();
    if (!lives)
        return answer;
    const QString command = (*answer)["command"_L1].toString();
    if (*lives)
        return await(command);
    // Recorded is recorded: if it cannot be applied now, the next worker does it.
    if (const auto applied = applyCommands(*m_store, m_clock); !applied)
        return answer;
    return call(u"command"_s, {{u"command"_s, command}});
}

} // namespace holdfast::ctl
