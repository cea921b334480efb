// Goal: the overview shows the failure groups of seven days that nobody has settled, with their
// trend, and leads to their runs and to the review. Method: a door that answers from a table.
#include "canned_door.h"
#include "ui/overview/figure_row.h"
#include "ui/overview/group_table.h"
#include "ui/overview/overview_page.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"
#include "weekly_samples.h"

#include <QLabel>
#include <QPushButton>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::overview;
using tests::CannedDoor;

class OverviewGroupsTest : public QObject
{
    Q_OBJECT

    static QString note(const OverviewPage &page) // what the empty list says
    {
        return page.findChild<QLabel *>(u"topGroupTableEmpty"_s)->text();
    }

private Q_SLOTS:
    void unsettledGroupsAreShownAndLeadOn_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(style::Theme::light);
        QTest::newRow("dark") << int(style::Theme::dark);
    }
    void unsettledGroupsAreShownAndLeadOn()
    {
        QFETCH(int, theme);
        style::applyTheme(*qApp, style::Theme(theme));
        CannedDoor door;
        QJsonArray groups{tests::sampleGroup(u"old"_s, u"archived"_s, 900, 900)};
        for (int i = 0; i < 8; ++i)
            groups << tests::sampleGroup(u"g%1"_s.arg(i), u"escalating"_s, 50 - i, 3);
        door.answer(u"groups"_s, QJsonObject{{u"groups"_s, groups}});
        door.answer(u"series"_s, QJsonObject{{u"buckets"_s, QJsonArray()}});
        door.answer(u"rates"_s, QJsonObject());
        OverviewPage page(door.bridge());
        page.resize(1100, 1100);
        page.show();
        page.refresh();
        const auto *table = page.findChild<GroupTable *>();
        QTRY_COMPARE(table->model()->rowCount(), 5); // the five with most runs, and none settled
        QCOMPARE(table->model()->index(0, 0).data().toString(), u"▲ Escalating"_s);
        QCOMPARE(table->model()->index(0, 3).data().toString(), u"50"_s);
        const QJsonObject asked = door.asked(u"groups"_s).first();
        QCOMPARE(asked["since"_L1].toString(), u"2027-01-09T00:00:00.000Z"_s);
        QCOMPARE(asked["until"_L1].toString(), u"2027-01-16T00:00:00.000Z"_s);
        QVERIFY(!asked["status"_L1].toArray().contains(u"archived"_s));
        page.refresh();
        QTRY_COMPARE(door.asked(u"rates"_s).size(), 2); // figures are asked for again, groups after
        door.pulse();                                   // and this after both
        QCOMPARE(door.asked(u"groups"_s).size(), 1);    // days do not change by the second
        QSignalSpy went(&page, &shell::Page::goTo);
        Q_EMIT table->table()->activated(table->model()->index(1, 0));
        QCOMPARE(went.last()[0].toString(), u"runs"_s);
        QCOMPARE(went.last()[1].toJsonObject()["filter"_L1].toString(), u"group:g1 since:7d"_s);
        page.findChild<QPushButton *>(u"toWeekly"_s)->click();
        QCOMPARE(went.last()[0].toString(), u"weekly"_s);
        QVERIFY(tests::nameless(page).isEmpty());
        tests::shoot(page, u"overview-groups"_s);
        style::applyTheme(*qApp, style::Theme::light);
    }

    void whatCannotBeReadIsSaidThere()
    {
        CannedDoor door;
        door.refuse(u"groups"_s, u"the groups are being rebuilt"_s);
        door.answer(u"series"_s, QJsonObject());
        door.answer(u"rates"_s, QJsonObject());
        OverviewPage page(door.bridge());
        page.show();
        page.refresh();
        auto *problem = page.findChild<QWidget *>(u"topGroupsProblem"_s);
        QTRY_VERIFY(problem->isVisibleTo(&page));
        QVERIFY(problem->property("text").toString().contains(u"rebuilt"_s));
        QCOMPARE(note(page), QString()); // and nothing good beside it
    }

    void nothingGoodIsSaidBeforeItIsKnown()
    {
        CannedDoor door;
        door.answer(u"groups"_s, QJsonObject{{u"groups"_s, QJsonArray()}});
        door.answer(u"series"_s, QJsonObject());
        door.answer(u"rates"_s, QJsonObject());
        OverviewPage page(door.bridge());
        page.show();
        QCOMPARE(note(page), u"Reading…"_s);
        page.refresh();
        QTRY_VERIFY(note(page).startsWith(u"✔ No failure in seven days"_s));
        // What was good a while ago is not said beside what cannot be read now.
        door.refuse(u"groups"_s, u"the groups are being rebuilt"_s);
        door.now += model::minute;
        page.refresh();
        QTRY_COMPARE(note(page), QString());
    }

    void measuresAreTextAndFollowTheHarmByTab()
    {
        CannedDoor door;
        const auto measure = [](const QString &name) {
            return QJsonObject{{u"name"_s, name},
                               {u"title"_s, name},
                               {u"unit"_s, u"percent"_s},
                               {u"now"_s, 1},
                               {u"definition"_s, u"<b>of</b> 1 < 2"_s}};
        };
        door.answer(u"groups"_s, QJsonObject());
        door.answer(u"series"_s, QJsonObject());
        door.answer(u"rates"_s, QJsonObject{{u"measures"_s, QJsonArray{measure(u"first"_s),
                                                                       measure(u"second"_s)}}});
        OverviewPage page(door.bridge());
        page.show();
        page.refresh();
        const auto row = [&page](const QString &name) { return page.findChild<FigureRow *>(name); };
        QTRY_VERIFY(row(u"second"_s));
        QVERIFY(row(u"first"_s)->toolTip().contains(u"&lt;b&gt;of&lt;/b&gt;"_s));
        QCOMPARE(row(u"retries"_s)->nextInFocusChain(), row(u"first"_s));
        QCOMPARE(row(u"first"_s)->nextInFocusChain(), row(u"second"_s));
    }
};

QTEST_MAIN(OverviewGroupsTest)
#include "tst_overview_groups.moc"
