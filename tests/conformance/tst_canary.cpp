// Goal: a secret value is nowhere but on the wire (I24). Method: a canary as the secret of a
// dependency that sends it back in every way it can, through runs that succeed, fail and stay in
// doubt; then every table, file, answer and message of the whole engine is searched for it, on both
// databases, with the secret from the environment and from a real keychain.
#include "actions/raw_server.h"
#include "app/ctl/keychain_secrets.h"
#include "chaos/worker_process.h"
#include "store/postgres_address.h"
#include "support/keyring.h"
#include "support/machine.h"
#include "support/postgres_server.h"

#include <QDirIterator>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>
#include <mutex>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QByteArray canary = "canary-Zq7+4/kV\"9";

std::mutex saidMutex;
QByteArray said; // all messages of this process
QtMessageHandler before = nullptr;

void listen(QtMsgType type, const QMessageLogContext &context, const QString &text)
{
    {
        const std::lock_guard lock(saidMutex);
        said += text.toUtf8() + '\n';
    }
    before(type, context, text);
}

// As it is, and as those write it who pass it on.
QList<QByteArray> disguises()
{
    return {canary,
            canary.toBase64(),
            canary.toPercentEncoding(),
            "canary-Zq7+4/kV\\\"9",
            "canary-Zq7+4\\/kV\\\"9",
            QByteArray("user:" + canary).toBase64()};
}

QByteArray foundIn(const QByteArray &text)
{
    // The part before the quote tells it in every disguise but those that are encoded as a whole.
    for (const QByteArray &disguise : disguises() + QList<QByteArray>{"canary-Zq7"}) {
        if (text.contains(disguise))
            return disguise;
    }
    return {};
}

QByteArray reply(const QByteArray &status, const QByteArray &type)
{
    QByteArray echo;
    for (const QByteArray &disguise : disguises())
        echo += disguise + ' ';
    const QByteArray body = type == "application/json"
                                ? QByteArray("{\"id\":\"i-1\",\"token\":\"") +
                                      "canary-Zq7+4/kV\\\"9" + "\",\"more\":\"" +
                                      canary.toBase64() + "\"}"
                                : echo;
    return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nX-Echo: " + canary +
           "\r\nContent-Length: " + QByteArray::number(body.size()) +
           "\r\nConnection: close\r\n\r\n" + body;
}

QString definitions(const QString &origin)
{
    return u"holdfast: 1\ndependency: world\nowner: team@example.com\nurl: %1\n"
           "headers:\n  Authorization: Bearer ${ secret.CANARY }\n"
           "idempotency:\n  protection: none\n"
           "breaker: {failures: 1000, within: 60s, open_for: 1s}\n---\n"_s.arg(origin) +
           Machine::workflowText({Machine::stepText({.path = u"/things"_s, .attempts = 1})});
}

// Everything a database holds, as text.
QByteArray contentOf(const QString &url)
{
    QByteArray all;
    if (url.startsWith("sqlite:"_L1)) {
        QDirIterator files(QFileInfo(url.mid(7)).path(), QDir::Files);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                all += file.readAll();
        }
        return all;
    }
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QPSQL"_s, u"reader"_s);
        store::PostgresAddress::parse(url)->apply(database);
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        QSqlQuery tables(database);
        tables.exec(u"select relname from pg_class where relnamespace = 'holdfast'::regnamespace "
                    "and relkind = 'r'"_s);
        while (tables.next()) {
            QSqlQuery rows(database);
            rows.exec(
                u"select kept::text from holdfast.%1 as kept"_s.arg(tables.value(0).toString()));
            while (rows.next())
                all += rows.value(0).toString().toUtf8() + '\n';
        }
    }
    QSqlDatabase::removeDatabase(u"reader"_s);
    return all;
}
} // namespace

class Canary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        before = qInstallMessageHandler(listen);
        QVERIFY(m_keyring.start());
        ctl::KeychainSecrets keychain(ctl::KeychainSecrets::attended);
        const auto kept = keychain.keep(u"CANARY"_s, canary);
        QVERIFY2(kept.ok(), kept ? "" : qPrintable(kept.error().message));
    }
    void cleanupTestCase() { qInstallMessageHandler(before); }
    void cleanup() { qunsetenv("HOLDFAST_SECRET_CANARY"); }

    void it_is_nowhere_data()
    {
        QTest::addColumn<Machine::Database>("database");
        QTest::addColumn<bool>("isInKeychain");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres}) {
            const QString name = Machine::nameOf(database);
            QTest::newRow(qPrintable(name)) << database << false;
            QTest::newRow(qPrintable(name + u", from the keychain"_s)) << database << true;
        }
    }
    void it_is_nowhere()
    {
        QFETCH(Machine::Database, database);
        QFETCH(bool, isInKeychain);
        if (database == Machine::Database::postgres && !PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        const QList<QByteArray> replies{
            reply("200 OK", "application/json"),    reply("200 OK", "text/plain"),
            reply("400 Bad Request", "text/plain"), reply("500 Oops", "text/html"),
            reply("302 Found", "text/plain"),       "HTTP/1.1 nonsense " + canary + "\r\n\r\n"};
        QStringList statuses;
        QByteArray answers;
        QString url;
        int sent = 0;
        Machine machine(database);
        if (isInKeychain)
            machine.keychain = ctl::keychainLookup();
        else
            qputenv("HOLDFAST_SECRET_CANARY", canary);
        for (const QByteArray &each : replies) {
            test::RawServer server(
                [each](const test::RawClient &client, const QByteArray &) { client.write(each); });
            machine.deploy(definitions(server.origin()));
            const QString run = machine.start(u"e%1"_s.arg(statuses.size()));
            machine.runUntilIdle();
            for (const QByteArray &request : server.requests()) {
                QVERIFY2(request.contains(canary), request);
                ++sent;
            }
            statuses << machine.statusOf(run);
            answers += QJsonDocument(machine.show(run)).toJson();
        }
        QCOMPARE(sent, int(replies.size()));
        QVERIFY2(statuses.contains(u"succeeded"_s) && statuses.contains(u"review"_s) &&
                     statuses.contains(u"failed"_s),
                 qPrintable(statuses.join(u' ')));
        for (const char *name : {"runs", "reviews", "audit", "workflows", "dependencies", "doctor"})
            answers += QJsonDocument(machine.call(QString::fromLatin1(name), {})).toJson();
        for (const QJsonValue &item : machine.reviews())
            answers +=
                QJsonDocument(machine.call(u"review"_s, {{u"review"_s, item["id"_L1]}})).toJson();
        QVERIFY2(foundIn(answers).isEmpty(), "an answer of the door: " + foundIn(answers));
        const QByteArray content = contentOf(machine.url());
        QVERIFY(content.contains("[secret CANARY]"));
        QVERIFY2(foundIn(content).isEmpty(), "the database: " + foundIn(content));
        const std::lock_guard lock(saidMutex);
        QVERIFY2(foundIn(said).isEmpty(), "a message: " + foundIn(said));
    }

    // Nor in what a worker tells others: log, summaries, traces, metrics, messages.
    void no_telemetry_tells_it_data()
    {
        QTest::addColumn<Machine::Database>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << database;
    }
    void no_telemetry_tells_it()
    {
        QFETCH(Machine::Database, database);
        if (database == Machine::Database::postgres && !PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        Machine machine(database);
        QTemporaryDir folder;
        const QStringList files{folder.filePath(u"log"_s), folder.filePath(u"summaries"_s),
                                folder.filePath(u"traces"_s)};
        QByteArray told;
        int runs = 0;
        for (const QByteArray &each :
             {reply("200 OK", "application/json"), reply("400 Bad Request", "text/plain"),
              reply("500 Oops", "text/html"), "HTTP/1.1 nonsense " + canary + "\r\n\r\n"}) {
            test::RawServer server(
                [each](const test::RawClient &client, const QByteArray &) { client.write(each); });
            machine.deploy(definitions(server.origin()));
            machine.start(u"t%1"_s.arg(++runs));
            WorkerProcess worker(machine,
                                 {u"--until-idle"_s, u"--log"_s, files[0], u"--summaries"_s,
                                  files[1], u"--traces"_s, files[2]},
                                 {{u"HOLDFAST_SECRET_CANARY"_s, QString::fromUtf8(canary)}},
                                 QProcess::SeparateChannels);
            worker.waitForExit();
            told += worker.process().readAllStandardError();
            told += worker.process().readAllStandardOutput();
            QCOMPARE(server.requests().size(), 1);
            QVERIFY(server.requests().first().contains(canary));
        }
        for (const QString &name : files) {
            QFile file(name);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
            const QByteArray text = file.readAll();
            QVERIFY2(text.count('\n') >= (name == files[1] ? 2 : runs), text);
            told += text;
        }
        QVERIFY2(foundIn(told).isEmpty(), "telemetry: " + foundIn(told));
    }

    // The secret that signs alerts, against a receiver that sends it back.
    void nor_is_what_signs_alerts_data()
    {
        QTest::addColumn<Machine::Database>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << database;
    }
    void nor_is_what_signs_alerts()
    {
        QFETCH(Machine::Database, database);
        if (database == Machine::Database::postgres && !PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        const QByteArray key = QByteArray("canary-Zq7 that signs what we send").toBase64();
        qputenv("HOLDFAST_SECRET_HOOK", "whsec_" + key);
        Machine machine(database);
        test::RawServer receiver([key](const test::RawClient &client, const QByteArray &) {
            client.write(test::answer("400 whsec_" + key, key, "X-Echo: " + key + "\r\n"));
        });
        machine.call(u"alert_target_do"_s, {{u"act"_s, u"add"_s},
                                            {u"name"_s, u"desk"_s},
                                            {u"url"_s, receiver.origin()},
                                            {u"secrets"_s, QJsonArray{u"HOOK"_s}}});
        machine.call(u"alert_target_do"_s, {{u"act"_s, u"test"_s}, {u"name"_s, u"desk"_s}});
        machine.runUntilIdle();
        qunsetenv("HOLDFAST_SECRET_HOOK");
        QVERIFY(receiver.requestCount() > 0);
        QVERIFY(!receiver.requests().first().contains(key));
        QByteArray all = contentOf(machine.url());
        QVERIFY(all.contains("HOOK"));
        for (const char *name : {"alert_targets", "deliveries", "audit"})
            all += QJsonDocument(machine.call(QString::fromLatin1(name), {})).toJson();
        const std::lock_guard lock(saidMutex);
        all += said;
        QVERIFY(!all.contains(key));
        QVERIFY2(foundIn(all).isEmpty(), foundIn(all));
    }

    // The search itself finds what it is to find.
    void a_planted_one_is_found()
    {
        for (const QByteArray &disguise : disguises())
            QVERIFY(!foundIn("something " + disguise + " else").isEmpty());
        QVERIFY(foundIn("something else").isEmpty());
    }

    // A secret that nobody can read is nobody's attempt: the dependency is paused, and why is said.
    void a_locked_keychain_pauses_the_dependency()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_keyring.lock());
        Machine machine(Machine::Database::postgres);
        machine.keychain = ctl::keychainLookup();
        test::RawServer server([](const test::RawClient &, const QByteArray &) {});
        machine.deploy(definitions(server.origin()));
        const QString run = machine.start(u"e"_s);
        const auto worker = machine.startWorker();
        QTRY_COMPARE_WITH_TIMEOUT(machine.reviews().size(), 1, 60'000);
        worker->drain();
        QVERIFY(worker->join());
        QCOMPARE(server.requests().size(), 0);
        const QJsonObject item = machine.call(
            u"review"_s, {{u"review"_s, machine.reviews().first().toObject()["id"_L1]}});
        QCOMPARE(item["kind"_L1].toString(), u"tripwire"_s);
        const QByteArray text = QJsonDocument(item).toJson() +
                                QJsonDocument(machine.call(u"pauses"_s, {})).toJson() +
                                QJsonDocument(machine.show(run)).toJson();
        QVERIFY2(text.contains("the keychain is locked or not there: "), text.right(4000));
        QVERIFY2(text.contains("CANARY"), text);
    }

private:
    DesktopSession m_session;
    Keyring m_keyring{m_session};
};

QTEST_GUILESS_MAIN(Canary)
#include "tst_canary.moc"
