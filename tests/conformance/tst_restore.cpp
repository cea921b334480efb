// Goal: a database that went back in time is noticed by whoever knew it, and nothing is sent until
// a person resumes (I22, D15). Method: real runs, a backup in between, and the backup put back
// under a worker that remembers; judged by the sandbox's books. What a server that failed over
// looks like is compared without one.
#include "runtime/memory.h"
#include "support/machine.h"
#include "support/postgres_server.h"

#include <QFile>
#include <QTest>
#include <QUrl>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;
using ports::StoreMark;
using runtime::Memory;

namespace
{
constexpr int patience = 60'000;

QString definitions(const Machine &machine)
{
    return machine.dependencyText(u"native"_s) +
           Machine::workflowText({Machine::stepText({.path = u"/payments/v1/invoices"_s})});
}

// Moves a database aside, or back: as an administrator would, with nobody connected.
class Backup
{
public:
    explicit Backup(const Machine &machine) : m_url(machine.url()) {}

    void take() const
    {
        if (isFile())
            QVERIFY(QFile::copy(path(), path() + u".backup"_s));
        else
            copy(name(), name() + u"_backup"_s);
    }
    void putBack() const
    {
        if (isFile()) {
            for (const QString &suffix : {u""_s, u"-wal"_s, u"-shm"_s})
                QFile::remove(path() + suffix);
            QVERIFY(QFile::copy(path() + u".backup"_s, path()));
            return;
        }
        PostgresServer &server = *PostgresServer::shared();
        server.killConnections(name());
        QVERIFY(server.execute(u"drop database %1"_s.arg(name())));
        copy(name() + u"_backup"_s, name());
        QVERIFY(server.execute(u"drop database %1_backup"_s.arg(name())));
    }

private:
    bool isFile() const { return m_url.startsWith("sqlite:"_L1); }
    QString path() const { return m_url.mid(7); }
    QString name() const { return QUrl(m_url).path().mid(1); }
    static void copy(const QString &from, const QString &to)
    {
        PostgresServer &server = *PostgresServer::shared();
        server.killConnections(from);
        QVERIFY(server.execute(u"create database %1 template %2"_s.arg(to, from)));
    }

    const QString m_url;
};
} // namespace

class Restore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void a_restored_database_sends_nothing_data()
    {
        QTest::addColumn<Machine::Database>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(Machine::nameOf(database).toLatin1()) << database;
    }
    void a_restored_database_sends_nothing()
    {
        QFETCH(Machine::Database, database);
        if (database == Machine::Database::postgres && !PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QTemporaryDir folder;
        Machine machine(database);
        machine.memoryFile = folder.filePath(u"state/known.json"_s);
        machine.deploy(definitions(machine));
        machine.start(u"first"_s);
        machine.runUntilIdle();
        machine.start(u"second"_s);
        const Backup backup(machine);
        backup.take();
        machine.runUntilIdle();
        QCOMPARE(machine.world.books().effectCount(), 2);
        QVERIFY(machine.call(u"pauses"_s, {})["pauses"_L1].toArray().isEmpty());

        backup.putBack();
        auto worker = machine.startWorker();
        QTRY_COMPARE_WITH_TIMEOUT(worker->status().state, runtime::WorkerState::running, patience);
        // Second is due, and was sent in the time that is missing; it waits behind the pause.
        QTRY_VERIFY_WITH_TIMEOUT(worker->status().turns >= 3, patience);
        worker->drain();
        QVERIFY(worker->join());
        QCOMPARE(machine.world.books().requestCount(), 2);
        const QJsonArray pauses = machine.call(u"pauses"_s, {})["pauses"_L1].toArray();
        QCOMPARE(pauses.size(), 1);
        QCOMPARE(pauses[0]["reason"_L1].toString(), u"database_restored"_s);
        QCOMPARE(pauses[0]["started_since"_L1].toInteger(), 0);
        const QJsonArray items = machine.reviews();
        QCOMPARE(items.size(), 1);
        const QJsonObject item =
            machine.call(u"review"_s, {{u"review"_s, items[0]["id"_L1].toString()}});
        QVERIFY2(item["question"_L1].toString().contains("earlier state"),
                 QJsonDocument(item).toJson());

        // Who comes next does not stop it again, and once a person resumes it goes on.
        machine.runUntilIdle();
        QCOMPARE(machine.call(u"pauses"_s, {})["pauses"_L1].toArray().size(), 1);
        machine.call(u"resume"_s, {{u"pause"_s, pauses[0]["id"_L1]}, {u"reason"_s, u"compared"_s}});
        machine.runUntilIdle();
        QCOMPARE(machine.world.books().effectCount(), 2);
        QVERIFY(machine.call(u"audit_verify"_s, {})["intact"_L1].toBool());
    }

    void what_is_behind_or_another_contradicts()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"deep/known.json"_s);
        const StoreMark seen{u"db-1"_s, u"77/1"_s, 100, 50};
        Memory(file).keep(seen);
        const Memory memory(file);
        QCOMPARE(memory.contradiction(seen), QString());
        QCOMPARE(memory.contradiction({u"db-1"_s, u"77/1"_s, 900, 51}), QString());
        QCOMPARE(memory.contradiction({u"db-2"_s, u"1/1"_s, 1, 1}), QString());
        QCOMPARE(memory.contradiction({QString(), QString(), 0, 0}), QString());
        QVERIFY(memory.contradiction({u"db-1"_s, u"77/1"_s, 99, 50}).contains("100"));
        QVERIFY(memory.contradiction({u"db-1"_s, u"77/1"_s, 100, 49}).contains("50"));
        // A promoted copy is on another timeline, even where nothing is missing.
        QVERIFY(memory.contradiction({u"db-1"_s, u"77/2"_s, 100, 50}).contains("failover"));
    }

    void a_memory_that_cannot_be_read_is_none()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"known.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"db-1\": [1, tru");
        file.close();
        QCOMPARE(Memory(path).contradiction({u"db-1"_s, u"1"_s, 0, 0}), QString());
        Memory(path).keep({u"db-1"_s, u"1"_s, 5, 5});
        QVERIFY(!Memory(path).contradiction({u"db-1"_s, u"1"_s, 4, 5}).isEmpty());
        // Nowhere to write it is no reason to stop either.
        Memory(u"/proc/nowhere/known.json"_s).keep({u"db-1"_s, u"1"_s, 5, 5});
    }
};

QTEST_GUILESS_MAIN(Restore)
#include "tst_restore.moc"
