// The report at the command line: every form, files that are whole or not there, and clear errors.
#include "ctl/ctl_process.h"

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

class ReportCommand : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<CtlBench> m_bench;

    static QStringList week(const QStringList &more = {})
    {
        return QStringList{u"report"_s, u"--since"_s, u"2026-01-05"_s, u"--until"_s,
                           u"2026-01-12"_s} +
               more;
    }
    QByteArray read(const QString &name) const
    {
        QFile file(m_bench->path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void init() { m_bench = std::make_unique<CtlBench>(); }

    void every_form_is_printed()
    {
        QVERIFY(m_bench->run(week()).out.startsWith("# Holdfast report, 2026-01-05 to 2026-01-12"));
        QVERIFY(m_bench->run(week({u"--format"_s, u"html"_s})).out.startsWith("<!DOCTYPE html>"));
        QVERIFY(
            m_bench->run(week({u"--format"_s, u"csv"_s})).out.startsWith("section,item,name,at"));
        for (const QStringList &line : {week({u"--format"_s, u"json"_s}), week({u"--json"_s})}) {
            const CtlResult result = m_bench->run(line);
            QCOMPARE(result.code, 0);
            QCOMPARE(result.json()["since"_L1].toString(), u"2026-01-05T00:00:00.000Z"_s);
            QVERIFY(result.json()["canaries"_L1].isArray());
        }
    }

    void a_file_is_never_replaced_unasked()
    {
        const QString path = m_bench->write(u"week.html"_s, "mine");
        const CtlResult refused =
            m_bench->run(week({u"--format"_s, u"html"_s, u"-o"_s, path, u"--sign"_s}));
        QCOMPARE(refused.code, 1);
        QVERIFY(refused.err.contains("--force"));
        QCOMPARE(read(u"week.html"_s), QByteArray("mine"));
        // Nor was anything signed that nobody could read.
        QVERIFY(m_bench->run({u"reports"_s}).out.contains("no report is signed"));
        QCOMPARE(m_bench->run(week({u"--format"_s, u"html"_s, u"-o"_s, path, u"--force"_s})).code,
                 0);
        QVERIFY(read(u"week.html"_s).startsWith("<!DOCTYPE html>"));
        const CtlResult fresh = m_bench->run(
            week({u"--format"_s, u"csv"_s, u"-o"_s, m_bench->path(u"new.csv"_s), u"--json"_s}));
        QCOMPARE(fresh.code, 0);
        QCOMPARE(fresh.json()["format"_L1].toString(), u"csv"_s);
        QVERIFY(read(u"new.csv"_s).startsWith("section,"));
        QVERIFY(QDir(m_bench->folder.path())
                    .entryList({u".holdfast-report-*"_s}, QDir::Files | QDir::Hidden)
                    .isEmpty());
    }

    void a_signature_is_shown_and_given_once()
    {
        const CtlResult first = m_bench->run(
            week({u"--sign"_s, u"--note"_s, u"nothing to add"_s, u"--format"_s, u"json"_s}));
        QCOMPARE(first.code, 0);
        QCOMPARE(first.json()["signoff"_L1]["note"_L1].toString(), u"nothing to add"_s);
        const CtlResult second = m_bench->run(week({u"--sign"_s}));
        QCOMPARE(second.code, 1);
        QVERIFY(second.err.contains("signed this window"));
        QVERIFY(m_bench->run({u"reports"_s}).out.contains("nothing to add"));
    }

    void what_cannot_be_is_said_data()
    {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("words");
        const QString gone = u"/nonexistent/folder/week.html"_s;
        QTest::newRow("bad date") << QStringList{u"report"_s, u"--since"_s, u"monday"_s} << 1
                                  << QByteArray("since must be an instant");
        QTest::newRow("backwards") << QStringList{u"report"_s, u"--since"_s, u"2026-01-12"_s,
                                                  u"--until"_s, u"2026-01-05"_s}
                                   << 1 << QByteArray("since is not before until");
        QTest::newRow("format") << week({u"--format"_s, u"docx"_s}) << 2
                                << QByteArray("--format is one of");
        QTest::newRow("folder") << week({u"-o"_s, gone}) << 1 << QByteArray("there is no folder");
        QTest::newRow("a folder") << week({u"-o"_s, u"/"_s}) << 1 << QByteArray("it is a folder");
        QTest::newRow("pdf to stdout")
            << week({u"--format"_s, u"pdf"_s}) << 2 << QByteArray("give -o FILE");
        QTest::newRow("note alone")
            << week({u"--note"_s, u"x"_s}) << 2 << QByteArray("--note goes with --sign");
        QTest::newRow("two documents")
            << week({u"--json"_s, u"--format"_s, u"csv"_s}) << 2 << QByteArray("give -o FILE");
        QTest::newRow("not over") << QStringList{u"report"_s, u"--since"_s, u"2100-01-01"_s,
                                                 u"--sign"_s}
                                  << 1 << QByteArray("still change");
    }
    void what_cannot_be_is_said()
    {
        QFETCH(QStringList, line);
        QFETCH(int, code);
        QFETCH(QByteArray, words);
        const CtlResult result = m_bench->run(line);
        QCOMPARE(result.code, code);
        QVERIFY2(result.err.contains(words), result.err.constData());
    }

    // Alone in a folder, with nothing on the path.
    void without_the_console_the_error_names_it()
    {
        const QString alone = m_bench->path(u"holdfastctl"_s);
        QVERIFY(QFile::copy(qEnvironmentVariable("HOLDFASTCTL"), alone));
        QProcess process;
        m_bench->prepare(process, week({u"--format"_s, u"pdf"_s, u"-o"_s,
                                        m_bench->path(u"week.pdf"_s), u"--sign"_s}));
        process.setProgram(alone);
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert(u"PATH"_s, m_bench->folder.path());
        process.setProcessEnvironment(environment);
        process.start();
        QVERIFY(process.waitForFinished(CtlBench::patienceMs));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("no holdfast is installed"));
        QVERIFY(!QFile::exists(m_bench->path(u"week.pdf"_s)));
        QVERIFY(m_bench->run({u"reports"_s}).out.contains("no report is signed"));
    }

    void what_cannot_be_printed_is_said()
    {
        QProcess process;
        m_bench->prepare(process, week({u"--sign"_s}));
        process.setStandardOutputFile(u"/dev/full"_s);
        process.start();
        QVERIFY(process.waitForFinished(CtlBench::patienceMs));
        QCOMPARE(process.exitCode(), 1);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("could not be printed whole"), said.constData());
        QVERIFY2(said.contains("signed all the same"), said.constData());
    }

    // What the console draws arrives whole; what it fails at is said in its words.
    void a_pdf_is_drawn_by_the_program_beside_it()
    {
        const QString alone = m_bench->path(u"holdfastctl"_s);
        QVERIFY(QFile::copy(qEnvironmentVariable("HOLDFASTCTL"), alone));
        const auto draw = [&](const QByteArray &console, const QStringList &more = {}) {
            QFile::remove(m_bench->path(u"holdfast"_s));
            QFile program(m_bench->write(u"holdfast"_s, console));
            program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            QProcess process;
            m_bench->prepare(process, week(QStringList{u"--format"_s, u"pdf"_s, u"-o"_s,
                                                       m_bench->path(u"week.pdf"_s)} +
                                           more));
            process.setProgram(alone);
            process.start();
            if (!process.waitForFinished(CtlBench::patienceMs))
                qFatal("it did not end");
            return std::pair(process.exitCode(), process.readAllStandardError());
        };
        const auto failed = draw("#!/bin/sh\necho no fonts here >&2\nexit 1\n");
        QCOMPARE(failed.first, 1);
        QVERIFY(failed.second.contains("no fonts here"));
        QVERIFY(!failed.second.contains("signed"));
        const auto failedSigned = draw("#!/bin/sh\nexit 1\n", {u"--sign"_s});
        QCOMPARE(failedSigned.first, 1);
        QVERIFY2(failedSigned.second.contains("signed all the same"), failedSigned.second);
        QVERIFY(!QFile::exists(m_bench->path(u"week.pdf"_s)));
        QCOMPARE(
            draw("#!/bin/sh\n[ \"$1\" = --report-pdf ] && [ \"$QT_QPA_PLATFORM\" = offscreen ] "
                 "&& cat > \"$2\"\n")
                .first,
            0);
        QVERIFY(read(u"week.pdf"_s).startsWith("{\"canaries\""));
    }
};

QTEST_GUILESS_MAIN(ReportCommand)
#include "tst_report.moc"
