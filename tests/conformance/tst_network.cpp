// Goal: the network's share of the fault catalogue, as the engine answers it, on both databases.
// What the sender makes of bytes on the wire is tested beside it; here it is what becomes of the
// run.
#include "support/machine.h"

#include <QJsonArray>
#include <QTcpServer>
#include <QTest>

using namespace Qt::StringLiterals;
using holdfast::tests::Machine;
using holdfast::tests::StepText;

namespace
{
const QString messages = u"/mail/v1/messages"_s;

StepText mail()
{
    StepText step;
    step.path = messages;
    step.timeout = u"500ms"_s;
    return step;
}
} // namespace

class Network : public QObject
{
    Q_OBJECT

    static void databases(const QStringList &rows = {QString()})
    {
        QTest::addColumn<int>("database");
        QTest::addColumn<QString>("row");
        for (const QString &row : rows) {
            for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres}) {
                QTest::newRow(qPrintable(Machine::nameOf(database) + u' ' + row))
                    << int(database) << row;
            }
        }
    }
    static void deploy(Machine &machine, const StepText &step, const QString &extra = {})
    {
        machine.deploy(machine.dependencyText(u"none"_s, extra) +
                       Machine::workflowText({Machine::stepText(step)}));
    }

private Q_SLOTS:
    void n1_refused_connection_is_not_sent_and_retried_data() { databases(); }
    // Even at protection none: what was proven not to have left may be tried again.
    void n1_refused_connection_is_not_sent_and_retried()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        QTcpServer closed;
        QVERIFY(closed.listen(QHostAddress::LocalHost));
        const QString dead = u"http://127.0.0.1:%1"_s.arg(closed.serverPort());
        closed.close();
        QString dependency = machine.dependencyText(u"none"_s);
        dependency.replace(machine.world.origin(), dead);
        machine.deploy(dependency + Machine::workflowText({Machine::stepText(mail())}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        const QJsonArray attempts = machine.attempts(run, u"make"_s);
        QCOMPARE(attempts.size(), 4);
        for (const QJsonValue &attempt : attempts) {
            QCOMPARE(attempt["class"_L1].toString(), u"transient"_s);
            QCOMPARE(attempt["reason"_L1].toString(), u"connect_refused"_s);
        }
        QCOMPARE(machine.statusOf(run), u"failed"_s);
        QCOMPARE(machine.reviews().first()["kind"_L1].toString(), u"dead_letter"_s);
    }

    void n5_statuses_of_a_write_data()
    {
        databases({u"408 ambiguous"_s, u"500 ambiguous"_s, u"502 ambiguous"_s, u"503 ambiguous"_s,
                   u"504 ambiguous"_s, u"429 transient"_s, u"400 permanent"_s, u"403 permanent"_s,
                   u"404 permanent"_s, u"422 permanent"_s, u"302 permanent"_s});
    }
    void n5_statuses_of_a_write()
    {
        QFETCH(int, database);
        QFETCH(QString, row);
        Machine machine{Machine::Database(database)};
        deploy(machine, mail());
        const QString status = row.section(u' ', 0, 0);
        const QString fault = status == "302"_L1   ? u"redirect:http://127.0.0.1:1/x"_s
                              : status == "429"_L1 ? u"429:0"_s
                                                   : status;
        QVERIFY(machine.push(messages, {fault}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        const QString expected = row.section(u' ', 1);
        const QJsonArray attempts = machine.attempts(run, u"make"_s);
        QCOMPARE(attempts.first()["class"_L1].toString(), expected);
        QCOMPARE(attempts.first()["status"_L1].toInt(), status.toInt());
        if (expected == "ambiguous"_L1)
            QCOMPARE(machine.statusOf(run), u"review"_s);
        else if (expected == "permanent"_L1)
            QCOMPARE(machine.statusOf(run), u"failed"_s);
        else
            QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.world.books().writes(messages).size(), expected == "transient"_L1 ? 2 : 1);
    }

    void n5_declared_as_not_executed_is_retried_data() { databases(); }
    void n5_declared_as_not_executed_is_retried()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deploy(machine, mail(),
               u"classify:\n  - {status: 503, class: transient, reason: overloaded}\n"_s);
        QVERIFY(machine.push(messages, {u"503"_s, u"503"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.attempts(run, u"make"_s).first()["reason"_L1].toString(), u"overloaded"_s);
        QCOMPARE(machine.show(run)["retry_count"_L1].toInt(), 2);
        QCOMPARE(machine.world.books().effectCount(), 1);
    }

    void n6_retry_after_is_honoured_data() { databases(); }
    void n6_retry_after_is_honoured()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deploy(machine, mail());
        QVERIFY(machine.push(messages, {u"429:1"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        const auto requests = machine.world.books().writes(messages);
        QCOMPARE(requests.size(), 2);
        QVERIFY(requests.at(1).time - requests.at(0).time >= 990);
    }

    void n7_401_pauses_the_dependency_and_the_step_waits_data() { databases(); }
    void n7_401_pauses_the_dependency_and_the_step_waits()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        deploy(machine, mail());
        QVERIFY(machine.push(messages, {u"401"_s}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"held"_s);
        const QJsonArray pauses = machine.call(u"pauses"_s, {})["pauses"_L1].toArray();
        QCOMPARE(pauses.size(), 1);
        QCOMPARE(pauses.first()["target"_L1].toString(), u"world"_s);
        QCOMPARE(machine.reviews().first()["kind"_L1].toString(), u"tripwire"_s);
        machine.call(u"resume"_s, {{u"dependency"_s, u"world"_s}, {u"reason"_s, u"new token"_s}});
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"succeeded"_s);
        QCOMPARE(machine.world.books().effectCount(), 1);
    }

    void n11_slow_and_endless_answers_end_by_the_total_deadline_data()
    {
        databases({u"slow_loris"_s, u"hang"_s, u"huge"_s, u"garbage"_s, u"html200"_s});
    }
    // N10, N11, N14, N17: never "failed": the work may have been done.
    void n11_slow_and_endless_answers_end_by_the_total_deadline()
    {
        QFETCH(int, database);
        QFETCH(QString, row);
        Machine machine{Machine::Database(database)};
        deploy(machine, mail());
        QVERIFY(machine.push(messages, {u"work_then_"_s + row}));
        const QString run = machine.start(u"a1"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"review"_s);
        QCOMPARE(machine.attempts(run, u"make"_s).first()["class"_L1].toString(), u"ambiguous"_s);
        QCOMPARE(machine.world.books().writes(messages).size(), 1);
    }

    void n15_a_dependency_that_always_fails_opens_the_breaker_data() { databases(); }
    // Reads, so that every failure is transient; once open, nobody knocks until the time is over.
    void n15_a_dependency_that_always_fails_opens_the_breaker()
    {
        QFETCH(int, database);
        Machine machine{Machine::Database(database)};
        StepText step = mail();
        step.method = u"GET"_s;
        step.effect = u"read"_s;
        step.path = u"/inventory/v1/reservations?key=x"_s;
        step.attempts = 3;
        QString dependency = machine.dependencyText(u"none"_s);
        dependency.replace("failures: 1000, within: 60s, open_for: 1s"_L1,
                           "failures: 3, within: 60s, open_for: 700ms"_L1);
        machine.deploy(dependency + Machine::workflowText({Machine::stepText(step)}));
        QVERIFY(machine.push(u"GET /inventory/v1/reservations"_s, {u"500"_s, u"500"_s, u"500"_s}));
        const QString run = machine.start(u"a1"_s);
        const QString other = machine.start(u"a2"_s);
        machine.runUntilIdle(1);
        const auto requests = machine.world.books().requests();
        QVERIFY(requests.size() >= 4);
        QVERIFY2(requests.at(3).time - requests.at(2).time >= 650,
                 "a request went out while the breaker was open");
        QVERIFY(machine.statusOf(run) != "waiting"_L1);
        QVERIFY(machine.statusOf(other) != "waiting"_L1);
    }
};

QTEST_GUILESS_MAIN(Network)
#include "tst_network.moc"
