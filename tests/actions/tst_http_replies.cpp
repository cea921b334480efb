// What may come back: statuses, dates and redirects as they are, and caps on everything that is cut
// short, endless, slow or no HTTP at all. The server is one of plain sockets that counts whole
// requests.
#include "actions/http_bench.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::test;

class TestHttpReplies : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void n5StatusesPassThrough_data();
    void n5StatusesPassThrough();
    void n6RetryAfter_data();
    void n6RetryAfter();
    void n9RedirectIsNotFollowedAndLeaksNothing();
    void n10TruncatedBodies_data();
    void n10TruncatedBodies();
    void n10HalfOfTheHeadersIsNoAnswer();
    void n11EndlessBodyIsCut();
    void n11SlowLorisEndsAtTheDeadline();
    void n11CompressedBodiesStayCompressed();
    void n14FloodsOfHeaders_data();
    void n14FloodsOfHeaders();
    void n14GarbageIsABadReply();
};

void TestHttpReplies::n5StatusesPassThrough_data()
{
    QTest::addColumn<int>("status");
    for (const int status :
         {200, 201, 204, 400, 401, 403, 404, 408, 409, 417, 422, 429, 500, 502, 503, 504})
        QTest::addRow("%d", status) << status;
}

void TestHttpReplies::n5StatusesPassThrough()
{
    QFETCH(int, status);
    RawServer server(
        answering(answer(QByteArray::number(status) + " X", status == 204 ? "" : "{}")));
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QString());
    QVERIFY(result.sent && result.bodyComplete);
    QCOMPARE(result.status, status);
    QCOMPARE(server.requestCount(), 1);
}

void TestHttpReplies::n6RetryAfter_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("seconds") << QByteArray("7") << qint64(7000);
    QTest::newRow("zero") << QByteArray("0") << qint64(0);
    QTest::newRow("negative") << QByteArray("-5") << qint64(0);
    QTest::newRow("ten years") << QByteArray("315360000") << qint64(model::hour);
    QTest::newRow("beyond 64 bits") << QByteArray("99999999999999999999") << qint64(model::hour);
    QTest::newRow("date") << QByteArray("Tue, 14 Nov 2023 22:13:50 GMT") << qint64(30'000);
    QTest::newRow("past date") << QByteArray("Tue, 14 Nov 2000 22:13:50 GMT") << qint64(0);
    QTest::newRow("far date") << QByteArray("Fri, 14 Nov 2053 22:13:50 GMT") << qint64(model::hour);
    QTest::newRow("garbage") << QByteArray("soon") << qint64(-1);
    QTest::newRow("fraction") << QByteArray("1.5") << qint64(-1);
    QTest::newRow("absent") << QByteArray() << qint64(-1);
}

void TestHttpReplies::n6RetryAfter()
{
    QFETCH(QByteArray, value);
    QFETCH(qint64, expected);
    const QByteArray header = value.isEmpty() ? QByteArray() : "Retry-After: " + value + "\r\n";
    RawServer server(answering(answer("429 Slow", "{}", header)));
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.status, 429);
    QCOMPARE(result.retryAfter, expected);
}

void TestHttpReplies::n9RedirectIsNotFollowedAndLeaksNothing()
{
    RawServer elsewhere(answering(answer("200 OK", "{}")));
    for (const QByteArray &status : {QByteArray("301"), QByteArray("302"), QByteArray("307")}) {
        RawServer server(answering(
            answer(status + " Go", "", "Location: " + elsewhere.origin().toLatin1() + "/x\r\n")));
        Bench bench(server.origin());
        bench.dependency->headers.append(
            {QStringLiteral("Authorization"), text({{false, QStringLiteral("Bearer t")}})});
        const auto result = bench.result(callOf("POST"));
        QCOMPARE(result.status, status.toInt());
        QCOMPARE(result.error, QString());
        QCOMPARE(headerOf(server.requests().first(), "Authorization"), QByteArray("Bearer t"));
        QCOMPARE(server.requestCount(), 1);
    }
    QCOMPARE(elsewhere.connections(), 0);
}

void TestHttpReplies::n10TruncatedBodies_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isReset");
    const QByteArray length = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"id\"";
    const QByteArray chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n";
    QTest::newRow("length") << length << false;
    QTest::newRow("length, reset") << length << true;
    QTest::newRow("chunked") << chunked << false;
    QTest::newRow("bad chunk") << chunked + "zz\r\n" << false;
}

void TestHttpReplies::n10TruncatedBodies()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isReset);
    RawServer server([&](const RawClient &client, const QByteArray &) {
        client.write(bytes);
        if (isReset) {
            // Long enough for the head to be read before the reset discards it.
            client.closesWithin(200);
            client.reset();
        }
    });
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("truncated"));
    QVERIFY(result.sent && !result.bodyComplete);
    QCOMPARE(result.status, 200);
    QCOMPARE(result.body, QByteArray("{\"id\""));
}

void TestHttpReplies::n10HalfOfTheHeadersIsNoAnswer()
{
    RawServer server(answering("HTTP/1.1 200 OK\r\nContent-Le"));
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("bad_reply"));
    QVERIFY(result.sent && !result.bodyComplete);
    QCOMPARE(result.status, -1);
}

void TestHttpReplies::n11EndlessBodyIsCut()
{
    std::atomic<qint64> written = 0;
    RawServer server([&written](const RawClient &client, const QByteArray &) {
        client.write("HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n");
        const QByteArray piece(64 * 1024, 'x');
        while (client.write(piece))
            written += piece.size();
    });
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("too_large"));
    QVERIFY(result.sent && !result.bodyComplete);
    QCOMPARE(result.status, 200);
    QVERIFY(result.body.size() <= actions::oversizeKept);
}

void TestHttpReplies::n11SlowLorisEndsAtTheDeadline()
{
    RawServer server([](const RawClient &client, const QByteArray &) {
        client.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
        while (!client.closesWithin(50) && client.write("x")) {
        }
    });
    Bench bench(server.origin());
    model::Call call = callOf("POST");
    call.timeout = 400;
    const auto result = bench.result(call);
    QCOMPARE(result.error, QStringLiteral("timeout"));
    QVERIFY(result.sent && !result.bodyComplete);
    QCOMPARE(result.status, 200);
}

void TestHttpReplies::n11CompressedBodiesStayCompressed()
{
    const QByteArray packed = qCompress(QByteArray(100'000, 'a'));
    RawServer server(answering(answer("200 OK", packed, "Content-Encoding: gzip\r\n")));
    Bench bench(server.origin());
    QCOMPARE(bench.result(callOf("POST")).body, packed);
}

void TestHttpReplies::n14FloodsOfHeaders_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("piece");
    QTest::newRow("many lines") << QByteArray("HTTP/1.1 200 OK\r\n")
                                << "X-Flood: " + QByteArray(1000, 'x') + "\r\n";
    QTest::newRow("one line") << QByteArray("HTTP/1.1 200 OK\r\nX-Flood: ")
                              << QByteArray(1000, 'x');
    QTest::newRow("1xx") << QByteArray() << QByteArray("HTTP/1.1 100 Continue\r\n\r\n");
}

void TestHttpReplies::n14FloodsOfHeaders()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, piece);
    RawServer server([&](const RawClient &client, const QByteArray &) {
        client.write(first);
        while (client.write(piece)) {
        }
    });
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("too_large"));
    QVERIFY(result.sent && !result.bodyComplete);
    QCOMPARE(result.status, -1);
    QCOMPARE(server.requestCount(), 1);
}

void TestHttpReplies::n14GarbageIsABadReply()
{
    RawServer server(answering("\x01\x02 this is not HTTP\r\n\r\n"));
    Bench bench(server.origin());
    const auto result = bench.result(callOf("POST"));
    QCOMPARE(result.error, QStringLiteral("bad_reply"));
    QVERIFY(result.sent);
    QCOMPARE(result.status, -1);
}

QTEST_GUILESS_MAIN(TestHttpReplies)
#include "tst_http_replies.moc"
