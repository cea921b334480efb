// Goal: between two transactions that overlap, PostgreSQL's locks decide who comes first, and never
// both. Method: two connections in one thread; one holds its transaction open while the other
// tries.
#include "store/store_suite.h"

using namespace holdfast;
using namespace holdfast::ports;
using holdfast::tests::StoreFixture;
using model::ErrorKind;

class PostgresLocks : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private:
    RunRow heldByOneThatIsGone()
    {
        start("e1");
        registerWorker("old", 600'000);
        registerWorker("new", 600'000);
        const RunRow held = openAll("old").first();
        if (!m_store->renewLease("old", -1, "running"))
            qFatal("the lease stays");
        return held;
    }
    static BreakerRow forcedOpen(Instant now)
    {
        BreakerRow row;
        row.dependency = "payments";
        row.state = "open";
        row.reason = "by hand";
        row.openUntil = now + model::hour;
        return row;
    }

private Q_SLOTS:
    void init()
    {
        if (!StoreFixture::available().contains(StoreFixture::Kind::postgres))
            QSKIP("PostgreSQL is not installed");
        m_fixture = std::make_unique<StoreFixture>(StoreFixture::Kind::postgres);
        m_store = m_fixture->connect();
    }
    void cleanup() { dropStore(); }

    // Or it would begin to send under its new lease what another asks about already.
    void a_worker_whose_runs_are_being_taken_does_not_come_back_until_they_are()
    {
        heldByOneThatIsGone();
        OK(m_store->begin());
        const ClaimedRun taken = claim(*m_store, "new").first();
        QVERIFY(taken.takenOver);
        const auto sleeper = m_fixture->connect();
        WorkerRow again;
        again.id = "old";
        const auto registered = sleeper->registerWorker(again, 10000);
        QVERIFY(!registered);
        QCOMPARE(registered.error().kind, ErrorKind::busy);
        TurnWrites taking;
        add(taking, opened(taken.run, "new"), taken.run.fence);
        OK(m_store->write(taking));
        OK(m_store->commit());
        OK(sleeper->renewLease("old", 10000, "running"));
        OK(sleeper->begin());
        QVERIFY(claim(*sleeper, "old").isEmpty());
        sleeper->rollback();
    }

    void a_worker_that_is_coming_back_keeps_its_runs()
    {
        const RunRow held = heldByOneThatIsGone();
        const auto sleeper = m_fixture->connect();
        OK(sleeper->begin());
        OK(sleeper->renewLease("old", 10000, "running"));
        OK(m_store->begin());
        QVERIFY(claim(*m_store, "new").isEmpty());
        OK(sleeper->commit());
        QVERIFY(claim(*m_store, "new").isEmpty());
        m_store->rollback();
        QCOMPARE(m_store->run(held.runId).value()->worker, QString("old"));
    }

    // A turn that began under the old lease is no reason to wait: what it writes is fenced.
    void a_turn_that_stands_still_keeps_nobody_from_taking_over()
    {
        heldByOneThatIsGone();
        const auto frozen = m_fixture->connect();
        OK(frozen->begin());
        OK(frozen->lockGates("old"));
        OK(m_store->begin());
        QCOMPARE(claim(*m_store, "new").size(), 1);
        m_store->rollback();
        frozen->rollback();
    }

    void two_take_over_from_the_same_worker_without_waiting()
    {
        heldByOneThatIsGone();
        const auto other = m_fixture->connect();
        OK(other->begin());
        QCOMPARE(claim(*other, "newer").size(), 1);
        OK(m_store->begin());
        QVERIFY(claim(*m_store, "new").isEmpty());
        m_store->rollback();
        other->rollback();
    }

    void a_breaker_forced_open_waits_for_turns_that_read_it_closed()
    {
        const auto turn = m_fixture->connect();
        OK(turn->begin());
        OK(turn->lockGates({}));
        const auto forced = m_store->setBreaker(forcedOpen(at()));
        QVERIFY(!forced);
        QCOMPARE(forced.error().kind, ErrorKind::busy);
        OK(turn->commit());
        OK(m_store->setBreaker(forcedOpen(at())));
        OK(turn->begin());
        const auto gates = turn->lockGates({});
        OK(gates);
        QCOMPARE(gates->breakers.first().state, QString("open"));
        turn->rollback();
    }
};

QTEST_GUILESS_MAIN(PostgresLocks)
#include "tst_postgres_locks.moc"
