// Goal: archiving loses no run and doubles none: what is in the file and what is left add up to
// what was there, a late event finds its run, counters and keys stay, and what moved meanwhile
// stays. Method: runs are executed on each kind of database, archived step by step, and compared
// row for row.
#include "control/archive_bench.h"

#include "runtime/rebuild.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

class Archive : public QObject
{
    Q_OBJECT

    std::unique_ptr<ArchiveBench> m_bench;

    static QMap<QString, qint64> counted(ports::Store &store)
    {
        QMap<QString, qint64> sums;
        const auto rows = store.rollups(0, std::numeric_limits<qint64>::max());
        for (const ports::RollupRow &row : *rows) {
            for (auto each = row.counts.cbegin(); each != row.counts.cend(); ++each)
                sums[u"%1 %2 %3 %4"_s.arg(row.minute).arg(row.workflow, row.step, each.key())] +=
                    *each;
        }
        return sums;
    }
    static qint64 highestJournal(ports::Store &store) { return store.journalMark().value(); }
    static QString ledgerText(ports::Store &store)
    {
        QString text;
        const auto rows = store.ledgerPage({}, {}, 1000);
        for (const ports::LedgerRow &row : *rows)
            text += row.key + u' ' + row.status + u' ' + row.runId + u'\n';
        return text;
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<int>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << int(kind);
    }
    void init()
    {
        QFETCH_GLOBAL(int, kind);
        m_bench = std::make_unique<ArchiveBench>(StoreFixture::Kind(kind));
    }
    void cleanup() { m_bench.reset(); }

    void what_is_archived_and_what_is_left_is_what_was_there()
    {
        ArchiveBench &bench = *m_bench;
        const QString open = bench.start(u"open"_s);
        bench.run(DoorBench::timesOut);
        const QString dead = bench.start(u"dead"_s);
        bench.run(DoorBench::isRefused);
        const QStringList runs = bench.succeed(5);
        bench.ok("note", {{u"run"_s, runs.first()}, {u"text"_s, u"seen"_s}});
        bench.run(DoorBench::succeeds);
        const QString last = bench.start(u"last"_s);
        bench.run(DoorBench::succeeds);
        bench.newest = last;
        const auto before = bench.textsHere();
        const QString keys = ledgerText(*bench.store);
        const qint64 journal = highestJournal(*bench.store);
        const auto audit = bench.store->audit(0, 10000).value();

        const QJsonObject ended = bench.archiveAll();
        QCOMPARE(ended["state"_L1].toString(), u"done"_s);
        QCOMPARE(ended["removed"_L1].toInt(), 6);

        store::ArchiveStore archive(bench.file());
        QVERIFY2(archive.open().ok(), "the archive opens");
        const auto inside = ArchiveBench::textsIn(archive);
        auto after = bench.textsHere();
        QVERIFY(after.contains(open) && after.contains(dead) && after.contains(last));
        for (const QString &run : runs)
            QVERIFY(inside.contains(run) && !after.contains(run));
        after.insert(inside);
        QCOMPARE(after, before);
        QCOMPARE(ledgerText(*bench.store), keys);
        QCOMPARE(highestJournal(*bench.store), journal);
        const auto auditNow = bench.store->audit(0, 10000).value();
        QVERIFY(auditNow.size() > audit.size());
        for (qsizetype i = 0; i < audit.size(); ++i)
            QCOMPARE(auditNow.at(i).hash, audit.at(i).hash);
        QVERIFY(bench.call("audit_verify", {}).ok());
        QCOMPARE(QFile(bench.file()).permissions() & (QFile::ReadOther | QFile::ReadGroup),
                 QFile::Permissions());
        QCOMPARE(QDir(bench.folder.path()).entryList(QDir::Files), QStringList{u"a.hfarchive"_s});
    }

    void a_late_event_of_an_archived_run_is_one_run()
    {
        ArchiveBench &bench = *m_bench;
        const QStringList runs = bench.succeed(3);
        const QJsonObject ended = bench.archiveAll();
        const QJsonObject input{{u"id"_s, u"a2"_s}};
        const QJsonValue again =
            bench.ok("start", {{u"workflow"_s, u"one"_s}, {u"input"_s, input}});
        QCOMPARE(again["run_id"_L1].toString(), runs.at(1));
        QCOMPARE(again["replayed"_L1].toBool(), true);
        QCOMPARE(again["archive"_L1], ended["id"_L1]);
        QCOMPARE(bench.store->run(runs.at(1)).value().has_value(), false);
        const QJsonObject other{{u"id"_s, u"a2"_s}, {u"more"_s, 1}};
        const auto conflict = bench.call("start", {{u"workflow"_s, u"one"_s}, {u"input"_s, other}});
        QVERIFY(!conflict.ok());
        const auto shown = bench.call("show", {{u"run"_s, runs.at(1)}});
        QVERIFY(!shown.ok());
        QVERIFY2(shown.error().message.contains(bench.file()), qPrintable(shown.error().message));
        const auto acted = bench.call("cancel", {{u"run"_s, runs.at(1)}, {u"reason"_s, u"late"_s}});
        QVERIFY(!acted.ok() && acted.error().message.contains(u"archived"_s));
    }

    void rebuilding_after_an_archive_changes_nothing()
    {
        ArchiveBench &bench = *m_bench;
        bench.succeed(4);
        const auto before = counted(*bench.store);
        QVERIFY(!before.isEmpty());
        bench.archiveAll();
        QCOMPARE(counted(*bench.store), before);
        for (const bool repair : {false, true}) {
            runtime::Catalog catalog;
            const auto report = runtime::rebuild(*bench.store, catalog, repair);
            QVERIFY(report.ok());
            QVERIFY2(report->differenceCount == 0, qPrintable(report->differences.join(u'\n')));
        }
        QVERIFY(bench.store->replaceRollups({}).ok());
        QCOMPARE(counted(*bench.store), before);
    }

    void a_run_that_moved_after_it_was_copied_stays()
    {
        ArchiveBench &bench = *m_bench;
        const QStringList runs = bench.succeed(3);
        const QString id = bench.ok("archive", bench.order())["id"_L1].toString();
        QVERIFY(bench.goOn(id, u"written"_s).ok());
        // Back before the cut-off, so that only its version tells.
        const auto row = bench.store->run(runs.first()).value();
        bench.ok("note", {{u"run"_s, runs.first()}, {u"text"_s, u"wait"_s}});
        bench.run(DoorBench::succeeds);
        auto moved = bench.store->run(runs.first()).value();
        QVERIFY(moved->seq > row->seq);
        moved->updatedAt = row->updatedAt;
        QVERIFY(bench.store->replaceRun(*moved).ok());
        bench.start(u"later"_s);
        bench.run(DoorBench::succeeds);
        const auto ended = bench.goOn(id);
        QVERIFY(ended.ok());
        QCOMPARE((*ended)["runs"_L1].toInt(), 3);
        QCOMPARE((*ended)["removed"_L1].toInt(), 2);
        QVERIFY((*ended)["note"_L1].toString().contains(u"1 runs moved"_s));
        QCOMPARE(bench.show(runs.first())["status"_L1].toString(), u"succeeded"_s);
    }

    void one_archive_at_a_time_and_the_same_file_goes_on()
    {
        ArchiveBench &bench = *m_bench;
        bench.succeed(2);
        const QString first = bench.ok("archive", bench.order())["id"_L1].toString();
        QCOMPARE(bench.ok("archive", bench.order())["id"_L1].toString(), first);
        const QString second =
            bench.ok("archive", bench.order(u"b.hfarchive"_s))["id"_L1].toString();
        QVERIFY(second != first);
        QCOMPARE(bench.goOn(first)->value("state"_L1).toString(), u"dropped"_s);
        QVERIFY(bench.goOn(second, u"written"_s).ok());
        QVERIFY(!bench.call("archive", bench.order(u"c.hfarchive"_s)).ok());
        QCOMPARE(bench.goOn({})->value("id"_L1).toString(), second);
        QVERIFY(!bench.call("archive", bench.order(u"b.hfarchive"_s)).ok());
        const QJsonArray list = bench.ok("archives", {})["archives"_L1].toArray();
        QCOMPARE(list.size(), 2);
    }

    void a_preview_counts_and_does_nothing()
    {
        ArchiveBench &bench = *m_bench;
        bench.start(u"open"_s);
        bench.run(DoorBench::timesOut);
        bench.start(u"dead"_s);
        bench.run(DoorBench::isRefused);
        bench.succeed(3);
        const QJsonValue seen = bench.ok("archive_preview", {{u"before"_s, bench.later()}});
        QCOMPARE(seen["archives"_L1].toInt(), 3);
        QCOMPARE(seen["stays"_L1].toObject(),
                 (QJsonObject{{u"open"_s, 1}, {u"review"_s, 1}, {u"newest"_s, 1}}));
        QCOMPARE(bench.ok("archives", {})["archives"_L1].toArray().size(), 0);
        QVERIFY(!bench.call("archive_preview", {{u"before"_s, u"2999-01-01"_s}}).ok());
    }

    void nothing_old_enough_makes_no_file()
    {
        ArchiveBench &bench = *m_bench;
        bench.succeed(0);
        const QJsonObject ended = bench.archiveAll();
        QCOMPARE(ended["state"_L1].toString(), u"dropped"_s);
        QVERIFY(QDir(bench.folder.path()).entryList(QDir::Files).isEmpty());
    }
};

QTEST_GUILESS_MAIN(Archive)
#include "tst_archive.moc"
