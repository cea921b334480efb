// What the inspector makes of a run before it draws anything: the story, the scale of time, and the
// command a person may paste into a shell.
#include "inspector_story.h"
#include "ui/inspector/attempts_model.h"
#include "ui/inspector/curl_text.h"
#include "ui/inspector/plan_model.h"
#include "ui/inspector/run_story.h"
#include "ui/inspector/time_scale.h"

#include <QAbstractItemModelTester>
#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::inspector;

class InspectorStoryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void attemptsComeInTheOrderTheyBegan();
    void waitsAreReadFromTheJournal();
    void theScaleIsTrueWhereSomethingHappens();
    void longGapsAreSqueezed();
    void ticksKeepTheirDistance();
    void curlIsQuotedForTheShell_data();
    void curlIsQuotedForTheShell();
    void curlHidesSecrets();
    void aBodyNamesNoFile();
    void modelsKeepTheirPromises();
};

void InspectorStoryTest::attemptsComeInTheOrderTheyBegan()
{
    const RunStory story = RunStory::fromJson(tests::ambiguousRun());
    QCOMPARE(story.steps.size(), 5);
    QCOMPARE(story.attempts.size(), 6);
    for (int at = 1; at < story.attempts.size(); ++at)
        QVERIFY(story.attempts.at(at - 1).startedAt <= story.attempts.at(at).startedAt);
    QCOMPARE(story.attempts.at(3).rowId(), u"charge/forward/1"_s);
    QCOMPARE(story.indexOf(u"charge/forward/1"_s), 3);
    QCOMPARE(story.mostTelling(), 3);
    QCOMPARE(story.notes().size(), 1);
    QCOMPARE(story.link(), u"holdfast://run/0197c3aa-51d2-7e31-9c40-6f2be1a7d0e2"_s);
}

void InspectorStoryTest::waitsAreReadFromTheJournal()
{
    const RunStory story = RunStory::fromJson(tests::ambiguousRun());
    QCOMPARE(story.waits.size(), 4);
    QCOMPARE(story.waits.at(0).row, 2);
    QCOMPARE(story.waits.at(0).until - story.waits.at(0).from, 2'080);
    QVERIFY(!story.waits.at(0).isForPerson);
    QVERIFY(story.waits.at(3).isForPerson);
    QCOMPARE(story.waits.at(3).until, model::never);
}

void InspectorStoryTest::theScaleIsTrueWhereSomethingHappens()
{
    const TimeScale scale({{1000, 2000}, {1500, 4000}, {4100, 5000}}, 400, 50);
    QCOMPARE(scale.pieces().size(), 1);
    QCOMPARE(scale.x(1000), 0.0);
    QCOMPARE(scale.x(5000), 400.0);
    QCOMPARE(scale.x(3000), 200.0);
    QCOMPARE(scale.x(0), 0.0);
    QCOMPARE(scale.x(9999), 400.0);
}

void InspectorStoryTest::longGapsAreSqueezed()
{
    const TimeScale scale({{0, 1000}, {7'200'000, 7'201'000}}, 400, 40);
    QCOMPARE(scale.pieces().size(), 3);
    QVERIFY(scale.pieces().at(1).isGap);
    QCOMPARE(scale.pieces().at(1).right - scale.pieces().at(1).left, 40.0);
    QCOMPARE(scale.x(1000), 180.0);
    QCOMPARE(scale.x(7'200'000), 220.0);
    QCOMPARE(scale.x(7'200'500), 310.0);
    // However many there are, most of the room is for what happened.
    QVector<TimeSpan> many;
    for (int at = 0; at < 50; ++at)
        many.append({at * 1'000'000LL, at * 1'000'000LL + 100});
    const TimeScale crowded(many, 400, 40);
    double gaps = 0;
    for (const TimeScale::Piece &piece : crowded.pieces())
        gaps += piece.isGap ? piece.right - piece.left : 0;
    QVERIFY(gaps < 200);
    QVERIFY(TimeScale({}, 400, 40).isEmpty());
}

void InspectorStoryTest::ticksKeepTheirDistance()
{
    const TimeScale scale({{0, 20'000}, {7'200'000, 7'201'000}}, 800, 60);
    const auto ticks = scale.ticks(70);
    QVERIFY(ticks.size() > 3);
    QCOMPARE(ticks.first().text, u"0"_s);
    for (int at = 1; at < ticks.size(); ++at)
        QVERIFY(ticks.at(at).x - ticks.at(at - 1).x >= 69.9);
    QCOMPARE(ticks.last().text, u"2 h"_s);
    const auto fine = TimeScale({{0, 2'000}}, 800, 60).ticks(70);
    QCOMPARE(fine.at(6).text, u"1.2 s"_s);
    QCOMPARE(fine.at(1).text, u"200 ms"_s);
}

void InspectorStoryTest::curlIsQuotedForTheShell_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("quote") << u"it's \"due\""_s;
    QTest::newRow("command") << u"'; rm -rf / #$(reboot)`x`"_s;
    QTest::newRow("lines") << u"a\nb\tc\\d"_s;
    QTest::newRow("empty") << QString();
    QTest::newRow("dollar") << u"$HOME ${PATH} !1 *"_s;
    QTest::newRow("emoji") << u"😀 عربي \u202e"_s;
}

// A real shell gives back the very text.
void InspectorStoryTest::curlIsQuotedForTheShell()
{
    QFETCH(QString, text);
    QProcess shell;
    shell.start(u"/bin/sh"_s, {u"-c"_s, u"printf %s "_s + shellQuoted(text)});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), text);
    QCOMPARE(shell.exitCode(), 0);
}

void InspectorStoryTest::curlHidesSecrets()
{
    const Outgoing outgoing = Outgoing::of(
        {{u"dependency"_s, u"payments"_s},
         {u"url"_s, u"https://api.example"_s},
         {u"source"_s, u"dependency: mail\nheaders:\n  X-Other: 1\n---\ndependency: payments\n"
                       "headers:\n  Authorization: Bearer ${ secret.TOKEN }\n  X-Plain: yes\n"
                       "idempotency:\n  header: X-Key\n"_s}});
    const QJsonObject request{{u"method"_s, u"POST"_s},
                              {u"path"_s, u"/v1/charges?a[]=1"_s},
                              {u"headers"_s, QJsonArray{QJsonArray{u"Api-Key"_s, u"s3cret"_s}}},
                              {u"content_type"_s, u"application/json"_s},
                              {u"body"_s, u"{\"a\":\"it's\"}"_s}};
    const QString curl = curlText(request, outgoing, u"charge:1"_s);
    QCOMPARE(curl, u"curl -X POST --globoff 'https://api.example/v1/charges?a[]=1' \\\n"
                   "  -H 'Authorization: Bearer ***' \\\n"
                   "  -H 'X-Plain: yes' \\\n"
                   "  -H 'Api-Key: ***' \\\n"
                   "  -H 'Content-Type: application/json' \\\n"
                   "  -H 'X-Key: charge:1' \\\n"
                   "  --data-raw '{\"a\":\"it'\\''s\"}'"_s);
    QVERIFY(requestText(request, outgoing, u"charge:1"_s).contains("X-Key: charge:1"_L1));
    QVERIFY(!requestText(request, outgoing, {}).contains("s3cret"_L1));
}

void InspectorStoryTest::aBodyNamesNoFile()
{
    const QString curl = curlText(
        {{u"method"_s, u"PUT"_s}, {u"path"_s, u"/x"_s}, {u"body"_s, u"@/etc/passwd"_s}}, {}, {});
    QVERIFY(curl.contains("--data-raw @/etc/passwd"_L1));
    QVERIFY(!curl.contains("--data-binary"_L1));
    const QString bytes = curlText(
        {{u"method"_s, u"PUT"_s}, {u"path"_s, u"/x"_s}, {u"body_base64"_s, u"AAEC"_s}}, {}, {});
    QVERIFY(bytes.startsWith("printf %s AAEC | base64 -d | curl"_L1));
    const QString command =
        curlText({{u"argv"_s, QJsonArray{u"/bin/echo"_s, u"a b"_s}}, {u"body"_s, u"{}"_s}}, {}, {});
    QCOMPARE(command, u"printf %s '{}' | /bin/echo 'a b'"_s);
}

void InspectorStoryTest::modelsKeepTheirPromises()
{
    AttemptsModel attempts;
    QAbstractItemModelTester first(&attempts,
                                   QAbstractItemModelTester::FailureReportingMode::QtTest);
    attempts.setRows(RunStory::fromJson(tests::compensatedRun()).attempts);
    attempts.setRows(RunStory::fromJson(tests::ambiguousRun()).attempts);
    attempts.setNow(1);
    QCOMPARE(attempts.rowCount(), 6);
    PlanModel plan;
    QAbstractItemModelTester second(&plan, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto planned = [](const QString &step, const QString &verdict) {
        return QJsonObject{{u"step"_s, step}, {u"verdict"_s, verdict}};
    };
    plan.setPlan({planned(u"c"_s, u"verify_first"_s), planned(u"b"_s, u"will_compensate"_s),
                  planned(u"a"_s, u"will_compensate"_s), planned(u"z"_s, u"cannot"_s)});
    QCOMPARE(plan.chosen(), QStringList({u"b"_s, u"a"_s}));
    QVERIFY(!plan.isWhole());
    QVERIFY(!plan.setData(plan.index(0, 0), Qt::Checked, Qt::CheckStateRole));
    QVERIFY(plan.setData(plan.index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
    QCOMPARE(plan.chosen(), QStringList({u"a"_s}));
    plan.setSteps({QJsonObject{{u"step"_s, u"a"_s}, {u"status"_s, u"compensated"_s}}});
    QCOMPARE(plan.index(2, PlanModel::now).data().toString(), u"↺ Compensated"_s);
    plan.setLocked(true);
    QVERIFY(!plan.setData(plan.index(2, 0), Qt::Unchecked, Qt::CheckStateRole));
    plan.setPlan({planned(u"b"_s, u"will_compensate"_s), planned(u"z"_s, u"nothing_to_do"_s)});
    QVERIFY(plan.isWhole());
}

QTEST_GUILESS_MAIN(InspectorStoryTest)
#include "tst_inspector_story.moc"
