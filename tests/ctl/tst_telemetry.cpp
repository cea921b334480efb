// Goal: traces leave a worker without holding it up: a collector that is slow, full or away costs
// spans and nothing else, and each attempt is known at the other end by the id it has in the trace.
// Method: the real binary between two servers of raw sockets, a dependency and a collector.
#include "actions/raw_server.h"
#include "ctl/ctl_process.h"
#include "model/trace.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTcpSocket>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QByteArray made =
    test::answer("200 OK", R"({"id":"x"})", "Content-Type: application/json\r\n");

QByteArray headerOf(const QByteArray &request, const QByteArray &name)
{
    const qsizetype at = request.indexOf("\r\n" + name + ": ");
    if (at < 0)
        return {};
    const qsizetype from = at + name.size() + 4;
    return request.mid(from, request.indexOf("\r\n", from) - from);
}

QJsonArray spansIn(const QByteArray &request)
{
    const QByteArray body = request.mid(request.indexOf("\r\n\r\n") + 4);
    return QJsonDocument::fromJson(body)["resourceSpans"_L1][0]["scopeSpans"_L1][0]["spans"_L1]
        .toArray();
}
} // namespace

class CtlTelemetry : public QObject
{
    Q_OBJECT

    std::unique_ptr<CtlBench> m_bench;

    void deploy(const QString &origin)
    {
        const QString text =
            u"holdfast: 1\ndependency: world\nowner: team@example.com\nurl: %1\n"
            "idempotency: {protection: native, header: Idempotency-Key, retention: 24h}\n---\n"
            "holdfast: 1\nworkflow: one\nversion: 1\nowner: team@example.com\n"
            "event_id: ${ input.id }\ninput: {type: object, required: [id]}\nsteps:\n"
            "  - step: make\n    dependency: world\n    effect: write\n    key: make:${ input.id "
            "}\n"
            "    http: {method: POST, path: /t, body: {id: \"${ input.id }\"}}\n"
            "    retry: {attempts: 3, delay: 20ms, backoff: 2, max_delay: 200ms}\n"
            "    receipt: {id: \"${ response.body.id }\"}\n    compensate: none\n"_s.arg(origin);
        const QString file = m_bench->write(u"one.yaml"_s, text.toUtf8());
        const CtlResult deployed = m_bench->json({u"deploy"_s, file});
        QVERIFY2(deployed.code == 0, deployed.err + deployed.out);
    }
    QString start(const QString &id, const QStringList &more = {})
    {
        return m_bench
            ->json(QStringList{u"start"_s, u"one"_s, u"--input"_s, u"{\"id\":\"%1\"}"_s.arg(id)} +
                   more)
            .json()["run_id"_L1]
            .toString();
    }

private Q_SLOTS:
    void init() { m_bench = std::make_unique<CtlBench>(); }

    // 429 first, so that there is a second attempt with an id of its own.
    void the_other_end_knows_an_attempt_by_its_id()
    {
        std::atomic_int calls = 0;
        test::RawServer world([&](const test::RawClient &client, const QByteArray &) {
            client.write(++calls == 1 ? test::answer("429 Slow down", "") : made);
        });
        deploy(world.origin());
        const QString came = u"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"_s;
        for (const QString &given : {QString(), came}) {
            calls = 0;
            const QString run =
                start(given.isEmpty() ? u"a"_s : u"b"_s,
                      given.isEmpty() ? QStringList() : QStringList{u"--traceparent"_s, given});
            QVERIFY(!run.isEmpty());
            const qsizetype before = world.requests().size();
            QCOMPARE(m_bench->run({u"worker"_s, u"--until-idle"_s}).code, 0);
            QCOMPARE(world.requests().size(), before + 2);
            const model::TraceContext trace = model::traceOf(run, given);
            for (int attempt = 1; attempt <= 2; ++attempt)
                QCOMPARE(QString::fromLatin1(
                             headerOf(world.requests().at(before + attempt - 1), "traceparent")),
                         model::traceparentFor(
                             trace, model::attemptSpanId(run, u"make"_s, model::Direction::forward,
                                                         attempt)));
            QCOMPARE(m_bench->json({u"show"_s, run}).json()["trace_id"_L1].toString(),
                     trace.traceId);
        }
    }

    void a_traceparent_that_is_none_starts_nothing()
    {
        deploy(u"http://127.0.0.1:9"_s);
        const CtlResult bad = m_bench->json({u"start"_s, u"one"_s, u"--input"_s,
                                             u"{\"id\":\"a\"}"_s, u"--traceparent"_s, u"00-ABC"_s});
        QCOMPARE(bad.code, 1);
        QVERIFY2((bad.out + bad.err).contains("no run was started"), bad.out + bad.err);
        QVERIFY(m_bench->json({u"runs"_s}).json()["runs"_L1].toArray().isEmpty());
    }

    // What the caller does not sample is not told, and whoever is called hears that too.
    void what_is_not_sampled_is_not_told()
    {
        test::RawServer world(
            [](const test::RawClient &client, const QByteArray &) { client.write(made); });
        deploy(world.origin());
        start(u"a"_s,
              {u"--traceparent"_s, u"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"_s});
        const QString traces = m_bench->path(u"traces"_s);
        QCOMPARE(m_bench->run({u"worker"_s, u"--until-idle"_s, u"--traces"_s, traces}).code, 0);
        QCOMPARE(QFileInfo(traces).size(), 0);
        QVERIFY(headerOf(world.requests().first(), "traceparent").endsWith("-00"));
    }

    // A passing refusal costs time, not spans; those that the collector rejects are not sent again.
    void a_batch_is_tried_again_until_it_is_taken()
    {
        test::RawServer world(
            [](const test::RawClient &client, const QByteArray &) { client.write(made); });
        std::atomic_int posts = 0;
        test::RawServer collector([&](const test::RawClient &client, const QByteArray &) {
            client.write(++posts < 3 ? test::answer("503 Busy", "")
                                     : test::answer("200 OK", R"({"partialSuccess":)"
                                                              R"({"rejectedSpans":"1"}})"));
        });
        deploy(world.origin());
        const QString run = start(u"a"_s);
        const CtlResult worker = m_bench->run(
            {u"worker"_s, u"--until-idle"_s, u"--traces"_s, collector.origin() + u"/base/"_s});
        QVERIFY2(worker.code == 0, worker.err);
        QCOMPARE(collector.requests().size(), 3);
        for (const QByteArray &request : collector.requests()) {
            QVERIFY2(request.startsWith("POST /base/v1/traces HTTP/1.1\r\n"), request);
            QCOMPARE(headerOf(request, "Content-Type"), QByteArray("application/json"));
            QCOMPARE(spansIn(request), spansIn(collector.requests().first()));
        }
        QStringList ids;
        for (const QJsonValue &span : spansIn(collector.requests().first()))
            ids << span["spanId"_L1].toString();
        QVERIFY(ids.contains(model::runSpanId(run)));
        QVERIFY(ids.contains(model::attemptSpanId(run, u"make"_s, model::Direction::forward, 1)));
    }

    void a_collector_that_fails_costs_spans_and_nothing_else_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("it says nothing") << u"SILENT"_s << QByteArray("cannot hand traces on");
        QTest::newRow("it refuses") << u"REFUSES"_s << QByteArray("it answered 400");
        QTest::newRow("it redirects") << u"REDIRECTS"_s << QByteArray("it answered 302");
        QTest::newRow("it is away") << u"http://127.0.0.1:9"_s << QByteArray("connect_refused");
        QTest::newRow("a private address")
            << u"http://10.0.0.1:4318"_s << QByteArray("address_forbidden");
    }
    void a_collector_that_fails_costs_spans_and_nothing_else()
    {
        QFETCH(QString, target);
        QFETCH(QByteArray, says);
        test::RawServer world(
            [](const test::RawClient &client, const QByteArray &) { client.write(made); });
        test::RawServer collector([&](const test::RawClient &client, const QByteArray &) {
            if (target == "REFUSES"_L1)
                client.write(test::answer("400 Bad", ""));
            else if (target == "REDIRECTS"_L1)
                client.write(test::answer("302 Found", "", "Location: /elsewhere\r\n"));
            else
                client.waitForClose();
        });
        deploy(world.origin());
        const QString run = start(u"a"_s);
        QElapsedTimer timer;
        timer.start();
        const CtlResult worker =
            m_bench->run({u"worker"_s, u"--until-idle"_s, u"--traces"_s,
                          target.startsWith("http"_L1) ? target : collector.origin()});
        QVERIFY2(worker.code == 0, worker.err);
        QVERIFY2(worker.err.contains(says), worker.err);
        QVERIFY2(timer.elapsed() < 30'000, "draining has no bound");
        QCOMPARE(m_bench->json({u"show"_s, run}).json()["status"_L1].toString(), u"succeeded"_s);
        if (target == "REFUSES"_L1 || target == "REDIRECTS"_L1)
            QCOMPARE(collector.requests().size(), 1);
    }

    void what_cannot_be_is_refused_before_anything_is_done_data()
    {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QStringList &line, const QByteArray &says) {
            QTest::newRow(name) << line << says;
        };
        row("a user in the address", {u"--traces"_s, u"http://me@127.0.0.1:4318"_s}, "host");
        row("a query", {u"--traces"_s, u"http://127.0.0.1:4318/?a=b"_s}, "no usable path");
        row("no folder", {u"--traces"_s, u"/nowhere/at/all"_s}, "traces: cannot write to");
        row("no folder for the log", {u"--log"_s, u"/nowhere/at/all"_s}, "cannot write to");
        row("no folder for summaries", {u"--summaries"_s, u"/nowhere/at/all"_s}, "cannot write to");
        row("no port", {u"--api"_s, u"127.0.0.1"_s}, "HOST:PORT");
        row("a name", {u"--api"_s, u"example.com:1"_s}, "HOST:PORT");
        row("a port in use", {u"--api"_s, u"127.0.0.1:PORT"_s}, "in use");
    }
    void what_cannot_be_is_refused_before_anything_is_done()
    {
        QFETCH(QStringList, line);
        QFETCH(QByteArray, says);
        test::RawServer world(
            [](const test::RawClient &client, const QByteArray &) { client.write(made); });
        deploy(world.origin());
        start(u"a"_s);
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        line.last().replace(u"PORT"_s, QString::number(other.serverPort()));
        const CtlResult worker = m_bench->run(QStringList{u"worker"_s, u"--until-idle"_s} + line);
        QCOMPARE(worker.code, 1);
        QVERIFY2(worker.err.contains(says), worker.err);
        QVERIFY2(worker.err.contains("the worker was not started"), worker.err);
        QCOMPARE(world.requestCount(), 0);
    }

    void what_makes_no_sense_is_a_question_of_usage()
    {
        test::RawServer world(
            [](const test::RawClient &client, const QByteArray &) { client.write(made); });
        deploy(world.origin());
        start(u"a"_s);
        for (const QStringList &line :
             {QStringList{u"--log"_s, u""_s}, QStringList{u"--summaries"_s, u""_s},
              QStringList{u"--traces"_s, u""_s}, QStringList{u"--api"_s, u""_s},
              QStringList{u"--traces"_s, u"-"_s}}) {
            const CtlResult worker =
                m_bench->run(QStringList{u"worker"_s, u"--until-idle"_s} + line);
            QVERIFY2(worker.code == 2, qPrintable(line.join(u' ')));
            QVERIFY2(worker.err.contains(line.first().toUtf8()), worker.err);
        }
        QCOMPARE(world.requestCount(), 0);
    }

    void what_is_open_to_the_network_says_so()
    {
        for (const auto &[address, isOpen] :
             {std::pair{u"127.0.0.1:0"_s, false}, std::pair{u"0.0.0.0:0"_s, true}}) {
            const CtlResult worker =
                m_bench->run({u"worker"_s, u"--until-idle"_s, u"--api"_s, address});
            QVERIFY2(worker.err.contains("serving /metrics"), worker.err);
            QCOMPARE(worker.err.contains("open to the network"), isOpen);
        }
    }

    // As after a disk that was full: the half of a line that stands there is not taken up.
    void a_torn_line_is_ended_before_the_next()
    {
        test::RawServer world(
            [](const test::RawClient &client, const QByteArray &) { client.write(made); });
        deploy(world.origin());
        start(u"a"_s);
        const QByteArray half = "{\"half\":";
        const QString log = m_bench->write(u"log"_s, half);
        const QString summaries = m_bench->write(u"summaries"_s, half);
        const QString traces = m_bench->write(u"traces"_s, half);
        const CtlResult worker = m_bench->run({u"worker"_s, u"--until-idle"_s, u"--log"_s, log,
                                               u"--summaries"_s, summaries, u"--traces"_s, traces});
        QVERIFY2(worker.code == 0, worker.err);
        for (const QString &name : {log, summaries, traces}) {
            QFile file(name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArrayList lines = file.readAll().split('\n');
            QVERIFY2(lines.size() >= 3, qPrintable(name));
            QCOMPARE(lines.first(), half);
            QVERIFY(lines.last().isEmpty());
            for (qsizetype i = 1; i + 1 < lines.size(); ++i)
                QVERIFY2(QJsonDocument::fromJson(lines.at(i)).isObject(), lines.at(i));
        }
    }

    // A full disk or a file that cannot be written costs lines, and that is said once.
    void lines_that_cannot_be_written_cost_nothing_else()
    {
        test::RawServer world(
            [](const test::RawClient &client, const QByteArray &) { client.write(made); });
        deploy(world.origin());
        const QString run = start(u"a"_s);
        const CtlResult worker = m_bench->run(
            {u"worker"_s, u"--until-idle"_s, u"--log"_s, u"/dev/full"_s, u"--summaries"_s, u"-"_s});
        QVERIFY2(worker.code == 0, worker.err);
        QCOMPARE(worker.err.count("cannot write to /dev/full"), 1);
        // What the worker itself says when it ends is not for whoever reads lines of JSON.
        QVERIFY2(worker.err.contains("idle; runs"), worker.err);
        QCOMPARE(worker.out.count('\n'), 1);
        const QJsonObject summary = QJsonDocument::fromJson(worker.out).object();
        QCOMPARE(summary["run_id"_L1].toString(), run);
        QCOMPARE(summary["status"_L1].toString(), u"succeeded"_s);
    }
};

QTEST_GUILESS_MAIN(CtlTelemetry)
#include "tst_telemetry.moc"
