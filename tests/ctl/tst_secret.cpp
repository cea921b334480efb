// Goal: a secret goes from standard input into a real keychain and from there to the wire, and is
// shown by nothing on the way; where there is no keychain, that is said. Method: the real program,
// a bus of our own, first without and then with gnome-keyring's secret service.
#include "actions/raw_server.h"
#include "ctl/ctl_process.h"
#include "support/keyring.h"

#include <QDirIterator>

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

namespace
{
const QByteArray value = "tok-8Hq+ü\"x";

QByteArray definitions(const QString &origin)
{
    return u"holdfast: 1\ndependency: world\nowner: team@example.com\nurl: %1\n"
           "headers:\n  Authorization: Bearer ${ secret.WORLD_TOKEN }\n"
           "idempotency: {protection: none}\n---\n"
           "holdfast: 1\nworkflow: flow\nversion: 1\nowner: team@example.com\n"
           "event_id: ${ input.id }\ninput: {type: object, required: [id]}\n"
           "steps:\n  - step: make\n    dependency: world\n    effect: write\n"
           "    key: make:${ input.id }\n    http: {method: POST, path: /things}\n"
           "    receipt: {id: \"${ response.body.id }\", echo: \"${ response.body.echo }\"}\n"
           "    compensate: none\n"_s.arg(origin)
               .toUtf8();
}
} // namespace

class SecretTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void withoutAKeychainItIsSaid();
    void aMistakeKeepsNothing_data();
    void aMistakeKeepsNothing();
    void itIsKeptAndListedWithoutItsValue();
    void aWorkerSendsItAndShowsItNowhere();
    void itIsRemoved();

private:
    CtlResult run(const QStringList &arguments, const QByteArray &input = {})
    {
        CtlResult result = m_bench.run(arguments, input);
        m_said += result.out + result.err;
        return result;
    }

    DesktopSession m_session;
    Keyring m_keyring{m_session};
    CtlBench m_bench;
    QByteArray m_said; // by every process so far
};

void SecretTest::withoutAKeychainItIsSaid()
{
    const CtlResult kept = run({u"secret"_s, u"set"_s, u"WORLD_TOKEN"_s}, value);
    QCOMPARE(kept.code, 1);
    QVERIFY2(kept.err.contains("the keychain is locked or not there: "), kept.err);
    const CtlResult list = run({u"--json"_s, u"secret"_s, u"list"_s});
    QCOMPARE(list.code, 0);
    QCOMPARE(list.json()["secrets"_L1].toArray().size(), 0);
    QCOMPARE(list.json()["problems"_L1].toArray().size(), 1);
    QVERIFY(m_keyring.start());
}

void SecretTest::aMistakeKeepsNothing_data()
{
    QTest::addColumn<QStringList>("line");
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<int>("code");
    const QString set = u"set"_s;
    const QString name = u"WORLD_TOKEN"_s;
    QTest::newRow("nothing on standard input") << QStringList{set, name} << QByteArray() << 1;
    QTest::newRow("a line break") << QStringList{set, name} << QByteArray("a\nb") << 1;
    QTest::newRow("too long") << QStringList{set, name} << QByteArray(20'000, 'x') << 1;
    QTest::newRow("no name") << QStringList{set} << value << 2;
    QTest::newRow("a name with a space") << QStringList{set, u"my token"_s} << value << 2;
    QTest::newRow("a value as an argument")
        << QStringList{set, name, QString::fromUtf8(value)} << QByteArray() << 2;
    QTest::newRow("several values as arguments")
        << QStringList{set, name, u"a"_s, QString::fromUtf8(value)} << QByteArray() << 2;
}

void SecretTest::aMistakeKeepsNothing()
{
    QFETCH(QStringList, line);
    QFETCH(QByteArray, input);
    QFETCH(int, code);
    const CtlResult result = run(QStringList{u"secret"_s} + line, input);
    QCOMPARE(result.code, code);
    const CtlResult list = run({u"--json"_s, u"secret"_s, u"list"_s});
    QCOMPARE(list.json()["secrets"_L1].toArray().size(), 0);
}

void SecretTest::itIsKeptAndListedWithoutItsValue()
{
    const CtlResult kept = run({u"secret"_s, u"set"_s, u"WORLD_TOKEN"_s}, value + '\n');
    QVERIFY2(kept.code == 0, kept.err);
    QVERIFY(run({u"secret"_s, u"set"_s, u"OTHER"_s}, "x1234").code == 0);
    QVERIFY(run({u"secret"_s, u"set"_s, u"OTHER"_s}, "x12345").code == 0); // rotated
    const CtlResult list = run({u"--json"_s, u"secret"_s, u"list"_s});
    QCOMPARE(list.json()["secrets"_L1].toArray(),
             (QJsonArray{QJsonObject{{u"name"_s, u"OTHER"_s}, {u"place"_s, u"keychain"_s}},
                         QJsonObject{{u"name"_s, u"WORLD_TOKEN"_s}, {u"place"_s, u"keychain"_s}}}));
    QVERIFY(list.json()["problems"_L1].toArray().isEmpty());
}

void SecretTest::aWorkerSendsItAndShowsItNowhere()
{
    holdfast::test::RawServer server(
        [](const holdfast::test::RawClient &client, const QByteArray &) {
            const QByteArray body = "{\"id\":\"i-1\",\"echo\":\"tok-8Hq+ü\\\"x\"}";
            client.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                         QByteArray::number(body.size()) + "\r\nConnection: close\r\n\r\n" + body);
        });
    const QString file = m_bench.write(u"flow.yaml"_s, definitions(server.origin()));
    const CtlResult deployed = run({u"deploy"_s, file});
    QVERIFY2(deployed.code == 0, deployed.err);
    QVERIFY(run({u"start"_s, u"flow"_s, u"--input"_s, u"{\"id\":\"e1\"}"_s}).code == 0);
    const CtlResult worked = run({u"worker"_s, u"--until-idle"_s});
    QVERIFY2(worked.code == 0, worked.err + worked.out);
    QCOMPARE(server.requests().size(), 1);
    QVERIFY2(server.requests().first().contains("Bearer " + value), server.requests().first());
    for (const char *command : {"runs", "audit", "reviews", "doctor"})
        run({QString::fromLatin1(command)});
    QVERIFY2(!m_said.contains("tok-8Hq"), m_said);
    QDirIterator files(m_bench.folder.path(), QDir::Files | QDir::Hidden,
                       QDirIterator::Subdirectories);
    bool isMasked = false;
    while (files.hasNext()) {
        QFile each(files.next());
        if (!each.open(QIODevice::ReadOnly))
            continue; // a socket
        const QByteArray content = each.readAll();
        QVERIFY2(!content.contains("tok-8Hq"), qPrintable(each.fileName()));
        isMasked = isMasked || content.contains("[secret WORLD_TOKEN]");
    }
    QVERIFY(isMasked);
}

void SecretTest::itIsRemoved()
{
    QCOMPARE(run({u"secret"_s, u"remove"_s, u"WORLD_TOKEN"_s}).code, 0);
    const CtlResult again = run({u"secret"_s, u"remove"_s, u"WORLD_TOKEN"_s});
    QCOMPARE(again.code, 1);
    QVERIFY2(again.err.contains("the keychain has no such secret"), again.err);
    const CtlResult list = run({u"--json"_s, u"secret"_s, u"list"_s});
    QCOMPARE(list.json()["secrets"_L1].toArray().size(), 1);
}

QTEST_GUILESS_MAIN(SecretTest)
#include "tst_secret.moc"
