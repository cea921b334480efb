// Goal: a wall clock that jumps changes neither what is due nor who owns it, and is written down
// (T1, T2). Method: a real worker on a real database, with a wall clock that the test moves while
// runs are under way; the boot clock goes on as ever.
#include "support/machine.h"

#include <QTest>
#include <algorithm>
#include <atomic>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int patience = 60'000;
constexpr int runs = 20;

QString definitions(const Machine &machine)
{
    StepText bill{.name = u"bill"_s, .path = u"/payments/v1/invoices"_s};
    bill.timeout = u"5s"_s;
    bill.attempts = 20;
    return machine.dependencyText(u"native"_s) +
           Machine::workflowText(
               {Machine::stepText(bill), u"  - step: nap\n    wait: {for: 30m}\n"_s}, u"2h"_s);
}
} // namespace

class ClockJump : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothing_goes_by_the_wall_data()
    {
        QTest::addColumn<Machine::Database>("database");
        QTest::addColumn<model::Millis>("jump");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres}) {
            const QByteArray name = Machine::nameOf(database).toLatin1();
            QTest::newRow(name + ", an hour ahead") << database << model::hour;
            QTest::newRow(name + ", an hour back") << database << -model::hour;
            QTest::newRow(name + ", to 1970") << database << -56 * 365 * model::day;
            QTest::newRow(name + ", to 2040") << database << 14 * 365 * model::day;
        }
    }
    void nothing_goes_by_the_wall()
    {
        QFETCH(Machine::Database, database);
        QFETCH(model::Millis, jump);
        Machine machine(database);
        machine.deploy(definitions(machine));
        for (int i = 0; i < runs; ++i)
            machine.start(u"r%1"_s.arg(i));
        // Some replies are errors or lost, so that retries are due all the time.
        machine.world.faults().chaos(5, 15);
        auto worker = machine.startWorker(false, 4);
        QTRY_VERIFY_WITH_TIMEOUT(machine.world.books().effectCount() >= 3, patience);
        machine.clock.jump(jump);
        QTRY_COMPARE_WITH_TIMEOUT(machine.world.books().effectCount(), runs, patience);
        machine.world.faults().chaos(5, 0);
        // All get through, and the jump is written down once.
        QTRY_COMPARE_WITH_TIMEOUT(ask(*worker, napping), runs, patience);
        QTRY_COMPARE_WITH_TIMEOUT(ask(*worker, jumpsAudited), 1, patience);
        worker->drain();
        QVERIFY(worker->join());
        // Whoever opens it next, with the same wrong clock, finds that nobody's nap is over, or
        // longer than it was.
        worker = machine.startWorker(false, 4);
        QTRY_COMPARE_WITH_TIMEOUT(ask(*worker, napping), runs, patience);
        const qint64 left = ask(*worker, untilNextDue);
        QVERIFY2(left > 0 && left <= 30 * model::minute, qPrintable(QString::number(left)));
        QCOMPARE(machine.world.books().duplicates().size(), 0);
    }

private:
    using Question = qint64 (*)(ports::Store &);

    static qint64 ask(runtime::Worker &worker, Question question)
    {
        constexpr qint64 noAnswer = -1;
        std::atomic<bool> isAnswered = false;
        qint64 answer = noAnswer;
        worker.post([&](const model::Result<ports::Store *> &store) {
            if (store)
                answer = question(**store);
            isAnswered = true;
        });
        return QTest::qWaitFor([&] { return isAnswered.load(); }, patience) ? answer : noAnswer;
    }
    static qint64 napping(ports::Store &store)
    {
        const auto counts = store.counts();
        return counts ? counts->runsByStatus.value(u"waiting"_s) : 0;
    }
    static qint64 untilNextDue(ports::Store &store)
    {
        const auto due = store.nextDue();
        const auto now = store.now();
        return due && now ? *due - *now : 0;
    }
    static qint64 jumpsAudited(ports::Store &store)
    {
        const auto rows = store.audit(0, 1000);
        return rows ? std::count_if(rows->cbegin(), rows->cend(),
                                    [](const ports::AuditRow &row) {
                                        return row.action == "clock_jumped"_L1;
                                    })
                    : 0;
    }
};

QTEST_GUILESS_MAIN(ClockJump)
#include "tst_clock_jump.moc"
