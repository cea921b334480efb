// Goal: a worker that dies by SIGKILL at any named point leaves nothing doubled and nothing lost.
// Method: a real worker process is told where to die; a second one finishes; the sandbox's books
// judge.
#include "chaos/worker_process.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

namespace
{
const QStringList crashPoints{u"after_claim"_s,  u"before_commit"_s,  u"after_commit"_s,
                              u"after_send"_s,   u"after_response"_s, u"before_receipt"_s,
                              u"after_receipt"_s};

// Between the intent's commit and the receipt's, nobody who comes later can know.
bool isInDoubt(const QString &point)
{
    return point == "after_commit"_L1 || point == "after_send"_L1 || point == "after_response"_L1 ||
           point == "before_receipt"_L1;
}

StepText stepAt(const QString &protection)
{
    StepText step;
    if (protection == "native"_L1)
        step.path = u"/payments/v1/invoices"_s;
    if (protection == "none"_L1)
        step.path = u"/mail/v1/messages"_s;
    if (protection == "natural"_L1) {
        step.path = u"/crm/v1/contacts/${ input.id }"_s;
        step.method = u"PUT"_s;
    }
    step.verify = protection == "probe"_L1;
    step.timeout = u"300ms"_s;
    return step;
}

// A step whose effect can be taken back, in the way of its protection.
StepText reversibleStepAt(const QString &protection)
{
    StepText step = stepAt(protection);
    step.name = u"charge"_s;
    step.undo = u"/inventory/v1/reservations/${ receipt.id }/release"_s;
    if (protection == "native"_L1) {
        step.path = u"/payments/v1/charges"_s;
        step.undo = u"/payments/v1/charges/${ receipt.id }/refund"_s;
    }
    if (protection == "natural"_L1) {
        step.undo = step.path;
        step.undoMethod = u"DELETE"_s;
    }
    if (protection == "none"_L1)
        step.path = u"/inventory/v1/reservations"_s;
    if (protection == "probe"_L1) {
        step.extra = u"      verify:\n"
                     "        http: {method: GET, path: \"/inventory/v1/reservations/${ receipt.id "
                     "}\"}\n"
                     "        happened: ${ response.body.status === \"released\" }\n"
                     "        absent: ${ response.body.status === \"created\" }\n"
                     "        settle_after: 50ms\n"_s;
    }
    return step;
}
} // namespace

class CrashPoints : public QObject
{
    Q_OBJECT

    static void rows(const QStringList &protections, const QStringList &points)
    {
        QTest::addColumn<int>("database");
        QTest::addColumn<QString>("protection");
        QTest::addColumn<QString>("point");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres}) {
            for (const QString &protection : protections) {
                for (const QString &point : points) {
                    const QString name =
                        Machine::nameOf(database) + u' ' + protection + u' ' + point;
                    QTest::newRow(qPrintable(name)) << int(database) << protection << point;
                }
            }
        }
    }

private Q_SLOTS:
    void the_worker_is_killed_at_a_point_data()
    {
        rows({u"native"_s, u"natural"_s, u"probe"_s, u"none"_s}, crashPoints);
    }
    // C3 to C10 for the forward direction.
    void the_worker_is_killed_at_a_point()
    {
        QFETCH(int, database);
        QFETCH(QString, protection);
        QFETCH(QString, point);
        Machine machine{Machine::Database(database)};
        machine.deploy(machine.dependencyText(protection) +
                       Machine::workflowText({Machine::stepText(stepAt(protection))}));
        const QString run = machine.start(u"a1"_s);
        {
            WorkerProcess doomed(machine, {u"--until-idle"_s}, {{u"HOLDFAST_CRASH_AT"_s, point}});
            QVERIFY2(doomed.waitUntilKilled(), "the worker never passed that point");
        }
        WorkerProcess successor(machine, {u"--until-idle"_s});
        const bool asksAPerson = protection == "none"_L1 && isInDoubt(point);
        QCOMPARE(successor.waitForExit(), asksAPerson ? 3 : 0);
        QCOMPARE(machine.world.books().duplicates().size(), 0);
        if (asksAPerson) {
            QCOMPARE(machine.statusOf(run), u"review"_s);
            QVERIFY(machine.world.books().writes(u"/mail"_s).size() <= 1);
            QCOMPARE(machine.reviews().first()["kind"_L1].toString(), u"ambiguous"_s);
        } else {
            QCOMPARE(machine.statusOf(run), u"succeeded"_s);
            QCOMPARE(machine.world.books().effectCount(), 1);
        }
    }

    void the_worker_is_killed_while_verifying_data()
    {
        rows({u"probe"_s}, {u"before_commit:2"_s, u"after_commit:2"_s, u"after_send:2"_s});
    }
    // C12: a probe changes nothing and is simply asked again.
    void the_worker_is_killed_while_verifying()
    {
        QFETCH(int, database);
        QFETCH(QString, protection);
        QFETCH(QString, point);
        Machine machine{Machine::Database(database)};
        machine.deploy(machine.dependencyText(protection) +
                       Machine::workflowText({Machine::stepText(stepAt(protection))}));
        QVERIFY(machine.push(u"/inventory/v1/reservations"_s, {u"work_then_drop"_s}));
        const QString run = machine.start(u"a1"_s);
        {
            WorkerProcess doomed(machine, {u"--until-idle"_s}, {{u"HOLDFAST_CRASH_AT"_s, point}});
            QVERIFY2(doomed.waitUntilKilled(), "the worker never passed that point");
        }
        WorkerProcess successor(machine, {u"--until-idle"_s});
        QCOMPARE(successor.waitForExit(), 0);
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.world.books().effectCount(), 1);
        QCOMPARE(machine.world.books().writes(u"/inventory"_s).size(), 1);
    }

    void the_worker_is_killed_while_compensating_data()
    {
        // The refusal and the refund's intent share a commit; dying before it loses the refusal
        // itself, which is the forward direction's case.
        rows({u"native"_s, u"natural"_s, u"probe"_s, u"none"_s},
             {u"after_commit:3"_s, u"after_send:3"_s, u"before_receipt:2"_s, u"between_undo"_s});
    }
    // C13, C14: a charge, then a step that is refused; taking the charge back survives the death of
    // its worker, once. Where nobody can be asked whether it was taken back, a person is.
    void the_worker_is_killed_while_compensating()
    {
        QFETCH(int, database);
        QFETCH(QString, protection);
        QFETCH(QString, point);
        Machine machine{Machine::Database(database)};
        StepText refused = stepAt(u"native"_s);
        refused.name = u"refused"_s;
        refused.dependency = u"bank"_s;
        machine.deploy(machine.dependencyText(protection) +
                       machine.dependencyText(u"native"_s, {}, u"bank"_s) +
                       Machine::workflowText({Machine::stepText(reversibleStepAt(protection)),
                                              Machine::stepText(refused)}));
        QVERIFY(machine.world.faults().always(u"/payments/v1/invoices"_s, u"422"_s).ok());
        const QString run = machine.start(u"a1"_s);
        {
            WorkerProcess doomed(machine, {u"--until-idle"_s}, {{u"HOLDFAST_CRASH_AT"_s, point}});
            QVERIFY2(doomed.waitUntilKilled(), "the worker never passed that point");
        }
        WorkerProcess successor(machine, {u"--until-idle"_s});
        const bool asksAPerson = protection == "none"_L1 && point != "between_undo"_L1;
        QCOMPARE(successor.waitForExit(), asksAPerson ? 3 : 0);
        QCOMPARE(machine.world.books().duplicates().size(), 0);
        QVERIFY(machine.world.books().writes(u"/inventory"_s).size() <= 2);
        if (asksAPerson) {
            QCOMPARE(machine.statusOf(run), u"review"_s);
            QCOMPARE(machine.reviews().first()["kind"_L1].toString(), u"ambiguous"_s);
        } else {
            QCOMPARE(machine.statusOf(run), u"compensated"_s);
            QCOMPARE(machine.world.books().effectCount(), 2);
        }
    }
};

QTEST_GUILESS_MAIN(CrashPoints)
#include "tst_crash_points.moc"
