// Goal: what a worker tells others is what the database says, in forms that others' tools read: run
// summaries, log lines, metrics and traces. Method: a real worker process against the sandbox,
// through a lost reply, a verify, a retry, a compensation and a conflict, on both databases; the
// metrics are read by Prometheus' own library, the traces by the schema of OTLP.
#include "chaos/worker_process.h"
#include "model/json.h"
#include "model/trace.h"
#include "support/postgres_server.h"

#include <QTcpSocket>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int patienceMs = 120'000;
constexpr int notHere = 77;
const QString python = u"/usr/bin/python3"_s;
const QString came = u"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"_s;

struct Checked {
    int code = -1;
    QByteArray out;
};

Checked check(const QString &script, const QStringList &arguments, const QByteArray &input)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(python, QStringList{u"%1/tests/conformance/%2"_s.arg(
                              qEnvironmentVariable("HOLDFAST_SOURCE_DIR"), script)} +
                              arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(patienceMs))
        return {};
    return {process.exitCode(), process.readAll().trimmed()};
}

QByteArray get(int port, const QByteArray &path)
{
    QTcpSocket socket;
    socket.connectToHost(u"127.0.0.1"_s, quint16(port));
    socket.waitForConnected(patienceMs);
    socket.write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    while (socket.state() == QAbstractSocket::ConnectedState &&
           socket.waitForReadyRead(patienceMs)) {
    }
    const QByteArray all = socket.readAll();
    return all.startsWith("HTTP/1.1 200 ") ? all.mid(all.indexOf("\r\n\r\n") + 4) : QByteArray();
}

QVector<QJsonObject> linesOf(const QString &name)
{
    QFile file(name);
    QVector<QJsonObject> lines;
    if (!file.open(QIODevice::ReadOnly))
        return lines;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (!line.isEmpty())
            lines.append(QJsonDocument::fromJson(line).object());
    }
    return lines;
}

// Two of its runs with the same k meet at one key with different requests.
QString payText()
{
    return u"---\nholdfast: 1\nworkflow: pay\nversion: 3\nowner: team@example.com\n"
           "event_id: ${ input.id }\ninput: {type: object, required: [id, k]}\n"
           "outputs:\n  made: ${ steps.make.receipt.id }\n  api_token: ${ input.k }\n"
           "steps:\n  - step: make\n    dependency: payments\n    effect: write\n"
           "    key: make:${ input.k }\n"
           "    http: {method: POST, path: /payments/v1/charges, body: {ref: \"${ input.id }\"}}\n"
           "    receipt: {id: \"${ response.body.id }\"}\n    compensate: none\n"_s;
}

void deploy(Machine &machine)
{
    const QString reserve =
        Machine::stepText({.name = u"reserve"_s,
                           .verify = true,
                           .undo = u"/inventory/v1/reservations/${ receipt.id }/release"_s});
    const QString charge =
        Machine::stepText({.name = u"charge"_s,
                           .path = u"/payments/v1/charges"_s,
                           .dependency = u"payments"_s,
                           .undo = u"/payments/v1/charges/${ receipt.id }/refund"_s});
    const QString ship =
        Machine::stepText({.name = u"ship"_s, .path = u"/inventory/v1/shipments"_s});
    machine.deploy(machine.dependencyText(u"probe"_s) +
                   machine.dependencyText(u"native"_s, {}, u"payments"_s) +
                   Machine::workflowText({reserve, charge, ship}) + payText());
    const bool pushed = machine.push(u"/inventory/v1/reservations"_s, {u"work_then_drop"_s}) &&
                        machine.push(u"/payments/v1/charges"_s, {u"429"_s}) &&
                        machine.push(u"/inventory/v1/shipments"_s, {u"422"_s});
    if (!pushed)
        qFatal("the sandbox takes no faults");
}

QString startPay(Machine &machine, const QString &id)
{
    return machine
        .call(u"start"_s, {{u"workflow"_s, u"pay"_s},
                           {u"input"_s, QJsonObject{{u"id"_s, id}, {u"k"_s, u"same"_s}}}})
        .value("run_id"_L1)
        .toString();
}

QString startFlow(Machine &machine)
{
    return machine
        .call(u"start"_s, {{u"workflow"_s, u"flow"_s},
                           {u"traceparent"_s, came},
                           {u"input"_s, QJsonObject{{u"id"_s, u"o1"_s}}}})
        .value("run_id"_L1)
        .toString();
}

using Counts = QMap<QString, int>;

// The samples of one metric, summed by some of their labels.
Counts summed(const QJsonArray &samples, const QString &name, const QStringList &labels)
{
    Counts counts;
    for (const QJsonValue &sample : samples) {
        if (sample[0].toString() != name)
            continue;
        QStringList by;
        for (const QString &label : labels)
            by << sample[1][label].toString();
        if (const int value = int(sample[2].toDouble()); value != 0)
            counts[by.join(u' ')] += value;
    }
    return counts;
}

QString attributeOf(const QJsonValue &span, const QString &name)
{
    for (const QJsonValue &attribute : span["attributes"_L1].toArray()) {
        if (attribute["key"_L1].toString() == name) {
            const QJsonObject value = attribute["value"_L1].toObject();
            return value.begin().value().toString();
        }
    }
    return {};
}
} // namespace

class TelemetryTest : public QObject
{
    Q_OBJECT

    static void databases()
    {
        QTest::addColumn<Machine::Database>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << database;
    }

    // What the database says of these runs, as the metrics are to say it.
    static QMap<QString, Counts> told(Machine &machine, const QStringList &runs)
    {
        QMap<QString, Counts> all;
        for (const QString &id : runs) {
            const QJsonObject run = machine.show(id);
            const QString workflow = run["workflow"_L1].toString();
            if (!run["finished_at"_L1].isNull())
                ++all[u"runs"_s][workflow + u' ' + run["status"_L1].toString()];
            const auto add = [&](const QString &name, const char *field) {
                if (const int count = run[QLatin1String(field)].toInt(); count > 0)
                    all[name][workflow] += count;
            };
            add(u"retries"_s, "retry_count");
            add(u"duplicates"_s, "duplicates_prevented");
            add(u"compensations"_s, "compensation_count");
            for (const QJsonValue &step : run["steps"_L1].toArray()) {
                for (const QJsonValue &attempt : step["attempts"_L1].toArray()) {
                    const QString given = attempt["class"_L1].toString();
                    ++all[u"attempts"_s][u"%1 %2 %3 %4"_s.arg(workflow, step["step"_L1].toString(),
                                                              attempt["direction"_L1].toString(),
                                                              given.isEmpty() ? u"none"_s : given)];
                }
            }
        }
        return all;
    }

private Q_SLOTS:
    void a_scrape_says_what_the_database_says_data() { databases(); }
    void a_scrape_says_what_the_database_says()
    {
        QFETCH(Machine::Database, database);
        if (database == Machine::Database::postgres && !PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        Machine machine(database);
        deploy(machine);
        const QStringList runs{startFlow(machine), startPay(machine, u"p1"_s),
                               startPay(machine, u"p2"_s)};
        WorkerProcess worker(machine, {u"--api"_s, u"127.0.0.1:0"_s}, {},
                             QProcess::SeparateChannels);
        QJsonArray samples;
        QByteArray text;
        const int port = portOf(worker.process());
        QVERIFY(port > 0);
        QTRY_COMPARE_WITH_TIMEOUT(get(port, "/healthz"), QByteArray("running\n"), patienceMs);
        const auto isDone = [&] {
            text = get(port, "/metrics");
            const Checked checked = check(u"prometheus_check.py"_s, {}, text);
            if (checked.code == notHere)
                return true;
            samples = QJsonDocument::fromJson(checked.out).array();
            return summed(samples, u"holdfast_runs_total"_s, {u"workflow"_s}).size() == 2 &&
                   summed(samples, u"holdfast_review_open"_s, {u"kind"_s}).value(u"conflict"_s) ==
                       1;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isDone(), text.constData(), patienceMs);
        if (samples.isEmpty())
            QSKIP("the client library of Prometheus is not installed");
        worker.process().terminate();
        QCOMPARE(worker.waitForExit(), 0);

        const QMap<QString, Counts> expected = told(machine, runs);
        const auto metric = [&](const char *name, const QStringList &labels) {
            return summed(samples, QString::fromLatin1(name), labels);
        };
        QCOMPARE(metric("holdfast_runs_total", {u"workflow"_s, u"outcome"_s}), expected[u"runs"_s]);
        QCOMPARE(metric("holdfast_attempts_total",
                        {u"workflow"_s, u"step"_s, u"action"_s, u"error_class"_s}),
                 expected[u"attempts"_s]);
        QCOMPARE(metric("holdfast_retries_total", {u"workflow"_s}), expected[u"retries"_s]);
        QCOMPARE(metric("holdfast_duplicates_prevented_total", {u"workflow"_s}),
                 expected[u"duplicates"_s]);
        QCOMPARE(metric("holdfast_compensations_total", {u"workflow"_s}),
                 expected[u"compensations"_s]);
        // The scenario has all of it, so that no comparison is one of nothing with nothing.
        QCOMPARE(expected[u"runs"_s].value(u"flow compensated"_s), 1);
        QCOMPARE(expected[u"compensations"_s].value(u"flow"_s), 2);
        QCOMPARE(expected[u"duplicates"_s].value(u"flow"_s), 1);
        QVERIFY(expected[u"attempts"_s].contains(u"flow reserve verify none"_s));
        QCOMPARE(metric("holdfast_step_duration_seconds_count", {u"step"_s, u"action"_s}),
                 (Counts{{u"reserve forward"_s, 1},
                         {u"charge forward"_s, 1},
                         {u"reserve compensate"_s, 1},
                         {u"charge compensate"_s, 1},
                         {u"make forward"_s, 1}}));
        QCOMPARE(metric("holdfast_database_up", {}), (Counts{{QString(), 1}}));
        QCOMPARE(metric("holdfast_workers_alive", {}), (Counts{{QString(), 1}}));
        QCOMPARE(metric("holdfast_runs_open", {u"status"_s}), (Counts{{u"review"_s, 1}}));
        QVERIFY(metric("holdfast_telemetry_dropped_total", {u"stream"_s}).isEmpty());
        for (const char *name : {"holdfast_review_oldest_seconds", "holdfast_breaker_state",
                                 "holdfast_held_runs", "holdfast_pause_active"})
            QVERIFY2(text.contains(QByteArray("# TYPE ") + name + " gauge\n"), name);
        for (const QJsonValue &sample : samples)
            QVERIFY(!sample[0].toString().endsWith("_total"_L1) ||
                    sample[3].toString() == "counter"_L1);
    }

    void files_say_it_whole_data() { databases(); }
    void files_say_it_whole()
    {
        QFETCH(Machine::Database, database);
        if (database == Machine::Database::postgres && !PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        Machine machine(database);
        deploy(machine);
        const QString flow = startFlow(machine);
        const QString first = startPay(machine, u"p1"_s);
        const QString second = startPay(machine, u"p2"_s);
        QTemporaryDir folder;
        const QString log = folder.filePath(u"log"_s);
        const QString summaries = folder.filePath(u"summaries"_s);
        const QString traces = folder.filePath(u"traces"_s);
        WorkerProcess worker(machine, {u"--until-idle"_s, u"--log"_s, log, u"--summaries"_s,
                                       summaries, u"--traces"_s, traces});
        QCOMPARE(worker.waitForExit(), 3); // a person is needed for the conflict

        const bool isFirst = machine.statusOf(first) == "succeeded"_L1;
        const QString paid = isFirst ? first : second;
        const QString conflict = isFirst ? second : first;
        judgeSummaries(machine, linesOf(summaries), flow, paid);
        if (QTest::currentTestFailed())
            return;
        judgeLog(linesOf(log), flow, conflict);
        if (QTest::currentTestFailed())
            return;
        QFile file(traces);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        for (const char *key : {"reserve:o1", "reserve%3Ao1", "charge:o1", "make:same"})
            QVERIFY2(!text.contains(key), key);
        const Checked checked = check(
            u"otlp_check.py"_s, {QCoreApplication::applicationDirPath() + u"/otlp_schema"_s}, text);
        if (checked.code == notHere)
            QSKIP(checked.out);
        QVERIFY2(checked.code == 0, checked.out);
        judgeSpans(machine, QJsonDocument::fromJson(checked.out).array(), flow, conflict);
    }

    // What is not OTLP is found.
    void the_schema_refuses()
    {
        const QByteArray span =
            R"({"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331",)"
            R"("name":"n","kind":3,"startTimeUnixNano":"1","endTimeUnixNano":"2"})";
        const auto judged = [](const QByteArray &text) {
            return check(u"otlp_check.py"_s,
                         {QCoreApplication::applicationDirPath() + u"/otlp_schema"_s},
                         R"({"resourceSpans":[{"scopeSpans":[{"spans":[)" + text + "]}]}]}\n");
        };
        const Checked good = judged(span);
        if (good.code == notHere)
            QSKIP(good.out);
        QVERIFY2(good.code == 0, good.out);
        for (const auto &[from, to] : {std::pair<QByteArray, QByteArray>{"\"name\"", "\"title\""},
                                       {"b7ad6b7169203331", "b7ad"},
                                       {"\"kind\":3", "\"kind\":\"client\""},
                                       {"\"2\"", "\"later\""}}) {
            const Checked bad = judged(QByteArray(span).replace(from, to));
            QVERIFY2(bad.code != 0 && bad.code != notHere, to);
        }
    }

private:
    // It says on which port it serves.
    static int portOf(QProcess &process)
    {
        static const QRegularExpression says(u"on port (\\d+)"_s);
        QByteArray said;
        process.setReadChannel(QProcess::StandardError);
        for (int i = 0; i < 100; ++i) {
            said += process.readAllStandardError();
            const auto match = says.match(QString::fromUtf8(said));
            if (match.hasMatch())
                return match.captured(1).toInt();
            if (!process.waitForReadyRead(patienceMs / 100) &&
                process.state() == QProcess::NotRunning)
                break;
        }
        return -1;
    }

    static void judgeSummaries(Machine &machine, const QVector<QJsonObject> &lines,
                               const QString &flow, const QString &paid)
    {
        QCOMPARE(lines.size(), 2);
        for (const QJsonObject &line : lines) {
            const QString id = line["run_id"_L1].toString();
            QVERIFY(id == flow || id == paid);
            const QJsonObject run = machine.show(id);
            for (const char *field :
                 {"run_id", "status", "duration_ms", "key_outputs", "retry_count",
                  "compensation_count", "duplicates_prevented", "workflow", "version"})
                QCOMPARE(line[QLatin1String(field)], run[QLatin1String(field)]);
            if (id == paid) {
                QVERIFY(!line["key_outputs"_L1]["made"_L1].toString().isEmpty());
                QVERIFY(line["key_outputs"_L1]["api_token"_L1].toString() != "same"_L1);
            }
        }
    }

    static void judgeLog(const QVector<QJsonObject> &lines, const QString &flow,
                         const QString &conflict)
    {
        QMap<QString, int> events;
        for (const QJsonObject &line : lines) {
            const QString event = line["event"_L1].toString();
            ++events[event];
            for (const char *field : {"time", "level", "event", "run_id", "workflow", "worker",
                                      "disposition", "trace_id"})
                QVERIFY2(line[QLatin1String(field)].isString(), field);
            QVERIFY(line["version"_L1].isDouble() && line["retry_count"_L1].isDouble());
            const bool isOfStep = event == "retry_scheduled"_L1 || event == "verify_scheduled"_L1 ||
                                  event == "intent"_L1 || event == "attempt_ended"_L1 ||
                                  event == "review_opened"_L1 || event == "step_failed"_L1;
            if (isOfStep) {
                for (const char *field : {"step", "action", "key"})
                    QVERIFY2(line[QLatin1String(field)].isString(),
                             QJsonDocument(line).toJson().constData());
            }
            if (event == "retry_scheduled"_L1 || event == "attempt_ended"_L1 ||
                event == "review_opened"_L1 || event == "compensation_began"_L1)
                QVERIFY2(!line["reason"_L1].toString().isEmpty(),
                         QJsonDocument(line).toJson().constData());
            if (line["review_kind"_L1] == "conflict"_L1) {
                QCOMPARE(line["run_id"_L1].toString(), conflict);
                QCOMPARE(line["version"_L1].toInt(), 3);
                QCOMPARE(line["key"_L1].toString(), u"make:same"_s);
                QCOMPARE(line["disposition"_L1].toString(), u"review"_s);
                ++events[u"conflict"_s];
            }
            if (line["run_id"_L1].toString() == flow) {
                QCOMPARE(line["trace_id"_L1].toString(), u"0af7651916cd43dd8448eb211c80319c"_s);
                if (event == "finished"_L1)
                    QCOMPARE(line["disposition"_L1].toString(), u"compensated"_s);
            }
        }
        for (const char *event : {"retry_scheduled", "verify_scheduled", "compensation_began",
                                  "conflict", "step_failed", "finished"})
            QVERIFY2(events.value(QString::fromLatin1(event)) > 0, event);
    }

    static void judgeSpans(Machine &machine, const QJsonArray &spans, const QString &flow,
                           const QString &conflict)
    {
        QMap<QString, QJsonValue> byId;
        QMap<QString, QStringList> events; // of runs
        for (const QJsonValue &span : spans) {
            byId[span["spanId"_L1].toString()] = span;
            for (const QJsonValue &event : span["events"_L1].toArray()) {
                const QString run = attributeOf(event, u"holdfast.run.id"_s);
                const QString kind = attributeOf(event, u"holdfast.review.kind"_s);
                events[run] << event["name"_L1].toString() + (kind.isEmpty() ? u""_s : u' ' + kind);
            }
        }
        QCOMPARE(byId.size(), spans.size());
        const QJsonValue root = byId.value(model::runSpanId(flow));
        QCOMPARE(root["traceId"_L1].toString(), u"0af7651916cd43dd8448eb211c80319c"_s);
        QCOMPARE(root["parentSpanId"_L1].toString(), u"b7ad6b7169203331"_s);
        QCOMPARE(attributeOf(root, u"holdfast.outcome"_s), u"compensated"_s);
        QVERIFY(!byId.contains(model::runSpanId(conflict))); // it has not ended
        int attempts = 0;
        const QJsonArray steps = machine.show(flow)["steps"_L1].toArray();
        for (const QJsonValue &step : steps) {
            const QString name = step["step"_L1].toString();
            for (const QJsonValue &attempt : step["attempts"_L1].toArray()) {
                const auto direction = model::directionFromName(attempt["direction"_L1].toString());
                const QJsonValue span = byId.value(
                    model::attemptSpanId(flow, name, *direction, attempt["number"_L1].toInt()));
                QVERIFY2(span.isObject(), qPrintable(name));
                ++attempts;
                QCOMPARE(span["kind"_L1].toInt(), 3);
                QCOMPARE(span["parentSpanId"_L1].toString(), model::runSpanId(flow));
                QCOMPARE(attributeOf(span, u"server.address"_s), u"127.0.0.1"_s);
                QVERIFY(!attributeOf(span, u"http.request.method"_s).isEmpty());
                QVERIFY(attributeOf(span, u"url.full"_s).startsWith(machine.world.origin()));
                const int status = attempt["status"_L1].toInt();
                if (status > 0)
                    QCOMPARE(attributeOf(span, u"http.response.status_code"_s).toInt(), status);
                const bool failed = !attempt["class"_L1].toString().isEmpty() &&
                                    attempt["class"_L1].toString() != "none"_L1;
                QCOMPARE(span["status"_L1]["code"_L1].toInt(), failed ? 2 : 0);
                QCOMPARE(attributeOf(span, u"error.type"_s).isEmpty(), !failed);
            }
        }
        QVERIFY(attempts >= 6); // seven where it met the 429
        const QJsonValue asked =
            byId.value(model::attemptSpanId(flow, u"reserve"_s, model::Direction::verify, 1));
        QVERIFY(attributeOf(asked, u"url.full"_s).endsWith("?key=REDACTED"_L1));
        QCOMPARE(attributeOf(asked, u"holdfast.key_hash"_s), model::sha256Hex("reserve:o1"));
        for (const char *name :
             {"holdfast.verify_scheduled", "holdfast.step_failed", "holdfast.compensation_began"})
            QVERIFY2(events.value(flow).contains(QString::fromLatin1(name)), name);
        QVERIFY(events.value(conflict).contains(u"holdfast.review_opened conflict"_s));
        // Either run may have met the 429.
        QStringList all;
        for (const QStringList &names : std::as_const(events))
            all += names;
        QVERIFY(all.contains(u"holdfast.retry_scheduled"_s));
    }
};

QTEST_GUILESS_MAIN(TelemetryTest)
#include "tst_telemetry.moc"
