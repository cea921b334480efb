// Goal: while the database is away nothing is sent, and when it is back everything goes on by
// itself. Method: a PostgreSQL of this test's own is crashed and started again under a worker that
// is busy.
#include "support/machine.h"
#include "support/postgres_server.h"

#include <QJsonArray>
#include <QTest>
#include <atomic>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

class DatabaseLoss : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothing_is_sent_while_the_database_is_away_and_nothing_is_lost()
    {
        PostgresServer server;
        QVERIFY2(server.start(), qPrintable(server.error()));
        Machine machine(server.createDatabase());
        QStringList steps;
        for (const QString &name : {u"one"_s, u"two"_s, u"three"_s}) {
            StepText step;
            step.name = name;
            step.path = u"/payments/v1/invoices"_s;
            step.timeout = u"5s"_s;
            steps.append(Machine::stepText(step));
        }
        machine.deploy(machine.dependencyText(u"native"_s) + Machine::workflowText(steps));
        QVERIFY(machine.world.faults().always(u"/payments/v1/invoices"_s, u"delay:50"_s).ok());
        QStringList runs;
        for (int i = 0; i < 30; ++i)
            runs.append(machine.start(u"r%1"_s.arg(i)));
        const std::unique_ptr<runtime::Worker> worker = machine.startWorker(false, 4);
        for (int round = 0; round < 2; ++round) {
            const int before = machine.world.books().requestCount();
            QTRY_VERIFY_WITH_TIMEOUT(machine.world.books().requestCount() > before + 3, 60'000);
            QVERIFY(server.stop(u"immediate"_s));
            QTRY_COMPARE_WITH_TIMEOUT(worker->status().state, runtime::WorkerState::databaseAway,
                                      60'000);
            QVERIFY(!worker->status().message.isEmpty());
            // What was in flight has ended by now at the latest; after that, silence, however often
            // the worker comes round.
            QTRY_COMPARE_WITH_TIMEOUT(machine.world.books().effectCount(),
                                      machine.world.books().requestCount(), 60'000);
            const int quiet = machine.world.books().requestCount();
            std::atomic<int> comesRound = 0;
            for (int i = 0; i < 3; ++i) {
                worker->post([&](const model::Result<ports::Store *> &store) {
                    if (!store)
                        ++comesRound;
                });
                QTRY_COMPARE_WITH_TIMEOUT(comesRound.load(), i + 1, 60'000);
            }
            QCOMPARE(machine.world.books().requestCount(), quiet);
            QVERIFY(server.startAgain());
            QTRY_COMPARE_WITH_TIMEOUT(worker->status().state, runtime::WorkerState::running,
                                      60'000);
        }
        const auto finished = [&] {
            const QJsonObject runsByStatus = machine.call(u"summary"_s, {})["runs"_L1].toObject();
            return runsByStatus["succeeded"_L1].toInt() == runs.size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(finished(), 120'000);
        QCOMPARE(machine.world.books().duplicates().size(), 0);
        worker->drain();
        QVERIFY(worker->join());
    }
};

QTEST_GUILESS_MAIN(DatabaseLoss)
#include "tst_database_loss.moc"
