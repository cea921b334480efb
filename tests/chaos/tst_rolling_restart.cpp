// Goal: workers of a shared database are restarted in turn while runs keep coming, and nothing is
// lost, doubled or left in doubt by it. Method: two real processes on PostgreSQL, each told to
// drain with SIGTERM in the middle of its work and started again, several times; the dependency
// cannot recognise a key, so any attempt that is left behind shows as an ambiguous one. The
// sandbox's books judge.
#include "chaos/worker_process.h"
#include "store/postgres_address.h"
#include "support/postgres_server.h"

#include <QJsonArray>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>
#include <array>
#include <csignal>
#include <memory>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int patience = 120'000;
constexpr int restarts = 6;
constexpr int stepCount = 3;
} // namespace

class RollingRestart : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothing_is_lost_doubled_or_left_in_doubt()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        Machine machine(Machine::Database::postgres);
        deploySlowSteps(machine);
        feed(machine, 20);
        std::array<std::unique_ptr<WorkerProcess>, 2> workers;
        for (auto &worker : workers)
            worker = launch(machine);
        for (int i = 0; i < restarts; ++i) {
            std::unique_ptr<WorkerProcess> &leaving = workers.at(i % workers.size());
            // In the middle of its work, by the database's own account.
            QTRY_VERIFY_WITH_TIMEOUT(inFlightOf(machine, leaving->pid()) > 0, patience);
            QCOMPARE(::kill(pid_t(leaving->pid()), SIGTERM), 0);
            feed(machine, 5);
            QCOMPARE(leaving->waitForExit(), 0);
            leaving = launch(machine);
            feed(machine, 5);
        }
        const auto succeeded = [&] {
            return machine.call(u"summary"_s, {})["runs"_L1]["succeeded"_L1].toInt();
        };
        QTRY_COMPARE_WITH_TIMEOUT(succeeded(), int(m_runs.size()), patience);
        QCOMPARE(machine.world.books().effectCount(), stepCount * m_runs.size());
        QCOMPARE(machine.world.books().duplicates().size(), 0);
        QCOMPARE(machine.reviews().size(), 0);
        for (const QString &run : std::as_const(m_runs)) {
            for (int step = 0; step < stepCount; ++step)
                QCOMPARE(machine.attempts(run, stepName(step)).size(), 1);
        }
        for (auto &worker : workers) {
            QCOMPARE(::kill(pid_t(worker->pid()), SIGTERM), 0);
            QCOMPARE(worker->waitForExit(), 0);
        }
    }

    void whoever_leaves_says_so()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        Machine machine(Machine::Database::postgres);
        deploySlowSteps(machine);
        QVERIFY(machine.world.faults().always(u"/payments/v1/invoices"_s, u"delay:5000"_s).ok());
        machine.start(u"r"_s);
        const auto worker = machine.startWorker();
        QTRY_COMPARE_WITH_TIMEOUT(machine.world.books().requestCount(), 1, patience);
        const auto state = [&] {
            return machine.call(u"workers"_s, {})["workers"_L1].toArray().first()["state"_L1];
        };
        QCOMPARE(state().toString(), u"running"_s);
        worker->drain();
        QTRY_COMPARE_WITH_TIMEOUT(state().toString(), u"draining"_s, patience);
        QVERIFY(worker->join());
        QCOMPARE(state().toString(), u"gone"_s);
        QCOMPARE(machine.world.books().effectCount(), 1);
    }

private:
    static QString stepName(int step) { return u"step%1"_s.arg(step); }

    static void deploySlowSteps(Machine &machine)
    {
        QStringList steps;
        for (int i = 0; i < stepCount; ++i)
            steps << Machine::stepText(
                {.name = stepName(i), .path = u"/payments/v1/invoices"_s, .timeout = u"60s"_s});
        machine.deploy(machine.dependencyText(u"none"_s) + Machine::workflowText(steps));
        QVERIFY(machine.world.faults().always(u"/payments/v1/invoices"_s, u"delay:150"_s).ok());
    }
    // A long lease: what a busy test machine does to a short one is not the question here.
    static std::unique_ptr<WorkerProcess> launch(const Machine &machine)
    {
        return std::make_unique<WorkerProcess>(
            machine, QStringList{u"--lease"_s, u"60s"_s, u"--concurrency"_s, u"4"_s});
    }
    void feed(Machine &machine, int count)
    {
        for (int i = 0; i < count; ++i)
            m_runs << machine.start(u"r%1"_s.arg(m_runs.size()));
    }
    // Runs with an attempt open, of the worker in that process. Asked past the door, which counts
    // over all workers.
    static int inFlightOf(const Machine &machine, qint64 pid)
    {
        int count = 0;
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QPSQL"_s, u"looker"_s);
            store::PostgresAddress::parse(machine.url())->apply(database);
            QSqlQuery query(database.open() ? database : QSqlDatabase());
            if (query.exec(u"select count(*) from holdfast.run join holdfast.worker on "
                           "worker.id = run.worker where worker.pid = %1"_s.arg(pid)) &&
                query.next())
                count = query.value(0).toInt();
        }
        QSqlDatabase::removeDatabase(u"looker"_s);
        return count;
    }

    QStringList m_runs;
};

QTEST_GUILESS_MAIN(RollingRestart)
#include "tst_rolling_restart.moc"
