// Goal: one owner per file, nobody else's eyes on it, and never a fresh start over something that
// is there. Method: real files in a temporary folder; the second process is this program started
// again.
#include "store/file_ownership.h"
#include "store/sqlite_store.h"
#include "store/store_url.h"
#include "support/forgetful_disk.h"
#include "support/store_fixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>
#include <QTextStream>

using namespace holdfast;
using holdfast::store::FileOwnership;
using holdfast::store::SqliteStore;
using model::ErrorKind;

class SqliteFile : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;

    static void sql(const QString &path, const QString &text)
    {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "raw");
            database.setDatabaseName(path);
            if (!database.open() || !QSqlQuery(database).exec(text))
                qFatal("%s", qPrintable(text));
        }
        QSqlDatabase::removeDatabase("raw");
    }
    static QByteArray bytesOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath("new/runs.sqlite");
    }

    void file_and_folder_belong_to_the_user_alone()
    {
        SqliteStore store(m_path);
        QVERIFY(store.open().ok());
        const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther |
                            QFile::WriteOther | QFile::ExeGroup | QFile::ExeOther;
        QVERIFY(!(QFileInfo(m_path).permissions() & others));
        QVERIFY(!(QFileInfo(m_path + "-wal").permissions() & others));
        QVERIFY(!(QFileInfo(m_path + ".lock").permissions() & others));
        QVERIFY(!(QFileInfo(m_folder->filePath("new")).permissions() & others));
    }

    void a_second_writer_is_refused_and_told_who_holds_it()
    {
        SqliteStore first(m_path);
        QVERIFY(first.open().ok());
        QVERIFY(first.ownership().setSocket("holdfast-test").ok());
        SqliteStore second(m_path);
        const auto refused = second.open();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, ErrorKind::busy);
        QVERIFY(
            refused.error().message.contains(QString::number(QCoreApplication::applicationPid())));
        QVERIFY(refused.error().message.contains("holdfast-test"));
        QCOMPARE(FileOwnership::holderOf(m_path).socket, QString("holdfast-test"));
        first.close();
        QVERIFY(second.open().ok());
    }

    void a_second_process_is_refused_until_the_first_dies()
    {
        QProcess owner;
        owner.start(QCoreApplication::applicationFilePath(), {"--own", m_path});
        QVERIFY(owner.waitForReadyRead(20000));
        QCOMPARE(owner.readLine().trimmed(), QByteArray("owned"));
        SqliteStore store(m_path);
        const auto refused = store.open();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, ErrorKind::busy);
        QVERIFY(refused.error().message.contains(QString::number(owner.processId())));
        owner.kill();
        QVERIFY(owner.waitForFinished(20000));
        QVERIFY(store.open().ok());
        QVERIFY(store.closedUncleanly());
        // What it had committed is there, what it had not is not.
        QCOMPARE(store.runs({})->size(), 1);
    }

    void a_file_whose_last_sync_failed_is_looked_at()
    {
        tests::ForgetfulDisk disk;
        {
            SqliteStore store(m_path);
            QVERIFY(store.open().ok());
            QVERIFY(store.begin().ok());
            QVERIFY(store.putSetting({"colour", "red"}).ok());
            disk.failAt(1);
            QCOMPARE(store.commit().error().kind, ErrorKind::unknownOutcome);
        }
        disk.switchOn();
        SqliteStore next(m_path);
        QVERIFY(next.open().ok());
        QVERIFY(next.closedUncleanly());
    }

    // The power failed while the first page was written: its first sector is missing.
    void a_file_that_was_half_made_is_made_anew()
    {
        QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
        tests::ForgetfulDisk disk;
        int halfMade = 0;
        for (int access = 1; access < 15; ++access) {
            for (quint64 seed = 1; seed <= 8; ++seed) {
                tests::Dice dice(seed);
                disk.failAt(access);
                const QString first = m_folder->filePath(QString("%1-%2").arg(access).arg(seed));
                const QString found = first + "-found";
                QVERIFY(QDir().mkpath(first) && QDir().mkpath(found));
                QVERIFY(!SqliteStore(first + "/runs.sqlite").open().ok());
                QVERIFY(disk.leave(first + "/runs.sqlite", {found}, dice));
                disk.switchOn();
                const QByteArray left = bytesOf(found + "/runs.sqlite");
                halfMade += !left.isEmpty() && !left.startsWith("SQLite");
                SqliteStore store(found + "/runs.sqlite");
                const auto opened = store.open();
                QVERIFY2(opened.ok(), opened.ok() ? "" : qPrintable(opened.error().message));
            }
        }
        QVERIFY(halfMade > 0);
    }

    void taking_the_file_voids_older_leases()
    {
        {
            SqliteStore store(m_path);
            QVERIFY(store.open().ok());
            ports::WorkerRow worker;
            worker.id = "old";
            const auto lease = store.registerWorker(worker, 3600'000);
            QVERIFY(store.open().ok()); // again, by the same owner: its lease stands
            QCOMPARE(store.workers()->first().leaseUntil, lease->leaseUntil);
        }
        SqliteStore store(m_path);
        QVERIFY(store.open().ok());
        QVERIFY(!store.closedUncleanly());
        QCOMPARE(store.workers()->first().leaseUntil, 0);
    }

    void a_file_that_is_no_database_is_left_alone()
    {
        const QString path = m_folder->filePath("letter.txt");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("Dear Sir or Madam, this is not a database.");
        file.close();
        const QByteArray before = bytesOf(path);
        SqliteStore store(path);
        const auto refused = store.open();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, ErrorKind::corrupt);
        QCOMPARE(bytesOf(path), before);
    }

    void somebody_elses_database_is_left_alone()
    {
        const QString path = m_folder->filePath("other.sqlite");
        sql(path, "create table person (name text)");
        const QByteArray before = bytesOf(path);
        SqliteStore store(path);
        const auto refused = store.open();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, ErrorKind::refused);
        QCOMPARE(bytesOf(path), before);
    }

    void a_newer_schema_is_refused_with_both_versions()
    {
        {
            SqliteStore store(m_path);
            QVERIFY(store.open().ok());
        }
        sql(m_path, "update setting set value = '999' where name = 'schema_version'");
        SqliteStore store(m_path);
        const auto refused = store.open();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, ErrorKind::unsupported);
        QVERIFY(refused.error().message.contains("999"));
        QVERIFY(refused.error().message.contains(
            QString::number(store::Statements::of(store::Dialect::sqlite).newestSchema())));
    }

    void damage_is_found_after_an_unclean_close()
    {
        {
            SqliteStore store(m_path);
            QVERIFY(store.open().ok());
            for (int i = 0; i < 500; ++i) {
                auto run = tests::newRun("billing", QString::number(i), 1'800'000'000'000 + i);
                run.run.step = QString(300, u'x');
                QVERIFY(store.startRun(run).ok());
            }
        }
        QFile::remove(m_path + ".lock"); // nobody says that it was closed in order
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        for (qint64 page = 8; page * 4096 < file.size(); page += 3) {
            file.seek(page * 4096);
            file.write(QByteArray(2048, char(0xa5)));
        }
        file.close();
        SqliteStore store(m_path);
        const auto refused = store.open();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, ErrorKind::corrupt);
    }

    void a_reader_needs_no_ownership_and_changes_nothing()
    {
        SqliteStore writer(m_path);
        QVERIFY(writer.open().ok());
        SqliteStore reader(m_path, SqliteStore::Mode::reader);
        QVERIFY(reader.open().ok());
        QVERIFY(reader.runs({}).ok());
        QVERIFY(!reader.startRun(tests::newRun("billing", "e", 5)).ok());
        SqliteStore nothing(m_folder->filePath("none.sqlite"), SqliteStore::Mode::reader);
        QVERIFY(!nothing.open().ok());
        QVERIFY(!QFile::exists(m_folder->filePath("none.sqlite")));
    }

    void addresses_are_read_or_refused()
    {
        QVERIFY(store::openStore("sqlite:/tmp/x").ok());
        QVERIFY(!store::openStore("sqlite:").ok());
        QVERIFY(!store::openStore("mysql://x").ok());
        QVERIFY(!store::openStore("").ok());
        QVERIFY(store::openStore("postgresql://u@localhost/db").ok());
        QVERIFY(store::openStore("postgresql://u@db.example/db").ok());
        QVERIFY(!store::openStore("postgresql://u@db.example/db?sslmode=require").ok());
        QVERIFY(!store::openStore("postgresql://localhost").ok());
        const auto opened = store::openStore("postgresql://u:s3cret@127.0.0.1:6543/db");
        QCOMPARE((*opened)->describe(), QString("postgresql://u@127.0.0.1:6543/db"));
    }
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (argc == 3 && QByteArray(argv[1]) == "--own") {
        SqliteStore store(QString::fromLocal8Bit(argv[2]));
        if (!store.open().ok() || !store.startRun(tests::newRun("billing", "kept", 5)).ok())
            return 1;
        if (!store.begin().ok() || !store.startRun(tests::newRun("billing", "lost", 5)).ok())
            return 1;
        QTextStream(stdout) << "owned" << Qt::endl;
        return application.exec();
    }
    SqliteFile test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_sqlite_file.moc"
