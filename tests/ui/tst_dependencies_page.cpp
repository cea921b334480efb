// The dependencies page offscreen, fed by canned answers. Goal: a breaker is shown as it stands,
// health nobody measured is unknown, and overruling a breaker takes a reason and a person's click.
#include "ui/canned_door.h"
#include "ui/dependencies/breaker_look.h"
#include "ui/dependencies/dependencies_page.h"
#include "ui/dependencies/failure_map.h"
#include "ui/widgets/act_dialog.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::dependencies;
using namespace Qt::StringLiterals;

namespace
{
QJsonObject dependency(const CannedDoor &door, const QString &name, const QString &state,
                       model::Millis openFor = 0)
{
    return {{u"dependency"_s, name},
            {u"revision"_s, 2},
            {u"owner"_s, u"payments-team@example.com"_s},
            {u"url"_s, u"https://api.%1.example"_s.arg(name.left(40))},
            {u"protection"_s, name == "mail"_L1 ? u"none"_s : u"native"_s},
            {u"retention_ms"_s, 24 * model::hour},
            {u"concurrency"_s, 16},
            {u"rate_per_second"_s, name == "mail"_L1 ? 0 : 20},
            {u"classify"_s, QJsonArray{QJsonObject{{u"status_from"_s, 402},
                                                   {u"status_to"_s, 402},
                                                   {u"class"_s, u"permanent"_s},
                                                   {u"reason"_s, u"card_declined"_s}},
                                       QJsonObject{{u"status_from"_s, 500},
                                                   {u"status_to"_s, 599},
                                                   {u"when"_s, true},
                                                   {u"class"_s, u"ambiguous"_s},
                                                   {u"reason"_s, u"overloaded"_s}}}},
            {u"breaker"_s,
             QJsonObject{{u"state"_s, state},
                         {u"failures"_s, name == "inventory"_L1 ? 2 : 0},
                         {u"open_until"_s, openFor > 0
                                               ? QJsonValue(model::instantText(door.now + openFor))
                                               : QJsonValue()},
                         {u"reason"_s, u"5 failures within 60s: timeout"_s}}},
            {u"deployed_at"_s, u"2027-01-14T10:00:00.000Z"_s},
            {u"deployed_by"_s, u"ada"_s},
            {u"source"_s, u"holdfast: 1\ndependency: %1\nurl: https://x.example\n"_s.arg(name)}};
}

QJsonObject rate(const QString &name, int confirmed, int failed, int retries, int ambiguous)
{
    return {{u"dependency"_s, name},     {u"attempts"_s, confirmed + failed + retries},
            {u"confirmed"_s, confirmed}, {u"failed"_s, failed},
            {u"retries"_s, retries},     {u"ambiguous"_s, ambiguous}};
}

void fill(CannedDoor &door)
{
    const QJsonArray builtIn{QJsonObject{{u"when"_s, u"time-out, reset, empty reply"_s},
                                         {u"effect"_s, u"write"_s},
                                         {u"class"_s, u"ambiguous"_s},
                                         {u"reason"_s, u"timeout, reset …"_s}},
                             QJsonObject{{u"when"_s, u"429"_s},
                                         {u"effect"_s, u"any"_s},
                                         {u"class"_s, u"transient"_s},
                                         {u"reason"_s, u"rate_limited"_s}},
                             QJsonObject{{u"when"_s, u"404, 410 on a natural DELETE"_s},
                                         {u"effect"_s, u"write"_s},
                                         {u"class"_s, u"none: it happened"_s},
                                         {u"reason"_s, u"ok"_s}}};
    door.answer(
        u"dependencies"_s,
        QJsonObject{{u"dependencies"_s,
                     QJsonArray{dependency(door, u"payments"_s, u"open"_s, 42 * model::second),
                                dependency(door, u"inventory"_s, u"closed"_s),
                                dependency(door, u"shipping"_s, u"half_open"_s),
                                dependency(door, u"mail"_s, u"closed"_s)}},
                    {u"built_in"_s, builtIn}});
    door.answer(u"rates"_s,
                QJsonObject{{u"dependencies"_s, QJsonArray{rate(u"payments"_s, 1582, 124, 243, 10),
                                                           rate(u"inventory"_s, 1204, 3, 40, 0),
                                                           rate(u"shipping"_s, 1100, 15, 12, 2)}}});
}

widgets::JsonTableModel *modelOf(const DependenciesPage &page)
{
    return qobject_cast<widgets::JsonTableModel *>(
        page.findChild<QTableView *>(u"dependencyList"_s)->model());
}

QString cell(const DependenciesPage &page, const QString &name, int column)
{
    const auto *model = modelOf(page);
    return model->index(model->indexOf(name), column).data().toString();
}
} // namespace

class DependenciesPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void breakerIsShapeWordAndCountdown();
    void unknownHealthIsNeverGreen();
    void failureMapReadsInOrder();
    void overrulingTakesAReason();
    void buttonsFollowTheState();
    void waysOut();
    void selectionSurvivesRefresh();
    void emptyAndFailedStatesAreSaid();
    void hostileTextBreaksNothing();
    void everyControlHasAName();
    void pictures();

private:
    static void settle(DependenciesPage &page)
    {
        page.resize(1120, 760);
        page.show();
        page.refresh();
        QTRY_VERIFY(modelOf(page)->rowCount() > 0);
    }
};

void DependenciesPageTest::breakerIsShapeWordAndCountdown()
{
    CannedDoor door;
    fill(door);
    DependenciesPage page(door.bridge());
    settle(page);
    QAbstractItemModelTester tester(modelOf(page),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(cell(page, u"payments"_s, 1), u"✖ Open, tries in 42 s"_s);
    QCOMPARE(cell(page, u"shipping"_s, 1), u"◐ Half-open, one trial"_s);
    QCOMPARE(cell(page, u"inventory"_s, 1), u"● Closed"_s);
    door.now += 12 * model::second;
    QCOMPARE(cell(page, u"payments"_s, 1), u"✖ Open, tries in 30 s"_s);
    page.open({{u"dependency"_s, u"payments"_s}});
    QTRY_COMPARE(page.findChild<QLabel *>(u"breaker"_s)->text(), u"✖ Open, tries in 30 s"_s);
    door.now += model::minute;
    QCOMPARE(cell(page, u"payments"_s, 1), u"✖ Open, tries with the next call"_s);
}

void DependenciesPageTest::unknownHealthIsNeverGreen()
{
    CannedDoor door;
    fill(door);
    DependenciesPage page(door.bridge());
    settle(page);
    QCOMPARE(cell(page, u"mail"_s, 2), u"? unknown, no calls"_s);
    const auto *model = modelOf(page);
    const QModelIndex breaker = model->index(model->indexOf(u"mail"_s), 1);
    QCOMPARE(breaker.data(Qt::ForegroundRole).value<QColor>(), style::colour(style::Token::muted));
    QVERIFY(!model->index(breaker.row(), 2).data(widgets::JsonTableModel::figureRole).isValid());
    page.open({{u"dependency"_s, u"mail"_s}});
    QVERIFY(page.findChild<QWidget *>(u"breakerWhy"_s)
                ->property("text")
                .toString()
                .contains(u"unknown"_s));
}

void DependenciesPageTest::failureMapReadsInOrder()
{
    CannedDoor door;
    fill(door);
    DependenciesPage page(door.bridge());
    settle(page);
    page.open({{u"dependency"_s, u"payments"_s}});
    auto *rules = page.findChild<FailureMap *>()->rules();
    QAbstractItemModelTester tester(rules, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(rules->rowCount(), 5);
    const auto line = [&](int row) {
        QStringList cells;
        for (int column = 1; column < rules->columnCount(); ++column)
            cells << rules->index(row, column).data().toString();
        return cells.join(u" | "_s);
    };
    QCOMPARE(line(0), u"this dependency | status 402 | any | ✖ permanent | card_declined"_s);
    QCOMPARE(line(1), u"this dependency | status 500 to 599 and its expression holds | any | "
                      "◆ ambiguous | overloaded"_s);
    QCOMPARE(line(4), u"built in | 404, 410 on a natural DELETE | write | "
                      "✔ none: it happened | ok"_s);
}

void DependenciesPageTest::overrulingTakesAReason()
{
    CannedDoor door;
    fill(door);
    door.refuse(u"breaker"_s, u"you may not do that"_s);
    DependenciesPage page(door.bridge());
    settle(page);
    page.open({{u"dependency"_s, u"inventory"_s}});
    QTest::mouseClick(page.findChild<QPushButton *>(u"forceOpen"_s), Qt::LeftButton);
    auto *dialog = page.findChild<widgets::ActDialog *>();
    QVERIFY(dialog);
    auto *act = dialog->findChild<QPushButton *>(u"actButton"_s);
    QVERIFY(!act->isEnabled());
    QCOMPARE(door.asked(u"breaker"_s).size(), 0);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), u"maintenance"_s);
    QVERIFY(act->isEnabled());
    shoot(*dialog, u"dependencies-force"_s);
    QTest::mouseClick(act, Qt::LeftButton);
    QTRY_COMPARE(door.asked(u"breaker"_s).size(), 1);
    QTRY_VERIFY(act->isEnabled()); // refused: it may be tried again
    QCOMPARE(door.asked(u"breaker"_s).first(), (QJsonObject{{u"dependency"_s, u"inventory"_s},
                                                            {u"state"_s, u"open"_s},
                                                            {u"for_ms"_s, model::hour},
                                                            {u"reason"_s, u"maintenance"_s}}));
    door.answer(u"breaker"_s, QJsonObject{{u"state"_s, u"open"_s}});
    QSignalSpy said(&page, &shell::Page::said);
    QTest::mouseClick(act, Qt::LeftButton);
    QTRY_COMPARE(said.size(), 1);
    QTRY_VERIFY(!page.findChild<widgets::ActDialog *>());
}

void DependenciesPageTest::buttonsFollowTheState()
{
    CannedDoor door;
    fill(door);
    DependenciesPage page(door.bridge());
    settle(page);
    const auto enabled = [&](const QString &name) {
        return page.findChild<QPushButton *>(name)->isEnabled();
    };
    page.open({{u"dependency"_s, u"inventory"_s}});
    QVERIFY(!enabled(u"closeBreaker"_s));
    QVERIFY(!enabled(u"allowTrial"_s));
    page.open({{u"dependency"_s, u"payments"_s}});
    QVERIFY(enabled(u"closeBreaker"_s));
    QVERIFY(enabled(u"allowTrial"_s));
    page.open({{u"dependency"_s, u"shipping"_s}});
    QVERIFY(enabled(u"closeBreaker"_s));
    QVERIFY(!enabled(u"allowTrial"_s));
}

void DependenciesPageTest::waysOut()
{
    CannedDoor door;
    fill(door);
    DependenciesPage page(door.bridge());
    settle(page);
    page.open({{u"dependency"_s, u"mail"_s}});
    QSignalSpy went(&page, &shell::Page::goTo);
    QTest::mouseClick(page.findChild<QPushButton *>(u"pauseIt"_s), Qt::LeftButton);
    QCOMPARE(went.takeFirst(),
             (QVariantList{u"pause"_s, QJsonObject{{u"dependency"_s, u"mail"_s}}}));
    QTest::mouseClick(page.findChild<QPushButton *>(u"runsOfIt"_s), Qt::LeftButton);
    QCOMPARE(went.takeFirst(),
             (QVariantList{u"runs"_s, QJsonObject{{u"filter"_s, u"dependency:mail"_s}}}));
}

void DependenciesPageTest::selectionSurvivesRefresh()
{
    CannedDoor door;
    fill(door);
    DependenciesPage page(door.bridge());
    settle(page);
    auto *table = page.findChild<widgets::SteadyTable *>(u"dependencyList"_s);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Down);
    const QString chosen = page.where().value("dependency"_L1).toString();
    QCOMPARE(chosen, u"mail"_s);
    QJsonArray rows{dependency(door, u"aaa"_s, u"closed"_s),
                    dependency(door, u"mail"_s, u"open"_s)};
    door.answer(u"dependencies"_s, QJsonObject{{u"dependencies"_s, rows}});
    page.refresh();
    QTRY_COMPARE(modelOf(page)->rowCount(), 2);
    QCOMPARE(page.where().value("dependency"_L1).toString(), chosen);
    QCOMPARE(table->currentIndex().row(), 1);
    QVERIFY(page.findChild<QPushButton *>(u"closeBreaker"_s)->isEnabled());
}

void DependenciesPageTest::emptyAndFailedStatesAreSaid()
{
    CannedDoor door;
    door.answer(u"dependencies"_s, QJsonObject{{u"dependencies"_s, QJsonArray()}});
    door.answer(u"rates"_s, QJsonObject());
    DependenciesPage page(door.bridge());
    page.resize(1120, 760);
    page.show();
    page.refresh();
    QTRY_COMPARE(door.asked(u"rates"_s).size(), 1);
    QVERIFY(page.findChild<QLabel *>(u"dependencyListEmpty"_s)->isVisible());
    fill(door);
    page.refresh();
    QTRY_COMPARE(modelOf(page)->rowCount(), 4);
    door.lose(u"dependencies"_s);
    door.lose(u"rates"_s);
    page.refresh();
    QTRY_VERIFY(page.findChild<QWidget *>(u"problem"_s)->isVisible());
    QCOMPARE(modelOf(page)->rowCount(), 4); // what was read stays
}

void DependenciesPageTest::hostileTextBreaksNothing()
{
    CannedDoor door;
    QJsonObject row = dependency(door, hostileText(), hostileText());
    row.insert(u"owner"_s, hostileText());
    door.answer(u"dependencies"_s, QJsonObject{{u"dependencies"_s, QJsonArray{row}}});
    door.answer(u"rates"_s, QJsonObject());
    DependenciesPage page(door.bridge());
    settle(page);
    for (const QLabel *label : page.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(page.minimumSizeHint().width() <= 1120);
    shoot(page, u"dependencies-hostile"_s);
}

void DependenciesPageTest::everyControlHasAName()
{
    CannedDoor door;
    fill(door);
    DependenciesPage page(door.bridge());
    settle(page);
    QCOMPARE(nameless(page).join(u' '), QString());
}

void DependenciesPageTest::pictures()
{
    for (const style::Theme theme : {style::Theme::light, style::Theme::dark}) {
        CannedDoor door;
        fill(door);
        DependenciesPage page(door.bridge());
        settle(page);
        style::applyTheme(*qApp, theme);
        page.open({{u"dependency"_s, u"payments"_s}});
        shoot(page, u"dependencies"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(DependenciesPageTest)
#include "tst_dependencies_page.moc"
