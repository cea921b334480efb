// Goal: a console that opens an archive shows its runs, says in its frame that it is one, runs no
// engine and does nothing to it. Method: a desk as the program has it opens a file that was made
// before.
#include "console/desk_bench.h"
#include "control/archive_bench.h"

#include <QMessageBox>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

class ConsoleArchive : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void an_archive_is_shown_and_nothing_can_be_done_to_it()
    {
        ArchiveBench made(StoreFixture::Kind::sqlite);
        const QStringList runs = made.succeed(3);
        made.archiveAll();
        DeskBench bench;
        bench.open(u"archive:"_s + made.file());
        QVERIFY(bench.database().contains(u"Archive, read only"_s));
        const QString title = bench.desk.window()->windowTitle();
        QVERIFY2(title.endsWith(u"Holdfast · a"_s), qPrintable(title)); // the name of the file
        bridge::Bridge &bridge = bench.desk.workspace()->bridge();
        QVERIFY(bench.desk.workspace()->isAttached());
        QJsonValue shown;
        bridge.ask(u"show"_s, {{u"run"_s, runs.first()}}, bench.desk.window(),
                   [&](const model::Result<QJsonValue> &answer) {
                       shown = answer ? *answer : QJsonValue(answer.error().message);
                   });
        QTRY_VERIFY_WITH_TIMEOUT(!shown.isNull(), 30000);
        QCOMPARE(shown["status"_L1].toString(), u"succeeded"_s);
        QString refused;
        bridge.act(u"pause"_s, {{u"reason"_s, u"x"_s}}, bench.desk.window(),
                   [&](const model::Result<QJsonValue> &answer) {
                       refused = answer ? u"done"_s : answer.error().message;
                   });
        QTRY_VERIFY_WITH_TIMEOUT(!refused.isEmpty(), 30000);
        QVERIFY2(refused.contains(u"archive, read only"_s), qPrintable(refused));
        QVERIFY(bench.preferences.database().isEmpty());
    }

    void a_damaged_archive_leaves_what_is_open_as_it_was()
    {
        DeskBench bench;
        bench.open(bench.file(u"own.db"_s));
        const QString path = bench.folder.filePath(u"bad.hfarchive"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("holdfast-archive 1\n{}\nxxxx");
        file.close();
        const shell::MainWindow *before = bench.desk.window();
        QSignalSpy refused(&bench.desk, &console::Desk::refused);
        bench.desk.open({u"archive:"_s + path, {}, false, false, false});
        QVERIFY(refused.wait(30000));
        QVERIFY2(refused.first().first().toString().contains(u"damaged"_s),
                 qPrintable(refused.first().first().toString()));
        QVERIFY(bench.desk.window() == before);
        QVERIFY2(bench.database().contains(u"own.db"_s), qPrintable(bench.database()));
        QTRY_COMPARE(bench.desk.workspace()->bridge().engine().word, u"running"_s);
        // Nobody looks at the settings now: it is said where the person is.
        const auto *box = bench.child<QMessageBox>(u"openRefused"_s);
        QVERIFY(box && box->isVisible());
        QVERIFY2(box->informativeText().contains(u"damaged"_s), qPrintable(box->informativeText()));
    }
};

QTEST_MAIN(ConsoleArchive)
#include "tst_archive.moc"
