// Goal: the page shows the report document as it is, in every state it can be in, and hands a
// person's decisions on. Method: a door that answers from a table; with HOLDFAST_SHOTS, pictures in
// both themes.
#include "ui/weekly/section_list.h"
#include "weekly_bench.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QTabWidget>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::weekly;
using tests::CannedDoor;

class WeeklyPageTest : public QObject, tests::WeeklyBench
{
    Q_OBJECT

    static void themes()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(style::Theme::light);
        QTest::newRow("dark") << int(style::Theme::dark);
    }

private Q_SLOTS:
    void cleanup() { style::applyTheme(*qApp, style::Theme::light); }

    void theLastWholeWeekIsAskedFor()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        const QJsonObject asked = door.asked(u"report"_s).first();
        QCOMPARE(asked["since"_L1].toString(), u"2027-01-04T00:00:00.000Z"_s);
        QCOMPARE(asked["until"_L1].toString(), u"2027-01-11T00:00:00.000Z"_s);
        QCOMPARE(text(page, "week"), u"Week 4–10 Jan 2027"_s);
        QCOMPARE(rows(page, "groups"), 4);
        QCOMPARE(text(page, "groupsLine"), u"4 groups · 1 settled · 3 left"_s);
        auto *sections = page.findChild<SectionList *>();
        QVERIFY(sections->item(1)->text().endsWith(u"3"_s));
        QVERIFY(sections->item(3)->text().endsWith(u"4"_s)); // one listed, three more
        const auto cell = [&](int row, int column) {
            return table(page, "groups")->model()->index(row, column).data().toString();
        };
        QCOMPARE(cell(0, 0), u"▲ Escalating"_s);
        QCOMPARE(cell(0, 4), u"×4.3"_s);
        QCOMPARE(cell(1, 4), u"+31"_s);
        QCOMPARE(cell(3, 4), u"−3"_s);
        QCOMPARE(cell(3, 6), u"Archived until escalating"_s);
        QTRY_VERIFY(text(page, "groupedBy").contains(u"rate_limited"_s));
        QVERIFY(text(page, "groupNotes").contains(u"grace"_s));
        const auto figure = [&](int row, int column) {
            return table(page, "weekFigures")->model()->index(row, column).data().toString();
        };
        QCOMPARE(figure(0, 1), u"8,214"_s);
        QCOMPARE(figure(0, 2), u"+3 %"_s);
        QCOMPARE(figure(1, 2), u"−0.4"_s);
        QCOMPARE(figure(3, 2), u"–"_s); // the week before is not known, and not zero
    }

    void everySectionInBothThemes_data() { themes(); }
    void everySectionInBothThemes()
    {
        QFETCH(int, theme);
        style::applyTheme(*qApp, style::Theme(theme));
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"changes"_s));
        for (const QString &section : SectionList::names()) {
            page.open({{u"section"_s, section}});
            QTRY_VERIFY(tests::nameless(page).isEmpty());
            tests::shoot(page, u"weekly-"_s + section);
        }
        page.open({{u"section"_s, u"groups"_s}});
        page.resize(760, 560);
        tests::shoot(page, u"weekly-narrow"_s);
        page.resize(1080, 700);
        page.findChild<QTabWidget *>(u"groupTabs"_s)->setCurrentIndex(1);
        tests::shoot(page, u"weekly-causes"_s);
        page.findChild<QToolButton *>(u"causesChartToggle"_s)->click();
        QCOMPARE(rows(page, "causesChartTable"), 2);
        tests::shoot(page, u"weekly-causes-table"_s);
    }

    void aQuietWeekSaysSo_data() { themes(); }
    void aQuietWeekSaysSo()
    {
        QFETCH(int, theme);
        style::applyTheme(*qApp, style::Theme(theme));
        CannedDoor door;
        fill(door, tests::emptyReport());
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QVERIFY(!page.findChild<QPushButton *>(u"resolve"_s)->isEnabled());
        tests::shoot(page, u"weekly-quiet"_s);
        page.open({{u"section"_s, u"signoff"_s}});
        QVERIFY(text(page, "signLine").contains(u"Quiet week: 0 groups"_s));
        QVERIFY(page.findChild<QPushButton *>(u"sign"_s)->isEnabled());
    }

    void readingFailingAndStaleAreTold()
    {
        CannedDoor door;
        fill(door);
        // Opened too when a check fails, or the bridge would wait for it for ever.
        const auto gate = std::make_shared<QSemaphore>();
        const auto opened = qScopeGuard([gate] { gate->release(9); });
        door.answer(u"report"_s, [gate](const QJsonObject &) -> model::Result<QJsonValue> {
            gate->acquire();
            return model::refused(u"a viewer may not read reports"_s);
        });
        WeeklyPage page(door.bridge());
        page.resize(1080, 700);
        page.show();
        page.refresh();
        QTRY_COMPARE(door.asked(u"report"_s).size(), 1);
        QVERIFY(text(page, "reading").contains(u"Reading"_s));
        QVERIFY(!page.findChild<QPushButton *>(u"export"_s)->isEnabled());
        tests::shoot(page, u"weekly-reading"_s);
        gate->release();
        QTRY_VERIFY(isShown(page, "problem"));
        QVERIFY(text(page, "problem").contains(u"may not read reports"_s));
        QVERIFY(text(page, "reading").contains(u"could not be read"_s));
        tests::shoot(page, u"weekly-refused"_s);
        // Read once, lost afterwards: the figures stay, with their age.
        fill(door);
        page.findChild<QToolButton *>(u"previousWeek"_s)->click();
        QTRY_VERIFY(!isShown(page, "problem") && !isShown(page, "reading"));
        door.lose(u"pulse"_s);
        door.bridge().pulse();
        QTRY_VERIFY(isShown(page, "problem"));
        QVERIFY(text(page, "problem").contains(u"Figures are from"_s));
        QCOMPARE(rows(page, "groups"), 4);
        tests::shoot(page, u"weekly-stale"_s);
    }

    void whatTheFiguresLackIsSaid()
    {
        QJsonObject report = tests::sampleReport();
        report.insert(u"incomplete"_s,
                      QJsonArray{QJsonObject{{u"since"_s, u"2027-01-05T02:00:00.000Z"_s},
                                             {u"until"_s, u"2027-01-05T05:00:00.000Z"_s},
                                             {u"why"_s, u"no worker was running"_s}}});
        CannedDoor door;
        fill(door, report);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"changes"_s));
        QVERIFY(text(page, "incomplete").contains(u"no worker was running"_s));
        tests::shoot(page, u"weekly-incomplete"_s);
        // The week under way says that it is.
        page.findChild<QToolButton *>(u"nextWeek"_s)->click();
        QTRY_VERIFY(text(page, "incomplete").contains(u"not over"_s));
        QVERIFY(!page.findChild<QToolButton *>(u"nextWeek"_s)->isEnabled());
        QVERIFY(!page.findChild<QPushButton *>(u"sign"_s)->isEnabled());
    }

    void aKeyOpensTheActAndSendsIt_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<QString>("act");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QVariant>("value");
        QTest::newRow("F") << int(Qt::Key_F) << u"resolve"_s << u"version"_s << QVariant(5);
        QTest::newRow("E") << int(Qt::Key_E) << u"archive"_s << QString() << QVariant();
        QTest::newRow("M") << int(Qt::Key_M) << u"assign"_s << u"owner"_s << QVariant(u"grace"_s);
        QTest::newRow("G") << int(Qt::Key_G) << u"merge"_s << u"into"_s << QVariant(u"g2"_s);
        QTest::newRow("T") << int(Qt::Key_T) << u"note"_s << u"text"_s << QVariant(u"seen"_s);
        QTest::newRow("R") << int(Qt::Key_R) << u"tag"_s << u"tags"_s
                           << QVariant(QVariantList{u"vendor"_s, u"b"_s});
        QTest::newRow("O") << int(Qt::Key_O) << u"reopen"_s << QString() << QVariant();
    }
    void aKeyOpensTheActAndSendsIt()
    {
        QFETCH(int, key);
        QFETCH(QString, act);
        QFETCH(QString, name);
        QFETCH(QVariant, value);
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QTRY_VERIFY(text(page, "groupedBy")
                        .contains(u"rate_limited"_s)); // the detail with its versions is there
        QVERIFY(QTest::qWaitForWindowActive(&page));
        table(page, "groups")->setFocus();
        QTest::keyClick(table(page, "groups"), Qt::Key(key));
        if (!name.isEmpty()) {
            QDialog *shown = dialog(page);
            QVERIFY(shown);
            QVERIFY(tests::nameless(*shown).isEmpty());
            auto *field = shown->findChild<QWidget *>(u"askField"_s);
            if (auto *line = qobject_cast<QLineEdit *>(field))
                line->setText(act == "tag"_L1 ? u" vendor, ,b "_s : value.toString());
            if (auto *plain = qobject_cast<QPlainTextEdit *>(field))
                plain->setPlainText(value.toString());
            tests::shoot(*shown, u"weekly-ask-"_s + act);
            QTest::mouseClick(shown->findChild<QPushButton *>(u"askAct"_s), Qt::LeftButton);
        }
        QTRY_COMPARE(door.asked(u"group_do"_s).size(), 1);
        const QJsonObject sent = door.asked(u"group_do"_s).first();
        QCOMPARE(sent["group"_L1].toString(), u"g1"_s);
        QCOMPARE(sent["act"_L1].toString(), act);
        if (!name.isEmpty())
            QCOMPARE(sent[name].toVariant().toStringList(), value.toStringList());
        QTRY_VERIFY(text(page, "actLine").contains(u"Recorded"_s));
        QTRY_VERIFY(door.asked(u"report"_s).size() >= 2); // what was decided is seen
        QTRY_VERIFY(!page.findChild<QDialog *>(u"askDialog"_s));
    }

    void aRefusalIsReadWhereTheActWasAskedFor()
    {
        CannedDoor door;
        fill(door);
        door.refuse(u"group_do"_s, u"only an operator may decide"_s);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QTest::mouseClick(page.findChild<QPushButton *>(u"archive"_s), Qt::LeftButton);
        QTRY_VERIFY(text(page, "actLine").contains(u"only an operator"_s));
        QTest::mouseClick(page.findChild<QPushButton *>(u"assign"_s), Qt::LeftButton);
        QDialog *shown = dialog(page);
        QVERIFY(shown);
        QTest::mouseClick(shown->findChild<QPushButton *>(u"askAct"_s), Qt::LeftButton);
        QTRY_VERIFY(text(*shown, "askProblem").contains(u"only an operator"_s));
        QVERIFY(shown->isVisible());
        QVERIFY(shown->findChild<QPushButton *>(u"askAct"_s)->isEnabled());
    }

    void rowsLeadToTheirPages()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QSignalSpy went(&page, &shell::Page::goTo);
        table(page, "groups")->setFocus();
        QTest::keyClick(table(page, "groups"), Qt::Key_Return);
        QCOMPARE(went.size(), 1);
        QCOMPARE(went[0][0].toString(), u"runs"_s);
        QCOMPARE(went[0][1].toJsonObject()["filter"_L1].toString(), u"group:g1"_s);
        QTest::keyClick(table(page, "groups"), Qt::Key_P);
        QCOMPARE(went.size(), 2);
        QCOMPARE(went[1][0].toString(), u"workflows"_s);
        QCOMPARE(went[1][1].toJsonObject()["workflow"_L1].toString(), u"lead-routing"_s);
        const auto opens = [&](const QString &section, const char *name, const QString &to) {
            page.open({{u"section"_s, section}});
            table(page, name)->setCurrentIndex(table(page, name)->model()->index(0, 0));
            table(page, name)->setFocus();
            QTest::keyClick(table(page, name), Qt::Key_Return);
            QCOMPARE(went.last()[0].toString(), to);
        };
        opens(u"unresolved"_s, "unresolved", u"review"_s);
        QCOMPARE(went.last()[1].toJsonObject()["review"_L1].toString(), u"r1"_s);
        opens(u"compensations"_s, "compensations", u"run"_s);
        opens(u"cost"_s, "cost", u"dependencies"_s);
        opens(u"gaps"_s, "gaps", u"workflows"_s);
        QCOMPARE(went.size(), 6);
    }

    void ticksAreKeptForTheNextSession()
    {
        CannedDoor door;
        fill(door);
        QJsonObject kept;
        {
            WeeklyPage page(door.bridge());
            QVERIFY(raise(page, door, u"changes"_s));
            auto *sections = page.findChild<SectionList *>();
            sections->item(0)->setCheckState(Qt::Checked);
            sections->item(2)->setCheckState(Qt::Checked);
            QCOMPARE(text(page, "done"), u"2 of 8 done"_s);
            page.findChild<QToolButton *>(u"previousWeek"_s)->click();
            QCOMPARE(text(page, "done"), u"0 of 8 done"_s); // ticks are a week's
            page.findChild<QToolButton *>(u"nextWeek"_s)->click();
            page.open({{u"section"_s, u"gaps"_s}});
            kept = page.where();
        }
        WeeklyPage page(door.bridge());
        page.open(kept);
        QCOMPARE(text(page, "done"), u"2 of 8 done"_s);
        QCOMPARE(page.findChild<SectionList *>()->current(), u"gaps"_s);
        // Nonsense from a file of another version changes nothing.
        page.open({{u"week"_s, u"9999-99-99"_s},
                   {u"section"_s, 7},
                   {u"ticks"_s, QJsonObject{{u"x"_s, 1}, {u"2027-01-04"_s, QJsonArray{u"no"_s}}}}});
        QCOMPARE(text(page, "week"), u"Week 4–10 Jan 2027"_s);
        QCOMPARE(text(page, "done"), u"2 of 8 done"_s);
    }

    void signingNamesTheWeekAndSaysWhoDid()
    {
        CannedDoor door;
        QJsonObject seen = tests::sampleReport();
        seen.insert(u"figures_hash"_s, u"as seen"_s);
        fill(door, seen);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"signoff"_s));
        auto *sign = page.findChild<QPushButton *>(u"sign"_s);
        QCOMPARE(sign->text(), u"Sign the week 4–10 Jan"_s);
        page.findChild<QLineEdit *>(u"signNote"_s)->setText(u"all seen"_s);
        door.refuse(u"report_sign"_s, u"grace signed it already"_s);
        QTest::mouseClick(sign, Qt::LeftButton);
        QTRY_VERIFY(text(page, "signRefusal").contains(u"grace signed it"_s));
        QVERIFY(sign->isEnabled());
        QJsonObject report = tests::sampleReport();
        report.insert(u"signoff"_s, QJsonObject{{u"by"_s, u"ada"_s},
                                                {u"at"_s, u"2027-01-12T10:00:00.000Z"_s},
                                                {u"note"_s, u"all seen"_s},
                                                {u"figures_hash"_s, u"abc123"_s},
                                                {u"audit_seq"_s, 99},
                                                {u"figures_unchanged"_s, true}});
        fill(door, report);
        QTest::mouseClick(sign, Qt::LeftButton);
        QTRY_COMPARE(door.asked(u"report_sign"_s).size(), 2);
        const QJsonObject sent = door.asked(u"report_sign"_s).last();
        QCOMPARE(sent["note"_L1].toString(), u"all seen"_s);
        QCOMPARE(sent["figures_hash"_L1].toString(), u"as seen"_s);
        QCOMPARE(sent["since"_L1].toString(), u"2027-01-04T00:00:00.000Z"_s);
        QTRY_VERIFY(text(page, "signLine").contains(u"Signed by ada"_s));
        QVERIFY(!isShown(page, "sign"));
        QVERIFY(text(page, "signHash").contains(u"are those that were signed"_s));
        QCOMPARE(text(page, "done"), u"1 of 8 done"_s);
        tests::shoot(page, u"weekly-signed"_s);
    }

    void hostileTextStaysText()
    {
        QJsonObject report = tests::sampleReport();
        QJsonArray groups;
        QJsonObject group = tests::sampleGroup(u"g1"_s, tests::hostileText(), 5, 2);
        for (const QString &name : {u"workflow"_s, u"step"_s, u"class"_s, u"reason"_s, u"message"_s,
                                    u"owner"_s, u"note"_s})
            group.insert(name, tests::hostileText());
        group.insert(u"tags"_s, QJsonArray{tests::hostileText()});
        groups << group;
        report.insert(u"groups"_s, groups);
        report.insert(u"causes"_s,
                      QJsonArray{QJsonObject{{u"cause"_s, tests::hostileText()}, {u"runs"_s, 5}}});
        CannedDoor door;
        fill(door, report);
        WeeklyPage page(door.bridge());
        QVERIFY(raise(page, door, u"groups"_s));
        QTRY_VERIFY(text(page, "groupMessage").contains(u"[U+202E]"_s));
        QVERIFY(page.minimumSizeHint().width() < 1000);
        tests::shoot(page, u"weekly-hostile"_s);
    }

    void modelsKeepTheirWord()
    {
        CannedDoor door;
        fill(door);
        WeeklyPage page(door.bridge());
        QVector<QAbstractItemModelTester *> testers;
        for (const QTableView *view : page.findChildren<QTableView *>())
            testers << new QAbstractItemModelTester(
                view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest, &page);
        QVERIFY(testers.size() >= 9);
        QVERIFY(raise(page, door, u"groups"_s));
        fill(door, tests::emptyReport());
        page.findChild<QToolButton *>(u"previousWeek"_s)->click();
        QTRY_COMPARE(rows(page, "groups"), 0);
        QVERIFY(door.asked(u"group"_s).size() <= 2); // not one for each row that went
        fill(door);
        page.findChild<QToolButton *>(u"nextWeek"_s)->click();
        QTRY_COMPARE(rows(page, "groups"), 4);
        QCOMPARE(rows(page, "daysChartTable"), 7);
    }
};

QTEST_MAIN(WeeklyPageTest)
#include "tst_weekly_page.moc"
