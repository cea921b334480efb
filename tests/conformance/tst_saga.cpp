// Goal: the order case, shipped as a promise: reserve, charge, ship; whatever fails, what was done
// is undone in reverse order, and what cannot be undone goes to a person. On both databases, judged
// by the books.
#include "support/machine.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using holdfast::tests::Machine;
using holdfast::tests::StepText;

class Saga : public QObject
{
    Q_OBJECT

    static void databases()
    {
        QTest::addColumn<int>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
    }
    static void deployOrder(Machine &machine)
    {
        StepText reserve;
        reserve.name = u"reserve"_s;
        reserve.verify = true;
        reserve.undo = u"/inventory/v1/reservations/${ receipt.id }/release"_s;
        StepText charge;
        charge.name = u"charge"_s;
        charge.dependency = u"payments"_s;
        charge.path = u"/payments/v1/charges"_s;
        charge.undo = u"/payments/v1/charges/${ receipt.id }/refund"_s;
        StepText ship;
        ship.name = u"ship"_s;
        ship.path = u"/inventory/v1/shipments"_s;
        machine.deploy(machine.dependencyText(u"probe"_s) +
                       machine.dependencyText(u"native"_s, {}, u"payments"_s) +
                       Machine::workflowText({Machine::stepText(reserve), Machine::stepText(charge),
                                              Machine::stepText(ship)}));
    }
    static QStringList actions(Machine &machine)
    {
        QStringList names;
        for (const auto &effect : machine.world.books().effects())
            names.append(effect.action);
        return names;
    }

private Q_SLOTS:
    void all_goes_well_data() { databases(); }
    void all_goes_well()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOrder(machine);
        const QString run = machine.start(u"o1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(actions(machine), QStringList({u"reservations.create"_s, u"charges.create"_s,
                                                u"shipments.create"_s}));
    }

    void the_charge_fails_and_the_stock_is_released_data() { databases(); }
    void the_charge_fails_and_the_stock_is_released()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOrder(machine);
        QVERIFY(machine.push(u"/payments/v1/charges"_s, {u"402"_s}));
        const QString run = machine.start(u"o1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"compensated"_s);
        QCOMPARE(actions(machine),
                 QStringList({u"reservations.create"_s, u"reservations.release"_s}));
    }

    void shipping_fails_and_both_are_undone_in_reverse_order_data() { databases(); }
    void shipping_fails_and_both_are_undone_in_reverse_order()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOrder(machine);
        QVERIFY(machine.push(u"/inventory/v1/shipments"_s, {u"422"_s}));
        const QString run = machine.start(u"o1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"compensated"_s);
        QCOMPARE(actions(machine), QStringList({u"reservations.create"_s, u"charges.create"_s,
                                                u"charges.refund"_s, u"reservations.release"_s}));
        QCOMPARE(machine.show(run)["compensation_count"_L1].toInt(), 2);
    }

    void the_refund_fails_and_a_person_gets_it_data() { databases(); }
    void the_refund_fails_and_a_person_gets_it()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOrder(machine);
        QVERIFY(machine.push(u"/inventory/v1/shipments"_s, {u"422"_s}));
        QVERIFY(machine.push(u"/payments/v1/charges/*/refund"_s, {u"422"_s}));
        const QString run = machine.start(u"o1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"compensation_failed"_s);
        QCOMPARE(machine.reviews().size(), 1);
        QCOMPARE(machine.reviews().first()["kind"_L1].toString(), u"compensation_failed"_s);
        QVERIFY(!machine.reviews().first()["evidence"_L1]["attempts"_L1].toArray().isEmpty());
        QVERIFY(!actions(machine).contains(u"reservations.release"_s));
        machine.resolve(u"retry"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"compensated"_s);
        QCOMPARE(actions(machine).mid(2),
                 QStringList({u"charges.refund"_s, u"reservations.release"_s}));
    }

    void a_lost_reply_of_a_compensation_is_undone_once_data() { databases(); }
    void a_lost_reply_of_a_compensation_is_undone_once()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOrder(machine);
        QVERIFY(machine.push(u"/inventory/v1/shipments"_s, {u"422"_s}));
        QVERIFY(machine.push(u"/payments/v1/charges/*/refund"_s, {u"work_then_drop"_s}));
        const QString run = machine.start(u"o1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"compensated"_s);
        QCOMPARE(machine.world.books().duplicates().size(), 0);
        QCOMPARE(actions(machine).count(u"charges.refund"_s), 1);
    }

    void a_run_is_compensated_by_hand_data() { databases(); }
    void a_run_is_compensated_by_hand()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOrder(machine);
        const QString run = machine.start(u"o1"_s);
        machine.runUntilIdle();
        const QJsonObject plan =
            machine.call(u"compensate"_s, {{u"run"_s, run}, {u"preview"_s, true}});
        QVERIFY(!plan.isEmpty());
        QCOMPARE(actions(machine).size(), 3);
        machine.call(u"compensate"_s, {{u"run"_s, run}, {u"reason"_s, u"wrong order"_s}});
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"compensated"_s);
        QCOMPARE(actions(machine).mid(3),
                 QStringList({u"charges.refund"_s, u"reservations.release"_s}));
    }

    void replaying_the_same_event_is_the_same_run_data() { databases(); }
    void replaying_the_same_event_is_the_same_run()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOrder(machine);
        const QString run = machine.start(u"o1"_s);
        QCOMPARE(machine.start(u"o1"_s), run);
        machine.runUntilIdle();
        QCOMPARE(machine.start(u"o1"_s), run);
        machine.runUntilIdle();
        QCOMPARE(machine.world.books().effectCount(), 3);
        const QJsonObject other{{u"id"_s, u"o1"_s}, {u"more"_s, 1}};
        QVERIFY(!machine.refusal(u"start"_s, {{u"workflow"_s, u"flow"_s}, {u"input"_s, other}})
                     .isEmpty());
    }
};

QTEST_GUILESS_MAIN(Saga)
#include "tst_saga.moc"
