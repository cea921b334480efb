// Goal: what a worker serves over HTTP cannot be used to hold it up, to reach it from a page in a
// browser, or to smuggle a second request in. Method: raw sockets that misbehave in one way each.
#include "api/http_server.h"

#include <QElapsedTimer>
#include <QNetworkInterface>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast::api;

namespace
{
constexpr int patienceMs = 60'000;

HttpResponse hello(const QString &path)
{
    return path == "/hello"_L1 ? HttpResponse{200, "text/plain", "hello\n"}
                               : HttpResponse{404, "text/plain", "nothing\n"};
}

// All that comes until the other side closes.
QByteArray exchange(int port, const QByteArray &request,
                    const QHostAddress &address = QHostAddress(QHostAddress::LocalHost))
{
    QTcpSocket socket;
    socket.connectToHost(address, quint16(port));
    if (!socket.waitForConnected(patienceMs))
        return "no connection";
    socket.write(request);
    while (socket.state() == QAbstractSocket::ConnectedState &&
           socket.waitForReadyRead(patienceMs)) {
    }
    return socket.state() == QAbstractSocket::UnconnectedState ? socket.readAll() : "still open";
}

QByteArray get(int port, const QByteArray &more = {}, const QByteArray &path = "/hello")
{
    return exchange(port, "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" +
                              QByteArray::number(port) + "\r\n" + more + "\r\n");
}
} // namespace

class HttpServerTest : public QObject
{
    Q_OBJECT

    HttpServer m_server{hello};

    int port() const { return m_server.port(); }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.listen(u"127.0.0.1:0"_s)); }
    // Whatever happened before, it still serves.
    void cleanup() { QVERIFY(get(port()).startsWith("HTTP/1.1 200 ")); }

    void it_serves()
    {
        const QByteArray answer = get(port());
        QVERIFY2(answer.endsWith("\r\n\r\nhello\n"), answer);
        QVERIFY(answer.contains("\r\nCache-Control: no-store\r\n"));
        QVERIFY(get(port(), {}, "/hello?a=b").endsWith("hello\n"));
        QVERIFY(get(port(), {}, "/other").startsWith("HTTP/1.1 404 "));
        const QByteArray head = exchange(port(), "HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QVERIFY2(head.startsWith("HTTP/1.1 200 ") && head.endsWith("\r\n\r\n"), head);
    }

    void what_is_not_served_is_refused_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("status");
        const auto row = [](const char *name, const QByteArray &request, const QByteArray &status) {
            QTest::newRow(name) << request << status;
        };
        row("post", "POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", "405");
        row("post with a body",
            "POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", "405");
        row("delete", "DELETE /hello HTTP/1.1\r\nHost: localhost\r\n\r\n", "405");
        row("options", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "405");
        row("a body", "GET /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
            "400");
        row("a body that never comes",
            "GET /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", "400");
        row("chunks",
            "GET /hello HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "400");
        row("both lengths",
            "GET /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: "
            "chunked\r\n\r\n0\r\n\r\nGET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "400");
        row("both lengths, the other way",
            "GET /hello HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
            "Content-Length: 0\r\n\r\n0\r\n\r\n",
            "400");
        row("huge headers",
            "GET /hello HTTP/1.1\r\nHost: localhost\r\nX: " + QByteArray(100'000, 'x') + "\r\n\r\n",
            "431");
        row("a huge address",
            "GET /" + QByteArray(100'000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n", "414");
        row("another host", "GET /hello HTTP/1.1\r\nHost: evil.example\r\n\r\n", "403");
        row("another host with our port", "GET /hello HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n",
            "403");
        row("a host that ends like ours", "GET /hello HTTP/1.1\r\nHost: evil.localhost\r\n\r\n",
            "403");
        row("another port", "GET /hello HTTP/1.1\r\nHost: localhost:1\r\n\r\n", "403");
        row("no host", "GET /hello HTTP/1.1\r\n\r\n", "403");
        row("no host, as of old", "GET /hello HTTP/1.0\r\n\r\n", "403");
    }
    // One answer, and then the connection is closed: what stood behind it is no second request.
    void what_is_not_served_is_refused()
    {
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, status);
        request.replace("PORT", QByteArray::number(port()));
        const QByteArray answer = exchange(port(), request);
        QVERIFY2(answer.startsWith("HTTP/1.1 " + status + ' ') ||
                     answer.startsWith("HTTP/1.0 " + status + ' '),
                 answer.left(300));
        QCOMPARE(answer.count("HTTP/1."), 1);
        QVERIFY2(!answer.contains("hello\n"), answer);
    }

    // Off loopback it answers to its address, to its host's name and to nothing else; bound to all
    // addresses it cannot know what it is called.
    void off_loopback_it_answers_to_its_own_names()
    {
        QHostAddress own;
        const QList<QHostAddress> addresses = QNetworkInterface::allAddresses();
        for (const QHostAddress &address : addresses) {
            if (!address.isLoopback() && address.protocol() == QHostAddress::IPv4Protocol)
                own = address;
        }
        const auto statusFor = [](const HttpServer &server, const QHostAddress &address,
                                  const QByteArray &host) {
            const QByteArray answer = exchange(
                server.port(), "GET /hello HTTP/1.1\r\nHost: " + host + "\r\n\r\n", address);
            return answer.mid(9, 3).toInt();
        };
        HttpServer any(hello);
        QVERIFY(any.listen(u"0.0.0.0:0"_s));
        QVERIFY(!any.isLoopback());
        QCOMPARE(statusFor(any, QHostAddress(QHostAddress::LocalHost), "balancer.example"), 200);
        if (own.isNull())
            QSKIP("this machine has loopback addresses only");
        HttpServer server(hello);
        QVERIFY(server.listen(own.toString() + u":0"_s));
        QVERIFY(!server.isLoopback() && m_server.isLoopback());
        const QByteArray port = ':' + QByteArray::number(server.port());
        for (const QByteArray &host : {own.toString().toUtf8() + port, QByteArray("localhost"),
                                       QSysInfo::machineHostName().toUtf8() + port})
            QCOMPARE(statusFor(server, own, host), 200);
        for (const QByteArray &host : {QByteArray("evil.example"), "evil.example" + port})
            QCOMPARE(statusFor(server, own, host), 403);
    }

    void nonsense_is_no_request()
    {
        for (const QByteArray &bytes :
             {QByteArray("\r\n\r\n"), QByteArray(1000, '\0'),
              QByteArray("\x16\x03\x01\x02\r\n\r\n"), QByteArray("GET\r\n\r\n")}) {
            QTcpSocket socket;
            socket.connectToHost(u"127.0.0.1"_s, quint16(port()));
            QVERIFY(socket.waitForConnected(patienceMs));
            socket.write(bytes);
            QVERIFY(socket.waitForBytesWritten(patienceMs));
        }
    }

    void slow_clients_are_cut_off_data()
    {
        QTest::addColumn<bool>("drips");
        QTest::newRow("silent") << false;
        QTest::newRow("byte by byte") << true;
    }
    // They take all places; one by one they lose them, and whoever comes then is served.
    void slow_clients_are_cut_off()
    {
        QFETCH(bool, drips);
        HttpServer server(hello, {2, drips ? 600u : 1u, drips ? 1u : 600u});
        QVERIFY(server.listen(u"127.0.0.1:0"_s));
        std::vector<std::unique_ptr<QTcpSocket>> slow;
        for (int i = 0; i < 2; ++i) {
            slow.push_back(std::make_unique<QTcpSocket>());
            slow.back()->connectToHost(u"127.0.0.1"_s, quint16(server.port()));
            QVERIFY(slow.back()->waitForConnected(patienceMs));
            slow.back()->write("GET /hello HTTP/1.1\r\n");
            QVERIFY(slow.back()->waitForBytesWritten(patienceMs));
        }
        QElapsedTimer timer;
        timer.start();
        for (const auto &socket : slow) {
            while (socket->state() == QAbstractSocket::ConnectedState) {
                QVERIFY(timer.elapsed() < patienceMs);
                if (drips)
                    socket->write("X");
                socket->waitForReadyRead(50);
            }
            QVERIFY(!socket->readAll().startsWith("HTTP/1.1 200"));
        }
        QVERIFY(get(server.port()).startsWith("HTTP/1.1 200 "));
    }

    void a_server_that_closes_waits_for_nobody()
    {
        QTcpSocket silent;
        HttpServer server(hello);
        QVERIFY(server.listen(u"localhost:0"_s));
        silent.connectToHost(u"127.0.0.1"_s, quint16(server.port()));
        QVERIFY(silent.waitForConnected(patienceMs));
        QElapsedTimer timer;
        timer.start();
        server.close();
        QVERIFY(timer.elapsed() < 5000);
        const QByteArray answer = get(server.port());
        QCOMPARE(answer, QByteArray("no connection"));
    }

    void a_bad_address_is_said_data()
    {
        QTest::addColumn<QString>("address");
        for (const QString &address :
             {u""_s, u"9464"_s, u":9464"_s, u"127.0.0.1"_s, u"127.0.0.1:"_s, u"127.0.0.1:70000"_s,
              u"127.0.0.1:-1"_s, u"example.com:9464"_s, u"http://127.0.0.1:9464"_s,
              u"203.0.113.7:9464"_s})
            QTest::newRow(qPrintable(u"address %1"_s.arg(address))) << address;
    }
    void a_bad_address_is_said()
    {
        QFETCH(QString, address);
        HttpServer server(hello);
        const auto listening = server.listen(address);
        QVERIFY(!listening);
        QVERIFY2(listening.error().message.contains(address) &&
                     listening.error().message.contains(u"address"_s),
                 qPrintable(listening.error().message));
    }

    void a_port_in_use_is_said()
    {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        HttpServer server(hello);
        const auto listening = server.listen(u"127.0.0.1:%1"_s.arg(other.serverPort()));
        QVERIFY(!listening);
        QVERIFY2(listening.error().message.contains(u"in use"_s),
                 qPrintable(listening.error().message));
    }
};

QTEST_GUILESS_MAIN(HttpServerTest)
#include "tst_http_server.moc"
