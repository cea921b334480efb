// Secrets: resolved at the moment of sending, masked wherever they come back, and never half there.
#include "actions/http_bench.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace holdfast;
using namespace holdfast::test;

class TestHttpSecrets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void secretsAreResolvedAndMasked();
    void secretsAreMaskedAcrossACut();
    void aMissingSecretSendsNothing();
    void aSecretWithALineBreakSendsNothing();
    void theSecretsFileMustBePrivate();
    void aFileAloneHidesTheEnvironment();
    void aRotatedSecretNeedsNoRestart();
};

void TestHttpSecrets::init() { qputenv("HOLDFAST_SECRET_TOKEN", "s3cr+t/\"v\xc3\xa4lue\""); }

void TestHttpSecrets::cleanup()
{
    qunsetenv("HOLDFAST_SECRET_TOKEN");
    qunsetenv("HOLDFAST_SECRET_BROKEN");
}

void TestHttpSecrets::secretsAreResolvedAndMasked()
{
    const QByteArray secret = qgetenv("HOLDFAST_SECRET_TOKEN");
    const QByteArray echoes = "raw " + secret + " base64 " + secret.toBase64() + " basic " +
                              ("user:" + secret).toBase64() + " url " + secret.toPercentEncoding() +
                              R"( json s3cr+t/\"v\u00e4lue\" slash s3cr+t\/\")" +
                              "v\xc3\xa4lue\\\" end";
    RawServer server(answering(answer("200 OK", echoes, "X-Echo: Bearer " + secret + "\r\n")));
    Bench bench(server.origin());
    bench.dependency->headers.append(
        {QStringLiteral("Authorization"),
         text({{false, QStringLiteral("Bearer ")}, {true, QStringLiteral(" secret.TOKEN ")}})});
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.status, 200);
    QCOMPARE(headerOf(server.requests().first(), "Authorization"), "Bearer " + secret);
    QVERIFY2(!result.body.contains("s3cr"), result.body.constData());
    QVERIFY(!result.body.contains(secret.toBase64().left(12)));
    QCOMPARE(result.body.count("[secret TOKEN]"), 6);
    QVERIFY(result.body.endsWith(" end"));
    QVERIFY(result.headers.contains(
        {QStringLiteral("X-Echo"), QStringLiteral("Bearer [secret TOKEN]")}));
}

void TestHttpSecrets::secretsAreMaskedAcrossACut()
{
    const QByteArray secret = qgetenv("HOLDFAST_SECRET_TOKEN");
    RawServer server(
        answering("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nyou said " + secret.left(9)));
    Bench bench(server.origin());
    bench.dependency->headers.append(
        {QStringLiteral("X-Token"), text({{true, QStringLiteral("secret.TOKEN")}})});
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("truncated"));
    QCOMPARE(result.body, QByteArray("you said [secret TOKEN]"));
}

void TestHttpSecrets::aMissingSecretSendsNothing()
{
    RawServer server(answering(answer("200 OK", "{}")));
    Bench bench(server.origin());
    bench.dependency->headers.append(
        {QStringLiteral("X-Token"), text({{true, QStringLiteral("secret.ABSENT")}})});
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("secret_missing"));
    QVERIFY(!result.sent);
    QVERIFY(result.detail.contains(QStringLiteral("ABSENT")));
    QCOMPARE(server.connections(), 0);
}

void TestHttpSecrets::aSecretWithALineBreakSendsNothing()
{
    qputenv("HOLDFAST_SECRET_BROKEN", "tok-en\r\nInjected: yes");
    RawServer server(answering(answer("200 OK", "{}")));
    Bench bench(server.origin());
    bench.dependency->headers.append(
        {QStringLiteral("X-Token"), text({{true, QStringLiteral("secret.BROKEN")}})});
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("invalid_header"));
    QVERIFY(!result.detail.contains(QStringLiteral("tok-en")));
    QCOMPARE(server.connections(), 0);
}

void TestHttpSecrets::theSecretsFileMustBePrivate()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("secrets"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("# comment\nPAY=from=file\r\nOTHER=x\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup);
    actions::Secrets secrets(path);
    const auto refused = secrets.resolve(QStringLiteral("PAY"));
    QVERIFY(!refused);
    QVERIFY(refused.error().message.contains(QStringLiteral("chmod 600")));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    const auto taken = secrets.resolve(QStringLiteral("PAY"));
    QVERIFY(taken.ok());
    QCOMPARE(*taken, QByteArray("from=file"));
    QCOMPARE(secrets.redactor()->redacted(QByteArray("a from=file b")),
             QByteArray("a [secret PAY] b"));
}

void TestHttpSecrets::aFileAloneHidesTheEnvironment()
{
    using actions::Secrets;
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("secrets"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("PAY=of-the-demo\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    qputenv("HOLDFAST_SECRET_PAY", "a-real-one");
    qputenv("HOLDFAST_SECRET_OTHER", "a-real-one");
    Secrets demo(path, Secrets::Places::fileOnly);
    QCOMPARE(*demo.resolve(QStringLiteral("PAY")), QByteArray("of-the-demo"));
    QVERIFY(!demo.resolve(QStringLiteral("OTHER")));
    QCOMPARE(*Secrets(path).resolve(QStringLiteral("PAY")), QByteArray("a-real-one"));
    qunsetenv("HOLDFAST_SECRET_PAY");
    qunsetenv("HOLDFAST_SECRET_OTHER");
}

void TestHttpSecrets::aRotatedSecretNeedsNoRestart()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("secrets"));
    const auto write = [&path](const QByteArray &text) {
        QFile::remove(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        file.write(text);
    };
    actions::Secrets secrets(path);
    QVERIFY(!secrets.resolve(QStringLiteral("PAY")));
    write("PAY=first-value\n");
    QCOMPARE(*secrets.resolve(QStringLiteral("PAY")), QByteArray("first-value"));
    write("PAY=second-value\n");
    QCOMPARE(*secrets.resolve(QStringLiteral("PAY")), QByteArray("second-value"));
    QCOMPARE(secrets.redactor()->redacted(QByteArray("first-value second-value")),
             QByteArray("[secret PAY] [secret PAY]"));
}

QTEST_GUILESS_MAIN(TestHttpSecrets)
#include "tst_http_secrets.moc"
