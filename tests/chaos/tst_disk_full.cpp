// Goal: on a full disk nothing new is sent, nothing is lost, and it goes on by itself when there is
// space. Method: the run database lies on a disk of a few megabytes that is filled to the last byte
// under a busy worker, and freed again; the sandbox's books judge.
#include "chaos/worker_process.h"
#include "control/local_door.h"
#include "store/audit_chain.h"
#include "store/store_url.h"
#include "support/dice.h"
#include "support/postgres_server.h"
#include "support/small_disk.h"

#include <QJsonArray>
#include <QTest>
#include <atomic>
#include <csignal>
#include <memory>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;
using runtime::WorkerState;

namespace
{
constexpr int patience = 60'000;

void deployTwoSteps(Machine &machine)
{
    StepText bill{.name = u"bill"_s, .path = u"/payments/v1/invoices"_s};
    StepText again{.name = u"again"_s, .path = u"/payments/v1/invoices"_s};
    for (StepText *step : {&bill, &again}) {
        step->timeout = u"5s"_s;
        step->attempts = 10;
    }
    machine.deploy(machine.dependencyText(u"native"_s) +
                   Machine::workflowText({Machine::stepText(bill), Machine::stepText(again)}));
}

// How many of the worker's rounds have been seen through its own ears.
void comesRound(runtime::Worker &worker, int times)
{
    std::atomic<int> seen = 0;
    for (int i = 0; i < times; ++i) {
        worker.post([&](const model::Result<ports::Store *> &) { ++seen; });
        QTRY_COMPARE_WITH_TIMEOUT(seen.load(), i + 1, patience);
    }
}

// As anybody else sees it who only looks.
QJsonObject look(const Machine &machine, const QString &what)
{
    auto store = store::openStore(machine.url(), store::Access::reader, &machine.clock);
    const auto opened = store ? (*store)->open() : model::Result<void>(store.error());
    if (!opened)
        qFatal("%s", qPrintable(opened.error().message));
    control::LocalDoor door(**store, {store::auditHash, [] { return QJsonObject(); }});
    const auto answer = door.call({what, what, {}, u"ada"_s});
    if (!answer)
        qFatal("%s", qPrintable(answer.error().message));
    return answer->toObject();
}

QString shownState(const Machine &machine)
{
    const QJsonArray workers = look(machine, u"workers"_s)["workers"_L1].toArray();
    return workers.size() == 1 ? workers.first()["state"_L1].toString() : u"(not one)"_s;
}

bool diskIsCalledFull(const Machine &machine)
{
    const QJsonObject answer = look(machine, u"doctor"_s);
    const QJsonArray problems = answer["problems"_L1].toArray();
    const bool isSaid =
        std::any_of(problems.begin(), problems.end(), [](const QJsonValue &problem) {
            return problem["what"_L1].toString().contains(u"is full; what is under way"_s);
        });
    if (isSaid != answer["disk_full"_L1].toBool())
        qFatal("the doctor says two things: %s", QJsonDocument(answer).toJson().constData());
    return isSaid;
}

void verifyBooks(Machine &machine, int runs)
{
    const QJsonObject byStatus = machine.call(u"summary"_s, {})["runs"_L1].toObject();
    QCOMPARE(byStatus["succeeded"_L1].toInt(), runs);
    QCOMPARE(machine.world.books().duplicates().size(), 0);
    QCOMPARE(machine.world.books().effectCount(), 2 * runs);
}
} // namespace

class DiskFull : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_disk = std::make_unique<SmallDisk>(160);
        if (!m_disk->isThere())
            QSKIP("only root may mount a disk of its own");
    }
    void cleanup() { m_disk.reset(); }

    void what_is_under_way_is_written_down_and_nothing_new_is_sent()
    {
        const SmallDisk &disk = *m_disk;
        Machine machine(u"sqlite:"_s + disk.path() + u"/runs.db"_s);
        deployTwoSteps(machine);
        QVERIFY(machine.world.faults().always(u"/payments/v1/invoices"_s, u"delay:100"_s).ok());
        constexpr int runs = 60;
        for (int i = 0; i < runs; ++i)
            machine.start(u"r%1"_s.arg(i));
        const auto worker = machine.startWorker(false, 8);
        QTRY_VERIFY_WITH_TIMEOUT(machine.world.books().requestCount() > 8, patience);
        disk.fill();
        QTRY_COMPARE_WITH_TIMEOUT(worker->status().state, WorkerState::diskFull, patience);
        QVERIFY(worker->status().message.contains(u"full"_s));
        // Every open attempt ends and is written into the space that was kept for it.
        QTRY_COMPARE_WITH_TIMEOUT(worker->status().inFlight, 0, patience);
        QVERIFY(!QFile::exists(disk.path() + u"/runs.db-reserve"_s));
        const int quiet = machine.world.books().requestCount();
        QVERIFY(quiet < 2 * runs);
        comesRound(*worker, 3);
        QCOMPARE(worker->status().state, WorkerState::diskFull);
        QCOMPARE(machine.world.books().requestCount(), quiet);
        QCOMPARE(shownState(machine), u"disk_full"_s);
        QVERIFY(diskIsCalledFull(machine));

        disk.free();
        QTRY_COMPARE_WITH_TIMEOUT(worker->status().state, WorkerState::running, patience);
        QVERIFY(QFile::exists(disk.path() + u"/runs.db-reserve"_s));
        QCOMPARE(shownState(machine), u"running"_s);
        QVERIFY(!diskIsCalledFull(machine));
        QTRY_COMPARE_WITH_TIMEOUT(machine.world.books().effectCount(), 2 * runs, patience);
        worker->drain();
        QVERIFY(worker->join());
        verifyBooks(machine, runs);
        QCOMPARE(shownState(machine), u"gone"_s);
        QVERIFY(!diskIsCalledFull(machine));
    }

    void a_start_on_a_nearly_full_disk_sends_nothing()
    {
        const SmallDisk &disk = *m_disk;
        Machine machine(u"sqlite:"_s + disk.path() + u"/runs.db"_s);
        deployTwoSteps(machine);
        machine.start(u"r1"_s);
        QFile most(disk.path() + u"/most"_s);
        QVERIFY(most.open(QIODevice::WriteOnly));
        QCOMPARE(::posix_fallocate(most.handle(), 0, 150 << 20), 0);
        const auto worker = machine.startWorker(false, 8);
        QTRY_COMPARE_WITH_TIMEOUT(worker->status().state, WorkerState::diskFull, patience);
        comesRound(*worker, 3);
        QCOMPARE(machine.world.books().requestCount(), 0);
        most.remove();
        QTRY_COMPARE_WITH_TIMEOUT(machine.world.books().effectCount(), 2, patience);
    }

    // Real processes, and a disk that is full again and again.
    void workers_are_killed_on_a_full_disk()
    {
        const SmallDisk &disk = *m_disk;
        Machine machine(u"sqlite:"_s + disk.path() + u"/runs.db"_s);
        deployTwoSteps(machine);
        constexpr int runs = 80;
        for (int i = 0; i < runs; ++i)
            machine.start(u"r%1"_s.arg(i));
        machine.world.faults().chaos(3, 10);
        Dice dice(11);
        for (int round = 0; round < 6; ++round) {
            WorkerProcess worker(machine, {});
            awaitRequests(machine, 1 + dice.below(20));
            disk.fill();
            awaitRequests(machine, 1 + dice.below(5));
            ::kill(pid_t(worker.pid()), SIGKILL);
            QVERIFY(worker.waitUntilKilled());
            if (dice.oneIn(2))
                disk.free();
        }
        disk.free();
        machine.world.faults().chaos(3, 0);
        finish(machine, runs);
    }

    void postgres_on_a_full_disk()
    {
        const SmallDisk &disk = *m_disk;
        PostgresServer server(disk.path());
        QVERIFY2(server.start(), qPrintable(server.error()));
        Machine machine(server.createDatabase());
        deployTwoSteps(machine);
        constexpr int runs = 80;
        for (int i = 0; i < runs; ++i)
            machine.start(u"r%1"_s.arg(i));
        QVERIFY(machine.world.faults().always(u"/payments/v1/invoices"_s, u"delay:20"_s).ok());
        const auto worker = machine.startWorker(false, 8);
        for (int round = 0; round < 2; ++round) {
            const int before = machine.world.books().requestCount();
            QTRY_VERIFY_WITH_TIMEOUT(machine.world.books().requestCount() > before + 8, patience);
            disk.fill();
            // A server may end over this, or refuse and stay; a checkpoint makes it need space.
            server.execute(u"checkpoint"_s);
            server.execute(
                u"create table filler as select repeat('x', 4000) from generate_series(1, 4000)"_s);
            disk.free();
            server.execute(u"drop table if exists filler"_s);
            // One that ended over it recovers by itself, or somebody starts it.
            if (!QTest::qWaitFor([&] { return server.isUp(); }, 20'000)) {
                server.stop(u"immediate"_s);
                QVERIFY2(server.startAgain(), qPrintable(server.error()));
            }
        }
        QTRY_COMPARE_WITH_TIMEOUT(machine.world.books().effectCount(), 2 * runs, patience);
        worker->drain();
        QVERIFY(worker->join());
        verifyBooks(machine, runs);
    }

private:
    static void awaitRequests(Machine &machine, int more)
    {
        const int wanted = machine.world.books().requestCount() + more;
        Q_UNUSED(
            QTest::qWaitFor([&] { return machine.world.books().requestCount() >= wanted; }, 1500));
    }
    static void finish(Machine &machine, int runs)
    {
        WorkerProcess last(machine, {u"--until-idle"_s});
        QCOMPARE(last.waitForExit(), 0);
        verifyBooks(machine, runs);
    }

    std::unique_ptr<SmallDisk> m_disk;
};

QTEST_GUILESS_MAIN(DiskFull)
#include "tst_disk_full.moc"
