// Goal: in production nobody compensates, cancels or runs again without typing the name of the
// workspace, and elsewhere nobody is asked. Method: real windows of each kind with the real dialogs
// in them, driven by keys.
#include "inspector_story.h"
#include "production_place.h"
#include "ui/inspector/compensate_dialog.h"
#include "ui/widgets/act_dialog.h"
#include "ui/widgets/wrap_label.h"

#include <QAbstractItemView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using shell::Environment;
using tests::in;
using tests::Place;

namespace
{
widgets::ActText textOf(const QString &act)
{
    widgets::RunAct about;
    about.act = act;
    about.name = u"invoice/8841"_s;
    return widgets::runActText(about);
}

inspector::CompensateDialog *openPlan(Place &place)
{
    place.door.answer(u"compensate"_s, tests::compensationPlan());
    QJsonObject show = tests::compensatedRun();
    show.insert(u"status"_s, u"succeeded"_s);
    show.insert(u"actions"_s, QJsonObject{{u"compensate"_s, QJsonObject{{u"allowed"_s, true}}}});
    auto *dialog = new inspector::CompensateDialog(place.door.bridge(),
                                                   inspector::RunStory::fromJson(show), place.page);
    dialog->open();
    auto *table = dialog->findChild<QAbstractItemView *>(u"planTable"_s);
    return QTest::qWaitFor([&] { return table->model()->rowCount() == 4; }) ? dialog : nullptr;
}
} // namespace

class InspectorTypedWordTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void destructiveActsAskInProduction_data();
    void destructiveActsAskInProduction();
    void harmlessActsDoNot_data();
    void harmlessActsDoNot();
    void elsewhereNobodyIsAsked_data();
    void elsewhereNobodyIsAsked();
    void aRefusedActAsksNothing();
    void aPlanAsks();
    void aWorkspaceWithoutANameIsCalledProduction();
    void lookAtThem();
};

void InspectorTypedWordTest::destructiveActsAskInProduction_data()
{
    QTest::addColumn<QString>("act");
    QTest::newRow("cancel") << u"cancel"_s;
    QTest::newRow("rerun") << u"rerun"_s;
}

void InspectorTypedWordTest::destructiveActsAskInProduction()
{
    QFETCH(QString, act);
    Place place(Environment::Kind::production);
    auto *dialog = new widgets::ActDialog(textOf(act), place.page);
    dialog->open();
    tests::activate(*dialog);
    QSignalSpy confirmed(dialog, &widgets::ActDialog::confirmed);
    auto *button = in<QPushButton>(*dialog, u"actButton"_s);
    auto *typed = in<QLineEdit>(*dialog, u"actTyped"_s);
    QVERIFY(typed->isVisible());
    QCOMPARE(in<widgets::WrapLabel>(*dialog, u"actTypedLabel"_s)->text(),
             u"This is PRODUCTION. Type “acme” to confirm"_s);
    QCOMPARE(tests::nameless(*dialog), QStringList());
    QTest::keyClicks(in<QLineEdit>(*dialog, u"actReason"_s), u"a mistake"_s);
    QVERIFY(!button->isEnabled());
    QCOMPARE(button->toolTip(), u"Type “acme” first."_s);
    // By keys alone: the field comes after the reason, and Enter acts once the word is there.
    QTest::keyClick(dialog, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), typed);
    QTest::keyClicks(typed, u"Acme"_s);
    QTest::keyClick(dialog, Qt::Key_Return);
    QCOMPARE(confirmed.size(), 0);
    typed->clear();
    QTest::keyClicks(typed, u"acme "_s);
    QVERIFY(button->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Return);
    QCOMPARE(confirmed.size(), 1);
}

void InspectorTypedWordTest::harmlessActsDoNot_data()
{
    QTest::addColumn<QString>("act");
    QTest::newRow("retry") << u"retry"_s;
    QTest::newRow("verify") << u"verify"_s;
}

void InspectorTypedWordTest::harmlessActsDoNot()
{
    QFETCH(QString, act);
    Place place(Environment::Kind::production);
    auto *dialog = new widgets::ActDialog(textOf(act), place.page);
    dialog->open();
    QVERIFY(!in<QLineEdit>(*dialog, u"actTyped"_s)->isVisible());
    QTest::keyClicks(in<QLineEdit>(*dialog, u"actReason"_s), u"again"_s);
    QVERIFY(in<QPushButton>(*dialog, u"actButton"_s)->isEnabled());
}

void InspectorTypedWordTest::elsewhereNobodyIsAsked_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("demo") << int(Environment::Kind::demo);
    QTest::newRow("test") << int(Environment::Kind::test);
}

void InspectorTypedWordTest::elsewhereNobodyIsAsked()
{
    QFETCH(int, kind);
    Place place{Environment::Kind(kind)};
    auto *dialog = new widgets::ActDialog(textOf(u"cancel"_s), place.page);
    dialog->open();
    QVERIFY(!in<QLineEdit>(*dialog, u"actTyped"_s)->isVisible());
    QTest::keyClicks(in<QLineEdit>(*dialog, u"actReason"_s), u"a mistake"_s);
    QVERIFY(in<QPushButton>(*dialog, u"actButton"_s)->isEnabled());
    auto *plan = openPlan(place);
    QVERIFY(plan);
    QTest::keyClicks(in<QLineEdit>(*plan, u"planReason"_s), u"returned"_s);
    QVERIFY(!in<QLineEdit>(*plan, u"planTyped"_s)->isVisible());
    QVERIFY(in<QPushButton>(*plan, u"planAct"_s)->isEnabled());
}

void InspectorTypedWordTest::aRefusedActAsksNothing()
{
    Place place(Environment::Kind::production);
    auto *dialog = new widgets::ActDialog(textOf(u"cancel"_s), place.page);
    dialog->refuse(u"the run is final"_s);
    dialog->open();
    QVERIFY(!in<QLineEdit>(*dialog, u"actTyped"_s)->isVisible());
}

void InspectorTypedWordTest::aPlanAsks()
{
    Place place(Environment::Kind::production);
    auto *plan = openPlan(place);
    QVERIFY(plan);
    auto *button = in<QPushButton>(*plan, u"planAct"_s);
    QTest::keyClicks(in<QLineEdit>(*plan, u"planReason"_s), u"returned"_s);
    QVERIFY(!button->isEnabled());
    QCOMPARE(tests::nameless(*plan), QStringList());
    QTest::keyClicks(in<QLineEdit>(*plan, u"planTyped"_s), u"acme"_s);
    QVERIFY(button->isEnabled());
    place.door.answer(u"compensate"_s,
                      QJsonObject{{u"command"_s, u"c9"_s}, {u"state"_s, u"recorded"_s}});
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(in<QWidget>(*plan, u"planProgress"_s)->isVisible());
    QVERIFY(!in<QLineEdit>(*plan, u"planTyped"_s)->isVisible());
}

void InspectorTypedWordTest::aWorkspaceWithoutANameIsCalledProduction()
{
    Place place(Environment::Kind::production, {});
    auto *dialog = new widgets::ActDialog(textOf(u"cancel"_s), place.page);
    dialog->open();
    QTest::keyClicks(in<QLineEdit>(*dialog, u"actReason"_s), u"a mistake"_s);
    QVERIFY(!in<QPushButton>(*dialog, u"actButton"_s)->isEnabled());
    QTest::keyClicks(in<QLineEdit>(*dialog, u"actTyped"_s), u"production"_s);
    QVERIFY(in<QPushButton>(*dialog, u"actButton"_s)->isEnabled());
}

void InspectorTypedWordTest::lookAtThem()
{
    for (const auto theme : {style::Theme::light, style::Theme::dark}) {
        style::applyTheme(*qApp, theme);
        Place place(Environment::Kind::production);
        auto *act = new widgets::ActDialog(textOf(u"cancel"_s), place.page);
        act->open();
        tests::shoot(*act, u"typed-act"_s);
        auto *plan = openPlan(place);
        QVERIFY(plan);
        tests::shoot(*plan, u"typed-plan"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(InspectorTypedWordTest)
#include "tst_inspector_typed_word.moc"
