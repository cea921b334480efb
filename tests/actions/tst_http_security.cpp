// What must never leave and where nothing may go: header injection, forbidden addresses and
// certificates.
#include "actions/address.h"
#include "actions/http_bench.h"

#include <QFile>
#include <QProcess>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace holdfast;
using namespace holdfast::test;
using actions::AddressKind;

namespace
{

// Serves one fixed answer over TLS with a certificate that was made a moment ago.
class TlsServer : public QObject
{
public:
    explicit TlsServer(const QString &folder)
    {
        certificateFile = folder + QStringLiteral("/certificate.pem");
        const QString keyFile = folder + QStringLiteral("/key.pem");
        const QStringList arguments{QStringLiteral("req"),
                                    QStringLiteral("-x509"),
                                    QStringLiteral("-newkey"),
                                    QStringLiteral("ec"),
                                    QStringLiteral("-pkeyopt"),
                                    QStringLiteral("ec_paramgen_curve:prime256v1"),
                                    QStringLiteral("-nodes"),
                                    QStringLiteral("-keyout"),
                                    keyFile,
                                    QStringLiteral("-out"),
                                    certificateFile,
                                    QStringLiteral("-days"),
                                    QStringLiteral("2"),
                                    QStringLiteral("-subj"),
                                    QStringLiteral("/CN=test"),
                                    QStringLiteral("-addext"),
                                    QStringLiteral("subjectAltName=IP:127.0.0.1")};
        if (QProcess::execute(QStringLiteral("openssl"), arguments) != 0)
            return;
        QFile key(keyFile);
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificateChain(QSslCertificate::fromPath(certificateFile));
        if (key.open(QIODevice::ReadOnly))
            configuration.setPrivateKey(QSslKey(&key, QSsl::Ec));
        m_server.setSslConfiguration(configuration);
        connect(&m_server, &QTcpServer::pendingConnectionAvailable, this, &TlsServer::serve);
        m_server.listen(QHostAddress::LocalHost);
    }
    quint16 port() const { return m_server.serverPort(); }

    QString certificateFile;
    int requests = 0;

private:
    void serve()
    {
        while (QTcpSocket *socket = m_server.nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
                if (!socket->readAll().contains("\r\n\r\n"))
                    return;
                ++requests;
                socket->write(answer("200 OK", "{}"));
                socket->disconnectFromHost();
            });
        }
    }
    QSslServer m_server;
};

// The TLS server shares this thread, so its events must run while the result is awaited.
model::CallResult resultWithEvents(Bench &bench, const model::Call &call)
{
    bench.sender->send(call);
    if (!QTest::qWaitFor([&] { return !bench.inbox->all().isEmpty(); }, 10'000))
        return {};
    return bench.inbox->next();
}

} // namespace

class TestHttpSecurity : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void n1CertificateNobodyTrustsIsNotSent();
    void aTrustedCertificateIsTaken();
    void b7HeadersThatWouldInject_data();
    void b7HeadersThatWouldInject();
    void b7PathsThatAreNone_data();
    void b7PathsThatAreNone();
    void ourContextCannotBeOverridden();
    void b8KindsOfAddresses_data();
    void b8KindsOfAddresses();
    void b8Origins_data();
    void b8Origins();
    void b8ForbiddenAddressesAreNotConnected_data();
    void b8ForbiddenAddressesAreNotConnected();
    void b8NameThatMeansLoopbackIsRefused();
    void b8AConnectionOfAnotherRuleIsNotReused();
    void aDependencyThatIsNotDeployed();
};

void TestHttpSecurity::n1CertificateNobodyTrustsIsNotSent()
{
    QTemporaryDir folder;
    TlsServer server(folder.path());
    QVERIFY(server.port() != 0);
    Bench bench(QStringLiteral("https://127.0.0.1:%1").arg(server.port()));
    const auto result = resultWithEvents(bench, callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("certificate_invalid"));
    QVERIFY(!result.sent);
    QCOMPARE(server.requests, 0);
}

void TestHttpSecurity::aTrustedCertificateIsTaken()
{
    QTemporaryDir folder;
    TlsServer server(folder.path());
    actions::HttpOptions options;
    options.authorityFile = server.certificateFile;
    Bench bench(QStringLiteral("https://127.0.0.1:%1").arg(server.port()), options);
    const auto result = resultWithEvents(bench, callOf("POST"));
    QCOMPARE(result.error, QString());
    QCOMPARE(result.status, 200);
    // The same server by a name that its certificate does not hold.
    Bench byName(QStringLiteral("https://localhost:%1").arg(server.port()), options);
    QCOMPARE(resultWithEvents(byName, callOf("POST")).error, QStringLiteral("certificate_invalid"));
    QCOMPARE(server.requests, 1);
}

void TestHttpSecurity::b7HeadersThatWouldInject_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::newRow("CRLF") << "X-A"
                          << "v\r\nInjected: yes";
    QTest::newRow("LF") << "X-A"
                        << "v\nInjected: yes";
    QTest::newRow("CR") << "X-A"
                        << "v\rInjected: yes";
    QTest::newRow("NUL") << "X-A" << QString(QLatin1String("v\0w", 3));
    QTest::newRow("escape") << "X-A"
                            << "v\x1b[0m";
    QTest::newRow("tab") << "X-A"
                         << "v\tw";
    QTest::newRow("next line") << "X-A" << QString(QChar(0x85));
    QTest::newRow("name with space") << "X A"
                                     << "v";
    QTest::newRow("name with colon") << "X:A"
                                     << "v";
    QTest::newRow("name with break") << "X-A\r\nInjected"
                                     << "v";
    QTest::newRow("empty name") << ""
                                << "v";
    QTest::newRow("host") << "Host"
                          << "evil.example";
    QTest::newRow("length") << "content-length"
                            << "0";
    QTest::newRow("encoding") << "Transfer-Encoding"
                              << "chunked";
    QTest::newRow("too long") << "X-A" << QString(20'000, u'x');
}

void TestHttpSecurity::b7HeadersThatWouldInject()
{
    QFETCH(QString, name);
    QFETCH(QString, value);
    RawServer server(answering(answer("200 OK", "{}")));
    Bench bench(server.origin());
    model::Call call = callOf("POST");
    call.request.headers.append({name, value});
    auto result = bench.result(call);
    QCOMPARE(result.error, QStringLiteral("invalid_header"));
    QVERIFY(!result.sent);
    bench.dependency->headers.append({name, text({{false, value}})});
    result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("invalid_header"));
    if (name == u"X-A") {
        bench.dependency->headers.clear();
        call = callOf("POST");
        call.key = value;
        QCOMPARE(bench.result(call).error, QStringLiteral("invalid_header"));
    }
    QCOMPARE(server.connections(), 0);
}

void TestHttpSecurity::b7PathsThatAreNone_data()
{
    QTest::addColumn<QString>("path");
    for (const char *path : {"", "t", "//evil\r\nX: y", "/a b", "/a\nb", "/a#b", "/a\\b", "/%zz",
                             "/a%2", "/a/../b", "/a/%2e%2E/b", "/.", "@evil.example/", "/\xc3\xa4"})
        QTest::newRow(QByteArray(path).toPercentEncoding(" /").constData())
            << QString::fromUtf8(path);
}

void TestHttpSecurity::b7PathsThatAreNone()
{
    QFETCH(QString, path);
    RawServer server(answering(answer("200 OK", "{}")));
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST", path));
    QCOMPARE(result.error, QStringLiteral("invalid_request"));
    QVERIFY(!result.sent);
    QCOMPARE(server.connections(), 0);
}

void TestHttpSecurity::ourContextCannotBeOverridden()
{
    RawServer server(answering(answer("200 OK", "{}")));
    Bench bench(server.origin());
    bench.dependency->headers.append(
        {QStringLiteral("Authorization"), text({{false, QStringLiteral("real")}})});
    model::Call call = callOf("POST");
    for (const char *name : {"authorization", "idempotency-key", "holdfast-attempt"})
        call.request.headers.append({QLatin1String(name), QStringLiteral("forged")});
    QCOMPARE(bench.result(call).status, 200);
    const QByteArray request = server.requests().first();
    QVERIFY(!request.contains("forged"));
    QCOMPARE(headerOf(request, "Authorization"), QByteArray("real"));
}

void TestHttpSecurity::b8KindsOfAddresses_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<int>("kind");
    const auto add = [](const char *address, AddressKind kind) {
        QTest::newRow(address) << QByteArray(address) << static_cast<int>(kind);
    };
    for (const char *address :
         {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::808:808"})
        add(address, AddressKind::publicNetwork);
    for (const char *address : {"127.0.0.1", "127.255.1.2", "::1"})
        add(address, AddressKind::loopback);
    for (const char *address :
         {"10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
          "100.64.0.1", "198.18.0.1", "fd00::1", "fc00::1", "fe80::1", "fec0::1",
          "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1",
          "2002:7f00:1::", "2001::1", "2001:db8::1"})
        add(address, AddressKind::privateNetwork);
    for (const char *address : {"0.0.0.0", "0.1.2.3", "224.0.0.1", "239.1.1.1", "240.0.0.1",
                                "255.255.255.255", "::", "ff02::1", "100::1", "nonsense"})
        add(address, AddressKind::unusable);
}

void TestHttpSecurity::b8KindsOfAddresses()
{
    QFETCH(QByteArray, address);
    QFETCH(int, kind);
    QCOMPARE(static_cast<int>(actions::addressKind(address)), kind);
}

void TestHttpSecurity::b8Origins_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<bool>("isTaken");
    for (const char *url :
         {"https://api.example.com", "http://127.0.0.1:8460/", "https://[::1]:443",
          "HTTPS://API.example.com:8443", "http://localhost", "http://3scale"})
        QTest::newRow(url) << QString::fromUtf8(url) << true;
    for (const char *url : {"file:///etc/passwd",
                            "gopher://a",
                            "ftp://a",
                            "http://user:pw@a",
                            "http://a/path",
                            "http://a?q",
                            "http://a#f",
                            "http://",
                            "http://a:0",
                            "http://a:99999",
                            "http://a:+1",
                            "http://a:",
                            "http://0x7f.1",
                            "http://2130706433",
                            "http://127.1",
                            "http://0177.0.0.1",
                            "http://127.0.0.1.",
                            "http://[::1",
                            "http://[fe80::1%25eth0]",
                            "http://a b",
                            "http://p\xd0\xb0yments.example",
                            "http://a\\b",
                            "http://a\r\nX: y",
                            "api.example.com",
                            "http://127.0.0.1:80:80"})
        QTest::newRow(QByteArray(url).toPercentEncoding(" /:").constData())
            << QString::fromUtf8(url) << false;
}

void TestHttpSecurity::b8Origins()
{
    QFETCH(QString, url);
    QFETCH(bool, isTaken);
    QCOMPARE(actions::parseOrigin(url).ok(), isTaken);
}

void TestHttpSecurity::b8ForbiddenAddressesAreNotConnected_data()
{
    QTest::addColumn<QString>("host");
    for (const char *host : {"[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "169.254.169.254",
                             "[fd00::1]", "10.0.0.1", "0.0.0.0", "[::]", "224.0.0.1"})
        QTest::newRow(host) << QString::fromLatin1(host);
}

void TestHttpSecurity::b8ForbiddenAddressesAreNotConnected()
{
    QFETCH(QString, host);
    RawServer server(answering(answer("200 OK", "{}")));
    Bench bench(QStringLiteral("http://%1:%2").arg(host).arg(server.port()));
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("address_forbidden"));
    QVERIFY(!result.sent);
    QCOMPARE(server.connections(), 0);
}

void TestHttpSecurity::b8NameThatMeansLoopbackIsRefused()
{
    // Any name below localhost resolves to loopback without asking anybody, as a rebinding host
    // would.
    RawServer server(answering(answer("200 OK", "{}")));
    Bench bench(QStringLiteral("http://api.localhost:%1").arg(server.port()));
    const auto result = bench.result(callOf("POST"));
    QVERIFY2(result.error == u"address_forbidden", qPrintable(result.error + result.detail));
    QVERIFY(!result.sent);
    QCOMPARE(server.connections(), 0);
    bench.dependency->allowPrivate = true;
    QCOMPARE(bench.result(callOf("POST")).status, 200);
}

void TestHttpSecurity::b8AConnectionOfAnotherRuleIsNotReused()
{
    RawServer server(answering(answer("200 OK", "{}")), true);
    Bench bench(QStringLiteral("http://api.localhost:%1").arg(server.port()));
    bench.dependency->allowPrivate = true;
    QCOMPARE(bench.result(callOf("GET")).status, 200);
    bench.dependency->allowPrivate = false;
    const auto result = bench.result(callOf("GET"));
    QCOMPARE(result.error, QStringLiteral("address_forbidden"));
    QVERIFY(!result.sent);
    QCOMPARE(server.requestCount(), 1);
}

void TestHttpSecurity::aDependencyThatIsNotDeployed()
{
    Bench bench(QStringLiteral("http://127.0.0.1:1"));
    bench.dependency.reset();
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("dependency_missing"));
    QVERIFY(!result.sent);
}

QTEST_GUILESS_MAIN(TestHttpSecurity)
#include "tst_http_security.moc"
