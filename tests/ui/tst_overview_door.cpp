// The overview on the real door, on both databases: its figures are those of runs that really went
// well and of one whose answer was lost, and its links lead to filters the door understands.
#include "support/window.h"
#include "ui/overview/chart_panel.h"
#include "ui/overview/figure_row.h"
#include "ui/overview/legend_button.h"
#include "ui/overview/need_tile.h"
#include "ui/overview/overview_page.h"
#include "ui/overview/rate_table.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"

#include <QSignalSpy>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::overview;
using namespace Qt::StringLiterals;

class OverviewDoorTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void figuresAreTheDoors_data();
    void figuresAreTheDoors();
};

void OverviewDoorTest::figuresAreTheDoors_data()
{
    QTest::addColumn<int>("database");
    for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
        QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
}

void OverviewDoorTest::figuresAreTheDoors()
{
    QFETCH(int, database);
    WindowMachine window{Machine::Database(database)};
    Machine &machine = window.machine;
    const QString text =
        machine.dependencyText(u"none"_s) + Machine::workflowText({Machine::stepText(StepText())});
    window.call(
        u"deploy"_s,
        {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"a.yaml"_s}, {u"text"_s, text}}}}});
    OverviewPage page(window.bridge());
    connect(&window.bridge(), &bridge::Bridge::changed, &page, &shell::Page::refresh);
    page.resize(1120, 900);
    page.show();
    page.refresh();
    for (const QString &id : {u"a"_s, u"b"_s, u"c"_s})
        QVERIFY(window.waitFor(window.start(id), u"succeeded"_s));
    QVERIFY(machine.push(u"/inventory/v1/reservations"_s, {u"work_then_drop"_s}));
    QVERIFY(window.waitFor(window.start(u"d"_s), u"review"_s));
    QCOMPARE(machine.world.books().effectCount(), 4);

    auto *tile = page.findChild<NeedTile *>(u"tile_ambiguous"_s);
    QTRY_COMPARE(tile->countText(), u"1"_s);
    const BucketChart *chart = page.findChild<ChartPanel *>(u"runsChart"_s)->chart();
    QTRY_VERIFY(!chart->data().bars.isEmpty() && chart->data().bars.first().total == 3);
    QCOMPARE(chart->data().bars.first().values.last() +
                 chart->data().bars.first().values.at(chart->data().at.size() - 2),
             3.0);
    auto *model = page.findChildren<RateTable *>().first()->model();
    QTRY_COMPARE(model->rowCount(), 1);
    QCOMPARE(model->index(0, 0).data().toString(), u"flow · make"_s);
    QTRY_COMPARE(model->index(0, 4).data().toString(), u"1"_s); // ambiguous

    // Every filter that is led to is one the door takes.
    QSignalSpy went(&page, &shell::Page::goTo);
    for (FigureRow *row : page.findChildren<FigureRow *>())
        QTest::mouseClick(row, Qt::LeftButton);
    for (LegendButton *legend : page.findChildren<LegendButton *>())
        QTest::mouseClick(legend, Qt::LeftButton);
    auto *operations = page.findChildren<RateTable *>().first();
    Q_EMIT operations->table()->activated(model->index(0, 0));
    for (int bucket : {0, int(chart->data().at.size()) - 1})
        Q_EMIT const_cast<BucketChart *>(chart)->opened(bucket);
    int filters = 0;
    for (const QVariantList &signal : went) {
        const QJsonObject where = signal.at(1).toJsonObject();
        if (signal.at(0).toString() != "runs"_L1)
            continue;
        ++filters;
        window.call(u"runs"_s, {{u"filter"_s, where.value("filter"_L1)}, {u"limit"_s, 5}});
    }
    QVERIFY(filters > 10);
}

QTEST_MAIN(OverviewDoorTest)
#include "tst_overview_door.moc"
