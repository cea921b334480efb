// Goal: what a lost database looks like to the engine, and that opening again is enough. Method: a
// cluster of its own, whose connections are killed or which is crashed at the moments that matter.
#include "store/postgres_listener.h"
#include "store/store_url.h"
#include "support/postgres_server.h"
#include "support/store_fixture.h"

#include <QSemaphore>
#include <QTest>
#include <QUrl>
#include <atomic>
#include <thread>

using namespace holdfast;
using namespace holdfast::ports;
using holdfast::tests::newRun;
using holdfast::tests::PostgresServer;
using model::ErrorKind;

class PostgresLoss : public QObject
{
    Q_OBJECT

private:
    PostgresServer m_server;
    QString m_url;
    QString m_database;
    std::unique_ptr<Store> m_store;

    std::unique_ptr<Store> connect()
    {
        auto store = std::move(store::openStore(m_url).value());
        if (const auto opened = store->open(); !opened.ok())
            qFatal("%s", qPrintable(opened.error().message));
        return store;
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!m_server.start())
            QSKIP(qPrintable(m_server.error()));
    }
    void init()
    {
        m_url = m_server.createDatabase();
        m_database = QUrl(m_url).path().mid(1);
        m_store = connect();
    }
    void cleanup() { m_store.reset(); }

    void killed_while_idle_is_lost_and_opens_again()
    {
        QVERIFY(m_store->startRun(newRun("billing", "before", 5)).ok());
        m_server.killConnections(m_database);
        const auto lost = m_store->runs({});
        QVERIFY(!lost.ok());
        QCOMPARE(lost.error().kind, ErrorKind::lost);
        QVERIFY(!m_store->isOpen());
        const auto still = m_store->runs({});
        QVERIFY(!still.ok());
        QCOMPARE(still.error().kind, ErrorKind::lost);
        QVERIFY(!m_store->begin().ok());
        QVERIFY(m_store->open().ok());
        QCOMPARE(m_store->runs({})->size(), 1);
    }

    void killed_inside_a_transaction_is_lost_and_nothing_stays()
    {
        QVERIFY(m_store->begin().ok());
        QVERIFY(m_store->lockGates({}).ok());
        QVERIFY(m_store->startRun(newRun("billing", "gone", 5)).ok());
        m_server.killConnections(m_database);
        const auto lost = m_store->startRun(newRun("billing", "too", 5));
        QVERIFY(!lost.ok());
        QCOMPARE(lost.error().kind, ErrorKind::lost);
        m_store->rollback();
        QVERIFY(m_store->open().ok());
        QCOMPARE(m_store->runs({})->size(), 0);
        QVERIFY(m_store->begin().ok());
        QVERIFY(m_store->lockGates({}).ok());
        QVERIFY(m_store->commit().ok());
    }

    void killed_before_the_gates_are_read_is_lost()
    {
        QVERIFY(m_store->begin().ok());
        m_server.killConnections(m_database);
        const auto gates = m_store->lockGates({});
        QVERIFY(!gates.ok());
        QCOMPARE(gates.error().kind, ErrorKind::lost);
        m_store->rollback();
        QVERIFY(m_store->open().ok());
    }

    void killed_under_the_commit_is_of_unknown_outcome()
    {
        QVERIFY(m_store->begin().ok());
        QVERIFY(m_store->startRun(newRun("billing", "e", 5)).ok());
        m_server.killConnections(m_database);
        const auto committed = m_store->commit();
        QVERIFY(!committed.ok());
        QCOMPARE(committed.error().kind, ErrorKind::unknownOutcome);
        QVERIFY(!committed.error().isRetryable());
        QVERIFY(m_store->open().ok());
        QCOMPARE(m_store->runs({})->size(), 0); // the re-read says what happened
    }

    void a_failed_statement_spoils_the_commit()
    {
        QVERIFY(m_store->begin().ok());
        QVERIFY(m_store->startRun(newRun("billing", "e", 5)).ok());
        NewRun wrong = newRun("billing", "f", 5);
        wrong.run.seq = 0;
        const auto refused = m_store->startRun(wrong);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, ErrorKind::conflict);
        QVERIFY(!m_store->commit().ok());
        QCOMPARE(m_store->runs({})->size(), 0);
    }

    void a_lock_that_is_not_granted_is_busy()
    {
        auto turn = connect();
        QVERIFY(turn->begin().ok());
        QVERIFY(turn->lockGates({}).ok());
        PauseRow pause;
        pause.id = "p";
        pause.scope = "all";
        pause.depth = "writes";
        const auto waited = m_store->addPause(pause);
        QVERIFY(!waited.ok());
        QCOMPARE(waited.error().kind, ErrorKind::busy);
        QVERIFY(turn->commit().ok());
        QVERIFY(m_store->addPause(pause).ok());
    }

    // Its old connection may still be at the commit of which it does not know the outcome.
    void who_registers_again_waits_for_its_own_lost_turn()
    {
        ports::WorkerRow worker;
        worker.id = "w";
        QVERIFY(m_store->registerWorker(worker, 10000).ok());
        auto lost = connect();
        QVERIFY(lost->begin().ok());
        QVERIFY(lost->lockGates("w").ok());
        const auto waited = m_store->registerWorker(worker, 10000);
        QVERIFY(!waited.ok());
        QCOMPARE(waited.error().kind, ErrorKind::busy);
        QVERIFY(lost->commit().ok());
        QVERIFY(m_store->registerWorker(worker, 10000).ok());
    }

    void a_deadlock_is_busy_for_one_of_the_two()
    {
        std::atomic<int> busy = 0;
        std::atomic<int> done = 0;
        QSemaphore theirs;
        QSemaphore mine;
        const auto cross = [&](Store &store, const QString &name) {
            const auto locked = store.lockBreakers({name});
            if (locked.ok())
                ++done;
            else if (locked.error().kind == ErrorKind::busy)
                ++busy;
            store.rollback();
        };
        std::thread thread([&] {
            auto other = connect();
            if (!other->begin().ok() || !other->lockBreakers({"b"}).ok())
                qFatal("breaker b");
            theirs.release();
            mine.acquire();
            cross(*other, "a");
        });
        QVERIFY(m_store->begin().ok());
        QVERIFY(m_store->lockBreakers({"a"}).ok());
        theirs.acquire();
        mine.release();
        cross(*m_store, "b");
        thread.join();
        QCOMPARE(busy.load(), 1);
        QCOMPARE(done.load(), 1);
    }

    void a_crash_of_the_server_is_survived()
    {
        QVERIFY(m_store->startRun(newRun("billing", "kept", 5)).ok());
        QVERIFY(m_store->begin().ok());
        QVERIFY(m_store->startRun(newRun("billing", "gone", 5)).ok());
        QVERIFY(m_server.stop("immediate"));
        const auto lost = m_store->runs({});
        QVERIFY(!lost.ok());
        QCOMPARE(lost.error().kind, ErrorKind::lost);
        m_store->rollback();
        const auto closed = m_store->open();
        QVERIFY(!closed.ok());
        QCOMPARE(closed.error().kind, ErrorKind::lost);
        QVERIFY(m_server.startAgain());
        QVERIFY(m_store->open().ok());
        QCOMPARE(m_store->runs({})->size(), 1);
    }

    void a_listener_hears_and_comes_back_after_a_loss()
    {
        QSemaphore heard;
        store::PostgresListener listener(store::PostgresAddress::parse(m_url).value(),
                                         [&] { heard.release(); });
        listener.start();
        QVERIFY(heard.tryAcquire(1, 10000)); // connected
        QVERIFY(m_store->startRun(newRun("billing", "e1", 5)).ok());
        QVERIFY(heard.tryAcquire(1, 10000));
        m_server.killConnections(m_database);
        QVERIFY(heard.tryAcquire(1, 20000)); // connected again
        QVERIFY(m_store->open().ok());
        auto fresh = connect();
        QVERIFY(fresh->startRun(newRun("billing", "e2", 5)).ok());
        QVERIFY(heard.tryAcquire(1, 10000));
        listener.stop();
    }
};

QTEST_GUILESS_MAIN(PostgresLoss)
#include "tst_postgres_loss.moc"
