// Goal: a batch from the command line is counted before it is started, says what is wrong with bad
// input, and is finished by whichever worker comes after the one that died. Method: the real
// binary; workers are killed at the two places where a look may be cut in two.
#include "ctl/ctl_process.h"

#include "control/door_bench.h"

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

namespace
{
constexpr int heldRuns = 12;
} // namespace

class CtlBatch : public QObject
{
    Q_OBJECT

private:
    CtlBench m_bench;

    CtlResult worker(const QString &crashAt = {}) const
    {
        QProcess process;
        m_bench.prepare(process, {u"worker"_s, u"--until-idle"_s});
        QProcessEnvironment environment = process.processEnvironment();
        if (!crashAt.isEmpty())
            environment.insert(u"HOLDFAST_CRASH_AT"_s, crashAt);
        process.setProcessEnvironment(environment);
        process.start();
        if (!process.waitForFinished(CtlBench::patienceMs))
            qFatal("the worker does not end");
        const bool died = process.exitStatus() == QProcess::CrashExit;
        return {died ? -1 : process.exitCode(), {}, process.readAllStandardError()};
    }
    QJsonValue show(const QString &id) const
    {
        const QJsonValue batch = m_bench.json({u"batch"_s, u"show"_s, id}).json();
        int sum = 0;
        for (const QJsonValue &count : batch["totals"_L1]["states"_L1].toObject())
            sum += count.toInt();
        if (sum != batch["items"_L1].toInt() || batch["list"_L1].toArray().size() != sum)
            qFatal("the totals do not add up");
        return batch;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString file = m_bench.write(u"one.yaml"_s, oneStepWorkflow().toUtf8());
        QCOMPARE(m_bench.json({u"deploy"_s, file}).code, 0);
        // Nothing may leave here: the runs come to stand held.
        QCOMPARE(m_bench.json({u"pause"_s, u"--depth"_s, u"all"_s, u"--reason"_s, u"r"_s}).code, 0);
        for (int i = 0; i < heldRuns; ++i) {
            const QString input = u"{\"id\":\"%1\"}"_s.arg(i);
            QCOMPARE(m_bench.json({u"start"_s, u"one"_s, u"--input"_s, input}).code, 0);
        }
        QVERIFY(worker().code >= 0);
    }

    void mistakes_are_named_and_nothing_is_started_data()
    {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QStringList &line, int code,
                            const QByteArray &says) {
            QTest::newRow(name) << (QStringList{u"batch"_s} + line) << code << says;
        };
        const QStringList reason{u"--reason"_s, u"r"_s};
        row("nothing", {}, 2, "needs more");
        row("unknown act", {u"approve"_s, u"--status"_s, u"held"_s}, 2, "a batch can retry");
        row("no selection", QStringList{u"retry"_s} + reason, 2, "say which");
        row("no reason", {u"cancel"_s, u"--status"_s, u"held"_s}, 2, "--reason is missing");
        row("two selections",
            QStringList{u"cancel"_s, u"--status"_s, u"held"_s, u"--runs"_s, u"a"_s} + reason, 2,
            "not two of them");
        row("empty list", QStringList{u"cancel"_s, u"--runs"_s, u","_s} + reason, 2,
            "names nothing");
        row("no verdict", QStringList{u"resolve"_s, u"--items"_s, u"a"_s} + reason, 2,
            "say as what");
        row("no number",
            QStringList{u"cancel"_s, u"--status"_s, u"held"_s, u"--rate"_s, u"fast"_s} + reason, 2,
            "whole number");
        row("no id", {u"stop"_s}, 2, "say which batch");
        row("rate of nothing",
            QStringList{u"cancel"_s, u"--status"_s, u"held"_s, u"--rate"_s, u"0"_s} + reason, 1,
            "between 1 and 1000");
        row("unknown run", QStringList{u"cancel"_s, u"--runs"_s, u"nope"_s} + reason, 1,
            "no run nope");
        row("unknown status", QStringList{u"cancel"_s, u"--status"_s, u"green"_s} + reason, 1,
            "no status");
        row("bad filter", QStringList{u"cancel"_s, u"--filter"_s, u"colour:red"_s} + reason, 1,
            "colour");
        row("nothing matches", QStringList{u"retry"_s, u"--status"_s, u"failed"_s} + reason, 1,
            "nothing matches");
        row("nothing is safe", QStringList{u"retry"_s, u"--status"_s, u"held"_s} + reason, 1,
            "none of the 12");
        row("items for a run's act", QStringList{u"retry"_s, u"--items"_s, u"x"_s} + reason, 1,
            "takes runs");
        row("unknown batch", {u"show"_s, u"nope"_s}, 1, "no batch nope");
    }
    void mistakes_are_named_and_nothing_is_started()
    {
        QFETCH(QStringList, line);
        QFETCH(int, code);
        QFETCH(QByteArray, says);
        const CtlResult result = m_bench.run(line);
        QCOMPARE(result.code, code);
        QVERIFY2(result.err.contains(says), result.err.constData());
        QVERIFY(!m_bench.json(line).json()["error"_L1].isUndefined());
        QCOMPARE(m_bench.json({u"batches"_s}).json()["batches"_L1].toArray().size(), 0);
    }

    void a_preview_counts_and_does_nothing()
    {
        const CtlResult preview =
            m_bench.json({u"batch"_s, u"cancel"_s, u"--status"_s, u"held"_s, u"--preview"_s});
        QCOMPARE(preview.code, 0);
        QCOMPARE(preview.json()["count"_L1].toInt(), heldRuns);
        QCOMPARE(preview.json()["verdicts"_L1]["safe"_L1].toInt(), heldRuns);
        QCOMPARE(m_bench.json({u"batches"_s}).json()["batches"_L1].toArray().size(), 0);
    }

    void workers_that_die_leave_it_to_the_next()
    {
        const CtlResult started = m_bench.json(
            {u"batch"_s, u"cancel"_s, u"--status"_s, u"held"_s, u"--reason"_s, u"withdrawn"_s});
        QCOMPARE(started.code, 0);
        const QString id = started.json()["id"_L1].toString();
        QVERIFY(m_bench.run({u"batch"_s, u"show"_s, id}).out.contains("no worker is running"));
        QCOMPARE(worker(u"before_items:2"_s).code, -1);
        QCOMPARE(show(id)["taken"_L1].toInt(), 1);
        QCOMPARE(worker(u"after_items:1"_s).code, -1);
        QCOMPARE(show(id)["taken"_L1].toInt(), 6);
        QCOMPARE(show(id)["totals"_L1]["states"_L1]["recorded"_L1].toInt(), 5);
        QCOMPARE(m_bench.json({u"batch"_s, u"hold"_s, id}).code, 0);
        QCOMPARE(m_bench.json({u"batch"_s, u"go"_s, id}).code, 0);
        QCOMPARE(m_bench.json({u"batch"_s, u"go"_s, id}).code, 1);
        QVERIFY(worker().code >= 0);
        const QJsonValue done = show(id);
        QCOMPARE(done["state"_L1].toString(), u"done"_s);
        QCOMPARE(done["totals"_L1]["states"_L1]["applied"_L1].toInt(), heldRuns);
        QCOMPARE(done["totals"_L1]["runs_now"_L1]["cancelled"_L1].toInt(), heldRuns);
        QCOMPARE(m_bench.json({u"audit"_s, u"verify"_s}).code, 0);
    }
};

QTEST_GUILESS_MAIN(CtlBatch)
#include "tst_batch.moc"
