// Goal: in production nobody resumes without typing the name of the workspace and what they resume,
// and pausing is never slowed down. Method: the real dialogs in a window marked as production.
#include "production_place.h"
#include "ui/pause/pause_dialog.h"
#include "ui/pause/resume_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::pause;
using shell::Environment;
using tests::in;
using tests::Place;

class PauseTypedWordTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void resumingAsksForBoth();
    void pausingIsNeverSlowedDown();
    void lookAtIt();
};

void PauseTypedWordTest::resumingAsksForBoth()
{
    Place place(Environment::Kind::production);
    const auto paused = PauseState::fromJson(tests::pauseJson(place.door, u"p1"_s, u"stripe"_s));
    ResumeDialog dialog(place.door.bridge(), paused, place.page);
    dialog.open();
    auto *resume = in<QPushButton>(dialog, u"resumeNow"_s);
    auto *typed = in<QLineEdit>(dialog, u"resumeConfirm"_s);
    QTest::keyClicks(in<QLineEdit>(dialog, u"resumeNote"_s), u"it is mended"_s);
    QTest::keyClicks(typed, u"stripe"_s);
    QVERIFY(!resume->isEnabled());
    QCOMPARE(resume->toolTip(), u"Type “acme stripe” first."_s);
    typed->clear();
    QTest::keyClicks(typed, u"acme stripe"_s);
    QVERIFY(resume->isEnabled());
}

void PauseTypedWordTest::pausingIsNeverSlowedDown()
{
    Place place(Environment::Kind::production);
    place.door.answer(u"pause"_s, QJsonObject());
    PauseDialog dialog(place.door.bridge(), {}, place.page);
    dialog.open();
    tests::activate(dialog);
    QTest::keyClick(&dialog, Qt::Key_1);
    QTest::keyClick(&dialog, Qt::Key_Return);
    QTRY_COMPARE(place.door.asked(u"pause"_s).size(), 1);
}

void PauseTypedWordTest::lookAtIt()
{
    for (const auto theme : {style::Theme::light, style::Theme::dark}) {
        style::applyTheme(*qApp, theme);
        Place place(Environment::Kind::production);
        const auto paused =
            PauseState::fromJson(tests::pauseJson(place.door, u"p1"_s, u"stripe"_s));
        ResumeDialog resume(place.door.bridge(), paused, place.page);
        resume.open();
        QTRY_VERIFY(resume.findChildren<QLabel *>().size() > 20);
        tests::shoot(resume, u"typed-resume"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(PauseTypedWordTest)
#include "tst_pause_typed_word.moc"
