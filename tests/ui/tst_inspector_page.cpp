// The inspector offscreen, on made-up runs. Goal: everything is reached with mouse and keyboard,
// the timeline and its table tell the same, live updates leave the choice and the place alone, and
// nothing from outside is interpreted.
#include "inspector_window.h"
#include "ui/style/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::inspector;
using tests::InspectorWindow;

class InspectorPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void theVerdictStandsOnTop();
    void timelineAndTableTellTheSame();
    void arrowsGoThroughTheTimeline();
    void barsAreToScale();
    void detailsFollowTheChoice();
    void liveUpdatesKeepChoiceAndPlace();
    void actionsFollowTheDryRun();
    void anActIsBoundToWhatWasSeen();
    void aRerunWithEffectsIsConfirmed();
    void copies();
    void notesAreAdded();
    void thePlanIsShownAndChosenFrom();
    void aRunThatIsNotThereIsSaid();
    void hostileTextBreaksNothing();
    void everyControlHasANameAndTabReachesIt();
};

void InspectorPageTest::theVerdictStandsOnTop()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.text(u"verdict"_s).contains("No run is open"_L1));
    QVERIFY(window.open());
    QCOMPARE(window.text(u"runStatus"_s), u"◆ Review"_s);
    QVERIFY(window.text(u"verdict"_s).startsWith("Step charge was sent"_L1));
    QCOMPARE(window.text(u"runEvent"_s), u"invoice/8841"_s);
    QVERIFY(window.text(u"runIdentity"_s).contains("billing-assistant@3"_L1));
    QVERIFY(window.text(u"runFigures"_s).contains("6 attempts"_L1));
    QVERIFY(window.text(u"runFigures"_s).contains("1 duplicate prevented"_L1));
    QSignalSpy gone(&window.page, &shell::Page::goTo);
    QTest::mouseClick(window.find(u"openReview"_s), Qt::LeftButton);
    QCOMPARE(gone.first().first().toString(), u"review"_s);
    QCOMPARE(gone.first().at(1).toJsonObject()["review"_L1].toString(), u"r1"_s);
    QCOMPARE(window.page.where()["run"_L1].toString(), window.page.story().runId);
}

void InspectorPageTest::timelineAndTableTellTheSame()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    Timeline *timeline = window.page.timeline();
    QCOMPARE(window.table()->model()->rowCount(), 6);
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->barOf(3).center());
    QCOMPARE(timeline->selected(), 3);
    QCOMPARE(window.table()->currentIndex().row(), 3);
    QVERIFY(timeline->accessibleDescription().contains("Attempt 1 of charge: ambiguous"_L1));
    window.table()->setFocus();
    QTest::keyClick(window.table(), Qt::Key_Up);
    QCOMPARE(timeline->selected(), 2);
    QCOMPARE(timeline->attemptAt(timeline->barOf(2).center()), 2);
    QCOMPARE(timeline->attemptAt({1, 1}), -1);
}

void InspectorPageTest::arrowsGoThroughTheTimeline()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    Timeline *timeline = window.page.timeline();
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Home);
    QCOMPARE(timeline->selected(), 0); // plan
    QTest::keyClick(timeline, Qt::Key_Down);
    QCOMPARE(timeline->selected(), 1); // reserve 1
    QTest::keyClick(timeline, Qt::Key_Right);
    QCOMPARE(timeline->selected(), 2); // reserve 2
    QTest::keyClick(timeline, Qt::Key_Right);
    QCOMPARE(timeline->selected(), 2); // it was the last of its row
    QTest::keyClick(timeline, Qt::Key_J);
    QCOMPARE(timeline->selected(), 3); // charge
    QTest::keyClick(timeline, Qt::Key_End);
    QCOMPARE(timeline->selected(), 5);
    QTest::keyClick(timeline, Qt::Key_Return);
    QCOMPARE(window.page.details()->currentIndex(), int(DetailTabs::attemptTab));
    QVERIFY(!timeline->hasFocus());
}

void InspectorPageTest::barsAreToScale()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    Timeline *timeline = window.page.timeline();
    const double perMilli = timeline->barOf(3).width() / 20'000.0;
    QVERIFY(std::abs(timeline->barOf(0).width() - 1'400 * perMilli) < 3);
    QVERIFY(timeline->barOf(4).left() > timeline->barOf(3).right());
    // Ten minutes and two hours of waiting take little room.
    QVERIFY(timeline->barOf(5).right() < timeline->viewport()->width());
    QVERIFY(timeline->barOf(5).left() - timeline->barOf(4).right() <
            timeline->viewport()->width() / 4);
}

void InspectorPageTest::detailsFollowTheChoice()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    Timeline *timeline = window.page.timeline();
    DetailTabs *details = window.page.details();
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->barOf(3).center());
    QVERIFY(window.text(u"fact:Outcome"_s).contains(u"◆ Ambiguous: timeout"_s));
    QVERIFY(window.text(u"fact:Why"_s).contains("sent whole"_L1));
    QCOMPARE(window.text(u"fact:Key"_s), u"charge:8841"_s);
    details->setCurrentIndex(DetailTabs::requestTab);
    const QString request = window.find<QPlainTextEdit>(u"requestText"_s)->toPlainText();
    QVERIFY(request.startsWith("POST https://api.payments.example/v1/charge\n"_L1));
    QVERIFY(request.contains("Authorization: Bearer ***"_L1));
    QVERIFY(request.contains("X-Key: charge:8841"_L1));
    QVERIFY(window.text(u"responseCaption"_s).contains("No answer: timeout"_L1));
    details->setCurrentIndex(DetailTabs::contractTab);
    auto *contract = window.find<QPlainTextEdit>(u"contractText"_s);
    QVERIFY(contract->textCursor().selectedText().contains("step: charge"_L1));
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->barOf(2).center());
    QVERIFY(contract->textCursor().selectedText().contains("step: reserve"_L1));
    QVERIFY(window.text(u"fact:Receipt"_s).contains("res_77"_L1));
    QVERIFY(window.find<QPlainTextEdit>(u"responseText"_s)->toPlainText().contains("res_77"_L1));
    QTRY_COMPARE(details->tabText(DetailTabs::ledgerTab), u"Ledger (1)"_s);
    QCOMPARE(details->tabText(DetailTabs::notesTab), u"Notes (1)"_s);
    details->setCurrentIndex(DetailTabs::journalTab);
    QCOMPARE(window.find<QAbstractItemView>(u"journalTable"_s)->model()->rowCount(), 14);
    QTest::mouseClick(window.find(u"journalToggle"_s), Qt::LeftButton, {}, {8, 8});
    auto *raw = window.find<QPlainTextEdit>(u"journalRaw"_s);
    QTRY_VERIFY(raw->isVisible());
    QCOMPARE(QJsonDocument::fromJson(raw->toPlainText().toUtf8()).array().size(), 14);
    QSignalSpy gone(&window.page, &shell::Page::goTo);
    details->setCurrentIndex(DetailTabs::attemptTab);
    QTest::mouseClick(window.find(u"openKey"_s), Qt::LeftButton);
    QCOMPARE(gone.first().first().toString(), u"ledger"_s);
    QCOMPARE(gone.first().at(1).toJsonObject()["key"_L1].toString(), u"reserve:8841"_s);
}

void InspectorPageTest::liveUpdatesKeepChoiceAndPlace()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    Timeline *timeline = window.page.timeline();
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->barOf(1).center());
    window.page.details()->setCurrentIndex(DetailTabs::journalTab);
    auto *journal = window.find<QAbstractItemView>(u"journalTable"_s);
    journal->scrollToBottom();
    const int place = journal->verticalScrollBar()->value();
    QLineEdit *note = window.find<QLineEdit>(u"noteText"_s);
    note->setText(u"half a thou"_s);
    QJsonObject next = tests::ambiguousRun();
    QJsonArray steps = next["steps"_L1].toArray();
    QJsonObject charge = steps.at(3).toObject();
    QJsonArray attempts = charge["attempts"_L1].toArray();
    QJsonObject open = attempts.first().toObject();
    open.insert(u"number"_s, 9);
    open.insert(u"started_at"_s, model::instantText(QDateTime::currentMSecsSinceEpoch()));
    open.insert(u"ended_at"_s, QJsonValue());
    attempts.append(open);
    charge.insert(u"attempts"_s, attempts);
    steps[3] = charge;
    next.insert(u"steps"_s, steps);
    next.insert(u"status"_s, u"running"_s);
    window.door.setShow(next);
    QVERIFY(window.refresh());
    QTRY_COMPARE(window.table()->model()->rowCount(), 7);
    QCOMPARE(timeline->selected(), 1);
    QCOMPARE(window.table()->currentIndex().row(), 1);
    QCOMPARE(window.page.details()->currentIndex(), int(DetailTabs::journalTab));
    QCOMPARE(journal->verticalScrollBar()->value(), place);
    QCOMPARE(note->text(), u"half a thou"_s);
    QCOMPARE(window.text(u"runStatus"_s), u"▶ Running"_s);
}

void InspectorPageTest::actionsFollowTheDryRun()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(!window.find(u"retryButton"_s)->isVisible());
    QVERIFY(window.open());
    QVERIFY(!window.find(u"retryButton"_s)->isEnabled());
    QVERIFY(window.find(u"retryButton"_s)->toolTip().contains("waits for a decision"_L1));
    QVERIFY(window.find(u"cancelButton"_s)->isEnabled());
    QVERIFY(window.find(u"verifyButton"_s)->isEnabled());
    window.page.timeline()->setFocus();
    QTest::keyClick(window.page.timeline(), Qt::Key_V);
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = window.find<QDialog>(u"actDialog"_s)));
    QCOMPARE(dialog->findChild<QPushButton *>(u"actButton"_s)->text(), u"Ask the target"_s);
    QTest::keyClick(dialog, Qt::Key_Escape);
}

void InspectorPageTest::anActIsBoundToWhatWasSeen()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    QTest::mouseClick(window.find(u"cancelButton"_s), Qt::LeftButton);
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = window.find<QDialog>(u"actDialog"_s)));
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), u"wrong order"_s);
    window.door.refuse(u"cancel"_s, u"the run moved since you looked"_s);
    QTest::mouseClick(dialog->findChild<QPushButton *>(u"actButton"_s), Qt::LeftButton);
    auto *problem = dialog->findChild<QWidget *>(u"actProblem"_s);
    QTRY_VERIFY(problem->isVisible());
    QVERIFY(problem->property("text").toString().contains("The run moved"_L1));
    QCOMPARE(window.door.asked(u"cancel"_s).first()["version"_L1].toInt(), 14);
    QCOMPARE(window.door.asked(u"cancel"_s).first()["reason"_L1].toString(), u"wrong order"_s);
    QVERIFY(dialog->isVisible());
}

void InspectorPageTest::aRerunWithEffectsIsConfirmed()
{
    QJsonObject show = tests::compensatedRun();
    QJsonObject actions = show["actions"_L1].toObject();
    actions.insert(u"rerun"_s, QJsonObject{{u"allowed"_s, false},
                                           {u"why"_s, u"the effects of charge stand"_s},
                                           {u"may_confirm"_s, true}});
    show.insert(u"actions"_s, actions);
    InspectorWindow window(show);
    window.door.setAnswer(u"rerun"_s, {{u"run_id"_s, u"r2"_s}});
    QVERIFY(window.open());
    window.page.timeline()->setFocus();
    QTest::keyClick(window.page.timeline(), Qt::Key_N);
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = window.find<QDialog>(u"actDialog"_s)));
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), u"again"_s);
    auto *button = dialog->findChild<QPushButton *>(u"actButton"_s);
    QVERIFY(!button->isEnabled());
    auto *tick = dialog->findChild<QAbstractButton *>(u"actConfirm"_s);
    tick->setFocus();
    QTest::keyClick(tick, Qt::Key_Space);
    QVERIFY(button->isEnabled());
    QSignalSpy gone(&window.page, &shell::Page::goTo);
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE(gone.size(), 1);
    QCOMPARE(gone.first().at(1).toJsonObject()["run"_L1].toString(), u"r2"_s);
    const QJsonObject sent = window.door.asked(u"rerun"_s).first();
    QVERIFY(sent["confirm"_L1].toBool());
    QVERIFY(!sent.contains("version"_L1));
}

void InspectorPageTest::copies()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    Timeline *timeline = window.page.timeline();
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->barOf(3).center());
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QApplication::clipboard()->text(), window.page.story().link());
    QTest::keyClick(timeline, Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
    const QString curl = QApplication::clipboard()->text();
    QVERIFY(curl.startsWith("curl -X POST https://api.payments.example/v1/charge"_L1));
    QVERIFY(curl.contains("-H 'Authorization: Bearer ***'"_L1));
    window.page.findChild<QAction *>(u"copyJson"_s)->trigger();
    QCOMPARE(QJsonDocument::fromJson(QApplication::clipboard()->text().toUtf8()).object(),
             window.page.story().whole);
    window.page.findChild<QAction *>(u"copyId"_s)->trigger();
    QCOMPARE(QApplication::clipboard()->text(), window.page.story().runId);
}

void InspectorPageTest::notesAreAdded()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    window.page.findChild<QAction *>(u"writeNote"_s)->trigger();
    QLineEdit *edit = window.find<QLineEdit>(u"noteText"_s);
    QTRY_VERIFY(edit->hasFocus());
    QVERIFY(!window.find(u"addNote"_s)->isEnabled());
    window.door.refuse(u"note"_s, u"not now"_s);
    QTest::keyClicks(edit, u"provider says no"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_VERIFY(window.find(u"noteProblem"_s)->isVisible());
    QCOMPARE(edit->text(), u"provider says no"_s); // nothing is lost
    QCOMPARE(window.door.asked(u"note"_s).first()["text"_L1].toString(), u"provider says no"_s);
}

void InspectorPageTest::thePlanIsShownAndChosenFrom()
{
    QJsonObject show = tests::compensatedRun();
    show.insert(u"status"_s, u"succeeded"_s);
    show.insert(u"actions"_s, QJsonObject{{u"compensate"_s,
                                           QJsonObject{{u"allowed"_s, true}, {u"why"_s, u""_s}}}});
    InspectorWindow window(show);
    window.door.setAnswer(u"compensate"_s, tests::compensationPlan());
    window.page.open(
        {{u"run"_s, u"0197c3aa-51d2-7e31-9c40-6f2be1a7d0e2"_s}, {u"act"_s, u"compensate"_s}});
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = window.find<QDialog>(u"compensateDialog"_s)));
    auto *table = dialog->findChild<QAbstractItemView *>(u"planTable"_s);
    QTRY_COMPARE(table->model()->rowCount(), 4);
    auto *button = dialog->findChild<QPushButton *>(u"planAct"_s);
    QCOMPARE(button->text(), u"Compensate 2 steps"_s);
    QVERIFY(!button->isEnabled());
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"planReason"_s), u"customer returned it"_s);
    QVERIFY(button->isEnabled());
    table->setFocus();
    table->setCurrentIndex(table->model()->index(1, 0));
    QVERIFY(dialog->findChild<QPlainTextEdit *>(u"planRequestText"_s)
                ->toPlainText()
                .startsWith("POST https://api.payments.example/v1/charge/77/void"_L1));
    table->setCurrentIndex(table->model()->index(2, 0));
    QTest::keyClick(table, Qt::Key_Space); // leaves the reservation alone
    QCOMPARE(button->text(), u"Compensate 1 step"_s);
    window.door.setAnswer(u"compensate"_s, {{u"command"_s, u"c9"_s}, {u"state"_s, u"recorded"_s}});
    window.door.setAnswer(u"command"_s, {{u"command"_s, u"c9"_s}, {u"state"_s, u"applied"_s}});
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(dialog->findChild<QWidget *>(u"planProgress"_s)->isVisible());
    const QJsonObject sent = window.door.asked(u"compensate"_s).last();
    QCOMPARE(sent["steps"_L1].toArray(), QJsonArray({u"charge"_s}));
    QCOMPARE(sent["version"_L1].toInt(), 14);
    QCOMPARE(sent["reason"_L1].toString(), u"customer returned it"_s);
    QVERIFY(!button->isVisible());
    show.insert(u"status"_s, u"compensated"_s);
    show.insert(u"seq"_s, 20);
    window.door.setShow(show);
    QVERIFY(window.refresh());
    const auto progress = [&] {
        return dialog->findChild<QWidget *>(u"planProgress"_s)->property("text").toString();
    };
    QTRY_VERIFY2(progress().contains(u"✔ Applied  →  ↺ Compensated. Failed at step ship"_s),
                 qPrintable(progress()));
}

void InspectorPageTest::aRunThatIsNotThereIsSaid()
{
    InspectorWindow window({});
    window.door.refuse(u"show"_s, u"there is no run x"_s);
    window.page.open({{u"run"_s, u"x"_s}});
    QTRY_VERIFY(window.text(u"verdict"_s).contains("there is no run x"_L1));
    QVERIFY(!window.page.timeline()->isVisible());
}

void InspectorPageTest::hostileTextBreaksNothing()
{
    const QString huge = u"<img src=x onerror=alert(1)>"_s + QString(10'000, u'W');
    const QString odd = u"\u202e\u001b[31m عربي 😀 <b>bold</b>"_s;
    QJsonObject show = tests::ambiguousRun();
    QJsonArray steps = show["steps"_L1].toArray();
    QJsonObject step = steps.at(3).toObject();
    step.insert(u"step"_s, huge);
    step.insert(u"dependency"_s, odd);
    step.insert(u"key"_s, huge);
    QJsonArray attempts = step["attempts"_L1].toArray();
    QJsonObject attempt = attempts.first().toObject();
    attempt.insert(u"why"_s, huge);
    attempt.insert(u"reason"_s, odd);
    attempt.insert(u"response"_s, huge + u'\n' + odd);
    attempts[0] = attempt;
    step.insert(u"attempts"_s, attempts);
    step.insert(u"receipt"_s, QJsonObject{{huge, odd}});
    steps[3] = step;
    show.insert(u"steps"_s, steps);
    show.insert(u"event_id"_s, huge);
    show.insert(u"verdict"_s, huge);
    show.insert(u"workflow"_s, odd);
    InspectorWindow window(show);
    QVERIFY(window.open());
    QVERIFY2(window.page.minimumSizeHint().width() < 1000,
             qPrintable(QString::number(window.page.minimumSizeHint().width())));
    QVERIFY(window.page.minimumSizeHint().height() < 700);
    QVERIFY(!window.text(u"runIdentity"_s).contains(QChar(0x202e)));
    for (int tab = 0; tab < window.page.details()->count(); ++tab) {
        window.page.details()->setCurrentIndex(tab);
        QVERIFY(!window.page.grab().isNull());
    }
    window.page.details()->setCurrentIndex(DetailTabs::attemptTab);
    QCoreApplication::processEvents();
    if (const QString folder = qEnvironmentVariable("HOLDFAST_SHOTS"); !folder.isEmpty())
        QVERIFY(window.page.grab().save(QDir(folder).filePath(u"run-hostile.png"_s)));
    window.page.timeline()->setFocus();
    QTest::keyClick(window.page.timeline(), Qt::Key_U);
    QTRY_VERIFY(window.find<QDialog>(u"compensateDialog"_s));
}

void InspectorPageTest::everyControlHasANameAndTabReachesIt()
{
    InspectorWindow window(tests::ambiguousRun());
    QVERIFY(window.open());
    for (int tab = 0; tab < window.page.details()->count(); ++tab) {
        window.page.details()->setCurrentIndex(tab);
        for (QWidget *widget : window.page.findChildren<QWidget *>()) {
            const bool isControl = widget->focusPolicy() != Qt::NoFocus && widget->isVisible() &&
                                   !widget->inherits("QHeaderView") &&
                                   !widget->inherits("QScrollBar") &&
                                   widget->focusProxy() == nullptr;
            if (isControl)
                QVERIFY2(!widget->accessibleName().isEmpty(),
                         qPrintable(widget->objectName() + u' ' +
                                    QLatin1String(widget->metaObject()->className())));
        }
    }
    window.page.details()->setCurrentIndex(DetailTabs::notesTab);
    window.page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window.page));
    window.page.timeline()->setFocus();
    QStringList reached;
    for (int press = 0; press < 24; ++press) {
        QWidget *focus = QApplication::focusWidget();
        reached << focus->objectName();
        QTest::keyClick(focus, Qt::Key_Tab);
    }
    for (const auto &name : {u"timeline"_s, u"attemptTable"_s, u"notesTable"_s, u"noteText"_s,
                             u"cancelButton"_s, u"verifyButton"_s, u"copyMenu"_s, u"openReview"_s})
        QVERIFY2(reached.contains(name), qPrintable(name + u" in "_s + reached.join(u' ')));
}

QTEST_MAIN(InspectorPageTest)
#include "tst_inspector_page.moc"
