// The page of pauses and audit offscreen, with a door that answers from a table. Goal: past and
// present pauses and every row of the audit can be found, the verdict on the chain is plain, and
// nothing from outside is interpreted.
#include "ui/pause/audit_export.h"
#include "ui/pause/audit_view.h"
#include "ui/pause/pause_banner.h"
#include "ui/pause/pause_dialog.h"
#include "ui/pause/pause_page.h"
#include "ui/pause/pause_table_model.h"
#include "ui/pause/resume_dialog.h"
#include "ui/pause_samples.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/wrap_label.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QVBoxLayout>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::pause;

class PausePageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void modelsKeepTheirPromises();
    void pageListsActiveAndPastPauses();
    void auditPagesFiltersAndShowsTheRow();
    void auditVerdictIsGreenOrRed();
    void auditIsExported();
    void hostileTextIsShownAndNeverInterpreted();
    void everyControlHasAName();
    void screenshots();
};

void PausePageTest::modelsKeepTheirPromises()
{
    CannedDoor door;
    PauseTableModel pauses;
    QAbstractItemModelTester tester(&pauses,
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    const PauseState one = PauseState::fromJson(pauseJson(door, u"p1"_s));
    const PauseState two = PauseState::fromJson(liftedJson(door, u"p0"_s, 2));
    const QVector<QVector<PauseState>> story{{}, {one}, {one, two}, {two, one}, {two}, {}};
    for (const auto &rows : story) {
        pauses.setRows(rows);
        QCOMPARE(pauses.rowCount(), rows.size());
    }
    QCOMPARE(inOrder({two, one}).first().id, u"p1"_s);
    AuditModel audit;
    QAbstractItemModelTester auditTester(&audit,
                                         QAbstractItemModelTester::FailureReportingMode::QtTest);
    audit.append({AuditLine::fromJson({{u"seq"_s, 2}}), AuditLine::fromJson({{u"seq"_s, 1}})});
    audit.setRows({AuditLine::fromJson({{u"seq"_s, 3}}), AuditLine::fromJson({{u"seq"_s, 2}})});
    QCOMPARE(audit.rowCount(), 2);
}

void PausePageTest::pageListsActiveAndPastPauses()
{
    CannedDoor door;
    serve(door);
    serveAudit(door, std::make_shared<int>(5));
    PausePage page(door.bridge());
    QSignalSpy counts(&page, &shell::Page::countChanged);
    page.resize(1100, 700);
    activate(page);
    page.refresh();
    auto *state = in<widgets::WrapLabel>(page, u"pauseState"_s);
    QTRY_COMPARE(state->text(), u"Never paused."_s);
    setPauses(door, {liftedJson(door, u"p0"_s, 2), pauseJson(door, u"p1"_s, u"stripe"_s)});
    page.open({{u"pause"_s, u"p1"_s}});
    QTRY_COMPARE(state->text(), u"‖ 1 in force"_s);
    QCOMPARE(counts.last().first().toInt(), 1);
    auto *table = in<widgets::SteadyTable>(page, u"pauses"_s);
    QCOMPARE(table->model()->index(0, PauseTableModel::held).data().toString(), u"41"_s);
    QCOMPARE(table->model()->index(1, PauseTableModel::state).data().toString(), u"✔ Lifted"_s);
    QCOMPARE(page.where().value(u"pause"_s).toString(), u"p1"_s);
    QSignalSpy went(&page, &shell::Page::goTo);
    QTest::mouseClick(in<QPushButton>(page, u"pageHeld"_s), Qt::LeftButton);
    QCOMPARE(went.first().at(1).toJsonObject().value(u"filter"_s).toString(),
             u"status:held dependency:stripe"_s);
    QTest::mouseClick(in<QPushButton>(page, u"pageResume"_s), Qt::LeftButton);
    QVERIFY(page.findChild<ResumeDialog *>());
}

void PausePageTest::auditPagesFiltersAndShowsTheRow()
{
    CannedDoor door;
    serve(door);
    const auto total = std::make_shared<int>(450);
    serveAudit(door, total);
    AuditView view(door.bridge());
    view.resize(1000, 400);
    activate(view);
    view.refresh();
    auto *table = in<widgets::SteadyTable>(view, u"audit"_s);
    QTRY_COMPARE(table->model()->rowCount(), 200);
    QCOMPARE(table->model()->index(0, AuditModel::number).data().toString(), u"450"_s);
    table->setCurrentIndex(table->model()->index(3, 0));
    QTRY_VERIFY(in<QPlainTextEdit>(view, u"auditBody"_s)
                    ->toPlainText()
                    .contains(u"\"reason\": \"seen in the dashboard\""_s));
    *total = 452;
    view.refresh();
    QTRY_COMPARE(table->model()->rowCount(), 202); // new ones came, none went
    QCOMPARE(table->currentIndex().row(), 5);
    table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum());
    QTRY_COMPARE(table->model()->rowCount(), 402);
    table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum());
    QTRY_COMPARE(table->model()->rowCount(), 452);
    QTest::keyClicks(in<QLineEdit>(view, u"auditActor"_s), u"bob"_s);
    QTRY_COMPARE(table->model()->rowCount(), 151);
    QCOMPARE(table->model()->index(0, AuditModel::actor).data().toString(), u"bob"_s);
    QCOMPARE(door.asked(u"audit"_s).last().value(u"actor"_s).toString(), u"bob"_s);
}

void PausePageTest::auditVerdictIsGreenOrRed()
{
    CannedDoor door;
    AuditView view(door.bridge());
    view.resize(900, 300);
    activate(view);
    door.answer(u"audit_verify"_s,
                QJsonObject{{u"rows"_s, 12}, {u"chains"_s, 3}, {u"intact"_s, true}});
    auto *verdict = in<widgets::WrapLabel>(view, u"verdict"_s);
    QTest::mouseClick(in<QPushButton>(view, u"verifyChain"_s), Qt::LeftButton);
    QTRY_VERIFY(verdict->text().startsWith(u"✔ The chain is whole: 12 rows in 3 chains"_s));
    door.answer(u"audit_verify"_s,
                QJsonObject{{u"rows"_s, 12},
                            {u"chains"_s, 3},
                            {u"intact"_s, false},
                            {u"problems"_s, QJsonArray{u"row 7 was changed"_s, u"row 8"_s}}});
    QTest::mouseClick(in<QPushButton>(view, u"verifyChain"_s), Qt::LeftButton);
    QTRY_VERIFY(verdict->text().contains(u"First bad row: row 7 was changed. 2 in all"_s));
}

void PausePageTest::auditIsExported()
{
    CannedDoor door;
    serveAudit(door, std::make_shared<int>(1500));
    AuditView view(door.bridge());
    QTemporaryDir folder;
    QSignalSpy said(&view, &AuditView::said);
    view.exportTo(folder.filePath(u"audit.csv"_s));
    QTRY_COMPARE(said.size(), 1);
    QFile file(folder.filePath(u"audit.csv"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), 1501);
    view.exportTo(folder.filePath(u"missing/audit.jsonl"_s));
    QTRY_VERIFY(in<widgets::WrapLabel>(view, u"verdict"_s)->text().contains(u"could not"_s));
    AuditLine evil;
    evil.actor = u"=cmd|x"_s;
    evil.action = u"say \"hi\""_s;
    QVERIFY(csvLine(evil).contains("\"'=cmd|x\",\"say \"\"hi\"\"\""));
}

void PausePageTest::hostileTextIsShownAndNeverInterpreted()
{
    CannedDoor door;
    serve(door);
    serveAudit(door, std::make_shared<int>(3));
    QJsonObject evil = pauseJson(door, u"p1"_s, hostileText());
    evil.insert(u"reason"_s, hostileText());
    evil.insert(u"actor"_s, hostileText());
    setPauses(door, {evil});
    QWidget window;
    auto *column = new QVBoxLayout(&window);
    auto *banner = new PauseBanner(door.bridge());
    auto *page = new PausePage(door.bridge());
    column->addWidget(banner);
    column->addWidget(page);
    window.resize(1000, 600);
    activate(window);
    door.bridge().pulse();
    page->refresh();
    QTRY_VERIFY(banner->isVisible());
    QTRY_VERIFY(page->where().contains(u"pause"_s));
    QVERIFY(in<QLabel>(*banner, u"pauseWhat"_s)->text().contains(u"[U+202E]"_s));
    QCOMPARE(window.width(), 1000);
    QVERIFY(window.minimumSizeHint().width() <= 1000);
    ResumeDialog dialog(door.bridge(), PauseState::fromJson(evil));
    dialog.show();
    QVERIFY(dialog.width() < 1000);
    for (QWidget *top : {&window, static_cast<QWidget *>(&dialog)}) {
        for (const QLabel *label : top->findChildren<QLabel *>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
    shoot(window, u"pause-hostile"_s);
}

void PausePageTest::everyControlHasAName()
{
    CannedDoor door;
    serve(door);
    serveAudit(door, std::make_shared<int>(5));
    setPauses(door, {pauseJson(door, u"p1"_s, u"stripe"_s)});
    PauseBanner banner(door.bridge());
    PausePage page(door.bridge());
    PauseDialog pauseDialog(door.bridge());
    ResumeDialog resumeDialog(door.bridge(), PauseState::fromJson(pauseJson(door, u"p1"_s)));
    door.bridge().pulse();
    QTRY_VERIFY(banner.isVisible());
    for (QWidget *widget :
         {static_cast<QWidget *>(&banner), static_cast<QWidget *>(&page),
          static_cast<QWidget *>(&pauseDialog), static_cast<QWidget *>(&resumeDialog)})
        QCOMPARE(nameless(*widget), QStringList());
}

void PausePageTest::screenshots()
{
    for (const auto theme : {style::Theme::light, style::Theme::dark}) {
        style::applyTheme(*qApp, theme);
        CannedDoor door;
        serve(door);
        serveAudit(door, std::make_shared<int>(300));
        QJsonObject ramping = pauseJson(door, u"p2"_s, u"hubspot"_s);
        ramping.insert(u"actor"_s, u"ada"_s);
        ramping.insert(u"in_flight"_s, 0);
        ramping.insert(u"reason"_s, u"429 storm"_s);
        ramping.insert(u"ramp"_s, QJsonObject{{u"stage"_s, 2},
                                              {u"stages"_s, QJsonArray{u"1"_s, u"5"_s, u"10%"_s,
                                                                       u"50%"_s, u"100%"_s}},
                                              {u"admitted"_s, 9},
                                              {u"state"_s, u"ramping"_s}});
        setPauses(door, {pauseJson(door, u"p1"_s, u"stripe"_s), ramping,
                         liftedJson(door, u"p0"_s, 2), liftedJson(door, u"p9"_s, 5)});
        door.answer(
            u"pulse"_s,
            QJsonObject{{u"in_flight"_s, 3},
                        {u"pauses"_s, QJsonArray{pauseJson(door, u"p1"_s, u"stripe"_s), ramping}}});
        door.answer(u"audit_verify"_s,
                    QJsonObject{{u"rows"_s, 1204}, {u"chains"_s, 37}, {u"intact"_s, true}});
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        auto *page = new PausePage(door.bridge());
        column->addWidget(new PauseBanner(door.bridge()));
        column->addWidget(page, 1);
        window.resize(1100, 740);
        activate(window);
        door.bridge().pulse();
        page->refresh();
        auto *audit = in<widgets::SteadyTable>(window, u"audit"_s);
        QTRY_COMPARE(audit->model()->rowCount(), 200);
        QTRY_VERIFY(in<QLabel>(window, u"pauseCounts"_s)->text().contains(u"key window"_s));
        audit->setCurrentIndex(audit->model()->index(1, 0));
        in<QPushButton>(window, u"verifyChain"_s)->click();
        QTRY_VERIFY(in<widgets::WrapLabel>(window, u"verdict"_s)->text().contains(u"whole"_s));
        shoot(window, u"pause-page"_s);
        PauseDialog pauseDialog(door.bridge(), {u"dependency"_s, u"stripe"_s});
        activate(pauseDialog);
        QTRY_COMPARE(in<QComboBox>(pauseDialog, u"dependencies"_s)->count(), 3);
        QTest::keyClick(&pauseDialog, Qt::Key_1);
        shoot(pauseDialog, u"pause-dialog"_s);
        ResumeDialog resumeDialog(door.bridge(),
                                  PauseState::fromJson(pauseJson(door, u"p1"_s, u"stripe"_s)));
        activate(resumeDialog);
        QTRY_VERIFY(resumeDialog.findChildren<QLabel *>().size() > 20);
        in<QLineEdit>(resumeDialog, u"resumeConfirm"_s)->setText(u"stripe"_s);
        shoot(resumeDialog, u"pause-resume"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(PausePageTest)
#include "tst_pause_page.moc"
