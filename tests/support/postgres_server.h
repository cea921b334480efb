// A throwaway PostgreSQL cluster for the tests of one process: in a temporary folder, on loopback
// and a socket in that folder, with fsync on. With HOLDFAST_TEST_POSTGRES set (address of a running
// server's maintenance database, with the right to create databases) that server is used and none
// is started.
#pragma once

#include <QDir>
#include <QString>
#include <QTemporaryDir>
#include <memory>

namespace holdfast::tests
{

class PostgresServer
{
public:
    // The cluster of this process, started on first use; null when PostgreSQL is not installed.
    static PostgresServer *shared();

    // With a data folder of its own in `place`.
    explicit PostgresServer(const QString &place = QDir::tempPath()) : m_place(place) {}
    ~PostgresServer();
    Q_DISABLE_COPY_MOVE(PostgresServer)

    // False: see error(). Tests that kill the server must have one of their own.
    bool start();
    // "immediate" is a crash as far as clients and the WAL can tell.
    bool stop(const QString &mode = QStringLiteral("immediate"));
    bool startAgain();
    bool isUp() { return ask(QStringLiteral("select 1")) == QLatin1String("1"); }
    bool isOurs() const { return m_folder != nullptr; }

    // A fresh, empty database; its url.
    QString createDatabase();
    void dropDatabase(const QString &url);
    QString urlOf(const QString &database, const QString &user = {}) const;
    // Runs SQL on the maintenance database, or the one named.
    bool execute(const QString &sql, const QString &database = {});
    // First column of the first row.
    QString ask(const QString &sql, const QString &database = {});
    // Ends every other connection to a database, as an administrator would.
    void killConnections(const QString &database);
    QString error() const { return m_error; }

private:
    bool waitUntilReady();
    bool pgCtl(const QStringList &arguments);

    const QString m_place;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_host = QStringLiteral("127.0.0.1");
    int m_port = 5432;
    QString m_user = QStringLiteral("postgres");
    QString m_password;
    QString m_maintenance = QStringLiteral("postgres");
    QString m_error;
    bool m_mayBeShared = false;
};

} // namespace holdfast::tests
