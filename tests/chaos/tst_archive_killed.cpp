// Goal: an archive that is killed at any named point loses no run and leaves none in neither place;
// asked again, it finishes. Method: a real process is told where to die; another finishes; what is
// here and what is in the file is counted.
#include "chaos/worker_process.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

class ArchiveKilled : public QObject
{
    Q_OBJECT

    struct Ended {
        int code = -1; // of a signal: -1
        QJsonObject json;
        QByteArray error;
    };
    Ended ctl(const QString &url, const QStringList &arguments, const QString &crashAt = {}) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"HOLDFAST_DB"_s, url);
        environment.insert(u"XDG_RUNTIME_DIR"_s, m_folder->path());
        environment.insert(u"HOLDFAST_CRASH_AT"_s, crashAt);
        process.setProcessEnvironment(environment);
        process.start(qEnvironmentVariable("HOLDFASTCTL"), QStringList{u"--json"_s} + arguments);
        if (!process.waitForFinished(WorkerProcess::patienceMs))
            qFatal("holdfastctl does not end");
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                QJsonDocument::fromJson(process.readAllStandardOutput()).object(),
                process.readAllStandardError()};
    }
    QSet<QString> runsIn(const QString &url) const
    {
        QSet<QString> ids;
        const Ended listed = ctl(url, {u"runs"_s, u"--limit"_s, u"200"_s});
        for (const QJsonValue &run : listed.json["runs"_L1].toArray())
            ids.insert(run["run_id"_L1].toString());
        return ids;
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void an_archive_is_killed_at_a_point_data()
    {
        QTest::addColumn<int>("database");
        QTest::addColumn<QString>("point");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres}) {
            for (const QString &point :
                 {u"archive_drafted"_s, u"archive_placed"_s, u"archive_written"_s,
                  u"archive_removing"_s, u"archive_removed"_s}) {
                QTest::newRow(qPrintable(Machine::nameOf(database) + u' ' + point))
                    << int(database) << point;
            }
        }
    }
    void an_archive_is_killed_at_a_point()
    {
        QFETCH(int, database);
        QFETCH(QString, point);
        Machine machine{Machine::Database(database)};
        machine.deploy(machine.dependencyText(u"native"_s) +
                       Machine::workflowText({Machine::stepText({})}));
        QSet<QString> all;
        QString first;
        for (int i = 0; i < 6; ++i) {
            const QString run = machine.start(u"e%1"_s.arg(i));
            all.insert(run);
            first = first.isEmpty() ? run : first;
        }
        machine.runUntilIdle();
        // It has the newest journal row, and stays.
        all.insert(machine.start(u"last"_s));
        machine.runUntilIdle();
        const QString file = m_folder->filePath(u"a.hfarchive"_s);
        const QStringList order{u"archive"_s, u"--older-than"_s, u"1ms"_s, u"-o"_s,
                                file,         u"--reason"_s,     u"age"_s};
        const Ended killed = ctl(machine.url(), order, point);
        QVERIFY2(killed.code == -1, killed.error.constData());

        // Nothing is lost, whatever it died at.
        const QSet<QString> between = runsIn(machine.url());
        const bool hasFile = QFileInfo::exists(file);
        const QSet<QString> inside = hasFile ? runsIn(u"archive:"_s + file) : QSet<QString>();
        QCOMPARE(between + inside, all);
        QVERIFY(hasFile || between == all);

        const Ended ended = ctl(machine.url(), order);
        QVERIFY2(ended.code == 0, ended.error.constData());
        QCOMPARE(ended.json["state"_L1].toString(), u"done"_s);
        QCOMPARE(ended.json["removed"_L1].toInt(), 6);
        const QSet<QString> here = runsIn(machine.url());
        const QSet<QString> archived = runsIn(u"archive:"_s + file);
        QCOMPARE(here + archived, all);
        QVERIFY(!here.intersects(archived));
        QCOMPARE(archived.size(), 6);
        QCOMPARE(QDir(m_folder->path()).entryList({u"a.hfarchive*"_s}, QDir::Files),
                 QStringList{u"a.hfarchive"_s});
        const Ended again =
            ctl(machine.url(), {u"start"_s, u"flow"_s, u"--input"_s, u"{\"id\":\"e0\"}"_s});
        QCOMPARE(again.json["run_id"_L1].toString(), first);
        QCOMPARE(ctl(machine.url(), {u"rebuild"_s}).code, 0);
    }
};

QTEST_GUILESS_MAIN(ArchiveKilled)
#include "tst_archive_killed.moc"
