// Goal: `holdfast --report-pdf FILE` draws what comes on standard input without a display, and says
// what is wrong with what it cannot draw. Method: the program itself as a process.
#include "app/console/options.h"
#include "ui/weekly_samples.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace holdfast;

class ReportPdfTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    struct Ended {
        int code = -1;
        QString said;
    };
    static Ended run(const QStringList &arguments, const QByteArray &input)
    {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString &name : {u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"QT_QPA_PLATFORM"_s})
            environment.remove(name);
        program.setProcessEnvironment(environment);
        program.start(QCoreApplication::applicationDirPath() + u"/../app/holdfast"_s, arguments);
        program.write(input);
        program.closeWriteChannel();
        if (!program.waitForFinished(60'000) || program.exitStatus() != QProcess::NormalExit)
            return {-1, program.errorString()};
        return {program.exitCode(), QString::fromUtf8(program.readAllStandardError())};
    }

private Q_SLOTS:
    void theOptionTakesAFile()
    {
        const auto options = console::parseOptions({u"--report-pdf"_s, u"week.pdf"_s});
        QVERIFY(options.ok());
        QCOMPARE(options->reportFile, u"week.pdf"_s);
        QVERIFY(!console::parseOptions({u"--report-pdf"_s}).ok());
        QVERIFY(console::helpText().contains(u"--report-pdf FILE"_s));
    }

    void aReportIsDrawnWithoutADisplay()
    {
        const QString path = m_folder.filePath(u"week.pdf"_s);
        const Ended ended =
            run({u"--report-pdf"_s, path}, QJsonDocument(tests::sampleReport()).toJson());
        QVERIFY2(ended.code == 0, qPrintable(ended.said));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.read(8).startsWith("%PDF-1."));
        QVERIFY(file.size() > 5000);
    }

    void whatCannotBeDrawnIsSaid_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QString>("said");
        QTest::newRow("nothing") << QByteArray() << u"nothing came on standard input"_s;
        QTest::newRow("no JSON") << QByteArray("{\"since\": ") << u"no JSON"_s;
        QTest::newRow("a list") << QByteArray("[]") << u"no object"_s;
        QTest::newRow("no report") << QByteArray("{}") << u"since is missing"_s;
        QTest::newRow("bytes") << QByteArray(100, '\xff') << u"no JSON"_s;
    }
    void whatCannotBeDrawnIsSaid()
    {
        QFETCH(QByteArray, input);
        QFETCH(QString, said);
        const QString path = m_folder.filePath(u"none.pdf"_s);
        const Ended ended = run({u"--report-pdf"_s, path}, input);
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.said.contains(said), qPrintable(ended.said));
        QVERIFY(!QFile::exists(path));
    }

    void aPlaceThatCannotBeWrittenIsSaid()
    {
        const Ended ended = run({u"--report-pdf"_s, m_folder.filePath(u"no/such/week.pdf"_s)},
                                QJsonDocument(tests::sampleReport()).toJson());
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.said.contains(u"cannot write"_s), qPrintable(ended.said));
        QCOMPARE(run({u"--report-pdf"_s}, {}).code, 2);
    }
};

QTEST_GUILESS_MAIN(ReportPdfTest)
#include "tst_report_pdf.moc"
