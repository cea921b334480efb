// The switch offscreen with a door that answers from a table. Goal: pausing takes a key and Enter,
// resuming takes deliberation, and the banner says the truth and stays. That nothing is sent is
// judged in tst_pause_live.
#include "ui/pause/pause_action.h"
#include "ui/pause/pause_banner.h"
#include "ui/pause/pause_dialog.h"
#include "ui/pause/resume_dialog.h"
#include "ui/pause_samples.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QVBoxLayout>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::pause;

class PauseSwitchTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void pausingTakesAKeyAndEnter();
    void digitTakesAPresetAndTextStaysPossible();
    void scopeComesFromContext();
    void refusalIsSaidInTheDialog();
    void bannerSaysWhoWhenWhyAndCounts();
    void bannerStaysWhileTheDatabaseIsAway();
    void rampShowsItsStages();
    void resumingTakesDeliberation();
};

void PauseSwitchTest::pausingTakesAKeyAndEnter()
{
    CannedDoor door;
    serve(door);
    QMainWindow window;
    QAction *action = makePauseAction(door.bridge(), &window);
    window.addAction(action);
    QCOMPARE(action->text(), u"Pause…"_s);
    activate(window);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
    auto *dialog = window.findChild<PauseDialog *>();
    QVERIFY(dialog);
    QApplication::setActiveWindow(dialog);
    QTRY_VERIFY(in<QPushButton>(*dialog, u"preset1"_s)->hasFocus());
    QVERIFY(!in<QPushButton>(*dialog, u"pauseNow"_s)->isEnabled()); // no reason yet
    QTest::keyClick(in<QPushButton>(*dialog, u"preset1"_s), Qt::Key_Return);
    QTRY_COMPARE(door.asked(u"pause"_s).size(), 1);
    QCOMPARE(door.asked(u"pause"_s).first(),
             QJsonObject({{u"depth"_s, u"writes"_s}, {u"reason"_s, u"Provider incident"_s}}));
    QTRY_VERIFY(!window.findChild<PauseDialog *>());
    // A second click pauses again; it never resumes.
    action->trigger();
    QVERIFY(window.findChild<PauseDialog *>());
    QCOMPARE(door.asked(u"resume"_s).size(), 0);
}

void PauseSwitchTest::digitTakesAPresetAndTextStaysPossible()
{
    CannedDoor door;
    serve(door);
    door.pulse();
    PauseDialog dialog(door.bridge());
    activate(dialog);
    QVERIFY(in<widgets::WrapLabel>(dialog, u"inFlight"_s)->text().contains(u"3 attempts"_s));
    QTest::keyClick(&dialog, Qt::Key_3);
    auto *reason = in<QLineEdit>(dialog, u"pauseReason"_s);
    QCOMPARE(reason->text(), u"Too many errors"_s);
    reason->clear();
    reason->setFocus();
    QTest::keyClicks(reason, u"1 of 4 is wrong"_s);
    QCOMPARE(reason->text(), u"1 of 4 is wrong"_s);
    in<QRadioButton>(dialog, u"depth_all"_s)->click();
    in<QRadioButton>(dialog, u"scopeDependency"_s)->click();
    auto *names = in<QComboBox>(dialog, u"dependencies"_s);
    QTRY_COMPARE(names->count(), 3);
    names->setCurrentIndex(2);
    Q_EMIT names->activated(2);
    QCOMPARE(in<QPushButton>(dialog, u"pauseNow"_s)->text(), u"Pause everything to stripe"_s);
    QTest::keyClick(reason, Qt::Key_Return);
    QTRY_COMPARE(door.asked(u"pause"_s).size(), 1);
    QCOMPARE(door.asked(u"pause"_s).first(), QJsonObject({{u"dependency"_s, u"stripe"_s},
                                                          {u"depth"_s, u"all"_s},
                                                          {u"reason"_s, u"1 of 4 is wrong"_s}}));
}

void PauseSwitchTest::scopeComesFromContext()
{
    CannedDoor door;
    serve(door);
    PauseDialog dialog(door.bridge(), {u"workflow"_s, u"contract-sync"_s});
    QCOMPARE(dialog.scope().target, u"contract-sync"_s); // before any list has come
    QTRY_COMPARE(in<QComboBox>(dialog, u"workflows"_s)->count(), 3);
    QCOMPARE(dialog.scope().scope, u"workflow"_s);
    QCOMPARE(dialog.scope().target, u"contract-sync"_s);
}

void PauseSwitchTest::refusalIsSaidInTheDialog()
{
    CannedDoor door;
    serve(door);
    door.refuse(u"pause"_s, u"ada lacks the right to pause"_s);
    PauseDialog dialog(door.bridge());
    activate(dialog);
    in<QLineEdit>(dialog, u"pauseReason"_s)->setText(u"why"_s);
    QTest::mouseClick(in<QPushButton>(dialog, u"pauseNow"_s), Qt::LeftButton);
    auto *problem = in<widgets::WrapLabel>(dialog, u"pauseProblem"_s);
    QTRY_VERIFY(problem->isVisible());
    QCOMPARE(problem->text(), u"✖ Nothing is paused: ada lacks the right to pause."_s);
    QVERIFY(dialog.isVisible());
    QVERIFY(in<QPushButton>(dialog, u"pauseNow"_s)->isEnabled());
}

void PauseSwitchTest::bannerSaysWhoWhenWhyAndCounts()
{
    CannedDoor door;
    serve(door);
    QWidget window;
    auto *column = new QVBoxLayout(&window);
    auto *banner = new PauseBanner(door.bridge());
    column->addWidget(banner);
    window.resize(1100, 200);
    activate(window);
    QVERIFY(!banner->isVisible());
    QSignalSpy appeared(banner, &PauseBanner::appeared);
    setPauses(door, {pauseJson(door, u"p1"_s, u"stripe"_s)});
    door.bridge().pulse();
    QTRY_VERIFY(banner->isVisible());
    QCOMPARE(appeared.size(), 1);
    const QString first = in<QLabel>(*banner, u"pauseWhat"_s)->text();
    QVERIFY2(first.startsWith(u"‖ PAUSED: all writes to stripe · by bob, "_s), qPrintable(first));
    QVERIFY(first.contains(u"(38 min) · “Stripe incident, timeouts”"_s));
    const auto second = [&] { return in<QLabel>(*banner, u"pauseCounts"_s)->text(); };
    QTRY_COMPARE(second(), u"41 runs held · 3 attempts on the wire (will finish) · 2 held lose "
                           "their key window, the first in 3 h"_s);
    QJsonObject quiet = pauseJson(door, u"p1"_s, u"stripe"_s);
    quiet.insert(u"in_flight"_s, 0);
    setPauses(door, {quiet, pauseJson(door, u"p2"_s)});
    door.bridge().pulse();
    QTRY_VERIFY(second().contains(u"nothing left on the wire"_s));
    QCOMPARE(banner->findChildren<QLabel *>(u"pauseWhat"_s).size(), 2);
    QSignalSpy went(banner, &PauseBanner::goTo);
    QTest::mouseClick(in<QPushButton>(*banner, u"pauseDetails"_s), Qt::LeftButton);
    QCOMPARE(went.first().at(0).toString(), u"pause"_s);
    setPauses(door, {});
    door.bridge().pulse();
    QTRY_VERIFY(!banner->isVisible());
}

void PauseSwitchTest::bannerStaysWhileTheDatabaseIsAway()
{
    CannedDoor door;
    serve(door);
    setPauses(door, {pauseJson(door, u"p1"_s)});
    PauseBanner banner(door.bridge());
    door.bridge().pulse();
    QTRY_VERIFY(banner.isVisible());
    door.lose(u"pulse"_s);
    door.bridge().pulse();
    QTRY_VERIFY(door.bridge().isAway());
    QVERIFY(banner.isVisible());
}

void PauseSwitchTest::rampShowsItsStages()
{
    CannedDoor door;
    serve(door);
    QJsonObject ramping = pauseJson(door, u"p1"_s, u"stripe"_s);
    QJsonObject ramp{{u"stage"_s, 2},
                     {u"stages"_s, QJsonArray{u"1"_s, u"5"_s, u"10 %"_s, u"50 %"_s, u"100 %"_s}},
                     {u"admitted"_s, 9},
                     {u"state"_s, u"ramping"_s}};
    ramping.insert(u"ramp"_s, ramp);
    setPauses(door, {ramping});
    PauseBanner banner(door.bridge());
    door.bridge().pulse();
    QTRY_VERIFY(banner.isVisible());
    QCOMPARE(in<QLabel>(banner, u"pauseRamp"_s)->text(),
             u"Resuming by ramp: ✔ 1 → ✔ 5 → ▶ 10 % → 50 % → 100 % · 9 runs let through"_s);
    QVERIFY(!in<QPushButton>(banner, u"pauseResume"_s)->isVisible());
    QTest::mouseClick(in<QPushButton>(banner, u"rampHold"_s), Qt::LeftButton);
    QTRY_COMPARE(door.asked(u"ramp"_s).size(), 1);
    QCOMPARE(door.asked(u"ramp"_s).last().value(u"do"_s).toString(), u"hold"_s);
    ramp.insert(u"state"_s, u"holding"_s);
    ramping.insert(u"ramp"_s, ramp);
    setPauses(door, {ramping});
    door.bridge().pulse();
    QTRY_COMPARE(in<QPushButton>(banner, u"rampHold"_s)->text(), u"Go on"_s);
    QTest::mouseClick(in<QPushButton>(banner, u"rampHold"_s), Qt::LeftButton);
    QTest::mouseClick(in<QPushButton>(banner, u"rampRepause"_s), Qt::LeftButton);
    QTRY_COMPARE(door.asked(u"ramp"_s).size(), 3);
    ramp.insert(u"state"_s, u"repaused"_s);
    ramp.insert(u"note"_s, u"the breaker of stripe opened"_s);
    ramping.insert(u"ramp"_s, ramp);
    setPauses(door, {ramping});
    door.bridge().pulse();
    QTRY_COMPARE(in<QLabel>(banner, u"pauseRamp"_s)->text(),
                 u"▲ The ramp was stopped after 9 runs and all of it is paused again: the breaker "
                 "of stripe opened."_s);
    QVERIFY(in<QPushButton>(banner, u"pauseResume"_s)->isVisible());
    QCOMPARE(door.asked(u"ramp"_s).at(1).value(u"do"_s).toString(), u"go"_s);
    QCOMPARE(door.asked(u"ramp"_s).at(2).value(u"do"_s).toString(), u"repause"_s);
}

void PauseSwitchTest::resumingTakesDeliberation()
{
    CannedDoor door;
    serve(door);
    ResumeDialog dialog(door.bridge(), PauseState::fromJson(pauseJson(door, u"p1"_s, u"stripe"_s)));
    activate(dialog);
    QTRY_VERIFY([&] {
        for (const QLabel *label : dialog.findChildren<QLabel *>()) {
            if (label->text().contains(u"✖ breaker open"_s))
                return true;
        }
        return false;
    }());
    auto *resume = in<QPushButton>(dialog, u"resumeNow"_s);
    auto *confirm = in<QLineEdit>(dialog, u"resumeConfirm"_s);
    auto *note = in<QLineEdit>(dialog, u"resumeNote"_s);
    QVERIFY(!resume->isEnabled());
    QTest::keyClicks(confirm, u"strip"_s);
    QTest::keyClicks(note, u"probe is green"_s);
    QVERIFY(!resume->isEnabled());
    QTest::keyClicks(confirm, u"e"_s);
    QVERIFY(resume->isEnabled());
    QCOMPARE(resume->text(), u"Resume by a ramp"_s);
    in<QRadioButton>(dialog, u"atOnce"_s)->click();
    QCOMPARE(resume->text(), u"Resume at once"_s);
    door.refuse(u"resume"_s, u"only a person may resume"_s);
    QTest::mouseClick(resume, Qt::LeftButton);
    QTRY_VERIFY(in<widgets::WrapLabel>(dialog, u"resumeProblem"_s)->isVisible());
    door.answer(u"resume"_s, QJsonObject());
    QTest::keyClick(note, Qt::Key_Return);
    QTRY_VERIFY(!dialog.isVisible());
    QCOMPARE(door.asked(u"resume"_s).last(),
             QJsonObject(
                 {{u"pause"_s, u"p1"_s}, {u"reason"_s, u"probe is green"_s}, {u"ramp"_s, false}}));
}

QTEST_MAIN(PauseSwitchTest)
#include "tst_pause_switch.moc"
