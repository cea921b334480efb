// Goal: what a person does on the weekly page acts on what is in sight, a refusal stays until it is
// answered, and a report that is not whole says so. Method: a door that answers from a table.
#include "ui/weekly/section_list.h"
#include "weekly_bench.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::weekly;
using tests::CannedDoor;

class WeeklyActsTest : public QObject, tests::WeeklyBench
{
    Q_OBJECT

    static QPushButton *button(const WeeklyPage &page, const QString &name)
    {
        return page.findChild<QPushButton *>(name);
    }
    static bool offers(const WeeklyPage &page, const QString &act)
    {
        for (const QAction *action : page.actions()) {
            if (action->text() == act)
                return action->isEnabled();
        }
        return false;
    }
    static QJsonObject with(const QString &name, const QJsonValue &value)
    {
        QJsonObject report = tests::sampleReport();
        report.insert(name, value);
        return report;
    }
    // An act brings the next report at once; it is there when its groups are.
    static bool readAgain(WeeklyPage &page, CannedDoor &door, QJsonObject report)
    {
        report.insert(u"groups"_s, QJsonArray{tests::sampleGroup(u"g1"_s, u"archived"_s, 51, 12)});
        fill(door, report);
        page.open({{u"section"_s, u"groups"_s}});
        button(page, u"archive"_s)->click();
        return QTest::qWaitFor([&] { return rows(page, "groups") == 1; });
    }

private Q_SLOTS:
    void noActOnAGroupOutOfSight()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        const QString archive = u"Archive until &escalating"_s;
        QVERIFY(offers(page, archive));
        page.open({{u"section"_s, u"changes"_s}});
        QVERIFY(!offers(page, archive));
        page.open({{u"section"_s, u"groups"_s}});
        QVERIFY(offers(page, archive));
    }

    void fixedInVersionWaitsForTheVersions()
    {
        CannedDoor door;
        fill(door);
        const auto gate = std::make_shared<QSemaphore>();
        const auto opened = qScopeGuard([gate] { gate->release(9); });
        door.answer(u"group"_s, [gate](const QJsonObject &) {
            gate->acquire();
            QJsonObject group = tests::sampleGroup(u"g1"_s, u"escalating"_s, 51, 12);
            group.insert(u"versions"_s, QJsonArray{3, 4});
            return QJsonValue(group);
        });
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QVERIFY(button(page, u"archive"_s)->isEnabled());
        QVERIFY(!button(page, u"resolve"_s)->isEnabled());
        QVERIFY(!offers(page, u"&Fixed in version…"_s));
        gate->release();
        QTRY_VERIFY(button(page, u"resolve"_s)->isEnabled());
        QVERIFY(offers(page, u"&Fixed in version…"_s));
    }

    void aSuggestedChangeIsShownWithItsLines()
    {
        QJsonObject group = tests::sampleGroup(u"g1"_s, u"escalating"_s, 51, 12);
        const QString lines = u"--- crm.yaml\n+++ crm.yaml\n@@ -8,1 +8,1 @@\n"
                              "-limit: {rate: 20/s}\n+limit: {rate: 15/s}\n"_s;
        group.insert(u"suggestion"_s, QJsonObject{{u"why"_s, u"crm refuses at the rate set"_s},
                                                  {u"of"_s, u"dependency"_s},
                                                  {u"name"_s, u"crm"_s},
                                                  {u"version"_s, 2},
                                                  {u"field"_s, u"limit.rate"_s},
                                                  {u"from"_s, u"20/s"_s},
                                                  {u"to"_s, u"15/s"_s},
                                                  {u"line"_s, 8},
                                                  {u"diff"_s, lines}});
        CannedDoor door;
        fill(door, with(u"groups"_s, QJsonArray{group}));
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QTRY_VERIFY(text(page, "groupSuggestion")
                        .contains(u"crm: limit.rate 20/s → 15/s, because crm refuses"_s));
        QSignalSpy went(&page, &WeeklyPage::goTo);
        QTRY_VERIFY(button(page, u"resolve"_s)->isEnabled());
        button(page, u"policy"_s)->click();
        auto *shown = page.findChild<QDialog *>(u"changeDialog"_s);
        QVERIFY(shown && shown->isVisible());
        const auto *code = shown->findChild<QPlainTextEdit *>(u"changeLines"_s);
        QCOMPARE(code->toPlainText() + u'\n', lines);
        QCOMPARE(code->extraSelections().size(), 2);
        shown->findChild<QPushButton *>(u"changeCopy"_s)->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), lines);
        QVERIFY(went.isEmpty());
        shown->findChild<QPushButton *>(u"changeShow"_s)->click();
        QCOMPARE(went.size(), 1);
        QCOMPARE(went.first().at(0).toString(), u"dependencies"_s);
        QCOMPARE(went.first().at(1).toJsonObject(),
                 (QJsonObject{{u"dependency"_s, u"crm"_s}, {u"line"_s, 8}}));
    }

    void withoutASuggestionTheStepIsShown()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QTRY_VERIFY(button(page, u"resolve"_s)->isEnabled());
        QVERIFY(!isShown(page, "groupSuggestion"));
        QSignalSpy went(&page, &WeeklyPage::goTo);
        button(page, u"policy"_s)->click();
        QCOMPARE(went.size(), 1);
        QCOMPARE(went.first().at(0).toString(), u"workflows"_s);
        QVERIFY(went.first().at(1).toJsonObject().contains(u"step"_s));
        QVERIFY(!page.findChild<QDialog *>(u"changeDialog"_s));
    }

    void longTagsAreKeptWhole()
    {
        QJsonObject group = tests::sampleGroup(u"g1"_s, u"new"_s, 1, 0);
        QJsonArray tags;
        for (int i = 0; i < 8; ++i)
            tags << QString(50, QChar(u'a' + i));
        group.insert(u"tags"_s, tags);
        CannedDoor door;
        fill(door, with(u"groups"_s, QJsonArray{group}));
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QVERIFY2(text(page, "groupTitle").contains(u"1 run, 3 times"_s),
                 qPrintable(text(page, "groupTitle")));
        button(page, u"tag"_s)->click();
        QDialog *shown = dialog(page);
        QVERIFY(shown);
        shown->findChild<QPushButton *>(u"askAct"_s)->click();
        QTRY_COMPARE(door.asked(u"group_do"_s).size(), 1);
        QCOMPARE(door.asked(u"group_do"_s).first()["tags"_L1].toArray(), tags);
    }

    void anOwnerMayBeTakenAway()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        button(page, u"assign"_s)->click();
        QDialog *shown = dialog(page);
        QVERIFY(shown);
        shown->findChild<QLineEdit *>(u"askField"_s)->clear();
        shown->findChild<QPushButton *>(u"askAct"_s)->click();
        QTRY_COMPARE(door.asked(u"group_do"_s).size(), 1);
        const QJsonObject sent = door.asked(u"group_do"_s).first();
        QVERIFY(sent["owner"_L1].isString() && sent["owner"_L1].toString().isEmpty());
    }

    // The letter of an act that is off would choose the next row that begins with it.
    void lettersChooseNoRow()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QTableView *groups = table(page, "groups");
        groups->setFocus();
        groups->setCurrentIndex(groups->model()->index(0, 1)); // all begin with the workflow's name
        QTest::keyClick(groups, Qt::Key_L);
        QCOMPARE(groups->currentIndex().row(), 0);
    }

    void aRefusedSignOffIsSaidUntilItIsAnswered()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"signoff"_s));
        door.refuse(u"report_sign"_s, u"only an operator may sign"_s);
        button(page, u"sign"_s)->click();
        QTRY_VERIFY(isShown(page, "signRefusal"));
        QVERIFY(text(page, "signRefusal").contains(u"only an operator"_s));
        QVERIFY(readAgain(page, door, tests::sampleReport()));
        QVERIFY(text(page, "signRefusal").contains(u"only an operator"_s));
        page.findChild<QToolButton *>(u"previousWeek"_s)
            ->click(); // of another week nothing was said
        QCOMPARE(text(page, "signRefusal"), QString());
    }

    void aLateSignOffSpeaksOfItsOwnWeek()
    {
        CannedDoor door;
        fill(door);
        const auto gate = std::make_shared<QSemaphore>();
        const auto opened = qScopeGuard([gate] { gate->release(9); });
        door.answer(u"report_sign"_s, [gate](const QJsonObject &) {
            gate->acquire();
            return QJsonValue(QJsonObject{{u"by"_s, u"ada"_s}});
        });
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"signoff"_s));
        QSignalSpy said(&page, &shell::Page::said);
        button(page, u"sign"_s)->click();
        QTRY_COMPARE(door.asked(u"report_sign"_s).size(), 1);
        page.findChild<QToolButton *>(u"previousWeek"_s)->click();
        page.findChild<QLineEdit *>(u"signNote"_s)->setText(u"of the week before"_s);
        gate->release();
        QTRY_COMPARE(said.size(), 1);
        QCOMPARE(said.first().first().toString(), u"The week 4–10 Jan is signed."_s);
        QCOMPARE(text(page, "signNote"), u"of the week before"_s);
    }

    void theNewestWeekIsKeptAsThat()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        const QJsonObject kept = page.where();
        page.findChild<QToolButton *>(u"previousWeek"_s)->click();
        QCOMPARE(page.where()["week"_L1].toString(), u"2026-12-28"_s);
        page.open(kept); // the way back
        QCOMPARE(text(page, "week"), u"Week 4–10 Jan 2027"_s);
        door.now += 7 * model::day;
        WeeklyPage later(door.bridge()); // the next session
        later.open(kept);
        QCOMPARE(text(later, "week"), u"Week 11–17 Jan 2027"_s);
    }

    void aWeekThatBeginsCanBeGoneTo()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"changes"_s));
        auto *next = page.findChild<QToolButton *>(u"nextWeek"_s);
        next->click();
        QVERIFY(!next->isEnabled());
        door.now += 7 * model::day;
        door.lose(u"pulse"_s); // anything that makes the page look again
        door.bridge().pulse();
        QTRY_VERIFY(next->isEnabled());
    }

    void theSelectionStaysOnItsRow()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"unresolved"_s));
        QTableView *items = table(page, "unresolved");
        items->selectRow(0);
        QJsonArray list = tests::sampleReport()["unresolved"_L1].toArray();
        QJsonObject older = list.first().toObject();
        older.insert(u"id"_s, u"r0"_s);
        older.insert(u"kind"_s, u"dead_letter"_s);
        list.prepend(older);
        QVERIFY(readAgain(page, door, with(u"unresolved"_s, list)));
        QCOMPARE(items->model()->rowCount(), 2);
        QCOMPARE(items->currentIndex().row(), 1);
        QCOMPARE(items->model()->index(0, 0).data().toString(), u"✖ Dead letter"_s);
        QCOMPARE(items->model()->index(1, 0).data().toString(), u"◆ Ambiguous"_s);
    }

    void whatIsNotListedIsSaid()
    {
        QJsonObject report = with(u"groups_more"_s, 40);
        report.insert(u"unresolved_more"_s, 1250);
        CannedDoor door;
        fill(door, report);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"unresolved"_s));
        const auto *sections = page.findChild<SectionList *>();
        QVERIFY(sections->item(1)->text().endsWith(u" 3+"_s));
        QVERIFY(sections->item(2)->text().endsWith(u" 1,251"_s));
        QCOMPARE(text(page, "unresolvedMore"), u"And 1,250 more; Review lists all of them."_s);
        QVERIFY(text(page, "groupsLine").startsWith(u"The 4 groups with the most runs; there"_s));
    }

    void aWeekWithoutRunsHasNoChart()
    {
        CannedDoor door;
        fill(door, tests::emptyReport());
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"changes"_s));
        QCOMPARE(rows(page, "daysChartTable"), 0); // seven days of nothing
        QVERIFY(text(page, "costLine").contains(u"No cost of models is known."_s));
    }

    void measuresHaveMoreRoomThanChanges()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"changes"_s));
        QTRY_VERIFY(table(page, "measures")->height() > table(page, "changes")->height());
    }
};

QTEST_MAIN(WeeklyActsTest)
#include "tst_weekly_acts.moc"
