// Goal: a file that is not what was written is refused in words, nothing is ever replaced, a full
// disk loses nothing, and what is opened is only read. Method: an archive is made, then cut,
// changed and lied about; every operation that changes something is tried on it.
#include "control/archive_bench.h"

#include "store/store_url.h"
#include "support/small_disk.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

class ArchiveFile : public QObject
{
    Q_OBJECT

    static QByteArray bytesOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QString refusalOf(const ArchiveBench &bench, const QByteArray &bytes)
    {
        const QString path = bench.file(u"changed.hfarchive"_s);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            qFatal("cannot write");
        file.write(bytes);
        file.close();
        store::ArchiveStore archive(path);
        const auto opened = archive.open();
        return opened ? QString() : opened.error().message;
    }

private Q_SLOTS:
    void damaged_files_are_refused_in_words()
    {
        ArchiveBench bench(StoreFixture::Kind::sqlite);
        bench.succeed(3);
        bench.archiveAll();
        const QByteArray good = bytesOf(bench.file());
        QCOMPARE(refusalOf(bench, good), QString());
        const qsizetype body = good.indexOf('\n', good.indexOf('\n') + 1) + 1;
        for (const qsizetype cut : {qsizetype(0), qsizetype(5), body / 2, body, body + 20,
                                    good.size() / 2, good.size() - 1}) {
            const QString said = refusalOf(bench, good.left(cut));
            QVERIFY2(said.contains(u"damaged"_s) || said.contains(u"not an archive"_s),
                     qPrintable(u"%1: %2"_s.arg(cut).arg(said)));
        }
        for (qsizetype at = body + 12; at < good.size(); at += 997) {
            QByteArray changed = good;
            changed[at] = char(changed[at] ^ 0x40);
            QVERIFY2(!refusalOf(bench, changed).isEmpty(), qPrintable(QString::number(at)));
        }
        QVERIFY(refusalOf(bench, good + "more").contains(u"follows"_s));
    }

    void a_file_that_lies_about_itself_is_refused()
    {
        ArchiveBench bench(StoreFixture::Kind::sqlite);
        bench.succeed(3);
        bench.archiveAll();
        const QByteArray good = bytesOf(bench.file());
        const qsizetype first = good.indexOf('\n') + 1, body = good.indexOf('\n', first) + 1;
        const auto with = [&](const QString &name, const QJsonValue &value) {
            QJsonObject said = QJsonDocument::fromJson(good.mid(first, body - first)).object();
            said.insert(name, value);
            return good.left(first) + QJsonDocument(said).toJson(QJsonDocument::Compact) + '\n' +
                   good.mid(body);
        };
        QVERIFY(refusalOf(bench, with(u"size"_s, 4096)).contains(u"more than it says"_s));
        QVERIFY(refusalOf(bench, with(u"size"_s, 1'000'000)).contains(u"less"_s));
        QVERIFY(refusalOf(bench, with(u"size"_s, 1e15)).contains(u"no archive does"_s));
        QVERIFY(refusalOf(bench, with(u"size"_s, -1)).contains(u"no archive does"_s));
        QVERIFY(refusalOf(bench, with(u"sha256"_s, u"00"_s)).contains(u"not what was put in"_s));
        QVERIFY(refusalOf(bench, with(u"schema"_s, 9999)).contains(u"newer"_s));
        QVERIFY(refusalOf(bench, with(u"hashes"_s, QJsonObject())).contains(u"table"_s));
    }

    void an_archive_is_only_read()
    {
        ArchiveBench bench(StoreFixture::Kind::sqlite);
        const QStringList runs = bench.succeed(3);
        bench.archiveAll();
        auto opened = store::openStore(u"archive:"_s + bench.file());
        QVERIFY(opened.ok() && (*opened)->open().ok());
        ports::Store &store = **opened;
        control::LocalDoor door(store, DoorBench::surroundings());
        const auto ask = [&](const QString &name, const QJsonObject &arguments) {
            return door.call({model::newId(1), name, arguments, u"ada"_s});
        };
        const auto shown = ask(u"show"_s, {{u"run"_s, runs.first()}});
        QVERIFY2(shown.ok(), shown.ok() ? "" : qPrintable(shown.error().message));
        QCOMPARE((*shown)["status"_L1].toString(), u"succeeded"_s);
        QVERIFY(!(*shown)["steps"_L1].toArray().isEmpty());
        QCOMPARE((*ask(u"runs"_s, {}))["runs"_L1].toArray().size(), 3);
        QCOMPARE((*ask(u"ledger"_s, {{u"run"_s, runs.first()}}))["ledger"_L1].toArray().size(), 1);
        QCOMPARE((*ask(u"audit"_s, {}))["audit"_L1].toArray().size(), 3);
        for (const char *look : {"pulse", "doctor", "reviews", "workflows", "dependencies"})
            QVERIFY2(ask(QString::fromLatin1(look), {}).ok(), look);
        for (const char *act :
             {"deploy", "start", "rerun", "resolve", "approve", "cancel", "retry", "compensate",
              "note", "pause", "resume", "breaker", "batch_start", "archive", "archive_go"}) {
            const auto done = ask(QString::fromLatin1(act), {{u"run"_s, runs.first()}});
            QVERIFY2(!done.ok() && done.error().message.contains(u"archive, read only"_s), act);
        }
        QVERIFY(!store.putSetting({u"view:x"_s, u"1"_s}).ok());
    }

    void no_file_is_ever_replaced()
    {
        ArchiveBench bench(StoreFixture::Kind::sqlite);
        bench.succeed(2);
        QFile there(bench.file());
        QVERIFY(there.open(QIODevice::WriteOnly));
        there.write("mine");
        there.close();
        QVERIFY(!bench.call("archive", bench.order()).ok());
        QCOMPARE(bytesOf(bench.file()), QByteArray("mine"));
        QJsonObject order = bench.order(u"b.hfarchive"_s);
        const QString id = bench.ok("archive", order)["id"_L1].toString();
        // It comes to be there while the draft is written.
        bench.ok("archive_go", {{u"archive"_s, id}});
        QVERIFY(QFile::copy(bench.file(), bench.file(u"b.hfarchive"_s)));
        QVERIFY(!bench.goOn(id).ok());
        QVERIFY(!bench.goOn(id).ok());
        QCOMPARE(bytesOf(bench.file(u"b.hfarchive"_s)), QByteArray("mine"));
        QCOMPARE(bench.store->runsPage({}, 100)->size(), 3);
        order.insert(u"file"_s, bench.folder.filePath(u"no/such/c.hfarchive"_s));
        QVERIFY(!bench.call("archive", order).ok());
        order.insert(u"file"_s, u"c.hfarchive"_s);
        QVERIFY(!bench.call("archive", order).ok());
    }

    void a_full_disk_loses_nothing()
    {
        const SmallDisk disk(8);
        if (!disk.isThere())
            QSKIP("only root may mount a small disk");
        ArchiveBench bench(StoreFixture::Kind::sqlite);
        bench.succeed(3);
        QJsonObject order = bench.order();
        order.insert(u"file"_s, disk.path() + u"/a.hfarchive"_s);
        const QString id = bench.ok("archive", order)["id"_L1].toString();
        disk.fill();
        const auto refused = bench.goOn(id);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, model::ErrorKind::full);
        QCOMPARE(bench.store->runsPage({}, 100)->size(), 4);
        disk.free();
        const auto ended = bench.goOn(id);
        QVERIFY2(ended.ok(), ended.ok() ? "" : qPrintable(ended.error().message));
        QCOMPARE((*ended)["removed"_L1].toInt(), 3);
        QCOMPARE(QDir(disk.path()).entryList(QDir::Files), QStringList{u"a.hfarchive"_s});
    }

    void a_file_that_was_changed_after_it_was_written_stops_the_removal()
    {
        ArchiveBench bench(StoreFixture::Kind::sqlite);
        bench.succeed(3);
        const QString id = bench.ok("archive", bench.order())["id"_L1].toString();
        QVERIFY(bench.goOn(id, u"written"_s).ok());
        const QByteArray good = bytesOf(bench.file());
        QFile file(bench.file());
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(good.size() - 20));
        file.write("x");
        file.close();
        // Another process goes on.
        control::LocalDoor other(*bench.store, DoorBench::surroundings());
        const auto goOn = [&] {
            return other.call({model::newId(1), u"archive_go"_s, {{u"archive"_s, id}}, u"ada"_s});
        };
        auto answer = goOn();
        for (int i = 0; i < 20 && answer.ok(); ++i)
            answer = goOn();
        QVERIFY(!answer.ok());
        QCOMPARE(bench.store->runsPage({}, 100)->size(), 4);
    }
};

QTEST_GUILESS_MAIN(ArchiveFile)
#include "tst_archive_file.moc"
