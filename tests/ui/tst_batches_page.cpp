// Goal: the page shows a batch as the door tells it, with totals and what became of each item, and
// hands a person's word on; before one is started, the dialog counts and sets apart what is not
// safe. Method: a door that answers from a table; with HOLDFAST_SHOTS, pictures in both themes.
#include "canned_door.h"
#include "ui/batch/batch_dialog.h"
#include "ui/batches/batches_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::batches;
using tests::CannedDoor;

namespace
{
QJsonObject batchRow(const QString &id, const QString &state)
{
    return {{u"id"_s, id},
            {u"act"_s, u"retry"_s},
            {u"verdict"_s, QJsonValue()},
            {u"reason"_s, u"Stripe is back after the incident"_s},
            {u"actor"_s, u"ada"_s},
            {u"filter"_s, u"status:failed workflow:billing-assistant since:7d"_s},
            {u"rate"_s, 20},
            {u"includes_unsafe"_s, false},
            {u"state"_s, state},
            {u"note"_s, state == "held"_L1 ? QJsonValue(u"2 of the last 6 did not work: the run is "
                                                        "failed again"_s)
                                           : QJsonValue()},
            {u"items"_s, 5000},
            {u"chosen"_s, 4200},
            {u"taken"_s, 1234},
            {u"started_at"_s, u"2026-11-18T08:00:00.000Z"_s},
            {u"ended_at"_s, QJsonValue()},
            {u"workers_alive"_s, 1},
            {u"totals"_s, QJsonObject{{u"states"_s, QJsonObject{{u"applied"_s, 1200},
                                                                {u"refused"_s, 14},
                                                                {u"recorded"_s, 20},
                                                                {u"pending"_s, 2966},
                                                                {u"skipped"_s, 0},
                                                                {u"apart"_s, 800}}},
                                      {u"runs_now"_s, QJsonObject{{u"succeeded"_s, 1150},
                                                                  {u"running"_s, 46},
                                                                  {u"failed"_s, 4}}}}}};
}

QJsonObject itemRow(int place, const QString &state, const QString &verdict = u"safe"_s)
{
    return {{u"place"_s, place},
            {u"run_id"_s, u"0199a3f2-7c1e-7d7a-9f0b-%1"_s.arg(place, 12, 10, QChar(u'0'))},
            {u"review"_s, QJsonValue()},
            {u"version"_s, 4},
            {u"verdict"_s, verdict},
            {u"state"_s, state},
            {u"command"_s, QJsonValue()},
            {u"message"_s, state == "apart"_L1
                               ? QJsonValue(u"nobody knows yet whether step charge happened"_s)
                               : QJsonValue()},
            {u"status"_s, state == "applied"_L1 ? u"succeeded"_s : u"failed"_s}};
}

QJsonObject plannedRow(int number, const QString &verdict, bool mayInclude, const QString &why)
{
    return {{u"run_id"_s, u"run-%1"_s.arg(number)},
            {u"review"_s, QJsonValue()},
            {u"version"_s, 4},
            {u"workflow"_s, u"billing-assistant"_s},
            {u"event_id"_s, u"order-%1"_s.arg(number)},
            {u"status"_s, u"failed"_s},
            {u"verdict"_s, verdict},
            {u"may_include"_s, mayInclude},
            {u"why"_s, why}};
}
} // namespace

class BatchesPageTest : public QObject
{
    Q_OBJECT

    static void fill(CannedDoor &door, const QString &state)
    {
        door.answer(u"batches"_s,
                    QJsonObject{{u"batches"_s, QJsonArray{batchRow(u"b2"_s, state),
                                                          batchRow(u"b1"_s, u"done"_s)}}});
        door.answer(u"batch"_s, [state](const QJsonObject &arguments) {
            const QString id = arguments["batch"_L1].toString();
            return QJsonValue(batchRow(id, id == "b2"_L1 ? state : u"done"_s));
        });
        door.answer(u"batch_items"_s, [](const QJsonObject &arguments) {
            const bool all = arguments["state"_L1].isUndefined();
            const QJsonArray rows = all ? QJsonArray{itemRow(1, u"applied"_s),
                                                     itemRow(2, u"refused"_s),
                                                     itemRow(3, u"recorded"_s),
                                                     itemRow(4, u"pending"_s),
                                                     itemRow(5, u"apart"_s, u"verify"_s),
                                                     itemRow(6, u"apart"_s, u"duplicate"_s)}
                                        : QJsonArray{itemRow(2, u"refused"_s)};
            return QJsonValue(QJsonObject{{u"items"_s, rows}, {u"after"_s, QJsonValue()}});
        });
    }
    static int rows(const QWidget &page, const char *table)
    {
        return page.findChild<QTableView *>(QLatin1String(table))->model()->rowCount();
    }
    static QString text(const QWidget &page, const char *name)
    {
        return page.findChild<QWidget *>(QLatin1String(name))->property("text").toString();
    }

private Q_SLOTS:
    void anEmptyPageSaysHowABatchBegins()
    {
        CannedDoor door;
        door.answer(u"batches"_s, QJsonObject{{u"batches"_s, QJsonArray()}});
        BatchesPage page(door.bridge());
        page.resize(1200, 700);
        page.show();
        page.refresh();
        QTRY_COMPARE(door.asked(u"batches"_s).size(), 1);
        QCOMPARE(page.where(), QJsonObject());
        QVERIFY(tests::nameless(page).isEmpty());
        tests::shoot(page, u"batches-empty"_s);
    }

    void aBatchIsShownWithTotalsAndItems_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(style::Theme::light);
        QTest::newRow("dark") << int(style::Theme::dark);
    }
    void aBatchIsShownWithTotalsAndItems()
    {
        QFETCH(int, theme);
        style::applyTheme(*qApp, style::Theme(theme));
        CannedDoor door;
        fill(door, u"held"_s);
        BatchesPage page(door.bridge());
        page.resize(1200, 700);
        page.show();
        page.open({{u"batch"_s, u"b2"_s}});
        QTRY_COMPARE(rows(page, "batches"), 2);
        QTRY_COMPARE(rows(page, "batchItems"), 6);
        QTRY_VERIFY(text(page, "batchTotals").contains(u"2,966"_s));
        QVERIFY(text(page, "batchNote").contains(u"did not work"_s));
        QVERIFY(text(page, "batchNow").contains(u"1,150"_s));
        QVERIFY(page.findChild<QPushButton *>(u"batchGo"_s)->isEnabled());
        QVERIFY(!page.findChild<QPushButton *>(u"batchHold"_s)->isEnabled());
        QVERIFY(tests::nameless(page).isEmpty());
        tests::shoot(page, u"batches"_s);
        style::applyTheme(*qApp, style::Theme::light);
    }

    void aPersonsWordIsHandedOn()
    {
        CannedDoor door;
        fill(door, u"running"_s);
        door.answer(u"batch_do"_s, batchRow(u"b2"_s, u"stopped"_s));
        BatchesPage page(door.bridge());
        page.show();
        page.refresh();
        auto *stop = page.findChild<QPushButton *>(u"batchStop"_s);
        QTRY_VERIFY(stop->isEnabled());
        fill(door, u"stopped"_s);
        QTest::mouseClick(stop, Qt::LeftButton);
        QTRY_COMPARE(door.asked(u"batch_do"_s).size(), 1);
        QCOMPARE(door.asked(u"batch_do"_s).first()["do"_L1].toString(), u"stop"_s);
        QCOMPARE(door.asked(u"batch_do"_s).first()["batch"_L1].toString(), u"b2"_s);
        QTRY_VERIFY(!stop->isEnabled());
    }

    void itemsAreFilteredByOutcomeAndLeadToTheirRun()
    {
        CannedDoor door;
        fill(door, u"running"_s);
        BatchesPage page(door.bridge());
        page.resize(1200, 700);
        page.show();
        page.refresh();
        QTRY_COMPARE(rows(page, "batchItems"), 6);
        auto *filter = page.findChild<QComboBox *>(u"outcomeFilter"_s);
        filter->setCurrentIndex(filter->findData(u"refused"_s));
        QTRY_COMPARE(rows(page, "batchItems"), 1);
        QCOMPARE(door.asked(u"batch_items"_s).last()["state"_L1].toString(), u"refused"_s);
        QSignalSpy went(&page, &shell::Page::goTo);
        auto *table = page.findChild<QTableView *>(u"batchItems"_s);
        table->setCurrentIndex(table->model()->index(0, 0));
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_COMPARE(went.size(), 1);
        QCOMPARE(went.first().first().toString(), u"run"_s);
    }

    void aRefusalIsSaid()
    {
        CannedDoor door;
        fill(door, u"running"_s);
        door.lose(u"batches"_s);
        BatchesPage page(door.bridge());
        page.show();
        page.refresh();
        QTRY_VERIFY(page.findChild<QWidget *>(u"problem"_s)->isVisible());
        QVERIFY(text(page, "problem").contains(u"away"_s));
    }

    void theDialogCountsFirst_data() { aBatchIsShownWithTotalsAndItems_data(); }
    void theDialogCountsFirst()
    {
        QFETCH(int, theme);
        style::applyTheme(*qApp, style::Theme(theme));
        CannedDoor door;
        door.answer(u"batch_plan"_s, [](const QJsonObject &arguments) {
            const bool isFirst = arguments["cursor"_L1].isUndefined();
            QJsonArray items;
            for (int i = 0; i < 4; ++i)
                items << plannedRow(i + (isFirst ? 0 : 4), u"safe"_s, true,
                                    u"Tries charge again under the same key."_s);
            if (!isFirst) {
                items << plannedRow(8, u"verify"_s, false,
                                    u"nobody knows yet whether step charge happened: it is being "
                                    "verified"_s)
                      << plannedRow(9, u"duplicate"_s, true,
                                    u"step charge would be sent again; if it did happen, it "
                                    "happens twice"_s)
                      << plannedRow(10, u"impossible"_s, false, u"the run succeeded"_s);
            }
            return QJsonValue(QJsonObject{
                {u"items"_s, items}, {u"cursor"_s, isFirst ? QJsonValue(u"4"_s) : QJsonValue()}});
        });
        door.answer(u"batch_start"_s, QJsonObject{{u"id"_s, u"b9"_s}});
        QWidget parent;
        batch::Order order;
        order.act = u"retry"_s;
        order.filter = u"status:failed"_s;
        auto *dialog =
            new batch::BatchDialog(door.bridge(), order, u"all 11 that match"_s, &parent);
        QSignalSpy started(dialog, &batch::BatchDialog::started);
        dialog->show();
        auto *start = dialog->findChild<QPushButton *>(u"batchStart"_s);
        QVERIFY(!start->isEnabled());
        QTRY_COMPARE(rows(*dialog, "batchExamples"), 11);
        QVERIFY(text(*dialog, "batchCount").startsWith(u"11 counted"_s));
        QVERIFY(!start->isEnabled()); // no reason yet
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"batchReason"_s), u"bank is back"_s);
        QVERIFY(start->isEnabled());
        QCOMPARE(start->text(), u"Retry: start with 8"_s);
        auto *include = dialog->findChild<QCheckBox *>(u"batchInclude"_s);
        include->setChecked(true);
        QCOMPARE(start->text(), u"Retry: start with 9"_s);
        QVERIFY(tests::nameless(*dialog).isEmpty());
        tests::shoot(*dialog, u"batch-dialog"_s);
        QTest::mouseClick(start, Qt::LeftButton);
        QTRY_COMPARE(started.size(), 1);
        const QJsonObject sent = door.asked(u"batch_start"_s).first();
        QCOMPARE(sent["items"_L1].toArray().size(), 11);
        QCOMPARE(sent["include_unsafe"_L1].toBool(), true);
        QCOMPARE(sent["reason"_L1].toString(), u"bank is back"_s);
        style::applyTheme(*qApp, style::Theme::light);
    }
};

QTEST_MAIN(BatchesPageTest)
#include "tst_batches_page.moc"
