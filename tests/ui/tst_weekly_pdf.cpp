// Goal: the report on paper has every section, every group and a page number on each page, whatever
// the text in it. Method: pages are read back with pdftotext; with
// HOLDFAST_SHOTS the file is left there to be looked at.
#include "canned_door.h"
#include "ui/weekly/report_pdf.h"
#include "weekly_samples.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <thread>

using namespace Qt::StringLiterals;
using namespace holdfast;

namespace
{
QJsonObject largeReport(int groups)
{
    QJsonObject report = tests::sampleReport();
    QJsonArray rows;
    for (int i = 0; i < groups; ++i) {
        QJsonObject group = tests::sampleGroup(u"g%1"_s.arg(i), u"ongoing"_s, i + 4, i);
        group.insert(u"message"_s, u"message number %1, "_s.arg(i) + QString(i % 300, u'x'));
        rows << group;
    }
    report.insert(u"groups"_s, rows);
    return report;
}
} // namespace

class WeeklyPdfTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString written(const QJsonObject &report, const QString &name, int *pages = nullptr)
    {
        const QString path = m_folder.filePath(name);
        const auto drawn = weekly::writeReportPdf(report, path);
        if (!drawn) {
            qWarning("%s", qPrintable(drawn.error().message));
            return {};
        }
        if (pages)
            *pages = *drawn;
        const QString shots = qEnvironmentVariable("HOLDFAST_SHOTS");
        if (!shots.isEmpty()) {
            QFile::remove(QDir(shots).filePath(name));
            QFile::copy(path, QDir(shots).filePath(name));
        }
        return path;
    }
    // One entry per page.
    static QStringList pagesOf(const QString &path)
    {
        QProcess reader;
        reader.start(u"pdftotext"_s, {u"-layout"_s, u"-enc"_s, u"UTF-8"_s, path, u"-"_s});
        if (!reader.waitForFinished() || reader.exitCode() != 0)
            return {};
        // Letters that are drawn as one are told apart again.
        QStringList pages = QString::fromUtf8(reader.readAllStandardOutput())
                                .normalized(QString::NormalizationForm_KC)
                                .split(u'\f');
        pages.removeLast();
        return pages;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(!QStandardPaths::findExecutable(u"pdftotext"_s).isEmpty(),
                 "pdftotext is missing; install poppler-utils");
    }

    void everySectionIsThere()
    {
        QJsonObject report = tests::sampleReport();
        report.insert(u"incomplete"_s,
                      QJsonArray{QJsonObject{{u"since"_s, u"2027-01-05T02:00:00.000Z"_s},
                                             {u"until"_s, u"2027-01-05T05:00:00.000Z"_s},
                                             {u"why"_s, u"no worker was running"_s}}});
        report.insert(u"signoff"_s, QJsonObject{{u"by"_s, u"grace"_s},
                                                {u"at"_s, u"2027-01-12T10:00:00.000Z"_s},
                                                {u"note"_s, u"all seen"_s},
                                                {u"figures_hash"_s, u"abc123"_s},
                                                {u"audit_seq"_s, 99},
                                                {u"audit_hash"_s, u"def456"_s}});
        int count = 0;
        const QStringList pages = pagesOf(written(report, u"weekly.pdf"_s, &count));
        QCOMPARE(pages.size(), count);
        QVERIFY(count >= 2);
        const QString text = pages.join(u'\n').simplified();
        for (const QString &words : {u"Weekly review 4–10 Jan 2027"_s,
                                     u"no worker was running"_s,
                                     u"8,214"_s,
                                     u"7,975"_s,
                                     u"+3 %"_s,
                                     u"99.2 %"_s,
                                     u"−0.4"_s,
                                     u"4 min 12 s"_s,
                                     u"Retry-storm rate"_s,
                                     u"Minutes with more retries"_s,
                                     u"What changed"_s,
                                     u"version 4 was deployed"_s,
                                     u"1 lead was given to another owner"_s,
                                     u"lead/55121"_s,
                                     u"4 groups, 1 settled, 3 left"_s,
                                     u"Escalating"_s,
                                     u"×4.3"_s,
                                     u"Root causes"_s,
                                     u"rate limit"_s,
                                     u"◆ Ambiguous"_s,
                                     u"Did payments charge"_s,
                                     u"And 3 more."_s,
                                     u"9,120 attempts"_s,
                                     u"No cost of models is known."_s,
                                     u"No canary ran."_s,
                                     u"no verify"_s,
                                     u"Signed by grace"_s,
                                     u"abc123"_s,
                                     u"def456"_s,
                                     u"The week before"_s})
            QVERIFY2(text.contains(words), qPrintable(words + u" is not in: "_s + text));
        for (int i = 0; i < count; ++i)
            QVERIFY(pages.at(i).contains(u"Page %1 of %2"_s.arg(i + 1).arg(count)));
    }

    void aQuietWeekIsOnePageToSign()
    {
        const QStringList pages = pagesOf(written(tests::emptyReport(), u"quiet.pdf"_s));
        QVERIFY(!pages.isEmpty() && pages.size() <= 2);
        const QString text = pages.join(u'\n');
        QVERIFY(text.contains(u"Quiet week: 0 groups."_s));
        QVERIFY(text.contains(u"Nothing waits for a person."_s));
        QVERIFY(text.contains(u"This week was not signed"_s));
        QVERIFY(text.contains(u"No run was started or ended in this week."_s));
    }

    void changedFiguresAreSaidInTheHeadAndAtTheSignature()
    {
        QJsonObject report = tests::sampleReport();
        QJsonObject signoff{{u"by"_s, u"grace"_s},
                            {u"at"_s, u"2027-01-12T10:00:00.000Z"_s},
                            {u"figures_hash"_s, u"abc123"_s},
                            {u"figures_unchanged"_s, false},
                            {u"changed"_s, QJsonArray{u"runs_failed"_s, u"retries"_s}}};
        report.insert(u"signoff"_s, signoff);
        const QString warning =
            u"The figures are no longer those that were signed. Changed: runs_failed, retries."_s;
        QStringList pages = pagesOf(written(report, u"changed.pdf"_s));
        QCOMPARE(pages.join(u'\n').simplified().count(warning), 2);
        QVERIFY(!pages.isEmpty() && pages.first().simplified().contains(warning));
        signoff.insert(u"figures_unchanged"_s, true);
        report.insert(u"signoff"_s, signoff);
        pages = pagesOf(written(report, u"unchanged.pdf"_s));
        QVERIFY(!pages.isEmpty() && !pages.join(u'\n').contains(u"no longer"_s));
    }

    void whatIsNotListedIsSaid()
    {
        QJsonObject report = tests::sampleReport();
        report.insert(u"groups_more"_s, 40);
        report.insert(u"unresolved_more"_s, 1250);
        const QString text = pagesOf(written(report, u"more.pdf"_s)).join(u'\n').simplified();
        QVERIFY2(text.contains(u"The 4 groups with the most runs; there are more"_s),
                 qPrintable(text));
        QVERIFY2(text.contains(u"And 1,250 more items."_s), qPrintable(text));
    }

    void hundredsOfGroupsAreAllThereWithTheirHeaders()
    {
        int count = 0;
        const QString path = written(largeReport(600), u"large.pdf"_s, &count);
        const QStringList pages = pagesOf(path);
        QCOMPARE(pages.size(), count);
        const QString text = pages.join(u'\n');
        int found = 0;
        for (int i = 0; i < 600; ++i)
            found += text.contains(u"message number %1,"_s.arg(i)) ? 1 : 0;
        // A number at the end of a line may stand on the next; none may be missing as a row.
        QVERIFY2(found > 500, qPrintable(QString::number(found)));
        QCOMPARE(text.count(u"○ Ongoing"_s), 600);
        int headed = 0;
        for (const QString &page : pages) {
            if (page.contains(u"○ Ongoing"_s))
                headed += page.contains(u"Status"_s) && page.contains(u"Decision"_s) ? 0 : 1;
        }
        QCOMPARE(headed, 0);
    }

    void hostileTextBreaksNoPage()
    {
        QJsonObject report = largeReport(3);
        QJsonArray groups = report["groups"_L1].toArray();
        QJsonObject group = groups[0].toObject();
        for (const QString &name : {u"workflow"_s, u"step"_s, u"message"_s, u"note"_s, u"owner"_s})
            group.insert(name, tests::hostileText());
        groups[0] = group;
        report.insert(u"groups"_s, groups);
        report.insert(u"causes"_s,
                      QJsonArray{QJsonObject{{u"cause"_s, tests::hostileText()}, {u"runs"_s, 3}}});
        const QStringList pages = pagesOf(written(report, u"hostile.pdf"_s));
        QVERIFY(!pages.isEmpty() && pages.size() < 8);
        QVERIFY(pages.join(u'\n').contains(u"<b>x</b>"_s));
    }

    void aStopLeavesNoFile()
    {
        const QString path = m_folder.filePath(u"stopped.pdf"_s);
        int seen = 0;
        const auto drawn = weekly::writeReportPdf(largeReport(200), path, [&](int percent) {
            seen = std::max(seen, percent);
            return percent < 30;
        });
        QVERIFY(!drawn);
        QCOMPARE(drawn.error().kind, model::ErrorKind::refused);
        QCOMPARE(seen, 30);
        QVERIFY(!QFile::exists(path));
    }

    void whatIsNoReportIsRefused()
    {
        const QString path = m_folder.filePath(u"none.pdf"_s);
        const auto empty = weekly::writeReportPdf({}, path);
        QVERIFY(!empty && empty.error().message.contains(u"since"_s));
        QJsonObject broken = tests::sampleReport();
        broken.insert(u"groups"_s, 7);
        const auto wrong = weekly::writeReportPdf(broken, path);
        QVERIFY(!wrong && wrong.error().message.contains(u"groups"_s));
        QVERIFY(!QFile::exists(path));
        const auto nowhere = weekly::writeReportPdf(tests::sampleReport(),
                                                    m_folder.filePath(u"no/such/folder.pdf"_s));
        QVERIFY(!nowhere && nowhere.error().message.contains(u"cannot write"_s));
    }

    void itIsDrawnOnAnyThread()
    {
        const QString path = m_folder.filePath(u"thread.pdf"_s);
        bool isDrawn = false;
        std::thread other(
            [&] { isDrawn = bool(weekly::writeReportPdf(tests::sampleReport(), path)); });
        other.join();
        QVERIFY(isDrawn);
        QVERIFY(pagesOf(path).join(u'\n').contains(u"Escalating"_s));
    }
};

QTEST_MAIN(WeeklyPdfTest)
#include "tst_weekly_pdf.moc"
