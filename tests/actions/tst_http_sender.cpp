// What the sender promises about the wire: one request per call, exact knowledge of whether it may
// have left, caps on everything that comes back. Most tests use a server of plain sockets that
// counts whole requests.
#include "actions/http_bench.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::test;

class TestHttpSender : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aCallCarriesItsContextAndItsBytes();
    void aReadCarriesNoBodyAndNoKeyWhenThereIsNone();
    void n1RefusedConnectionIsNotSent();
    void n1UnknownNameIsNotSent();
    void n1TlsToAPlainPortIsNotSent();
    void n2ConnectTimeoutIsNotSent();
    void n3ReadTimeoutIsSent();
    void n3ResetIsSent();
    void n4SilentCloseIsOneRequest_data();
    void n4SilentCloseIsOneRequest();
    void n4AReusedConnectionThatDiesIsNotSentAgain();
    void readsReuseAConnectionAndWritesDoNot();
    void aLeaseThatEndsWhileConnectingSendsNothing();
    void aCallThatIsLateAlreadyDoesNotConnect();
    void twoHundredCallsAtOnce();
    void callsBeyondTheMaximumWaitTheirTurn();
    void aCallAfterDrainIsCancelled();
    void destroyingTheSenderDropsWhatIsOpen();
    void theEnvironmentsProxyIsIgnored();
};

void TestHttpSender::aCallCarriesItsContextAndItsBytes()
{
    RawServer server(answering(answer("200 OK", R"({"id":"x"})", "X-A: b\r\n")));
    Bench bench(server.origin());
    model::Call call = callOf("POST");
    call.request.headers.append({QStringLiteral("X-Own"), QStringLiteral("Zo\u00eb")});
    // Ours is what counts, whatever a file says.
    call.request.headers.append({QStringLiteral("Traceparent"), QStringLiteral("other")});
    call.traceparent = QStringLiteral("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    const auto result = bench.result(call);
    QCOMPARE(result.error, QString());
    QVERIFY(result.sent && result.bodyComplete);
    QCOMPARE(result.status, 200);
    QCOMPARE(result.body, QByteArray(R"({"id":"x"})"));
    QCOMPARE(result.runId, call.runId);
    QCOMPARE(result.step, call.step);
    QCOMPARE(result.attempt, 2);
    QCOMPARE(result.fence, 7);
    QVERIFY(result.headers.contains({QStringLiteral("X-A"), QStringLiteral("b")}));
    const QByteArray request = server.requests().first();
    QCOMPARE(headerOf(request, "traceparent"), call.traceparent.toLatin1());
    QVERIFY(request.startsWith("POST /t HTTP/1.1\r\n"));
    QCOMPARE(headerOf(request, "Idempotency-Key"), QByteArray("make:a1"));
    QCOMPARE(headerOf(request, "X-Correlation-Id"), QByteArray("run-1"));
    QCOMPARE(headerOf(request, "Holdfast-Run-Id"), QByteArray("run-1"));
    QCOMPARE(headerOf(request, "Holdfast-Step"), QByteArray("make"));
    QCOMPARE(headerOf(request, "Holdfast-Attempt"), QByteArray("2"));
    QCOMPARE(headerOf(request, "Holdfast-Deadline-Ms"), QByteArray("10000"));
    QCOMPARE(headerOf(request, "Holdfast-Effect"), QByteArray("write"));
    QCOMPARE(headerOf(request, "Content-Type"), QByteArray("application/json"));
    QCOMPARE(headerOf(request, "Accept-Encoding"), QByteArray("identity"));
    QCOMPARE(headerOf(request, "Expect"), QByteArray("(absent)"));
    QCOMPARE(headerOf(request, "X-Own"), QByteArray("Zo\xc3\xab"));
    QVERIFY(headerOf(request, "User-Agent").startsWith("holdfast/"));
    QVERIFY(request.endsWith("\r\n\r\n{\"a\":1}"));
}

void TestHttpSender::aReadCarriesNoBodyAndNoKeyWhenThereIsNone()
{
    RawServer server(answering(answer("200 OK", "{}")), true);
    Bench bench(server.origin());
    bench.dependency->keyHeader = QStringLiteral("X-Once");
    model::Call call = callOf("GET", QStringLiteral("/t?key=a%20b"));
    call.key.clear();
    QCOMPARE(bench.result(call).status, 200);
    const QByteArray request = server.requests().first();
    QVERIFY(request.startsWith("GET /t?key=a%20b HTTP/1.1\r\n"));
    QCOMPARE(headerOf(request, "X-Once"), QByteArray("(absent)"));
    QCOMPARE(headerOf(request, "Content-Length"), QByteArray("(absent)"));
    QCOMPARE(headerOf(request, "Content-Type"), QByteArray("(absent)"));
    call.key = QStringLiteral("k");
    QCOMPARE(bench.result(call).status, 200);
    QCOMPARE(headerOf(server.requests().last(), "X-Once"), QByteArray("k"));
}

void TestHttpSender::n1RefusedConnectionIsNotSent()
{
    int port = 0;
    {
        RawServer gone(answering({}));
        port = gone.port();
    }
    Bench bench(QStringLiteral("http://127.0.0.1:%1").arg(port));
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("connect_refused"));
    QVERIFY(!result.sent);
    QCOMPARE(result.status, -1);
    QVERIFY(!result.detail.isEmpty());
}

void TestHttpSender::n1UnknownNameIsNotSent()
{
    Bench bench(QStringLiteral("http://no-such-host.invalid"));
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("dns_failure"));
    QVERIFY(!result.sent);
}

void TestHttpSender::n1TlsToAPlainPortIsNotSent()
{
    // The greeting of TLS is no HTTP request, so the server reads until something closes.
    RawServer server(answering({}));
    Bench bench(QStringLiteral("https://127.0.0.1:%1").arg(server.port()));
    model::Call call = callOf("POST");
    call.timeout = 300;
    const auto result = bench.result(call);
    QVERIFY(result.error == u"tls_failed" || result.error == u"connect_timeout");
    QVERIFY(!result.sent);
    QCOMPARE(server.requestCount(), 0);
}

void TestHttpSender::n2ConnectTimeoutIsNotSent()
{
    // A listener whose queue is full drops further greetings, as a dead host does.
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    QCOMPARE(::bind(listener, reinterpret_cast<sockaddr *>(&address), size), 0);
    QCOMPARE(::listen(listener, 0), 0);
    ::getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size);
    std::vector<int> fillers;
    for (int i = 0; i < 4; ++i) {
        fillers.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        (void)::connect(fillers.back(), reinterpret_cast<sockaddr *>(&address), size);
    }
    Bench bench(QStringLiteral("http://127.0.0.1:%1").arg(ntohs(address.sin_port)));
    model::Call call = callOf("POST");
    call.timeout = 300;
    const auto result = bench.result(call);
    for (const int filler : fillers)
        ::close(filler);
    ::close(listener);
    QCOMPARE(result.error, QStringLiteral("connect_timeout"));
    QVERIFY(!result.sent);
}

void TestHttpSender::n3ReadTimeoutIsSent()
{
    RawServer server([](const RawClient &client, const QByteArray &) { client.waitForClose(); });
    Bench bench(server.origin());
    model::Call call = callOf("POST");
    call.timeout = 300;
    const auto result = bench.result(call);
    QCOMPARE(result.error, QStringLiteral("timeout"));
    QVERIFY(result.sent);
    QCOMPARE(result.status, -1);
    QCOMPARE(server.requestCount(), 1);
}

void TestHttpSender::n3ResetIsSent()
{
    RawServer server([](const RawClient &client, const QByteArray &) { client.reset(); });
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("reset"));
    QVERIFY(result.sent);
    QCOMPARE(server.requestCount(), 1);
}

void TestHttpSender::n4SilentCloseIsOneRequest_data()
{
    QTest::addColumn<QByteArray>("method");
    for (const char *method : {"POST", "PUT", "DELETE", "PATCH", "GET"})
        QTest::newRow(method) << QByteArray(method);
}

void TestHttpSender::n4SilentCloseIsOneRequest()
{
    QFETCH(QByteArray, method);
    RawServer server([](const RawClient &, const QByteArray &) {});
    Bench bench(server.origin());
    const auto result = bench.result(callOf(method.constData()));
    QCOMPARE(result.error, QStringLiteral("empty_reply"));
    QVERIFY(result.sent);
    QCOMPARE(server.requestCount(), 1);
    QCOMPARE(server.connections(), 1);
}

void TestHttpSender::n4AReusedConnectionThatDiesIsNotSentAgain()
{
    std::atomic_int count = 0;
    RawServer server(
        [&count](const RawClient &client, const QByteArray &) {
            if (++count == 1)
                client.write(answer("200 OK", "{}"));
            else
                client.shut();
        },
        true);
    Bench bench(server.origin());
    QCOMPARE(bench.result(callOf("GET")).status, 200);
    const auto result = bench.result(callOf("GET"));
    QCOMPARE(result.error, QStringLiteral("empty_reply"));
    QVERIFY(result.sent);
    QCOMPARE(server.requestCount(), 2);
}

void TestHttpSender::readsReuseAConnectionAndWritesDoNot()
{
    RawServer server(answering(answer("200 OK", "{}")), true);
    Bench bench(server.origin());
    for (int i = 0; i < 3; ++i)
        QCOMPARE(bench.result(callOf("GET")).status, 200);
    QCOMPARE(server.connections(), 1);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(bench.result(callOf("POST")).status, 200);
    QCOMPARE(server.connections(), 4);
    model::Call undo = callOf("GET");
    undo.direction = model::Direction::compensate;
    QCOMPARE(bench.result(undo).status, 200);
    QCOMPARE(server.connections(), 5);
}

void TestHttpSender::aLeaseThatEndsWhileConnectingSendsNothing()
{
    // The clock jumps past the lease each time it is read, so the first look passes and the last
    // does not.
    class JumpingClock : public HandClock
    {
    public:
        model::Millis monotonic() const override { return reads++ < 2 ? 100 : 200; }
        mutable std::atomic_int reads = 0;
    };
    RawServer server(answering(answer("200 OK", "{}")));
    JumpingClock clock;
    auto dependency = std::make_shared<contract::Dependency>();
    dependency->url = server.origin();
    actions::HttpSender sender(
        clock, [&](const QString &, int) { return dependency; },
        std::make_shared<actions::Secrets>(QStringLiteral("/nonexistent/secrets")));
    Inbox inbox(sender);
    model::Call call = callOf("POST");
    call.sendBeforeMonotonic = 150;
    sender.send(call);
    const auto result = inbox.next();
    QCOMPARE(result.error, QStringLiteral("too_late"));
    QVERIFY(!result.sent);
    QTRY_COMPARE(server.connections(), 1);
    QCOMPARE(server.requestCount(), 0);
}

void TestHttpSender::aCallThatIsLateAlreadyDoesNotConnect()
{
    RawServer server(answering(answer("200 OK", "{}")));
    Bench bench(server.origin());
    model::Call call = callOf("POST");
    call.sendBeforeMonotonic = bench.clock.steady - 1;
    const auto result = bench.result(call);
    QCOMPARE(result.error, QStringLiteral("too_late"));
    QVERIFY(!result.sent);
    QCOMPARE(server.connections(), 0);
}

void TestHttpSender::twoHundredCallsAtOnce()
{
    // Nobody is answered before all have arrived: only calls that are truly in flight together end
    // well.
    constexpr int all = 200;
    std::mutex mutex;
    std::condition_variable everybody;
    int arrived = 0;
    RawServer server([&](const RawClient &client, const QByteArray &) {
        std::unique_lock lock(mutex);
        ++arrived;
        everybody.notify_all();
        if (everybody.wait_for(lock, std::chrono::seconds(20), [&] { return arrived == all; }))
            client.write(answer("200 OK", "{}"));
    });
    Bench bench(server.origin());
    for (int i = 0; i < all; ++i) {
        model::Call call = callOf("POST");
        call.runId = QString::number(i);
        call.timeout = 30 * model::second;
        bench.sender->send(call);
    }
    QVERIFY(bench.inbox->waitFor(all));
    QSet<QString> runs;
    for (const model::CallResult &result : bench.inbox->all()) {
        QCOMPARE(result.status, 200);
        runs.insert(result.runId);
    }
    QCOMPARE(runs.size(), all);
    QCOMPARE(server.requestCount(), all);
}

void TestHttpSender::callsBeyondTheMaximumWaitTheirTurn()
{
    std::atomic_int now = 0;
    std::atomic_int most = 0;
    RawServer server([&](const RawClient &client, const QByteArray &) {
        most = std::max<int>(most, ++now);
        client.closesWithin(20);
        --now;
        client.write(answer("200 OK", "{}"));
    });
    actions::HttpOptions options;
    options.inFlightMax = 4;
    Bench bench(server.origin(), options);
    for (int i = 0; i < 20; ++i)
        bench.sender->send(callOf("POST"));
    QVERIFY(bench.inbox->waitFor(20));
    QVERIFY(most <= 4);
    QCOMPARE(server.requestCount(), 20);
}

void TestHttpSender::aCallAfterDrainIsCancelled()
{
    std::atomic_bool mayAnswer = false;
    RawServer server([&](const RawClient &client, const QByteArray &) {
        while (!mayAnswer && !client.closesWithin(20)) {
        }
        client.write(answer("200 OK", "{}"));
    });
    Bench bench(server.origin());
    bench.sender->send(callOf("POST"));
    QTRY_COMPARE(server.requestCount(), 1);
    bench.sender->drain();
    const auto refused = bench.result(callOf("POST"));
    QCOMPARE(refused.error, QStringLiteral("cancelled"));
    QVERIFY(!refused.sent);
    mayAnswer = true;
    QCOMPARE(bench.inbox->next().status, 200);
    QCOMPARE(server.requestCount(), 1);
}

void TestHttpSender::destroyingTheSenderDropsWhatIsOpen()
{
    RawServer server([](const RawClient &client, const QByteArray &) { client.waitForClose(); });
    Bench bench(server.origin());
    bench.sender->send(callOf("POST"));
    QTRY_COMPARE(server.requestCount(), 1);
    bench.sender.reset();
    QVERIFY(bench.inbox->all().isEmpty());
}

void TestHttpSender::theEnvironmentsProxyIsIgnored()
{
    RawServer server(answering(answer("200 OK", "{}")));
    qputenv("http_proxy", "http://127.0.0.1:1");
    qputenv("ALL_PROXY", "http://127.0.0.1:1");
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    qunsetenv("http_proxy");
    qunsetenv("ALL_PROXY");
    QCOMPARE(result.status, 200);
}

QTEST_GUILESS_MAIN(TestHttpSender)
#include "tst_http_sender.moc"
