// Goal (E7, I17a): whatever an owner should hear of reaches its target at least once, under one id,
// and says what they need to know. Method: real workers and real sockets on both databases; the
// receiver fails, drops its reply, wants nothing more; the worker is killed before it sends and
// after it sent. And (E3) two systems that diverge pause what is downstream.
#include "actions/raw_server.h"
#include "chaos/worker_process.h"
#include "store/postgres_address.h"
#include "support/postgres_server.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>
#include <atomic>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QByteArray secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const QString reservations = u"/inventory/v1/reservations"_s;

QByteArray headerOf(const QByteArray &request, const QByteArray &name)
{
    for (const QByteArray &line : request.left(request.indexOf("\r\n\r\n")).split('\n')) {
        if (line.toLower().startsWith(name + ':'))
            return line.mid(name.size() + 1).trimmed();
    }
    return {};
}

QJsonObject eventOf(const QByteArray &request)
{
    return QJsonDocument::fromJson(request.mid(request.indexOf("\r\n\r\n") + 4)).object();
}

test::RawServer::Handler answering(const QByteArray &statusLine)
{
    return [statusLine](const test::RawClient &client, const QByteArray &) {
        client.write(test::answer(statusLine, {}));
    };
}

// A try whose taker is gone is another's after a minute: that minute is over.
void letTheLeaseRunOut(const Machine &machine)
{
    const bool isFile = machine.url().startsWith("sqlite:"_L1);
    {
        QSqlDatabase database =
            QSqlDatabase::addDatabase(isFile ? u"QSQLITE"_s : u"QPSQL"_s, u"owner"_s);
        if (isFile)
            database.setDatabaseName(machine.url().mid(7));
        else
            store::PostgresAddress::parse(machine.url())->apply(database);
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(query.exec(u"update %1 set next_at = 1 where state = 'waiting'"_s.arg(
            isFile ? u"delivery"_s : u"holdfast.delivery"_s)));
        QCOMPARE(query.numRowsAffected(), 1);
    }
    QSqlDatabase::removeDatabase(u"owner"_s);
}
} // namespace

class Alerts : public QObject
{
    Q_OBJECT

private:
    static void addTarget(Machine &machine, const QString &url, const QStringList &kinds = {})
    {
        machine.call(u"alert_target_do"_s, {{u"act"_s, u"add"_s},
                                            {u"name"_s, u"desk"_s},
                                            {u"url"_s, url},
                                            {u"secrets"_s, QJsonArray{u"HOOK"_s}},
                                            {u"kinds"_s, QJsonArray::fromStringList(kinds)}});
    }
    static QJsonArray deliveries(Machine &machine)
    {
        return machine.call(u"deliveries"_s, {})["deliveries"_L1].toArray();
    }
    static QString failOnce(Machine &machine)
    {
        machine.deploy(machine.dependencyText(u"none"_s) +
                       Machine::workflowText({Machine::stepText({})}));
        machine.push(reservations, {u"422"_s});
        return machine.start(u"e1"_s);
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<Machine::Database>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << database;
    }
    void initTestCase() { qputenv("HOLDFAST_SECRET_HOOK", secret); }
    void init()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        if (database == Machine::Database::postgres && !PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
    }

    void an_alert_says_what_its_owner_needs_to_know()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        test::RawServer server(answering("200 OK"));
        machine.deploy(
            machine.dependencyText(u"none"_s) +
            Machine::workflowText(
                {Machine::stepText({.name = u"reserve"_s}),
                 Machine::stepText({.name = u"ship"_s, .path = u"/inventory/v1/shipments"_s})}));
        addTarget(machine, server.origin() + u"/hook"_s);
        machine.start(u"fine"_s);
        machine.runUntilIdle();
        QCOMPARE(server.requestCount(), 0); // success is no news
        QVERIFY(machine.push(u"/inventory/v1/shipments"_s, {u"work_then_drop"_s}));
        const QString run = machine.start(u"doubt"_s);
        machine.runUntilIdle();
        QCOMPARE(machine.statusOf(run), u"review"_s);
        QCOMPARE(server.requestCount(), 1);
        const QByteArray request = server.requests().first();
        const QJsonObject event = eventOf(request);
        QCOMPARE(headerOf(request, "webhook-id"), event["id"_L1].toString().toUtf8());
        QCOMPARE(event["type"_L1].toString(), u"holdfast.step.unknown"_s);
        QCOMPARE(event["subject"_L1].toString(), run);
        const QJsonObject data = event["data"_L1].toObject();
        QCOMPARE(data["workflow"_L1].toString(), u"flow"_s);
        QCOMPARE(data["version"_L1].toInt(), 1);
        QCOMPARE(data["step"_L1].toString(), u"ship"_s);
        QCOMPARE(data["direction"_L1].toString(), u"forward"_s);
        QCOMPARE(data["class"_L1].toString(), u"ambiguous"_s);
        QCOMPARE(data["key"_L1].toString(), u"ship:doubt"_s);
        QCOMPARE(data["attempts"_L1].toInt(), 1);
        QCOMPARE(data["effect"_L1].toString(), u"unknown"_s);
        QCOMPARE(data["effects_standing"_L1].toArray(), QJsonArray{u"reserve"_s});
        QCOMPARE(data["effects_unknown"_L1].toArray(), QJsonArray{u"ship"_s});
        QCOMPARE(data["review"_L1].toString(), machine.reviews().first()["id"_L1].toString());
        QCOMPARE(data["next"_L1]["who"_L1].toArray(), QJsonArray{u"team@example.com"_s});
        QCOMPARE(deliveries(machine).first()["state"_L1].toString(), u"delivered"_s);
    }

    void a_receiver_that_fails_is_tried_again_under_the_same_id()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        std::atomic_int asked = 0;
        test::RawServer server([&](const test::RawClient &client, const QByteArray &) {
            // Reads it and hangs up without a word, then takes it.
            if (++asked > 1)
                client.write(test::answer("200 OK", {}));
        });
        addTarget(machine, server.origin(), {u"run"_s});
        failOnce(machine);
        machine.runUntilIdle(); // the first retry is near enough to be waited for
        QCOMPARE(server.requestCount(), 2);
        QCOMPARE(headerOf(server.requests().at(0), "webhook-id"),
                 headerOf(server.requests().at(1), "webhook-id"));
        QVERIFY(headerOf(server.requests().at(0), "webhook-timestamp") !=
                headerOf(server.requests().at(1), "webhook-timestamp"));
        QCOMPARE(eventOf(server.requests().at(0)), eventOf(server.requests().at(1)));
        const QJsonValue row = deliveries(machine).first();
        QCOMPARE(row["state"_L1].toString(), u"delivered"_s);
        QCOMPARE(row["attempts"_L1].toInt(), 2);
    }

    // A worker that works until nothing is left does not wait for a retry that is minutes away.
    void a_far_retry_is_shown_and_not_waited_for()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        test::RawServer server([](const test::RawClient &client, const QByteArray &) {
            client.write(test::answer("503 Busy", {}, "Retry-After: 120\r\n"));
        });
        addTarget(machine, server.origin(), {u"run"_s});
        failOnce(machine);
        machine.runUntilIdle();
        QCOMPARE(server.requestCount(), 1);
        const QJsonValue row = deliveries(machine).first();
        QCOMPARE(row["state"_L1].toString(), u"waiting"_s);
        QCOMPARE(row["status"_L1].toInt(), 503);
        const auto next = model::parseInstant(row["next_at"_L1].toString());
        QVERIFY(next && *next > machine.clock.now() + 60 * model::second);
    }

    void one_that_is_gone_is_disabled()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        test::RawServer server(answering("410 Gone"));
        addTarget(machine, server.origin(), {u"run"_s});
        failOnce(machine);
        machine.runUntilIdle();
        QCOMPARE(server.requestCount(), 1);
        const QJsonValue target = machine.call(u"alert_targets"_s, {})["targets"_L1][0];
        QCOMPARE(target["state"_L1].toString(), u"disabled"_s);
        QVERIFY(target["reason"_L1].toString().contains(u"410"_s));
        QCOMPARE(deliveries(machine).first()["state"_L1].toString(), u"given_up"_s);
        machine.push(reservations, {u"422"_s});
        machine.start(u"e2"_s);
        machine.runUntilIdle();
        QCOMPARE(server.requestCount(), 1);
    }

    void a_test_reaches_its_target_alone()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        test::RawServer server(answering("200 OK"));
        addTarget(machine, server.origin(), {u"pause"_s});
        machine.call(u"alert_target_do"_s, {{u"act"_s, u"test"_s}, {u"name"_s, u"desk"_s}});
        machine.runUntilIdle();
        QCOMPARE(server.requestCount(), 1);
        QCOMPARE(eventOf(server.requests().first())["type"_L1].toString(),
                 u"holdfast.alert.test"_s);
    }

    // The receiver did nothing wrong: a worker that cannot sign leaves its tries alone, and one
    // that works until nothing is left does not wait for what it cannot send.
    void a_worker_without_the_secret_uses_up_no_tries()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        test::RawServer server(answering("200 OK"));
        machine.call(u"alert_target_do"_s, {{u"act"_s, u"add"_s},
                                            {u"name"_s, u"desk"_s},
                                            {u"url"_s, server.origin()},
                                            {u"secrets"_s, QJsonArray{u"KEPT_ELSEWHERE"_s}}});
        failOnce(machine);
        machine.runUntilIdle();
        QCOMPARE(server.requestCount(), 0);
        const QJsonValue row = deliveries(machine).first();
        QCOMPARE(row["state"_L1].toString(), u"waiting"_s);
        QCOMPARE(row["attempts"_L1].toInt(), 0);
        QVERIFY(row["error"_L1].toString().startsWith("secret_missing"_L1));
    }

    void a_test_of_a_disabled_target_is_refused()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        addTarget(machine, u"https://hooks.example.com"_s);
        machine.call(u"alert_target_do"_s,
                     {{u"act"_s, u"disable"_s}, {u"name"_s, u"desk"_s}, {u"reason"_s, u"moved"_s}});
        const QString refusal =
            machine.refusal(u"alert_target_do"_s, {{u"act"_s, u"test"_s}, {u"name"_s, u"desk"_s}});
        QVERIFY2(refusal.contains(u"disabled (moved)"_s), qPrintable(refusal));
        QVERIFY(!machine.refusal(u"deliveries"_s, {{u"state"_s, u"sent"_s}}).isEmpty());
        QVERIFY(!machine.refusal(u"deliveries"_s, {{u"target"_s, u"desc"_s}}).isEmpty());
        QVERIFY(machine.refusal(u"deliveries"_s, {{u"target"_s, u"desk"_s}}).isEmpty());
    }

    void what_is_no_target_is_refused()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        const auto refusal = [&](const QString &url, const QString &name,
                                 const QString &kind = {}) {
            QJsonObject arguments{{u"act"_s, u"add"_s},
                                  {u"name"_s, u"desk"_s},
                                  {u"url"_s, url},
                                  {u"secrets"_s, QJsonArray{name}}};
            if (!kind.isEmpty())
                arguments.insert(u"kinds"_s, QJsonArray{kind});
            return machine.refusal(u"alert_target_do"_s, arguments);
        };
        QVERIFY(!refusal(u"http://ada@hooks.example.com/x"_s, u"HOOK"_s).isEmpty());
        QVERIFY(!refusal(u"file:///etc/passwd"_s, u"HOOK"_s).isEmpty());
        QVERIFY(!refusal(u"https://0x7f.1/x"_s, u"HOOK"_s).isEmpty());
        QVERIFY(!refusal(u"https://hooks.example.com/a b"_s, u"HOOK"_s).isEmpty());
        // What would not be sent later is not taken now.
        for (const QString &path : {u"/a/../b"_s, u"/%2e%2E/b"_s, u"/./b"_s, u"/a%2"_s, u"/a%zz"_s,
                                    u"/a#b"_s, u"/a\\b"_s, u"/a\n"_s})
            QVERIFY2(!refusal(u"https://hooks.example.com"_s + path, u"HOOK"_s).isEmpty(),
                     qPrintable(path));
        QVERIFY(!refusal(u"https://hooks.example.com/"_s, QString::fromLatin1(secret)).isEmpty());
        QVERIFY(!refusal(u"https://hooks.example.com/"_s, QString::fromLatin1(secret.mid(6)))
                     .isEmpty());
        QVERIFY(!refusal(u"https://hooks.example.com/"_s, u"HOOK"_s, u"gossip"_s).isEmpty());
        QVERIFY(machine.call(u"alert_targets"_s, {})["targets"_L1].toArray().isEmpty());
    }

    void a_worker_that_dies_has_its_alerts_sent_again_under_the_same_id_data()
    {
        QTest::addColumn<QString>("point");
        QTest::addColumn<int>("arrivedBefore");
        QTest::newRow("before_delivery") << u"before_delivery"_s << 0;
        QTest::newRow("after_delivery") << u"after_delivery"_s << 1;
    }
    void a_worker_that_dies_has_its_alerts_sent_again_under_the_same_id()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        QFETCH(QString, point);
        QFETCH(int, arrivedBefore);
        Machine machine(database);
        test::RawServer server(answering("200 OK"));
        addTarget(machine, server.origin(), {u"run"_s});
        failOnce(machine);
        {
            WorkerProcess worker(machine, {u"--until-idle"_s}, {{u"HOLDFAST_CRASH_AT"_s, point}});
            QVERIFY(worker.waitUntilKilled());
        }
        QCOMPARE(server.requestCount(), arrivedBefore);
        letTheLeaseRunOut(machine);
        machine.runUntilIdle();
        QCOMPARE(server.requestCount(), arrivedBefore + 1);
        const QByteArray id = headerOf(server.requests().last(), "webhook-id");
        for (const QByteArray &request : server.requests())
            QCOMPARE(headerOf(request, "webhook-id"), id);
        QCOMPARE(deliveries(machine).size(), 1);
        QCOMPARE(deliveries(machine).first()["state"_L1].toString(), u"delivered"_s);
    }

    // A step compares two systems; the third time they differ, nothing more is written downstream.
    void two_systems_that_diverge_pause_what_is_downstream()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        Machine machine(database);
        machine.tripwiresEvery = 0;
        test::RawServer server(answering("200 OK"));
        const QString compare = u"  - step: compare\n    check: ${ steps.read.receipt.id === "
                                "input.id }\n"_s;
        machine.deploy(
            machine.dependencyText(u"none"_s) +
            Machine::workflowText(
                {Machine::stepText({.name = u"read"_s}), compare,
                 Machine::stepText({.name = u"sync"_s, .path = u"/inventory/v1/shipments"_s})}));
        addTarget(machine, server.origin(), {u"review.tripwire"_s, u"pause"_s});
        machine.call(u"tripwire_do"_s, {{u"act"_s, u"add"_s},
                                        {u"name"_s, u"diverged"_s},
                                        {u"measure"_s, u"failures"_s},
                                        {u"threshold"_s, 3},
                                        {u"within_ms"_s, 900'000},
                                        {u"workflow"_s, u"flow"_s},
                                        {u"step"_s, u"compare"_s},
                                        {u"failure"_s, u"check_failed"_s},
                                        {u"dependency"_s, u"world"_s}});
        machine.runUntilIdle(); // it counts from here
        const auto pausesNow = [&] {
            return machine.call(u"pauses"_s, {})["pauses"_L1].toArray().size();
        };
        for (const QString &id : {u"a"_s, u"b"_s}) {
            machine.start(id);
            machine.runUntilIdle();
        }
        QCOMPARE(pausesNow(), 0);
        machine.start(u"c"_s);
        machine.runUntilIdle();
        machine.runUntilIdle();
        QCOMPARE(pausesNow(), 1);
        const QJsonValue pause = machine.call(u"pauses"_s, {})["pauses"_L1][0];
        QCOMPARE(pause["target"_L1].toString(), u"world"_s);
        QCOMPARE(pause["depth"_L1].toString(), u"writes"_s);
        const QString held = machine.start(u"d"_s);
        machine.runUntilIdle();
        QVERIFY(machine.attempts(held, u"read"_s).isEmpty());
        QStringList types;
        for (const QByteArray &request : server.requests())
            types << eventOf(request)["type"_L1].toString();
        types.sort();
        QCOMPARE(types, (QStringList{u"holdfast.pause.set"_s, u"holdfast.tripwire.tripped"_s}));
    }

    // Killed with everything decided and nothing committed, or right after: all of it or nothing.
    void a_worker_that_dies_pulling_a_tripwire_leaves_all_or_nothing_data()
    {
        QTest::addColumn<QString>("point");
        QTest::addColumn<int>("pauses");
        // The first pass arms it.
        QTest::newRow("before") << u"before_trip:2"_s << 0;
        QTest::newRow("after") << u"after_trip:2"_s << 1;
    }
    void a_worker_that_dies_pulling_a_tripwire_leaves_all_or_nothing()
    {
        QFETCH_GLOBAL(Machine::Database, database);
        QFETCH(QString, point);
        QFETCH(int, pauses);
        Machine machine(database);
        machine.deploy(machine.dependencyText(u"none"_s) +
                       Machine::workflowText({Machine::stepText({})}));
        machine.call(u"tripwire_do"_s, {{u"act"_s, u"add"_s},
                                        {u"name"_s, u"guard"_s},
                                        {u"measure"_s, u"failure_rate"_s},
                                        {u"threshold"_s, 50},
                                        {u"least"_s, 1},
                                        {u"within_ms"_s, 900'000},
                                        {u"workflow"_s, u"flow"_s}});
        {
            WorkerProcess worker(machine, {}, {{u"HOLDFAST_CRASH_AT"_s, point}});
            machine.push(reservations, {u"422"_s});
            QProcess start;
            start.start(qEnvironmentVariable("HOLDFASTCTL"),
                        {u"--db"_s, machine.url(), u"start"_s, u"flow"_s, u"--input"_s,
                         u"{\"id\":\"late\"}"_s});
            QVERIFY(start.waitForFinished(60'000));
            QVERIFY(worker.waitUntilKilled());
        }
        const auto standing = [&] {
            return machine.call(u"pauses"_s, {})["pauses"_L1].toArray().size();
        };
        const auto items = [&] {
            int count = 0;
            for (const QJsonValue &item : machine.reviews())
                count += item["kind"_L1].toString() == "tripwire"_L1 ? 1 : 0;
            return count;
        };
        QCOMPARE(standing(), pauses);
        QCOMPARE(items(), pauses);
        const QJsonValue row = machine.call(u"tripwires"_s, {})["tripwires"_L1][0];
        QCOMPARE(!row["pause"_L1].isNull(), pauses == 1);
        machine.tripwiresEvery = 0;
        machine.runUntilIdle();
        QCOMPARE(standing(), 1);
        QCOMPARE(items(), 1);
    }
};

QTEST_GUILESS_MAIN(Alerts)
#include "tst_alerts.moc"
