// Goal: exports are written away from the window, all four are offered, and a stop leaves no file.
// Method: a door that answers from a table.
#include "weekly_bench.h"

#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QThreadPool>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace holdfast;
using tests::CannedDoor;

class WeeklyExportsTest : public QObject, tests::WeeklyBench
{
    Q_OBJECT

private Q_SLOTS:
    void exportsAreWrittenAwayFromTheWindow()
    {
        CannedDoor door;
        fill(door);
        door.answer(u"report_render"_s, [](const QJsonObject &arguments) {
            return QJsonValue(
                QJsonObject{{u"text"_s, u"as "_s + arguments["format"_L1].toString()}});
        });
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QTemporaryDir folder;
        const QString markdown = folder.filePath(u"a.md"_s);
        page.exportTo(u"markdown"_s, markdown);
        QTRY_VERIFY(text(page, "exportText").contains(u"✔"_s));
        QFile file(markdown);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "as markdown");
        page.exportTo(u"pdf"_s, folder.filePath(u"a.pdf"_s));
        const auto isDrawn = [&page] {
            const QString said = text(page, "exportText");
            return said.contains(u"✔"_s) && said.contains(u"a.pdf"_s);
        };
        QTRY_VERIFY_WITH_TIMEOUT(isDrawn(), 20'000);
        QFile drawn(folder.filePath(u"a.pdf"_s));
        QVERIFY(drawn.open(QIODevice::ReadOnly));
        QVERIFY(drawn.read(5) == "%PDF-");
        page.exportTo(u"pdf"_s, folder.filePath(u"no/such/a.pdf"_s));
        QTRY_VERIFY(text(page, "exportText").contains(u"No file was written"_s));
    }

    // The menu keeps the loop while it is up, so it is read and closed from within.
    void aKeyOffersAllFour()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QMenu *menu = page.findChild<QPushButton *>(u"export"_s)->menu();
        QStringList offered;
        connect(menu, &QMenu::aboutToShow, menu, [menu, &offered] {
            for (const QAction *action : menu->actions())
                offered << action->objectName();
            QMetaObject::invokeMethod(menu, &QWidget::close, Qt::QueuedConnection);
        });
        page.first()->setFocus();
        QTest::keyClick(page.first(), Qt::Key_E, Qt::ControlModifier);
        QTRY_COMPARE(offered, QStringList({u"export_pdf"_s, u"export_html"_s, u"export_markdown"_s,
                                           u"export_csv"_s}));
    }

    void anExportCanBeStopped()
    {
        CannedDoor door;
        fill(door);
        const auto gate = std::make_shared<QSemaphore>();
        const auto opened = qScopeGuard([gate] { gate->release(9); });
        door.answer(u"report_render"_s, [gate](const QJsonObject &) {
            gate->acquire();
            return QJsonValue(QJsonObject{{u"text"_s, u"late"_s}});
        });
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QTemporaryDir folder;
        page.exportTo(u"html"_s, folder.filePath(u"a.html"_s));
        QTRY_COMPARE(door.asked(u"report_render"_s).size(), 1);
        QTest::mouseClick(page.findChild<QPushButton *>(u"exportStop"_s), Qt::LeftButton);
        QVERIFY(text(page, "exportText").contains(u"stopped"_s));
        gate->release();
        page.findChild<QToolButton *>(u"previousWeek"_s)->click();
        // Answers come in order: when this report is shown the late text was here, and whoever
        // writes has written when the pool is done.
        QVERIFY(isShown(page, "reading"));
        QTRY_VERIFY(!isShown(page, "reading"));
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(!QFile::exists(folder.filePath(u"a.html"_s)));
    }
};

QTEST_MAIN(WeeklyExportsTest)
#include "tst_weekly_exports.moc"
