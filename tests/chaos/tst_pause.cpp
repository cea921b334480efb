// Goal: pausing stops everything that has not started, at once, on every worker. Method: four
// worker processes are busy on one PostgreSQL; the pause and its figures are asked through the
// door, and the journal is counted behind its back.
#include "chaos/worker_process.h"

#include "store/store_url.h"

#include <QJsonArray>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

namespace
{
QJsonObject thePause(Machine &machine)
{
    return machine.call(u"pauses"_s, {})["pauses"_L1].toArray().first().toObject();
}
} // namespace

class Pause : public QObject
{
    Q_OBJECT

    static void deploy(Machine &machine)
    {
        QStringList steps;
        for (const QString &name : {u"one"_s, u"two"_s, u"three"_s}) {
            StepText step;
            step.name = name;
            step.path = u"/payments/v1/invoices"_s;
            step.timeout = u"10s"_s;
            steps.append(Machine::stepText(step));
        }
        machine.deploy(machine.dependencyText(u"native"_s) + Machine::workflowText(steps));
    }
    static QString stateOf(Machine &machine, const QStringList &runs)
    {
        QMap<QString, int> counts;
        for (const QString &run : runs)
            ++counts[machine.statusOf(run)];
        QStringList texts;
        for (auto count = counts.cbegin(); count != counts.cend(); ++count)
            texts.append(u"%1 %2"_s.arg(count.value()).arg(count.key()));
        return texts.join(u", "_s);
    }

private Q_SLOTS:
    void no_intent_commits_after_the_pause_while_four_workers_are_busy()
    {
        Machine machine{Machine::Database::postgres};
        deploy(machine);
        QVERIFY(machine.world.faults().always(u"/payments/v1/invoices"_s, u"delay:30"_s).ok());
        QStringList runs;
        for (int i = 0; i < 120; ++i)
            runs.append(machine.start(u"r%1"_s.arg(i)));
        std::vector<std::unique_ptr<WorkerProcess>> workers;
        for (int i = 0; i < 4; ++i)
            workers.push_back(
                std::make_unique<WorkerProcess>(machine, QStringList{u"--concurrency"_s, u"8"_s}));
        for (int round = 0; round < 8; ++round) {
            const int before = machine.world.books().requestCount();
            QTRY_VERIFY_WITH_TIMEOUT(machine.world.books().requestCount() > before ||
                                         stateOf(machine, runs) == u"120 succeeded"_s,
                                     60'000);
            machine.call(u"pause"_s, {{u"reason"_s, u"round %1"_s.arg(round)}});
            QCOMPARE(thePause(machine)["started_since"_L1].toInt(), 0);
            QTRY_COMPARE_WITH_TIMEOUT(thePause(machine)["in_flight"_L1].toInt(), 0, 60'000);
            // Zero in flight is only said when it is true: nothing more reaches the world.
            const int quiet = machine.world.books().requestCount();
            QCOMPARE(thePause(machine)["started_since"_L1].toInt(), 0);
            QCOMPARE(machine.world.books().requestCount(), quiet);
            machine.call(u"resume"_s, {{u"reason"_s, u"go on"_s}});
        }
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(machine, runs), u"120 succeeded"_s, 120'000);
        QCOMPARE(machine.world.books().duplicates().size(), 0);
        QCOMPARE(machine.world.books().effectCount(), 360);
    }

    void a_frozen_worker_is_taken_over_and_changes_nothing_when_it_wakes()
    {
        Machine machine{Machine::Database::postgres};
        deploy(machine);
        const QString run = machine.start(u"a1"_s);
        WorkerProcess frozen(machine, {}, {{u"HOLDFAST_FREEZE_AT"_s, u"after_commit"_s}});
        QTRY_VERIFY_WITH_TIMEOUT(
            machine.call(u"show"_s, {{u"run"_s, run}})["status"_L1] == u"running"_s, 60'000);
        WorkerProcess successor(machine, {u"--until-idle"_s});
        QCOMPARE(successor.waitForExit(), 0);
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        const QJsonObject settled = machine.show(run);
        kill(pid_t(frozen.pid()), SIGCONT);
        frozen.process().terminate();
        QCOMPARE(frozen.waitForExit(), 0);
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.show(run)["steps"_L1], settled["steps"_L1]);
        QCOMPARE(machine.world.books().duplicates().size(), 0);
    }
};

QTEST_GUILESS_MAIN(Pause)
#include "tst_pause.moc"
