// Goal: leads that changed hands are told beside what people changed, lead to their runs, and a
// place without lead routing says so. Method: a door that answers from a table.
#include "canned_door.h"
#include "ui/weekly/weekly_page.h"
#include "weekly_samples.h"

#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>

using namespace holdfast;
using namespace holdfast::tests;
using namespace Qt::StringLiterals;

class WeeklyFlipsTest : public QObject
{
    Q_OBJECT

    static QString line(const weekly::WeeklyPage &page)
    {
        return page.findChild<QWidget *>(u"flipsLine"_s)->property("text").toString();
    }
    static QString emptyNote(const weekly::WeeklyPage &page)
    {
        return page.findChild<QWidget *>(u"flipsEmpty"_s)->property("text").toString();
    }

private Q_SLOTS:
    void aLeadThatChangedHandsLeadsToItsRun()
    {
        CannedDoor door;
        door.answer(u"report"_s, sampleReport());
        weekly::WeeklyPage page(door.bridge());
        page.resize(1080, 700);
        page.show();
        page.open({{u"section"_s, u"changes"_s}});
        page.refresh();
        auto *table = page.findChild<QTableView *>(u"flips"_s);
        QTRY_COMPARE(table->model()->rowCount(), 1);
        QCOMPARE(line(page),
                 u"1 lead was given to another owner within seven days, in 812 runs read."_s);
        QCOMPARE(table->model()->index(0, 3).data().toString(), u"ann"_s);
        QCOMPARE(table->model()->index(0, 4).data().toString(), u"bob"_s);
        page.findChild<QTabWidget *>(u"changeTabs"_s)->setCurrentIndex(1);
        shoot(page, u"weekly-flips"_s);
        QSignalSpy went(&page, &shell::Page::goTo);
        Q_EMIT table->activated(table->model()->index(0, 0));
        QCOMPARE(went.takeFirst(), (QVariantList{u"run"_s, QJsonObject{{u"run"_s, u"run-9"_s}}}));
    }

    void whereNobodyGivesOutLeadsThatIsSaid()
    {
        CannedDoor door;
        door.answer(u"report"_s, emptyReport());
        weekly::WeeklyPage page(door.bridge());
        page.show();
        page.refresh();
        QTRY_VERIFY(line(page).startsWith(u"No workflow gives out leads"_s));
        QCOMPARE(emptyNote(page), u"There is nothing to list."_s); // no praise for nothing
    }

    void howOftenIsSaidAsItIs()
    {
        QJsonObject report = sampleReport();
        QJsonObject flips = report["owner_flips"_L1].toObject();
        flips.insert(u"flips"_s, 70);
        flips.insert(u"runs_read"_s, 1);
        report.insert(u"owner_flips"_s, flips);
        CannedDoor door;
        door.answer(u"report"_s, report);
        weekly::WeeklyPage page(door.bridge());
        page.show();
        page.refresh();
        QTRY_COMPARE(line(page), u"Leads were given to another owner 70 times within seven days "
                                 "(1 of them listed), in 1 run read."_s);
    }

    void noneInPartOfTheRunsIsNoGoodNews()
    {
        QJsonObject report = sampleReport();
        report.insert(u"owner_flips"_s, QJsonObject{{u"flips"_s, 0},
                                                    {u"runs_read"_s, 5000},
                                                    {u"complete"_s, false},
                                                    {u"list"_s, QJsonArray()}});
        CannedDoor door;
        door.answer(u"report"_s, report);
        weekly::WeeklyPage page(door.bridge());
        page.show();
        page.refresh();
        QTRY_COMPARE(emptyNote(page), u"No lead changed hands in the runs that were read."_s);
    }
};

QTEST_MAIN(WeeklyFlipsTest)
#include "tst_weekly_flips.moc"
