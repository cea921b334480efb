// Goal: whatever is typed, the program says what is wrong with the right exit code, prints one JSON
// document when asked for JSON, and stores nothing. Method: the real binary, one mistake at a time.
#include "ctl/ctl_process.h"

#include "control/door_bench.h"

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

class BadInput : public QObject
{
    Q_OBJECT

private:
    CtlBench m_bench;

private Q_SLOTS:
    void initTestCase()
    {
        const QString file = m_bench.write(u"one.yaml"_s, oneStepWorkflow().toUtf8());
        const CtlResult deployed = m_bench.json({u"deploy"_s, file});
        QVERIFY2(deployed.code == 0, deployed.err.constData());
    }

    void usage_errors_exit_2_and_say_how_it_is_used_data()
    {
        QTest::addColumn<QStringList>("line");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("unknown command") << QStringList{u"frobnicate"_s};
        QTest::newRow("unknown option") << QStringList{u"runs"_s, u"--colour"_s};
        QTest::newRow("missing value") << QStringList{u"start"_s, u"one"_s, u"--input"_s};
        QTest::newRow("missing input") << QStringList{u"start"_s, u"one"_s};
        QTest::newRow("missing argument") << QStringList{u"show"_s};
        QTest::newRow("extra argument") << QStringList{u"show"_s, u"a"_s, u"b"_s};
        QTest::newRow("not a number") << QStringList{u"worker"_s, u"--concurrency"_s, u"many"_s};
        QTest::newRow("zero workers") << QStringList{u"worker"_s, u"--concurrency"_s, u"0"_s};
        QTest::newRow("given twice")
            << QStringList{u"runs"_s, u"--step"_s, u"a"_s, u"--step"_s, u"b"_s};
        QTest::newRow("no reason") << QStringList{u"pause"_s};
        QTest::newRow("flag with value") << QStringList{u"reviews"_s, u"--all=yes"_s};
    }
    void usage_errors_exit_2_and_say_how_it_is_used()
    {
        QFETCH(QStringList, line);
        const CtlResult text = m_bench.run(line);
        QCOMPARE(text.code, 2);
        QVERIFY(text.out.isEmpty());
        QVERIFY(text.err.contains("usage: holdfastctl"));
        const CtlResult json = m_bench.json(line);
        QCOMPARE(json.code, 2);
        QCOMPARE(json.json()["error"_L1]["kind"_L1].toString(), u"usage"_s);
    }

    void bad_input_is_refused_and_nothing_is_stored_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not json") << QByteArray("{id: 1}");
        QTest::newRow("duplicate keys") << QByteArray(R"({"id":"a","id":"b"})");
        QTest::newRow("trailing") << QByteArray(R"({"id":"a"} x)");
        QTest::newRow("bom") << QByteArray("\xef\xbb\xbf{\"id\":\"a\"}");
        QTest::newRow("not utf-8") << QByteArray("{\"id\":\"\xff\"}");
        QTest::newRow("lone surrogate") << QByteArray(R"({"id":"\ud800"})");
        QTest::newRow("deep") << QByteArray(100'000, '[');
        QTest::newRow("too long") << QByteArray(R"({"id":")") + QByteArray(2 << 20, 'x') + "\"}";
        QTest::newRow("array") << QByteArray("[]");
        QTest::newRow("null") << QByteArray("null");
        QTest::newRow("schema") << QByteArray(R"({"id":7})");
        QTest::newRow("missing member") << QByteArray("{}");
        QTest::newRow("empty event id") << QByteArray(R"({"id":""})");
        QTest::newRow("control character in event id") << QByteArray(R"({"id":"a\u0000b"})");
    }
    void bad_input_is_refused_and_nothing_is_stored()
    {
        QFETCH(QByteArray, input);
        const CtlResult result = m_bench.json({u"start"_s, u"one"_s, u"--input"_s, u"-"_s}, input);
        QCOMPARE(result.code, 1);
        QVERIFY(!result.json()["error"_L1]["message"_L1].toString().isEmpty());
        QVERIFY(!result.err.isEmpty());
        QVERIFY(m_bench.json({u"runs"_s}).json()["runs"_L1].toArray().isEmpty());
    }

    void unknown_things_exit_1_data()
    {
        QTest::addColumn<QStringList>("line");
        const QString reason = u"--reason=r"_s;
        QTest::newRow("workflow") << QStringList{u"start"_s, u"none"_s, u"--input"_s, u"{}"_s};
        QTest::newRow("run") << QStringList{u"show"_s, u"none"_s};
        QTest::newRow("item") << QStringList{u"resolve"_s, u"none"_s, u"happened"_s, reason};
        QTest::newRow("input file") << QStringList{u"start"_s, u"one"_s, u"--input"_s, u"@/nope"_s};
        QTest::newRow("definition file") << QStringList{u"deploy"_s, u"/nope.yaml"_s};
        QTest::newRow("status") << QStringList{u"runs"_s, u"--status"_s, u"happy"_s};
        QTest::newRow("database") << QStringList{u"--db"_s, u"mysql://x"_s, u"runs"_s};
        QTest::newRow("api") << QStringList{u"worker"_s, u"--api"_s, u"192.0.2.1:9464"_s};
        QTest::newRow("pause") << QStringList{u"resume"_s};
    }
    void unknown_things_exit_1()
    {
        QFETCH(QStringList, line);
        const CtlResult result = m_bench.json(line);
        QCOMPARE(result.code, 1);
        QVERIFY(result.json()["error"_L1].isObject());
    }

    void malformed_definitions_are_reported_with_their_place()
    {
        const QString file =
            m_bench.write(u"bad.yaml"_s, "holdfast: 1\nworkflow: x\nversion: one\ncolour: red\n");
        for (const QString &command : {u"check"_s, u"deploy"_s}) {
            const CtlResult result = m_bench.json({command, file});
            QCOMPARE(result.code, 1);
            const QJsonArray findings = result.json()["error"_L1]["findings"_L1].toArray();
            QVERIFY(findings.size() >= 2);
            QVERIFY(findings.first()["line"_L1].toInt() > 0);
            QVERIFY(result.err.contains("bad.yaml:"));
        }
    }

    void a_file_that_is_no_database_is_left_alone()
    {
        const QByteArray bytes = "this is a diary, not a database\n";
        const QString file = m_bench.write(u"diary.txt"_s, bytes);
        const CtlResult result = m_bench.json({u"--db"_s, u"sqlite:"_s + file, u"runs"_s});
        QCOMPARE(result.code, 1);
        QVERIFY(result.json()["error"_L1].isObject());
        QFile after(file);
        QVERIFY(after.open(QIODevice::ReadOnly));
        QCOMPARE(after.readAll(), bytes);
    }

    void every_command_explains_itself()
    {
        const CtlResult all = m_bench.run({u"--help"_s});
        QCOMPARE(all.code, 0);
        for (const char *name :
             {"check",   "deploy",  "start",  "worker",     "runs",    "show",   "reviews",
              "resolve", "approve", "reject", "compensate", "retry",   "cancel", "rerun",
              "pause",   "resume",  "pauses", "breaker",    "ledger",  "audit",  "doctor",
              "rebuild", "signal",  "note",   "workers",    "sandbox", "admin",  "secret"}) {
            QVERIFY2(all.out.contains(name), name);
            const CtlResult one = m_bench.run({QString::fromLatin1(name), u"--help"_s});
            QCOMPARE(one.code, 0);
            QVERIFY2(one.out.contains("Exit codes"), name);
        }
    }
};

QTEST_GUILESS_MAIN(BadInput)
#include "tst_bad_input.moc"
