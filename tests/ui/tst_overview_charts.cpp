// The charts and tables of the overview. Goal: they show what the door counted and nothing else,
// hold still under the cursor, can be read by keys and as tables, and never call unknown good.
#include "ui/overview/bucket_chart.h"
#include "ui/overview/chart_panel.h"
#include "ui/overview/chart_table_model.h"
#include "ui/overview/figure_row.h"
#include "ui/overview/legend_button.h"
#include "ui/overview/need_tile.h"
#include "ui/overview/overview_page.h"
#include "ui/overview/rate_table.h"
#include "ui/overview_story.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>
#include <QToolButton>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::overview;
using namespace Qt::StringLiterals;

class OverviewChartsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void chartSpreadsBucketsOverTheRange();
    void chartHoldsStillUnderTheCursor();
    void chartIsReadByKeys();
    void chartHasATableTwin();
    void tablesSortAndKeepTheirPlace();
    void unknownRateIsSaidAndNotGreen();

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

void OverviewChartsTest::chartSpreadsBucketsOverTheRange()
{
    const TimeRange range = timeRanges().at(timeRangeNamed(u"24h"_s));
    const model::Instant now = 1'800'000'000'000;
    const model::Instant begin = range.begin(now);
    QVERIFY(begin + range.length() > now);
    QVERIFY(begin + range.length() - range.bucket <= now);
    const QJsonObject answer{
        {u"buckets"_s,
         QJsonArray{QJsonObject{{u"at"_s, model::instantText(begin + 2 * model::hour)},
                                {u"runs_succeeded"_s, 8},
                                {u"runs_compensated"_s, 2}},
                    QJsonObject{{u"at"_s, model::instantText(begin - 1)}, {u"runs_failed"_s, 99}},
                    QJsonObject{{u"at"_s, model::instantText(begin + range.length())},
                                {u"runs_failed"_s, 99}}}}};
    const Buckets buckets = spread(answer, begin, range.bucket, range.count);
    QCOMPARE(buckets.at.size(), 24);
    const ChartData runs = runsByOutcome(buckets, Buckets(), range);
    QCOMPARE(runs.bars.at(0).values.at(2), 8.0);
    QCOMPARE(runs.bars.at(0).total, 8.0);
    QCOMPARE(runs.top(), 10.0);
    QCOMPARE(runs.bars.at(4).total, 0.0); // what lies outside is not counted
    const ChartData share = compensationRate(buckets, Buckets(), range);
    QVERIFY(std::isnan(share.lines.at(0).values.at(0))); // nothing ended: no rate, not zero
    QCOMPARE(share.lines.at(0).values.at(2), 0.2);
    QCOMPARE(share.valueText(share.lines.at(0).total), u"20.0 %"_s);
    QCOMPARE(share.valueText(0.99999), u"99.9 %"_s); // never rounded up to all
}

void OverviewChartsTest::chartHoldsStillUnderTheCursor()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    BucketChart *chart = panel(page, u"runsChart"_s)->chart();
    const model::Instant first = chart->data().at.first();
    const QPoint over = chart->bucketArea(5).center().toPoint();
    QTest::mouseMove(chart->viewport(), over);
    QTRY_COMPARE(chart->currentBucket(), 5);
    QVERIFY(chart->accessibleDescription().contains(u"Succeeded"_s));
    door.now += 2 * model::hour;
    page.refresh();
    QTRY_VERIFY(door.asked(u"series"_s).size() >= 4);
    QTRY_VERIFY(panel(page, u"retriesChart"_s)->chart()->data().at.first() > first);
    QCOMPARE(chart->data().at.first(), first); // nothing moved under the cursor
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(chart, &leave);
    QCOMPARE(chart->currentBucket(), -1);
    QVERIFY(chart->data().at.first() > first);
    // A click opens the runs of that time.
    QSignalSpy went(&page, &shell::Page::goTo);
    QTest::mouseClick(chart->viewport(), Qt::LeftButton, {}, over);
    const QString filter = went.takeFirst().at(1).toJsonObject().value("filter"_L1).toString();
    QCOMPARE(filter,
             u"since:%1 until:%2"_s.arg(model::instantText(chart->data().at.at(5)),
                                        model::instantText(chart->data().at.at(5) + model::hour)));
}

void OverviewChartsTest::chartIsReadByKeys()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    ChartPanel *runs = panel(page, u"runsChart"_s);
    runs->chart()->setFocus();
    QTest::keyClick(runs->chart(), Qt::Key_Home);
    QTest::keyClick(runs->chart(), Qt::Key_Right);
    QCOMPARE(runs->chart()->currentBucket(), 1);
    const auto legend = runs->findChildren<LegendButton *>();
    const QString value = QString::number(int(runs->chart()->data().bars.at(0).values.at(1)));
    QCOMPARE(legend.at(0)->accessibleDescription(), u"Succeeded "_s + value);
    QSignalSpy went(&page, &shell::Page::goTo);
    QTest::keyClick(runs->chart(), Qt::Key_Return);
    QCOMPARE(went.size(), 1);
    QTest::keyClick(runs->chart(), Qt::Key_Escape);
    QCOMPARE(runs->chart()->currentBucket(), -1);
}

void OverviewChartsTest::chartHasATableTwin()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    ChartPanel *runs = panel(page, u"runsChart"_s);
    auto *toggle = runs->findChild<QToolButton *>(u"runsChartToggle"_s);
    auto *table = runs->findChild<QTableView *>(u"runsChartTable"_s);
    QVERIFY(!table->isVisible());
    QTest::mouseClick(toggle, Qt::LeftButton);
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->rowCount(), 24);
    const ChartData &data = runs->chart()->data();
    QCOMPARE(table->model()->index(0, 1).data().toString(), // the latest first
             data.valueText(data.bars.at(0).values.last()));
    QAbstractItemModelTester tester(table->model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    page.findChild<QComboBox *>(u"range"_s)->setCurrentIndex(3);
    QTRY_COMPARE(table->model()->rowCount(), 30);
    shoot(page, u"overview-table"_s);
}

void OverviewChartsTest::tablesSortAndKeepTheirPlace()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    RateTable *operations = page.findChildren<RateTable *>().at(0);
    QAbstractItemModelTester tester(operations->model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto name = [&](int row) { return operations->model()->index(row, 0).data().toString(); };
    QCOMPARE(name(0), u"order · ship"_s); // worst first
    operations->table()->sortByColumn(3, Qt::DescendingOrder);
    QCOMPARE(name(0), u"order · charge"_s);
    operations->table()->selectRow(0);
    QJsonObject rates = ratesOf();
    QJsonArray rows = rates.value("operations"_L1).toArray();
    rows.append(rate(u"order"_s, u"notify"_s, u"mail"_s, 10, 0, 900, 0));
    rows.removeAt(0);
    rates.insert(u"operations"_s, rows);
    door.answer(u"rates"_s, rates);
    page.refresh();
    QTRY_COMPARE(name(0), u"order · notify"_s);
    QCOMPARE(operations->table()->currentIndex().row(), 1);
    QCOMPARE(name(1), u"order · charge"_s);
    operations->model()->setRows({});
    operations->model()->setRows(rows);
    operations->model()->setRows(QJsonArray{rows.at(2), rows.at(0), rows.at(2)});
    QCOMPARE(operations->model()->rowCount(), 2); // a row that comes twice is one row
}

void OverviewChartsTest::unknownRateIsSaidAndNotGreen()
{
    CannedDoor door;
    fill(door);
    OverviewPage page(door.bridge());
    settle(door, page);
    auto *model = page.findChildren<RateTable *>().at(1)->model();
    const int row = model->rowCount() - 1; // what is not known comes last
    QCOMPARE(model->index(row, 0).data().toString(), u"mail"_s);
    QCOMPARE(model->index(row, 1).data().toString(), u"? unknown"_s);
    QVERIFY(!model->index(row, 1).data(widgets::JsonTableModel::figureRole).isValid());
}

QTEST_MAIN(OverviewChartsTest)
#include "tst_overview_charts.moc"
