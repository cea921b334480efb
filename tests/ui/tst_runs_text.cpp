// The text side of the list of runs: terms of a filter, completion, and what an export writes.
#include "ui/runs/export_format.h"
#include "ui/runs/filter_terms.h"

#include <QJsonDocument>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast::runs;

class RunsTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void termsAreSplitAtBlanksOutsideQuotes();
    void aWordStandsOnce();
    void completionOffersWordsThenValues_data();
    void completionOffersWordsThenValues();
    void cellsAreNoFormulas_data();
    void cellsAreNoFormulas();
    void csvHasALineForEachRun();
    void jsonIsOneArray();
};

void RunsTextTest::termsAreSplitAtBlanksOutsideQuotes()
{
    QCOMPARE(termsOf(u"  status:review   since:7d "_s),
             QStringList({u"status:review"_s, u"since:7d"_s}));
    QCOMPARE(termsOf(u"event:\"a b\" x"_s), QStringList({u"event:\"a b\""_s, u"x"_s}));
    QCOMPARE(termsOf(u"\"a \\\" b\" c"_s), QStringList({u"\"a \\\" b\""_s, u"c"_s}));
    QVERIFY(termsOf(u"   "_s).isEmpty());
    QCOMPARE(filterOf({u"a"_s, u"b"_s}), u"a b"_s);
}

void RunsTextTest::aWordStandsOnce()
{
    QCOMPARE(withTerms({u"status:review"_s, u"since:7d"_s}, {u"status:failed"_s, u"x"_s}),
             QStringList({u"status:failed"_s, u"since:7d"_s, u"x"_s}));
    QCOMPARE(withTerms({u"x"_s}, {u"x"_s, u"y"_s}), QStringList({u"x"_s, u"y"_s}));
    QCOMPARE(wordOf(u"status:review"_s), u"status"_s);
    QVERIFY(wordOf(u"\"invoice:8841\""_s).isEmpty());
    QVERIFY(wordOf(u"colour:red"_s).isEmpty());
}

void RunsTextTest::completionOffersWordsThenValues_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("from");
    QTest::addColumn<QStringList>("candidates");
    QTest::newRow("word") << u"since:7d st"_s << 9 << QStringList({u"status:"_s, u"step:"_s});
    QTest::newRow("value") << u"status:f"_s << 7 << QStringList({u"failed"_s});
    QTest::newRow("after a comma") << u"status:failed,re"_s << 14 << QStringList({u"review"_s});
    QTest::newRow("inside") << u"workflow:rout"_s << 9 << QStringList({u"lead-routing"_s});
    QTest::newRow("blank in a value")
        << u"workflow:o"_s << 9 << QStringList({u"order"_s, u"\"two words\""_s, u"lead-routing"_s});
    QTest::newRow("time") << u"since:"_s << 6
                          << QStringList({u"1h"_s, u"24h"_s, u"7d"_s, u"30d"_s});
    QTest::newRow("nothing") << u"colour:"_s << 7 << QStringList();
    QTest::newRow("already whole") << u"status:failed"_s << 7 << QStringList();
}

void RunsTextTest::completionOffersWordsThenValues()
{
    QFETCH(QString, text);
    const QJsonObject words{
        {u"status"_s, QJsonArray{u"review"_s, u"failed"_s}},
        {u"workflow"_s, QJsonArray{u"order"_s, u"two words"_s, u"lead-routing"_s}}};
    const Completion completion = completionAt(text, int(text.size()), words);
    QTEST(completion.from, "from");
    QTEST(completion.candidates, "candidates");
    QCOMPARE(completion.to, int(text.size()));
}

void RunsTextTest::cellsAreNoFormulas_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("cell");
    QTest::newRow("plain") << u"invoice/8841"_s << QByteArray("invoice/8841");
    QTest::newRow("equals") << u"=HYPERLINK(\"x\",\"y\")"_s
                            << QByteArray("\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
    QTest::newRow("plus") << u"+1"_s << QByteArray("'+1");
    QTest::newRow("minus") << u"-1"_s << QByteArray("'-1");
    QTest::newRow("at") << u"@SUM(1)"_s << QByteArray("'@SUM(1)");
    QTest::newRow("tab") << u"\t=1"_s << QByteArray("'\t=1");
    QTest::newRow("return") << u"\r=1"_s << QByteArray("\"'\r=1\"");
    QTest::newRow("line") << u"a\nb"_s << QByteArray("\"a\nb\"");
    QTest::newRow("comma") << u"a,b"_s << QByteArray("\"a,b\"");
    QTest::newRow("empty") << QString() << QByteArray();
}

void RunsTextTest::cellsAreNoFormulas()
{
    QFETCH(QString, text);
    QTEST(csvCell(text), "cell");
}

void RunsTextTest::csvHasALineForEachRun()
{
    const QJsonObject run{
        {u"run_id"_s, u"r1"_s}, {u"event_id"_s, u"=1+1"_s},
        {u"version"_s, 3},      {u"reason"_s, QJsonValue()},
        {u"duration_ms"_s, -5}, {u"key_outputs"_s, QJsonObject{{u"invoice"_s, u"in_1"_s}}}};
    const QByteArray text = exportHead(ExportFormat::csv) +
                            exportRuns(ExportFormat::csv, {run, run}, true) +
                            exportFoot(ExportFormat::csv);
    const QList<QByteArray> textLines = text.split('\n');
    QCOMPARE(textLines.size(), 4);
    QVERIFY(textLines.at(0).startsWith("run_id,event_id,workflow,version,status"));
    QVERIFY(textLines.at(1).startsWith("r1,'=1+1,,3,"));
    QVERIFY(textLines.at(1).contains(",-5,"));
    QVERIFY(textLines.at(1).contains("\"{\"\"invoice\"\":\"\"in_1\"\"}\""));
    QCOMPARE(textLines.at(1).count(',') - textLines.at(0).count(','), 0);
}

void RunsTextTest::jsonIsOneArray()
{
    const QJsonObject run{{u"run_id"_s, u"r1"_s}};
    const QByteArray text =
        exportHead(ExportFormat::json) + exportRuns(ExportFormat::json, {run, run}, true) +
        exportRuns(ExportFormat::json, {}, false) + exportRuns(ExportFormat::json, {run}, false) +
        exportFoot(ExportFormat::json);
    QCOMPARE(QJsonDocument::fromJson(text).array(), QJsonArray({run, run, run}));
    const QByteArray none = exportHead(ExportFormat::json) + exportFoot(ExportFormat::json);
    QVERIFY(QJsonDocument::fromJson(none).isArray());
}

QTEST_GUILESS_MAIN(RunsTextTest)
#include "tst_runs_text.moc"
