// The overview offscreen, fed by canned answers. Goal: every figure is the door's, none is made up
// while nothing is known or the database is away, every number leads to its list, and charts hold
// still under the cursor.
#include "ui/overview/bucket_chart.h"
#include "ui/overview/chart_panel.h"
#include "ui/overview/figure_row.h"
#include "ui/overview/legend_button.h"
#include "ui/overview/need_tile.h"
#include "ui/overview/overview_page.h"
#include "ui/overview/rate_table.h"
#include "ui/overview_story.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::overview;
using namespace Qt::StringLiterals;

class OverviewPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void tilesShowWhatNeedsAPerson();
    void nothingIsClaimedBeforeItIsKnown();
    void emptyStateSaysWhenItLastLooked();
    void figuresStayWhenTheDatabaseGoesAway();
    void harmComesFromTheDoor();
    void everyNumberLeadsToItsList();
    void rangeIsAskedForAndRemembered();
    void questionsDoNotPileUp();
    void hostileTextBreaksNothing();
    void everyControlHasAName();
    void tabReachesEverything();
    void pictures();

private:
    static void settle(CannedDoor &door, OverviewPage &page)
    {
        page.resize(1120, 900);
        page.show();
        door.pulse();
        page.refresh();
        QTRY_VERIFY(!page.findChild<RateTable *>()->model() ||
                    page.findChild<RateTable *>()->model()->rowCount() > 0);
    }
    static NeedTile *tile(const OverviewPage &page, const QString &kind)
    {
        return page.findChild<NeedTile *>(u"tile_"_s + kind);
    }
    static FigureRow *figure(const OverviewPage &page, const QString &name)
    {
        return page.findChild<FigureRow *>(name);
    }
    static ChartPanel *panel(const OverviewPage &page, const QString &name)
    {
        return page.findChild<ChartPanel *>(name);
    }
};

void OverviewPageTest::tilesShowWhatNeedsAPerson()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    QCOMPARE(tile(page, u"ambiguous"_s)->countText(), u"4"_s);
    QCOMPARE(tile(page, u"ambiguous"_s)->accessibleDescription(), u"oldest 2 h 10 min"_s);
    QCOMPARE(tile(page, u"conflict"_s)->countText(), u"0"_s);
    QCOMPARE(page.findChild<QLabel *>(u"heading"_s)->text(), u"10 items need you now."_s);
    QSignalSpy went(&page, &shell::Page::goTo);
    QTest::mouseClick(tile(page, u"dead_letter"_s), Qt::LeftButton);
    QCOMPARE(went.takeFirst(),
             (QVariantList{u"review"_s, QJsonObject{{u"kind"_s, u"dead_letter"_s}}}));
    tile(page, u"approval"_s)->setFocus();
    QTest::keyClick(tile(page, u"approval"_s), Qt::Key_Space);
    QCOMPARE(went.takeFirst().at(1).toJsonObject().value("kind"_L1), u"approval"_s);
    // A pause and an open breaker, each with its way.
    const auto buttons = page.findChild<QWidget *>(u"gates"_s)->findChildren<QPushButton *>();
    QCOMPARE(buttons.size(), 2);
    QTest::mouseClick(buttons.at(1), Qt::LeftButton);
    QCOMPARE(went.takeFirst(),
             (QVariantList{u"dependencies"_s, QJsonObject{{u"dependency"_s, u"crm"_s}}}));
}

void OverviewPageTest::nothingIsClaimedBeforeItIsKnown()
{
    CannedDoor door;
    OverviewPage page(door.bridge());
    page.show();
    QCOMPARE(tile(page, u"ambiguous"_s)->countText(), u"–"_s);
    QCOMPARE(figure(page, u"duplicates"_s)->figure(), u"–"_s);
    QCOMPARE(figure(page, u"unresolved"_s)->figure(), u"–"_s);
    QVERIFY(!page.findChild<QLabel *>(u"heading"_s)->text().contains(u"Nothing"_s));
}

void OverviewPageTest::emptyStateSaysWhenItLastLooked()
{
    CannedDoor door;
    door.answer(u"pulse"_s, QJsonObject{{u"journal"_s, 1}, {u"reviews"_s, QJsonObject()}});
    door.answer(u"series"_s,
                QJsonObject{{u"buckets"_s, QJsonArray()}, {u"totals"_s, QJsonObject()}});
    const QJsonObject unknown =
        measure(u"time_to_detect"_s, u"Time to detect"_s, u"ms"_s, QJsonValue(), 0, 0);
    door.answer(u"rates"_s, QJsonObject{{u"measures"_s, QJsonArray{unknown}}});
    OverviewPage page(door.bridge());
    page.resize(1120, 900);
    page.show();
    door.pulse();
    page.refresh();
    QTRY_COMPARE(figure(page, u"duplicates"_s)->figure(), u"0"_s);
    QCOMPARE(page.findChild<QLabel *>(u"heading"_s)->text(), u"✔ Nothing needs you."_s);
    QVERIFY(page.findChild<QLabel *>(u"checked"_s)->text().startsWith(u"Last checked "_s));
    QCOMPARE(figure(page, u"time_to_detect"_s)->figure(), u"–"_s);
    QVERIFY(panel(page, u"runsChart"_s)->chart()->data().isEmpty());
    shoot(page, u"overview-empty"_s);
}

void OverviewPageTest::figuresStayWhenTheDatabaseGoesAway()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    const QString duplicates = figure(page, u"duplicates"_s)->figure();
    for (const QString &name : {u"pulse"_s, u"series"_s, u"rates"_s})
        door.lose(name);
    door.pulse();
    page.refresh();
    QTRY_VERIFY(door.bridge().isAway());
    QTRY_VERIFY(page.findChild<QLabel *>(u"checked"_s)->text().startsWith(u"Figures are from"_s));
    QTRY_VERIFY(page.findChild<QLabel *>(u"problem"_s)->isVisible());
    QCOMPARE(tile(page, u"ambiguous"_s)->countText(), u"4"_s);
    QCOMPARE(figure(page, u"duplicates"_s)->figure(), duplicates);
    QVERIFY(!panel(page, u"runsChart"_s)->chart()->data().isEmpty());
    QCOMPARE(page.findChild<RateTable *>()->model()->rowCount(), 5);
}

void OverviewPageTest::harmComesFromTheDoor()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    const QJsonObject totals =
        seriesOf(door.asked(u"series"_s).first()).value("totals"_L1).toObject();
    QCOMPARE(figure(page, u"duplicates"_s)->figure(),
             QString::number(totals.value("duplicates_prevented"_L1).toInt()));
    QCOMPARE(figure(page, u"compensationFailed"_s)->figure(), u"2"_s);
    QCOMPARE(figure(page, u"unresolved"_s)->figure(), u"4"_s);
    QCOMPARE(figure(page, u"time_to_detect"_s)->figure(), u"42 s"_s);
    QCOMPARE(figure(page, u"time_to_recover"_s)->figure(), u"17 min"_s);
    QCOMPARE(figure(page, u"escalation_precision"_s)->figure(), QLocale().toString(45.5) + u" %"_s);
    QCOMPARE(figure(page, u"escalation_precision"_s)->accessibleDescription(), u"5 of 11"_s);
    QCOMPARE(figure(page, u"compensation_success_rate"_s)->figure(), u"–"_s);
}

void OverviewPageTest::everyNumberLeadsToItsList()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    QSignalSpy went(&page, &shell::Page::goTo);
    for (FigureRow *row : page.findChildren<FigureRow *>())
        QTest::mouseClick(row, Qt::LeftButton);
    QCOMPARE(went.size(), page.findChildren<FigureRow *>().size());
    went.clear();
    int leading = 0;
    for (LegendButton *legend : page.findChildren<LegendButton *>()) {
        leading += legend->isEnabled() ? 1 : 0;
        QTest::mouseClick(legend, Qt::LeftButton);
    }
    QCOMPARE(leading, 11);
    QCOMPARE(went.size(), leading);
    QCOMPARE(went.at(4).at(1).toJsonObject().value("filter"_L1), u"status:failed since:24h"_s);
    went.clear();
    const auto tables = page.findChildren<RateTable *>();
    Q_EMIT tables.at(0)->table()->activated(tables.at(0)->model()->index(0, 0));
    QCOMPARE(went.takeFirst().at(1).toJsonObject().value("filter"_L1),
             u"workflow:order step:ship since:24h"_s);
    Q_EMIT tables.at(1)->table()->activated(tables.at(1)->model()->index(0, 0));
    QCOMPARE(went.takeFirst(),
             (QVariantList{u"dependencies"_s, QJsonObject{{u"dependency"_s, u"shipping"_s}}}));
}

void OverviewPageTest::rangeIsAskedForAndRemembered()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    QSignalSpy placed(&page, &shell::Page::placeChanged);
    page.open({{u"range"_s, u"7d"_s}});
    QCOMPARE(placed.size(), 1);
    QCOMPARE(page.where(), (QJsonObject{{u"range"_s, u"7d"_s}}));
    QTRY_COMPARE(panel(page, u"runsChart"_s)->chart()->data().at.size(), 28);
    QCOMPARE(door.asked(u"series"_s).last().value("bucket_ms"_L1).toInteger(), 6 * model::hour);
    page.open({}); // a place without a range changes nothing
    QCOMPARE(page.where(), (QJsonObject{{u"range"_s, u"7d"_s}}));
}

void OverviewPageTest::questionsDoNotPileUp()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    const auto before = door.asked(u"rates"_s).size();
    for (int i = 0; i < 50; ++i)
        page.refresh();
    QTRY_VERIFY(door.asked(u"rates"_s).size() > before); // once more, when its time has come
    QVERIFY(door.asked(u"rates"_s).size() <= before + 2);
    // The outline is of the past: it is read once.
    qsizetype earlier = 0;
    const model::Instant begin = timeRanges().at(1).begin(door.now);
    for (const QJsonObject &asked : door.asked(u"series"_s))
        earlier += *model::parseInstant(asked.value("since"_L1).toString()) < begin ? 1 : 0;
    QCOMPARE(earlier, 1);
}

void OverviewPageTest::hostileTextBreaksNothing()
{
    CannedDoor door;
    fill(door);
    QJsonObject marks = marksOf(door);
    QJsonObject pause = marks.value("pauses"_L1).toArray().first().toObject();
    pause.insert(u"reason"_s, hostileText());
    pause.insert(u"target"_s, hostileText());
    marks.insert(u"pauses"_s, QJsonArray{pause});
    marks.insert(u"breakers_open"_s, QJsonArray{hostileText()});
    door.answer(u"pulse"_s, marks);
    QJsonObject rates = ratesOf();
    rates.insert(u"operations"_s,
                 QJsonArray{rate(hostileText(), hostileText(), hostileText(), 1, 1, 0, 0)});
    door.answer(u"rates"_s, rates);
    OverviewPage page(door.bridge());
    settle(door, page);
    for (const QLabel *label : page.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    auto *scroll = page.findChild<QScrollArea *>();
    QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
    shoot(page, u"overview-hostile"_s);
}

void OverviewPageTest::everyControlHasAName()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    QCOMPARE(nameless(page).join(u' '), QString());
}

void OverviewPageTest::tabReachesEverything()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    page.first()->setFocus();
    QSet<QWidget *> reached;
    while (!reached.contains(QApplication::focusWidget())) {
        reached.insert(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (QWidget *widget : page.findChildren<QWidget *>()) {
        if ((widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() && widget->isEnabled() &&
            !widget->focusProxy())
            QVERIFY2(reached.contains(widget), qPrintable(widget->accessibleName()));
    }
}

void OverviewPageTest::pictures()
{
    for (const style::Theme theme : {style::Theme::light, style::Theme::dark}) {
        CannedDoor door;
        fill(door);
        OverviewPage page(door.bridge());
        settle(door, page);
        style::applyTheme(*qApp, theme); // while it is up, as a person would
        shoot(page, u"overview"_s);
        BucketChart *chart = panel(page, u"runsChart"_s)->chart();
        QTest::mouseMove(chart->viewport(), {1, 1}); // or the second page would see no movement
        QTest::mouseMove(chart->viewport(), chart->bucketArea(20).center().toPoint());
        QTRY_COMPARE(chart->currentBucket(), 20);
        shoot(page, u"overview-hover"_s);
        page.resize(800, 700);
        shoot(page, u"overview-small"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(OverviewPageTest)
#include "tst_overview_page.moc"
