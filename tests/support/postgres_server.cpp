#include "support/postgres_server.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QThread>
#include <QUrl>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace holdfast::tests
{

namespace
{
QString programFolder()
{
    const QDir root(QStringLiteral("/usr/lib/postgresql"));
    const QStringList versions = root.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    for (auto version = versions.crbegin(); version != versions.crend(); ++version) {
        const QString folder = root.filePath(*version + QStringLiteral("/bin"));
        if (QFile::exists(folder + QStringLiteral("/initdb")))
            return folder;
    }
    return {};
}

int freePort()
{
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    int port = 0;
    if (::bind(descriptor, reinterpret_cast<sockaddr *>(&address), length) == 0 &&
        ::getsockname(descriptor, reinterpret_cast<sockaddr *>(&address), &length) == 0)
        port = ntohs(address.sin_port);
    ::close(descriptor);
    return port;
}

// PostgreSQL refuses to run as root.
bool runAsServer(const QString &program, const QStringList &arguments, QString *error)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(QStringLiteral("/"));
    // pg_ctl leaves a server behind that would inherit a pipe and keep it open.
    const QString log =
        QDir::tempPath() +
        QStringLiteral("/holdfast_pg_%1.log").arg(QRandomGenerator::global()->generate64(), 0, 16);
    process.setStandardOutputFile(log);
    if (::geteuid() == 0) {
        process.start(QStringLiteral("setpriv"),
                      QStringList{QStringLiteral("--reuid=postgres"),
                                  QStringLiteral("--regid=postgres"),
                                  QStringLiteral("--init-groups"), program} +
                          arguments);
    } else {
        process.start(program, arguments);
    }
    const bool done = process.waitForFinished(120000) &&
                      process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    QFile output(log);
    if (!done && output.open(QIODevice::ReadOnly))
        *error = program + QStringLiteral(": ") + QString::fromUtf8(output.readAll());
    QFile::remove(log);
    return done;
}
} // namespace

PostgresServer *PostgresServer::shared()
{
    static std::unique_ptr<PostgresServer> server;
    static bool tried = false;
    if (!tried) {
        tried = true;
        server = std::make_unique<PostgresServer>();
        server->m_mayBeShared = true;
        if (!server->start()) {
            qWarning("no PostgreSQL: %s", qPrintable(server->error()));
            server.reset();
        } else if (server->isOurs()) {
            qAddPostRoutine([] { server.reset(); });
        }
    }
    return server.get();
}

PostgresServer::~PostgresServer()
{
    if (m_folder)
        stop();
}

bool PostgresServer::start()
{
    const QString given = qEnvironmentVariable("HOLDFAST_TEST_POSTGRES");
    if (!given.isEmpty() && m_mayBeShared) {
        const QUrl url(given);
        m_host = url.host();
        m_port = url.port(5432);
        m_user = url.userName();
        m_password = url.password();
        m_maintenance = url.path().mid(1);
        return waitUntilReady();
    }
    if (programFolder().isEmpty()) {
        m_error = QStringLiteral("PostgreSQL is not installed under /usr/lib/postgresql");
        return false;
    }
    m_folder = std::make_unique<QTemporaryDir>(m_place + QStringLiteral("/hfpg-XXXXXX"));
    if (::geteuid() == 0) {
        QProcess::execute(QStringLiteral("chown"),
                          {QStringLiteral("postgres:postgres"), m_folder->path()});
    }
    const QString data = m_folder->filePath(QStringLiteral("data"));
    if (!runAsServer(programFolder() + QStringLiteral("/initdb"),
                     {QStringLiteral("-D"), data, QStringLiteral("-U"), m_user,
                      QStringLiteral("-A"), QStringLiteral("trust"), QStringLiteral("-E"),
                      QStringLiteral("UTF8"), QStringLiteral("--locale=C.UTF-8"),
                      QStringLiteral("--no-sync")},
                     &m_error))
        return false;
    m_port = freePort();
    return startAgain();
}

bool PostgresServer::pgCtl(const QStringList &arguments)
{
    return runAsServer(
        programFolder() + QStringLiteral("/pg_ctl"),
        QStringList{QStringLiteral("-D"), m_folder->filePath(QStringLiteral("data"))} + arguments,
        &m_error);
}

bool PostgresServer::startAgain()
{
    const QString options =
        QStringLiteral("-c port=%1 -c listen_addresses=127.0.0.1 -c unix_socket_directories=%2 "
                       "-c fsync=on -c max_connections=100 -c shared_buffers=64MB")
            .arg(m_port)
            .arg(m_folder->path());
    return pgCtl({QStringLiteral("-w"), QStringLiteral("-t"), QStringLiteral("60"),
                  QStringLiteral("-l"), m_folder->filePath(QStringLiteral("log")),
                  QStringLiteral("-o"), options, QStringLiteral("start")}) &&
           waitUntilReady();
}

bool PostgresServer::stop(const QString &mode)
{
    return pgCtl({QStringLiteral("-w"), QStringLiteral("-m"), mode, QStringLiteral("stop")});
}

bool PostgresServer::waitUntilReady()
{
    const QDeadlineTimer deadline(60000);
    while (!deadline.hasExpired()) {
        if (isUp())
            return true;
        QThread::msleep(20);
    }
    m_error = QStringLiteral("PostgreSQL did not answer at %1:%2").arg(m_host).arg(m_port);
    return false;
}

QString PostgresServer::urlOf(const QString &database, const QString &user) const
{
    const QString login = user.isEmpty() ? m_user : user;
    const QString password =
        m_password.isEmpty() || !user.isEmpty() ? QString() : u':' + m_password;
    return QStringLiteral("postgresql://%1%2@%3:%4/%5")
        .arg(login, password, m_host)
        .arg(m_port)
        .arg(database);
}

QString PostgresServer::createDatabase()
{
    // Random, since several test programs may share one server.
    const QString name =
        QStringLiteral("hf_%1").arg(QRandomGenerator::system()->generate64(), 16, 16, QChar(u'0'));
    if (!execute(QStringLiteral("create database %1").arg(name)))
        return {};
    return urlOf(name);
}

void PostgresServer::dropDatabase(const QString &url)
{
    execute(QStringLiteral("drop database %1 with (force)").arg(QUrl(url).path().mid(1)));
}

QString PostgresServer::ask(const QString &sql, const QString &database)
{
    const QString connection =
        QStringLiteral("postgres_server_%1").arg(QRandomGenerator::global()->generate64(), 0, 16);
    QString answer;
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), connection);
        db.setHostName(m_host);
        db.setPort(m_port);
        db.setUserName(m_user);
        db.setPassword(m_password);
        db.setDatabaseName(database.isEmpty() ? m_maintenance : database);
        if (db.open()) {
            QSqlQuery query(db);
            if (!query.exec(sql))
                m_error = query.lastError().text();
            else
                answer = query.next() ? query.value(0).toString() : QStringLiteral("");
        } else {
            m_error = db.lastError().text();
        }
    }
    QSqlDatabase::removeDatabase(connection);
    return answer;
}

bool PostgresServer::execute(const QString &sql, const QString &database)
{
    return !ask(sql, database).isNull();
}

void PostgresServer::killConnections(const QString &database)
{
    ask(QStringLiteral("select pg_terminate_backend(pid) from pg_stat_activity "
                       "where datname = '%1' and pid <> pg_backend_pid()")
            .arg(database));
}

} // namespace holdfast::tests
