// Local programs as steps: their context, their output, and how they end.
#include "actions/command_sender.h"
#include "actions/inbox.h"
#include "actions/outside.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

using namespace holdfast;
using namespace holdfast::test;

namespace
{

struct Bench {
    explicit Bench(int atOnce = actions::CommandSender::atOnceDefault)
        : sender(clock, std::make_shared<actions::Secrets>(QStringLiteral("/nonexistent/secrets")),
                 atOnce),
          inbox(sender)
    {
    }
    model::CallResult result(const model::Call &call)
    {
        sender.send(call);
        return inbox.next();
    }
    HandClock clock;
    actions::CommandSender sender;
    Inbox inbox;
};

model::Call commandOf(const QStringList &argv)
{
    model::Call call;
    call.runId = QStringLiteral("run-1");
    call.step = QStringLiteral("archive");
    call.attempt = 3;
    call.key = QStringLiteral("archive:a1");
    call.effect = model::Effect::write;
    call.timeout = 20 * model::second;
    call.request.argv = argv;
    return call;
}

model::Call shell(const char *script)
{
    return commandOf({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(script)});
}

} // namespace

class TestCommandSender : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void inputGoesInAndOutputComesBack();
    void aLargeInputAndAnEarlyCloseAreFine();
    void theContextIsInACleanEnvironment();
    void theExitCodeIsTheStatusAndErrorsTheDetail();
    void aProgramThatDoesNotExistIsNotSent();
    void argumentsAreNotParsed();
    void aTimeoutEndsTheWholeGroup();
    void aStubbornProgramIsKilled();
    void aSignalIsReported();
    void tooMuchOutputIsCut();
    void aBackgroundChildDoesNotHoldUpTheResult();
    void aLeaseThatEndedStartsNothing();
    void onlySoManyAtOnce();
    void aCallAfterDrainIsCancelled();
    void destroyingTheSenderKillsWhatRuns();
    void theOutsideRoutesByKind();
};

void TestCommandSender::inputGoesInAndOutputComesBack()
{
    Bench bench;
    model::Call call = commandOf({QStringLiteral("cat")});
    call.request.body = R"({"a":1})";
    const auto result = bench.result(call);
    QCOMPARE(result.error, QString());
    QVERIFY(result.sent && result.bodyComplete);
    QCOMPARE(result.status, 0);
    QCOMPARE(result.body, QByteArray(R"({"a":1})"));
    QCOMPARE(result.runId, call.runId);
    QCOMPARE(result.attempt, 3);
}

void TestCommandSender::aLargeInputAndAnEarlyCloseAreFine()
{
    Bench bench;
    model::Call call = commandOf({QStringLiteral("cat")});
    call.request.body = QByteArray(900'000, 'x');
    QCOMPARE(bench.result(call).body.size(), 900'000);
    call.request.argv = {QStringLiteral("true")};
    QCOMPARE(bench.result(call).status, 0);
}

void TestCommandSender::theContextIsInACleanEnvironment()
{
    qputenv("HOLDFAST_SECRET_PAY", "must-not-be-seen");
    Bench bench;
    model::Call call = commandOf({QStringLiteral("env")});
    call.traceparent = QStringLiteral("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    const auto result = bench.result(call);
    qunsetenv("HOLDFAST_SECRET_PAY");
    const QByteArrayList lines = result.body.split('\n');
    for (const char *line :
         {"HOLDFAST_RUN_ID=run-1", "HOLDFAST_STEP=archive", "HOLDFAST_KEY=archive:a1",
          "HOLDFAST_ATTEMPT=3", "HOLDFAST_DEADLINE_MS=20000", "HOLDFAST_EFFECT=write",
          "HOLDFAST_CORRELATION_ID=run-1",
          "TRACEPARENT=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})
        QVERIFY2(lines.contains(line), line);
    for (const QByteArray &line : lines) {
        const QByteArray name = line.left(line.indexOf('='));
        QVERIFY2(line.isEmpty() || name.startsWith("HOLDFAST_") || name == "PATH" ||
                     name == "HOME" || name == "LANG" || name == "TMPDIR" || name == "TRACEPARENT",
                 line.constData());
    }
    QVERIFY(!result.body.contains("must-not-be-seen"));
}

void TestCommandSender::theExitCodeIsTheStatusAndErrorsTheDetail()
{
    Bench bench;
    const auto result = bench.result(shell("echo partial; echo 'disk is full' >&2; exit 7"));
    QCOMPARE(result.error, QString());
    QVERIFY(result.sent && result.bodyComplete);
    QCOMPARE(result.status, 7);
    QCOMPARE(result.body, QByteArray("partial\n"));
    QCOMPARE(result.detail, QStringLiteral("disk is full"));
}

void TestCommandSender::aProgramThatDoesNotExistIsNotSent()
{
    Bench bench;
    const auto result = bench.result(commandOf({QStringLiteral("/no/such/program")}));
    QCOMPARE(result.error, QStringLiteral("spawn_failed"));
    QVERIFY(!result.sent);
    QVERIFY(result.detail.contains(QStringLiteral("/no/such/program")));
    const auto nul =
        bench.result(commandOf({QStringLiteral("echo"), QString(QLatin1String("a\0b", 3))}));
    QCOMPARE(nul.error, QStringLiteral("spawn_failed"));
}

void TestCommandSender::argumentsAreNotParsed()
{
    Bench bench;
    const auto result =
        bench.result(commandOf({QStringLiteral("echo"), QStringLiteral("$(id); `id` *")}));
    QCOMPARE(result.body, QByteArray("$(id); `id` *\n"));
}

void TestCommandSender::aTimeoutEndsTheWholeGroup()
{
    QTemporaryDir folder;
    const QByteArray file = folder.filePath(QStringLiteral("pid")).toUtf8();
    Bench bench;
    model::Call call = shell("sleep 600 & echo $! > \"$0\"; echo begun; wait");
    call.request.argv.append(QString::fromUtf8(file));
    call.timeout = 500;
    const auto result = bench.result(call);
    QCOMPARE(result.error, QStringLiteral("timeout"));
    QVERIFY(result.sent && !result.bodyComplete);
    QCOMPARE(result.status, -1);
    QCOMPARE(result.body, QByteArray("begun\n"));
    QFile pidFile(QString::fromUtf8(file));
    QVERIFY(pidFile.open(QIODevice::ReadOnly));
    const int pid = pidFile.readAll().trimmed().toInt();
    QVERIFY(pid > 0);
    // A killed orphan may wait as a zombie for whoever reaps here; it must not be running.
    QTRY_VERIFY([pid] {
        QFile status(QStringLiteral("/proc/%1/status").arg(pid));
        return !status.open(QIODevice::ReadOnly) || status.readAll().contains("State:\tZ");
    }());
}

void TestCommandSender::aStubbornProgramIsKilled()
{
    Bench bench;
    model::Call call = shell("trap '' TERM; while :; do sleep 1; done");
    call.timeout = 200;
    const auto result = bench.result(call);
    QCOMPARE(result.error, QStringLiteral("timeout"));
    QVERIFY(result.sent);
}

void TestCommandSender::aSignalIsReported()
{
    Bench bench;
    const auto result = bench.result(shell("kill -9 $$"));
    QCOMPARE(result.error, QStringLiteral("killed"));
    QVERIFY(result.sent && !result.bodyComplete);
    QCOMPARE(result.status, -1);
}

void TestCommandSender::tooMuchOutputIsCut()
{
    Bench bench;
    const auto result = bench.result(commandOf({QStringLiteral("yes")}));
    QCOMPARE(result.error, QStringLiteral("too_large"));
    QVERIFY(result.sent && !result.bodyComplete);
    QVERIFY(result.body.size() <= actions::oversizeKept);
}

void TestCommandSender::aBackgroundChildDoesNotHoldUpTheResult()
{
    Bench bench;
    const auto result = bench.result(shell("sleep 20 & echo done"));
    QCOMPARE(result.status, 0);
    QCOMPARE(result.body, QByteArray("done\n"));
}

void TestCommandSender::aLeaseThatEndedStartsNothing()
{
    QTemporaryDir folder;
    Bench bench;
    model::Call call =
        commandOf({QStringLiteral("touch"), folder.filePath(QStringLiteral("made"))});
    call.sendBeforeMonotonic = bench.clock.steady - 1;
    const auto result = bench.result(call);
    QCOMPARE(result.error, QStringLiteral("too_late"));
    QVERIFY(!result.sent);
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("made"))));
}

void TestCommandSender::onlySoManyAtOnce()
{
    // Each makes a directory of the same name and removes it again: two at once would fail.
    QTemporaryDir folder;
    Bench bench(1);
    model::Call call = shell("mkdir \"$0\" && sleep 0.02 && rmdir \"$0\"");
    call.request.argv.append(folder.filePath(QStringLiteral("alone")));
    for (int i = 0; i < 8; ++i)
        bench.sender.send(call);
    QVERIFY(bench.inbox.waitFor(8));
    for (const model::CallResult &result : bench.inbox.all())
        QCOMPARE(result.status, 0);
}

void TestCommandSender::aCallAfterDrainIsCancelled()
{
    Bench bench;
    bench.sender.drain();
    const auto result = bench.result(shell("true"));
    QCOMPARE(result.error, QStringLiteral("cancelled"));
    QVERIFY(!result.sent);
}

void TestCommandSender::destroyingTheSenderKillsWhatRuns()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("pid"));
    int pid = 0;
    {
        Bench bench;
        model::Call call = shell("echo $$ > \"$0.part\"; mv \"$0.part\" \"$0\"; exec sleep 600");
        call.request.argv.append(file);
        bench.sender.send(call);
        QTRY_VERIFY(QFile::exists(file));
        QFile pidFile(file);
        QVERIFY(pidFile.open(QIODevice::ReadOnly));
        pid = pidFile.readAll().trimmed().toInt();
    }
    QVERIFY(pid > 0);
    QCOMPARE(::kill(pid, 0), -1);
}

void TestCommandSender::theOutsideRoutesByKind()
{
    HandClock clock;
    actions::Outside outside(
        clock, [](const QString &, int) { return std::shared_ptr<const contract::Dependency>(); },
        std::make_shared<actions::Secrets>(QStringLiteral("/nonexistent/secrets")));
    Inbox inbox(outside);
    outside.send(shell("true"));
    QCOMPARE(inbox.next().status, 0);
    model::Call http = shell("true");
    http.request.argv.clear();
    http.request.method = QStringLiteral("GET");
    http.request.path = QStringLiteral("/");
    outside.send(http);
    QCOMPARE(inbox.next().error, QStringLiteral("dependency_missing"));
    outside.drain();
    outside.send(shell("true"));
    QCOMPARE(inbox.next().error, QStringLiteral("cancelled"));
    outside.send(http);
    QCOMPARE(inbox.next().error, QStringLiteral("cancelled"));
}

QTEST_GUILESS_MAIN(TestCommandSender)
#include "tst_command_sender.moc"
