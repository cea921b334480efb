// The weekly page on the real door, on both databases: a failure that really happened is a group on
// it, a decision is recorded and seen, the runs behind it are found by the filter it leads to, and
// a week that is over can be signed and exported.
#include "canned_door.h"
#include "support/window.h"
#include "ui/weekly/section_list.h"
#include "ui/weekly/weekly_page.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::weekly;
using namespace Qt::StringLiterals;

class WeeklyDoorTest : public QObject
{
    Q_OBJECT

    static QString text(const QWidget &page, const char *name)
    {
        return page.findChild<QWidget *>(QLatin1String(name))->property("text").toString();
    }

private Q_SLOTS:
    void theWeekIsTheDoors_data()
    {
        QTest::addColumn<int>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
    }
    void theWeekIsTheDoors()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        Machine &machine = window.machine;
        const QString files = machine.dependencyText(u"none"_s) +
                              Machine::workflowText({Machine::stepText(StepText())});
        window.call(
            u"deploy"_s,
            {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"a.yaml"_s}, {u"text"_s, files}}}}});
        QVERIFY(window.waitFor(window.start(u"a"_s), u"succeeded"_s));
        QVERIFY(machine.push(u"/inventory/v1/reservations"_s, {u"work_then_drop"_s}));
        QVERIFY(window.waitFor(window.start(u"b"_s), u"review"_s));

        WeeklyPage page(window.bridge());
        page.resize(1080, 700);
        page.show();
        page.findChild<QToolButton *>(u"nextWeek"_s)->click(); // the week under way
        page.open({{u"section"_s, u"groups"_s}});
        const QAbstractItemModel *groups = page.findChild<QTableView *>(u"groups"_s)->model();
        QTRY_COMPARE(groups->rowCount(), 1);
        QCOMPARE(groups->index(0, 0).data().toString(), u"● New"_s);
        QCOMPARE(groups->index(0, 1).data().toString(), u"flow · make"_s);
        QVERIFY(groups->index(0, 2).data().toString().startsWith(u"ambiguous"_s));
        QCOMPARE(groups->index(0, 3).data().toString(), u"1"_s);
        QTRY_VERIFY(text(page, "groupedBy").contains(u"flow"_s));
        QCOMPARE(page.findChild<QTableView *>(u"unresolved"_s)->model()->rowCount(), 1);
        QVERIFY(page.findChild<QTableView *>(u"measures"_s)->model()->rowCount() >= 5);
        shoot(page, u"weekly-real"_s);

        QSignalSpy went(&page, &shell::Page::goTo);
        QTest::mouseClick(page.findChild<QPushButton *>(u"groupRuns"_s), Qt::LeftButton);
        QCOMPARE(went.size(), 1);
        const QJsonObject found = window.call(
            u"runs"_s, {{u"filter"_s, went[0][1].toJsonObject()["filter"_L1]}, {u"limit"_s, 5}});
        QCOMPARE(found["runs"_L1].toArray().size(), 1);

        QTest::mouseClick(page.findChild<QPushButton *>(u"archive"_s), Qt::LeftButton);
        QTRY_VERIFY(groups->index(0, 6).data().toString().contains(u"Archived"_s));
        QVERIFY2(text(page, "actLine").contains(u"Recorded"_s), qPrintable(text(page, "actLine")));

        page.findChild<QToolButton *>(u"previousWeek"_s)->click();
        auto *sign = page.findChild<QPushButton *>(u"sign"_s);
        QTRY_VERIFY(sign->isEnabled());
        sign->click();
        QTRY_VERIFY2(text(page, "signLine").contains(u"Signed by"_s),
                     qPrintable(text(page, "signHash")));
        QVERIFY(text(page, "signHash").contains(u"are those that were signed"_s));

        QTemporaryDir folder;
        for (const QString &format : {u"html"_s, u"markdown"_s, u"csv"_s, u"pdf"_s}) {
            const QString path = folder.filePath(format);
            page.exportTo(format, path);
            QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path).size() > 100, 20'000);
            QTRY_VERIFY(text(page, "exportText").startsWith(u"✔"_s));
        }
    }
};

QTEST_MAIN(WeeklyDoorTest)
#include "tst_weekly_door.moc"
