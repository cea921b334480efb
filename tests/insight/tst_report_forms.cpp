// The forms of a report: what stands in the document stands in each of them, and text from data
// stays text, whatever it looks like. Method: one document with hostile text in every field.
#include "insight/report_chart.h"
#include "insight/report_csv.h"
#include "insight/report_html.h"
#include "insight/report_markdown.h"
#include "insight/report_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;
using namespace holdfast;

namespace
{
const QString hostile =
    u"=cmd|' /C calc'!A0</td></table><script>alert(1)</script><img src=x onerror=a> "
    "| a | **b** [c](http://evil.example) `d` \"quoted\", 'x' &amp; \u202e\x1b[31m\nnext\ttab"_s;

QJsonObject day(int number, int runs, const QString &text)
{
    return {{u"at"_s, u"2026-11-%1T00:00:00.000Z"_s.arg(number, 2, 10, QLatin1Char('0')) + text},
            {u"runs_started"_s, runs + 1},
            {u"succeeded"_s, runs},
            {u"partial"_s, 1},
            {u"failed"_s, 2},
            {u"compensated"_s, 1},
            {u"compensation_failed"_s, 0},
            {u"cancelled"_s, 0}};
}

// Every text of it is T.
const char *const lists = R"({
"since":"2026-11-09T00:00:00.000Z","until":"2026-11-16T00:00:00.000Z",
"made_at":"2026-11-16T08:15:00.000Z",
"incomplete":[{"since":"2026-11-10T02:00:00Z","until":"2026-11-10T05:00:00Z","why":"T"}],
"figures":[{"name":"T","title":"T","now":1204,"before":900,"unit":"count"}],
"measures":[{"name":"T","title":"T","definition":"T","unit":"percent","now":null,"before":12.5,
 "numerator":0,"denominator":0}],
"changes":[{"at":"2026-11-10T08:15:00Z","kind":"T","who":"T","text":"T","subject":"T"}],
"groups":[{"id":"T","workflow":"T","step":"T","class":"T","reason":"T","message":"T","status":"T",
 "first_at":"2026-11-10T08:15:00Z","runs":7,"runs_before":2,"owner":"T","tags":["T","T"],
 "note":"T","disposition":"T","resolved_version":3,"trend":[0,1,2,4,0,0,0]}],
"causes":[{"cause":"T","runs":7,"share":100,"cumulative":100}],
"unresolved":[{"id":"T","kind":"T","run_id":"T","workflow":"T","step":"T",
 "opened_at":"2026-11-10T08:15:00Z","question":"T"}],
"compensations":[{"run_id":"T","workflow":"T","status":"T","steps":2,
 "finished_at":"2026-11-10T08:15:00Z"}],"compensations_more":3,"unresolved_more":4,"groups_more":5,
"cost":{"attempts":100,"retries":7,"retry_share":7,"model":null,"by_dependency":[{"dependency":"T",
 "attempts":100,"retries":7,"transient":6,"permanent":1,"ambiguous":0}]},
"canaries":[{"workflow":"T","version":3,"verdict":"T"}],
"gaps":[{"workflow":"T","version":3,"step":"T","gap":"T","why":"T"}],
"owner_flips":{"flips":1,"runs_read":9,"complete":false,"list":[{"workflow":"T","lead":"T",
 "from":"T","to":"T","at":"2026-11-10T08:15:00Z","run_id":"T"}]},
"signoff":{"by":"T","at":"2026-11-16T08:15:00Z","note":"T","figures_hash":"T","audit_seq":12,
 "audit_hash":"T","figures_unchanged":false,"changed":["T"]}})";

QJsonValue withText(const QJsonValue &value, const QString &text)
{
    if (value.isObject()) {
        QJsonObject object = value.toObject();
        for (auto member = object.begin(); member != object.end(); ++member)
            *member = withText(*member, text);
        return object;
    }
    if (value.isArray()) {
        QJsonArray list;
        for (const QJsonValue &each : value.toArray())
            list.append(withText(each, text));
        return list;
    }
    return value == QJsonValue(u"T"_s) ? QJsonValue(text) : value;
}

QJsonObject reportWith(const QString &text)
{
    QJsonObject report = withText(QJsonDocument::fromJson(lists).object(), text).toObject();
    if (report.isEmpty())
        qFatal("the document cannot be read");
    QJsonArray days, before;
    for (int i = 9; i < 16; ++i)
        days.append(day(i, i * 10, text));
    for (int i = 2; i < 9; ++i)
        before.append(day(i, 40, {}));
    report.insert(u"days"_s, days);
    report.insert(u"days_before"_s, before);
    return report;
}

// RFC 4180, read strictly.
QVector<QStringList> readCsv(const QString &text)
{
    QVector<QStringList> rows;
    QStringList row;
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (quoted && c == u'"' && i + 1 < text.size() && text.at(i + 1) == u'"') {
            cell += c;
            ++i;
        } else if (c == u'"') {
            quoted = !quoted;
        } else if (!quoted && c == u',') {
            row.append(std::exchange(cell, {}));
        } else if (!quoted && c == u'\r' && text.mid(i + 1, 1) == "\n"_L1) {
            row.append(std::exchange(cell, {}));
            rows.append(std::exchange(row, {}));
            ++i;
        } else {
            cell += c;
        }
    }
    return rows;
}
} // namespace

class ReportForms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void html_has_no_script_and_no_foreign_markup()
    {
        const QString html = QString::fromUtf8(insight::reportHtml(reportWith(hostile)));
        QVERIFY(!html.contains("<script"_L1));
        QVERIFY(!html.contains("<img"_L1));
        QVERIFY(!html.contains(QChar(0x1b)));
        static const QRegularExpression foreign(u"\\b(src|href|on[a-z]+)\\s*=\\s*[\"']"_s);
        QVERIFY2(!html.contains(foreign), qPrintable(foreign.match(html).captured(0)));
        // Every tag that is opened is one of ours, and is closed.
        QString xml = html;
        xml.remove(QRegularExpression(u"<!DOCTYPE html>|<meta [^>]*>"_s));
        QXmlStreamReader reader(xml);
        const QStringList ours{
            u"div"_s, u"html"_s, u"head"_s,    u"title"_s, u"style"_s, u"body"_s,  u"h1"_s,
            u"h2"_s,  u"p"_s,    u"section"_s, u"table"_s, u"thead"_s, u"tbody"_s, u"tr"_s,
            u"th"_s,  u"td"_s,   u"svg"_s,     u"rect"_s,  u"text"_s,  u"line"_s,  u"polyline"_s};
        int rows = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::StartElement) {
                QVERIFY2(ours.contains(reader.name().toString()),
                         qPrintable(reader.name().toString()));
                rows += reader.name() == "tr"_L1;
            }
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(rows > 20);
        QVERIFY(html.contains("prefers-color-scheme:dark"_L1));
        QVERIFY(html.contains("@media print"_L1));
    }

    void a_markdown_table_keeps_its_columns()
    {
        const QString text = QString::fromUtf8(insight::reportMarkdown(reportWith(hostile)));
        QVERIFY(!text.contains("<script"_L1));
        QVERIFY(!text.contains("](http"_L1));
        QVERIFY(!text.contains("http://"_L1));
        QVERIFY(!text.contains(QChar(0x1b)));
        static const QRegularExpression bar(u"(?<!\\\\)\\|"_s);
        qsizetype columns = 0;
        const QStringList lines = text.split(u'\n');
        for (const QString &line : lines) {
            if (!line.startsWith(u'|')) {
                columns = 0;
                continue;
            }
            const qsizetype bars = line.count(bar);
            if (columns == 0)
                columns = bars;
            QCOMPARE(bars, columns);
        }
    }

    void csv_is_strict_and_no_formula()
    {
        const QString text = QString::fromUtf8(insight::reportCsv(reportWith(hostile)));
        const auto rows = readCsv(text);
        QVERIFY(rows.size() > 60);
        for (const QStringList &row : rows) {
            QCOMPARE(row.size(), 8);
            for (const QString &cell : row)
                QVERIFY2(cell.isEmpty() || !u"=+-@\t\r"_s.contains(cell.front()), qPrintable(cell));
        }
        QVERIFY(!text.contains(QChar(0x1b)));
    }

    void a_formula_gets_an_apostrophe_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("cell");
        QTest::newRow("equals") << u"=1+1"_s << QByteArray("'=1+1");
        QTest::newRow("plus") << u"+1"_s << QByteArray("'+1");
        QTest::newRow("minus") << u"-1"_s << QByteArray("'-1");
        QTest::newRow("at") << u"@SUM(A1)"_s << QByteArray("'@SUM(A1)");
        QTest::newRow("tab") << u"\t=1"_s << QByteArray("'\t=1");
        QTest::newRow("return") << u"\r=1"_s << QByteArray("\"'\r=1\"");
        QTest::newRow("nul") << QString(u"%1=1"_s.arg(QChar(0))) << QByteArray("'=1");
        QTest::newRow("quotes") << u"say \"a, b\""_s << QByteArray("\"say \"\"a, b\"\"\"");
        QTest::newRow("plain") << u"10.5"_s << QByteArray("10.5");
        QTest::newRow("empty") << QString() << QByteArray();
    }
    void a_formula_gets_an_apostrophe()
    {
        QFETCH(QString, text);
        QFETCH(QByteArray, cell);
        QCOMPARE(insight::csvCell(text), cell);
    }

    // Whoever adds the days up gets what the document says.
    void csv_days_add_up()
    {
        const QJsonObject report = reportWith(u"plain"_s);
        qint64 expected = 0;
        for (const QJsonValue &each : report["days"_L1].toArray())
            expected += each["runs_started"_L1].toInteger();
        qint64 sum = 0;
        for (const QStringList &row : readCsv(QString::fromUtf8(insight::reportCsv(report)))) {
            if (row.at(0) == "days"_L1 && row.at(2) == "runs_started"_L1)
                sum += row.at(4).toLongLong();
        }
        QCOMPARE(sum, expected);
    }

    void csv_says_what_is_not_listed_and_what_was_divided()
    {
        QJsonObject report = reportWith(u"plain"_s);
        report.insert(u"measures"_s,
                      QJsonArray{QJsonObject{
                          {u"name"_s, u"storms"_s}, {u"numerator"_s, 3}, {u"denominator"_s, 40}}});
        const auto rows = readCsv(QString::fromUtf8(insight::reportCsv(report)));
        const auto value = [&rows](const char *section, const char *item, const char *name) {
            for (const QStringList &row : rows) {
                if (row.at(0) == QLatin1String(section) && row.at(1) == QLatin1String(item) &&
                    row.at(2) == QLatin1String(name))
                    return row.at(4);
            }
            return u"no such line"_s;
        };
        QCOMPARE(value("measures", "numerator", "storms"), u"3"_s);
        QCOMPARE(value("measures", "denominator", "storms"), u"40"_s);
        QCOMPARE(value("groups", "", "not_listed"), u"5"_s);
        QCOMPARE(value("unresolved", "", "not_listed"), u"4"_s);
        QCOMPARE(value("compensations", "", "not_listed"), u"3"_s);
        QCOMPARE(value("owner_flips", "", "flips"), u"1"_s);
        QCOMPARE(value("signoff", "", "signed_figures_changed"), u"1"_s);
    }

    void a_changed_record_is_told_apart_from_changed_figures()
    {
        QJsonObject report = reportWith(u"plain"_s);
        QVERIFY(insight::signoffText(report).contains("The figures are not those"_L1));
        QJsonObject signoff = report["signoff"_L1].toObject();
        signoff.insert(u"record_intact"_s, false);
        report.insert(u"signoff"_s, signoff);
        QVERIFY(insight::signoffText(report).contains("does not match the hash"_L1));
        QVERIFY(!insight::signoffText(report).contains("The figures are not those"_L1));
    }

    void charts_are_well_formed()
    {
        const QJsonObject report = reportWith(hostile);
        for (const QString &svg :
             {insight::daysChart(report), insight::causesChart(report),
              insight::trendChart(QJsonArray{0, 3, 1}), insight::daysChart(QJsonObject())}) {
            QXmlStreamReader reader(svg);
            while (!reader.atEnd())
                reader.readNext();
            QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        }
        QVERIFY(insight::trendChart({}).isEmpty());
    }

    void what_is_not_known_is_a_dash()
    {
        QCOMPARE(insight::valueText(QJsonValue(), u"percent"_s), u"–"_s);
        QCOMPARE(insight::valueText(0, u"percent"_s), u"0.0 %"_s);
        QCOMPARE(insight::valueText(1204567, u"count"_s), u"1,204,567"_s);
        QCOMPARE(insight::valueText(250'000, u"ms"_s), u"4 m 10 s"_s);
    }

    void an_empty_document_is_a_report_that_says_so()
    {
        const QString text = QString::fromUtf8(insight::reportMarkdown({}));
        for (const char *words : {"Quiet: no failure", "Nothing waits for a person",
                                  "No version of a workflow is tried", "Nobody has signed"})
            QVERIFY2(text.contains(QLatin1String(words)), words);
    }
};

QTEST_GUILESS_MAIN(ReportForms)
#include "tst_report_forms.moc"
