// The page of runs offscreen, over a million made-up runs. Goal: mouse and keyboard reach
// everything, live updates never move what a person looks at, memory stays bounded, and nothing
// from outside is interpreted.
#include "runs_window.h"
#include "ui/runs/chip.h"
#include "ui/runs/filter_bar.h"
#include "ui/runs/views_button.h"
#include "ui/style/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::runs;
using tests::RunsDoor;
using tests::RunsWindow;

class RunsPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void aMillionRunsAreReadPageByPage();
    void memoryIsBoundedAndTheWayBackIsThere();
    void newRunsDoNotMoveTheSelectedRow();
    void newRunsWaitWhereThereIsNoRoom();
    void whatIsOnTheScreenIsReadAgain();
    void aFilterIsTypedAndTakenAway();
    void aBadWordIsNamedUnderTheLine();
    void wordsAndValuesAreOffered();
    void rareMatchesAreSearchedFor();
    void viewsAreSavedChosenAndDeleted();
    void nothingMatchesOffersAWayOut();
    void noRunsSaysHowToStart();
    void keysOfTheList();
    void theDatabaseGoesAwayAndTheRowsStay();
    void hostileTextBreaksNothing();
    void everyControlHasANameAndTabReachesIt();
};

void RunsPageTest::aMillionRunsAreReadPageByPage()
{
    RunsWindow window(1'000'000);
    QVERIFY(window.load());
    QCOMPARE(window.model()->line(0).runId, RunsDoor::idOf(999'999));
    QVERIFY(window.model()->rowCount() <= 200);
    QTRY_COMPARE(window.text(u"count"_s), u"10,000+ runs"_s);
    RunTable *table = window.page.table();
    for (int page = 0; page < 12; ++page) {
        const int before = window.model()->rowCount();
        table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum());
        QTRY_VERIFY(window.model()->rowCount() > before);
    }
    QVERIFY(window.model()->rowCount() >= 1200);
    for (int row = 1; row < window.model()->rowCount(); ++row)
        QVERIFY(window.model()->line(row).runId < window.model()->line(row - 1).runId);
}

void RunsPageTest::memoryIsBoundedAndTheWayBackIsThere()
{
    RunsWindow window(1'000'000);
    QVERIFY(window.load());
    QScrollBar *bar = window.page.table()->verticalScrollBar();
    while (!window.model()->hasEarlier()) {
        const QString last = window.model()->nextCursor();
        bar->setValue(bar->maximum());
        QVERIFY(QTest::qWaitFor([&] { return window.model()->nextCursor() != last; }));
        QVERIFY(window.model()->rowCount() <= RunsModel::rowsMax);
    }
    // Dropping rows at the top left the screen alone.
    const RunTable::Rows seen = window.page.table()->rowsOnScreen();
    QVERIFY(seen.first > 1000);
    const QString first = window.model()->line(0).runId;
    bar->setValue(0);
    QTRY_VERIFY(window.model()->line(0).runId > first);
    QAction *newest = nullptr;
    for (QAction *action : window.page.actions()) {
        if (action->text() == u"&Newest runs"_s)
            newest = action;
    }
    QVERIFY(newest);
    newest->trigger();
    QTRY_COMPARE(window.model()->line(0).runId, RunsDoor::idOf(999'999));
    QCOMPARE(bar->value(), 0);
}

void RunsPageTest::newRunsDoNotMoveTheSelectedRow()
{
    RunsWindow window(5'000);
    QVERIFY(window.load());
    RunTable *table = window.page.table();
    const QString chosen = RunsDoor::idOf(4'995);
    table->selectRow(window.model()->rowOf(chosen));
    const int top = window.topOf(chosen);
    window.door.setRuns(5'012);
    window.door.change(4'990, {{u"status"_s, u"failed"_s}});
    QVERIFY(window.refresh());
    QTRY_COMPARE(window.model()->line(0).runId, RunsDoor::idOf(5'011));
    QCOMPARE(window.topOf(chosen), top);
    QCOMPARE(table->currentIndex().data(RunsModel::runIdRole).toString(), chosen);
    const int row = window.model()->rowOf(RunsDoor::idOf(4'990));
    QCOMPARE(window.model()->line(row).status, u"failed"_s);
    auto *pill = window.page.findChild<QPushButton *>(u"news"_s);
    QVERIFY(pill->isVisible());
    QCOMPARE(pill->text(), u"12 new ↑"_s);
    // Also when the selected row is far above the screen: then what is on the screen stays.
    QTRY_VERIFY(table->verticalScrollBar()->maximum() > 1500);
    table->verticalScrollBar()->setValue(1200);
    const QString seen = table->indexAt({1, 1}).data(RunsModel::runIdRole).toString();
    const int seenTop = window.topOf(seen);
    window.door.setRuns(5'020);
    QVERIFY(window.refresh());
    QTRY_COMPARE(pill->text(), u"20 new ↑"_s);
    QCOMPARE(window.topOf(seen), seenTop);
    QTest::mouseClick(pill, Qt::LeftButton);
    QTRY_COMPARE(table->verticalScrollBar()->value(), 0);
    QVERIFY(!pill->isVisible());
    QCOMPARE(table->currentIndex().data(RunsModel::runIdRole).toString(), chosen);
}

void RunsPageTest::newRunsWaitWhereThereIsNoRoom()
{
    RunsWindow window(3);
    QVERIFY(window.load());
    RunTable *table = window.page.table();
    table->selectRow(0);
    const QString chosen = RunsDoor::idOf(2);
    const int top = window.topOf(chosen);
    window.door.setRuns(5);
    QVERIFY(window.refresh());
    auto *pill = window.page.findChild<QPushButton *>(u"news"_s);
    QTRY_VERIFY(pill->isVisible());
    QCOMPARE(pill->text(), u"2 new ↑"_s);
    QCOMPARE(window.model()->rowCount(), 3);
    QCOMPARE(window.topOf(chosen), top);
    QTest::mouseClick(pill, Qt::LeftButton);
    QTRY_COMPARE(window.model()->rowCount(), 5);
    QVERIFY(!pill->isVisible());
    QCOMPARE(table->currentIndex().data(RunsModel::runIdRole).toString(), chosen);
    // Without a selected row they come in by themselves.
    table->clearSelection();
    table->setCurrentIndex({});
    window.door.setRuns(6);
    QVERIFY(window.refresh());
    QTRY_COMPARE(window.model()->rowCount(), 6);
    QVERIFY(!pill->isVisible());
}

void RunsPageTest::whatIsOnTheScreenIsReadAgain()
{
    RunsWindow window(5'000);
    QVERIFY(window.load());
    QScrollBar *bar = window.page.table()->verticalScrollBar();
    while (window.model()->rowCount() < 700) {
        const int before = window.model()->rowCount();
        bar->setValue(bar->maximum());
        QTRY_VERIFY(window.model()->rowCount() > before);
    }
    const int row = window.page.table()->rowsOnScreen().first + 2;
    const qint64 number = window.model()->line(row).runId.right(12).toLongLong();
    window.door.change(number, {{u"status"_s, u"cancelled"_s}});
    QVERIFY(window.refresh());
    QTRY_COMPARE(window.model()->line(row).status, u"cancelled"_s);
}

void RunsPageTest::aFilterIsTypedAndTakenAway()
{
    RunsWindow window(5'000);
    QVERIFY(window.load());
    QSignalSpy moved(&window.page, &shell::Page::placeChanged);
    window.page.table()->setFocus();
    window.page.table()->setCurrentIndex(window.page.table()->model()->index(0, 0));
    const auto *chosen = window.page.table()->selectionModel();
    const bool wasChosen = chosen->isRowSelected(0);
    QTest::keyClick(window.page.table(), Qt::Key_X);
    QCOMPARE(chosen->isRowSelected(0), !wasChosen);
    QTest::keyClick(window.page.table(), Qt::Key_X);
    QTest::keyClick(window.page.table(), Qt::Key_Slash);
    QTRY_VERIFY(window.page.findChild<QLineEdit *>(u"filter"_s)->hasFocus());
    QVERIFY(window.filter(u"status:review since:7d"_s));
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), u"status:review since:7d"_s);
    QCOMPARE(moved.size(), 1);
    QTRY_VERIFY(window.text(u"count"_s).endsWith(u"runs match"_s));
    QCOMPARE(window.model()->line(0).status, u"review"_s);
    QVERIFY(window.page.findChild<QLineEdit *>(u"filter"_s)->text().isEmpty());
    QList<Chip *> chips = window.page.findChildren<Chip *>();
    QCOMPARE(chips.size(), 2);
    QTest::mouseClick(chips.first(), Qt::LeftButton);
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), u"since:7d"_s);
    QTRY_COMPARE(window.page.findChildren<Chip *>().size(), 1);
    Chip *last = window.page.findChildren<Chip *>().first();
    last->setFocus();
    QTest::keyClick(last, Qt::Key_Delete);
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), QString());
    // The last term comes back into the line to be changed.
    QVERIFY(window.filter(u"status:failed"_s));
    QTRY_COMPARE(window.model()->line(0).status, u"failed"_s);
    QLineEdit *edit = window.page.findChild<QLineEdit *>(u"filter"_s);
    QTest::keyClick(edit, Qt::Key_Backspace);
    QTRY_COMPARE(edit->text(), u"status:failed"_s);
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), QString());
    window.page.open({{u"filter"_s, u"workflow:order"_s}});
    QTRY_COMPARE(window.model()->line(0).workflow, u"order"_s);
}

void RunsPageTest::aBadWordIsNamedUnderTheLine()
{
    RunsWindow window(500);
    QVERIFY(window.load());
    QVERIFY(window.filter(u"colour:red"_s));
    auto *problem = window.page.findChild<QWidget *>(u"filterProblem"_s);
    QTRY_VERIFY(problem->isVisible());
    QVERIFY(problem->property("text").toString().contains("colour is no word"_L1));
    QCOMPARE(window.page.findChild<QLineEdit *>(u"filter"_s)->text(), u"colour:red"_s);
    QVERIFY(window.model()->rowCount() > 0); // the list stays
    QCOMPARE(window.page.where()["filter"_L1].toString(), QString());
    QTest::keyClick(window.page.findChild<QLineEdit *>(u"filter"_s), Qt::Key_Backspace);
    QVERIFY(!problem->isVisible());
    window.page.open({{u"filter"_s, u"smell:bad status:review"_s}}); // from a link
    QTRY_VERIFY(problem->isVisible());
}

void RunsPageTest::wordsAndValuesAreOffered()
{
    RunsWindow window(500);
    QVERIFY(window.load());
    QVERIFY(window.settle());
    auto *edit = window.page.findChild<FilterEdit *>(u"filter"_s);
    edit->setFocus();
    QTest::keyClicks(edit, u"wor"_s);
    QTRY_COMPARE(edit->offered(), QStringList({u"workflow:"_s}));
    QTest::keyClick(edit, Qt::Key_Tab);
    QCOMPARE(edit->text(), u"workflow:"_s);
    QTRY_COMPARE(edit->offered(),
                 QStringList({u"billing-assistant"_s, u"lead-routing"_s, u"order"_s}));
    QWidget *popup = QApplication::activePopupWidget();
    QVERIFY(popup);
    QTest::keyClick(popup, Qt::Key_Down);
    QTest::keyClick(popup, Qt::Key_Down);
    QTest::keyClick(popup, Qt::Key_Return);
    QTRY_COMPARE(edit->text(), u"workflow:lead-routing"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), u"workflow:lead-routing"_s);
}

// The one match is further back than a page looks; it is found without scrolling.
void RunsPageTest::rareMatchesAreSearchedFor()
{
    RunsWindow window(30'000);
    window.door.change(500, {{u"workflow"_s, u"rare"_s}});
    QVERIFY(window.load());
    QVERIFY(window.filter(u"workflow:rare"_s));
    QTRY_COMPARE(window.model()->rowCount(), 1);
    QCOMPARE(window.model()->line(0).runId, RunsDoor::idOf(500));
    QTRY_VERIFY(!window.model()->hasMore());
}

void RunsPageTest::viewsAreSavedChosenAndDeleted()
{
    RunsWindow window(5'000);
    QVERIFY(window.load());
    QVERIFY(window.filter(u"status:failed"_s));
    auto *views = window.page.findChild<ViewsButton *>(u"views"_s);
    const auto entry = [&](const QString &text) -> QAction * {
        for (QAction *action : views->menu()->actions()) {
            if (action->text() == text)
                return action;
        }
        return nullptr;
    };
    entry(u"Save view…"_s)->trigger();
    auto *dialog = window.page.findChild<QInputDialog *>(u"saveView"_s);
    QTRY_VERIFY(dialog && dialog->isVisible());
    dialog->setTextValue(u"Broken & lost"_s);
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY(entry(u"Broken && lost"_s));
    QVERIFY(views->accessibleName().contains("Broken"_L1));
    entry(u"All runs"_s)->trigger();
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), QString());
    entry(u"Broken && lost"_s)->trigger();
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), u"status:failed"_s);
    QTRY_COMPARE(views->currentView(), u"Broken & lost"_s);
    for (QAction *action : window.page.actions()) {
        if (action->text() == u"&Delete this view"_s)
            action->trigger();
    }
    QTRY_VERIFY(!entry(u"Broken && lost"_s));
}

void RunsPageTest::nothingMatchesOffersAWayOut()
{
    RunsWindow window(1'500);
    QVERIFY(window.load());
    QVERIFY(window.filter(u"workflow:none status:review"_s));
    QWidget *empty = window.page.findChild<QWidget *>(u"emptyRuns"_s);
    QTRY_VERIFY(empty->isVisible());
    QTRY_COMPARE(window.text(u"emptyHeadline"_s), u"No run matches."_s);
    const auto offers = empty->findChildren<QPushButton *>(u"offer"_s);
    QCOMPARE(offers.size(), 2);
    QTRY_COMPARE(offers.at(0)->text(), u"Without workflow:none: 84 runs"_s);
    QTRY_COMPARE(offers.at(1)->text(), u"Without status:review: 0 runs"_s);
    QTest::mouseClick(offers.at(0), Qt::LeftButton);
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), u"status:review"_s);
    QTRY_VERIFY(window.page.table()->isVisible());
}

void RunsPageTest::noRunsSaysHowToStart()
{
    RunsWindow window(0);
    QCOMPARE(window.text(u"emptyHeadline"_s), u"Reading the runs…"_s);
    window.page.refresh();
    QTRY_COMPARE(window.text(u"emptyHeadline"_s), u"No runs yet."_s);
    QTest::mouseClick(window.page.findChild<QPushButton *>(u"copyStart"_s), Qt::LeftButton);
    QVERIFY(QApplication::clipboard()->text().startsWith("holdfastctl start "_L1));
}

void RunsPageTest::keysOfTheList()
{
    RunsWindow window(500);
    QVERIFY(window.load());
    RunTable *table = window.page.table();
    QSignalSpy gone(&window.page, &shell::Page::goTo);
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_J);
    QTest::keyClick(table, Qt::Key_J);
    QTest::keyClick(table, Qt::Key_K);
    QCOMPARE(table->currentIndex().row(), 1);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(gone.size(), 1);
    QCOMPARE(gone.at(0).at(0).toString(), u"run"_s);
    QCOMPARE(gone.at(0).at(1).toJsonObject()["run"_L1].toString(), RunsDoor::idOf(498));
    QTest::keyClick(table, Qt::Key_U);
    QCOMPARE(gone.size(), 2);
    QCOMPARE(gone.at(1).at(1).toJsonObject()["act"_L1].toString(), u"compensate"_s);
    // Letters typed into the filter are letters.
    QLineEdit *edit = window.page.findChild<QLineEdit *>(u"filter"_s);
    edit->setFocus();
    QTest::keyClicks(edit, u"unjk/"_s);
    QCOMPARE(edit->text(), u"unjk/"_s);
    QTest::keyClick(edit, Qt::Key_Escape);
    QCOMPARE(gone.size(), 2);
    const QRect row = table->visualRect(table->model()->index(2, 1));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, row.center());
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, row.center());
    QTRY_COMPARE(gone.size(), 3);
}

void RunsPageTest::theDatabaseGoesAwayAndTheRowsStay()
{
    RunsWindow window(500);
    QVERIFY(window.load());
    window.bridge.start();
    window.door.setAway(true);
    QTRY_VERIFY(window.bridge.isAway());
    window.page.refresh();
    QVERIFY(window.settle());
    QVERIFY(window.page.table()->isVisible());
    QVERIFY(window.model()->rowCount() >= 100);
    QVERIFY(!window.page.findChild<QWidget *>(u"runsProblem"_s)->isVisible());
    window.page.open({{u"filter"_s, u"status:failed"_s}}); // asked for in vain
    QVERIFY(window.settle());
    window.door.setAway(false);
    window.door.setRuns(501);
    QTRY_VERIFY(!window.bridge.isAway());
    window.page.refresh();
    QTRY_COMPARE(window.page.where()["filter"_L1].toString(), u"status:failed"_s);
}

void RunsPageTest::hostileTextBreaksNothing()
{
    const QString huge = u"<img src=x onerror=alert(1)>"_s + QString(10'000, u'W');
    const QString odd = u"\u202e\u001b[31m عربي 😀 \n\t<b>bold</b>"_s;
    RunsWindow window(300);
    for (int number = 280; number < 300; ++number)
        window.door.change(number,
                           {{u"event_id"_s, number % 2 == 0 ? huge : odd},
                            {u"workflow"_s, huge},
                            {u"step"_s, odd},
                            {u"reason"_s, huge},
                            {u"status"_s, number % 3 == 0 ? u"<i>odd</i>"_s : u"review"_s}});
    QVERIFY(window.load());
    const int minimum = window.page.minimumSizeHint().width();
    QVERIFY2(minimum < 1000, qPrintable(QString::number(minimum)));
    QVERIFY(!window.page.grab().isNull());
    window.page.open({{u"filter"_s, u"workflow:"_s + QString(900, u'W')}});
    QTRY_COMPARE(window.page.findChildren<Chip *>().size(), 1);
    QVERIFY(window.page.minimumSizeHint().width() < 1000);
    window.page.open({{u"filter"_s, QString()}});
    QTRY_VERIFY(window.page.table()->isVisible());
    const QPixmap picture = window.page.grab();
    QVERIFY(!picture.isNull());
    if (const QString folder = qEnvironmentVariable("HOLDFAST_SHOTS"); !folder.isEmpty())
        QVERIFY(picture.save(QDir(folder).filePath(u"runs-hostile.png"_s)));
}

void RunsPageTest::everyControlHasANameAndTabReachesIt()
{
    RunsWindow window(500);
    QVERIFY(window.load());
    QVERIFY(window.filter(u"status:review since:7d"_s));
    window.page.table()->selectRow(0);
    for (QWidget *widget : window.page.findChildren<QWidget *>()) {
        const bool isControl = widget->focusPolicy() != Qt::NoFocus && widget->isVisible() &&
                               !widget->inherits("QHeaderView") &&
                               !widget->inherits("QScrollBar") && widget->focusProxy() == nullptr;
        if (isControl)
            QVERIFY2(!widget->accessibleName().isEmpty(),
                     qPrintable(widget->objectName() + u' ' +
                                QLatin1String(widget->metaObject()->className())));
    }
    QLineEdit *edit = window.page.findChild<QLineEdit *>(u"filter"_s);
    window.page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window.page));
    edit->setFocus();
    QTRY_VERIFY(edit->hasFocus());
    QStringList reached;
    for (int press = 0; press < 20; ++press) {
        QWidget *focus = QApplication::focusWidget();
        reached << focus->objectName();
        QTest::keyClick(focus, Qt::Key_Tab);
    }
    for (const auto &name : {u"filter"_s, u"views"_s, u"exportButton"_s, u"chip"_s, u"runTable"_s,
                             u"openRunButton"_s, u"retryButton"_s, u"rerunButton"_s})
        QVERIFY2(reached.contains(name), qPrintable(name + u" in "_s + reached.join(u' ')));
}

QTEST_MAIN(RunsPageTest)
#include "tst_runs_page.moc"
