// Goal: every row of the protection table, and every way to lose a reply, on both databases, judged
// by the outside world's own books. Method: the real engine in this process, real HTTP to the
// sandbox.
#include "support/machine.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using holdfast::tests::Machine;
using holdfast::tests::StepText;

namespace
{
const QString invoices = u"/payments/v1/invoices"_s;          // dedups on our key
const QString reservations = u"/inventory/v1/reservations"_s; // can be probed by key
const QString messages = u"/mail/v1/messages"_s;              // neither
const QString contacts = u"/crm/v1/contacts/${ input.id }"_s; // natural

StepText stepAt(const QString &protection)
{
    StepText step;
    if (protection == "native"_L1)
        step.path = invoices;
    if (protection == "none"_L1)
        step.path = messages;
    if (protection == "natural"_L1) {
        step.path = contacts;
        step.method = u"PUT"_s;
    }
    step.verify = protection == "probe"_L1;
    step.timeout = u"500ms"_s;
    return step;
}

QString faultPath(const QString &protection)
{
    return protection == "natural"_L1 ? u"/crm/v1/contacts"_s : stepAt(protection).path;
}
} // namespace

class Ambiguity : public QObject
{
    Q_OBJECT

    static void addDatabases(const QStringList &rows)
    {
        for (const QString &row : rows) {
            for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres}) {
                const QString name = Machine::nameOf(database) + u' ' + row;
                QTest::newRow(qPrintable(name)) << int(database) << row;
            }
        }
    }
    static void deployOne(Machine &machine, const QString &protection, const StepText &step)
    {
        machine.deploy(machine.dependencyText(protection) +
                       Machine::workflowText({Machine::stepText(step)}));
    }

private Q_SLOTS:
    void the_work_is_done_and_the_reply_is_lost_data()
    {
        QTest::addColumn<int>("database");
        QTest::addColumn<QString>("row");
        QStringList rows;
        for (const char *protection : {"native", "natural", "probe", "none"}) {
            for (const char *fault : {"work_then_drop", "work_then_reset", "work_then_hang",
                                      "work_then_500", "work_then_half", "work_then_garbage"})
                rows.append(QString::fromLatin1(protection) + u' ' + QString::fromLatin1(fault));
        }
        addDatabases(rows);
    }
    // N3, N4, N5, N10, C8: one effect whatever was lost; where nothing can tell, a person is asked.
    void the_work_is_done_and_the_reply_is_lost()
    {
        QFETCH(int, database);
        QFETCH(QString, row);
        const QString protection = row.section(u' ', 0, 0);
        Machine machine{Machine::Database(database)};
        deployOne(machine, protection, stepAt(protection));
        QVERIFY(machine.push(faultPath(protection), {row.section(u' ', 1)}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.world.books().duplicates().size(), 0);
        const auto sent = machine.world.books().writes(faultPath(protection));
        for (const auto &request : sent) {
            QCOMPARE(request.key, u"make:a1"_s);
            QCOMPARE(request.body, sent.first().body);
        }
        const QJsonArray forward = machine.attempts(run, u"make"_s, u"forward"_s);
        QCOMPARE(forward.first()["class"_L1].toString(), u"ambiguous"_s);
        if (protection == "none"_L1) {
            QCOMPARE(machine.statusOf(run), u"review"_s);
            QCOMPARE(sent.size(), 1);
            QCOMPARE(machine.reviews().size(), 1);
            machine.resolve(u"happened"_s, {{u"id"_s, u"seen"_s}});
            machine.runUntilIdle();
            QCOMPARE(machine.world.books().writes(messages).size(), 1);
        }
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QVERIFY(!machine.step(run, u"make"_s)["receipt"_L1]["id"_L1].toString().isEmpty());
    }

    void the_request_is_lost_before_any_work_data()
    {
        QTest::addColumn<int>("database");
        QTest::addColumn<QString>("row");
        addDatabases({u"native"_s, u"natural"_s, u"probe"_s});
    }
    // The same silence, but nothing was done: it is done once, after the engine has made sure.
    void the_request_is_lost_before_any_work()
    {
        QFETCH(int, database);
        QFETCH(QString, row);
        Machine machine{Machine::Database(database)};
        deployOne(machine, row, stepAt(row));
        QVERIFY(machine.push(faultPath(row), {u"drop"_s, u"reset"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.world.books().effectCount(), 1);
        QCOMPARE(machine.world.books().duplicates().size(), 0);
    }

    void a_person_says_absent_and_it_is_sent_once_more_data() { databases(); }
    void a_person_says_absent_and_it_is_sent_once_more()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOne(machine, u"none"_s, stepAt(u"none"_s));
        QVERIFY(machine.push(messages, {u"drop"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"review"_s);
        machine.resolve(u"absent"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.world.books().writes(messages).size(), 2);
        QCOMPARE(machine.world.books().effectCount(), 1);
    }

    void a_probe_that_lags_is_believed_only_after_settling_data() { databases(); }
    // I1b, N16: the effect is invisible to the probe for a while; a probe asked too early would
    // send again.
    void a_probe_that_lags_is_believed_only_after_settling()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        StepText step = stepAt(u"probe"_s);
        step.settleAfter = u"600ms"_s;
        deployOne(machine, u"probe"_s, step);
        QVERIFY(machine.world.faults().always(reservations, u"probe_lag:300"_s).ok());
        QVERIFY(machine.push(reservations, {u"work_then_drop"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.world.books().effectCount(), 1);
        QCOMPARE(machine.world.books().writes(reservations).size(), 1);
    }

    void a_probe_that_is_down_leads_to_a_person_data() { databases(); }
    void a_probe_that_is_down_leads_to_a_person()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOne(machine, u"probe"_s, stepAt(u"probe"_s));
        QVERIFY(machine.world.faults().always(reservations, u"probe_down"_s).ok());
        QVERIFY(machine.push(reservations, {u"work_then_drop"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"review"_s);
        QCOMPARE(machine.reviews().first()["kind"_L1].toString(), u"ambiguous"_s);
        QCOMPARE(machine.world.books().writes(reservations).size(), 1);
    }

    void a_request_that_arrives_late_is_found_by_the_probe_data() { databases(); }
    // N13: the connection is gone, and the work is done a while later; settling covers it.
    void a_request_that_arrives_late_is_found_by_the_probe()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        StepText step = stepAt(u"probe"_s);
        step.settleAfter = u"800ms"_s;
        deployOne(machine, u"probe"_s, step);
        QVERIFY(machine.push(reservations, {u"late:300"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.world.books().effectCount(), 1);
        QCOMPARE(machine.world.books().writes(reservations).size(), 1);
    }

    void a_destination_that_is_busy_with_our_key_is_asked_again_data() { databases(); }
    // N8, N12: the first attempt times out while the work goes on; 409 means wait, not failure.
    void a_destination_that_is_busy_with_our_key_is_asked_again()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOne(machine, u"native"_s, stepAt(u"native"_s));
        QVERIFY(machine.push(invoices, {u"delay:1500"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.world.books().effectCount(), 1);
        QStringList reasons;
        for (const QJsonValue &attempt : machine.attempts(run, u"make"_s))
            reasons.append(attempt["reason"_L1].toString());
        QCOMPARE(reasons.first(), u"timeout"_s);
        QVERIFY2(reasons.contains(u"key_in_use"_s), qPrintable(reasons.join(u' ')));
    }

    void a_stored_500_is_not_asked_for_ever_data() { databases(); }
    // ST2: the destination replays its 500 for our key; the second one sends us to verify or to a
    // person.
    void a_stored_500_is_not_asked_for_ever()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deployOne(machine, u"native"_s, stepAt(u"native"_s));
        QVERIFY(machine.push(invoices, {u"stored_500"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"review"_s);
        QCOMPARE(machine.world.books().writes(invoices).size(), 2);
    }

    void two_workflows_that_pay_the_same_invoice_meet_in_the_ledger_data() { databases(); }
    // B3: the second run replays the first one's receipt; another body for the same key is a
    // conflict.
    void two_workflows_that_pay_the_same_invoice_meet_in_the_ledger()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        StepText step = stepAt(u"native"_s);
        step.name = u"pay"_s;
        const QString other = Machine::workflowText({Machine::stepText(step)})
                                  .replace("workflow: flow"_L1, "workflow: other"_L1);
        machine.deploy(machine.dependencyText(u"native"_s) +
                       Machine::workflowText({Machine::stepText(step)}) + u"---\n"_s + other);
        const QString first = machine.start(u"a1"_s);
        machine.runUntilIdle();
        const QString second =
            machine
                .call(u"start"_s, {{u"workflow"_s, u"other"_s},
                                   {u"input"_s, QJsonObject{{u"id"_s, u"a1"_s}}}})["run_id"_L1]
                .toString();
        machine.runUntilIdle();
        QCOMPARE(machine.world.books().writes(invoices).size(), 1);
        QCOMPARE(machine.statusOf(second), u"succeeded"_s);
        QCOMPARE(machine.step(second, u"pay"_s)["receipt"_L1],
                 machine.step(first, u"pay"_s)["receipt"_L1]);
        QCOMPARE(machine.show(second)["duplicates_prevented"_L1].toInt(), 1);
    }

private:
    static void databases()
    {
        QTest::addColumn<int>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
    }
};

QTEST_GUILESS_MAIN(Ambiguity)
#include "tst_ambiguity.moc"
