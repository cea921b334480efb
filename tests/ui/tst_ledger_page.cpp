// The ledger page offscreen, fed by canned answers. Goal: a key is found and read whole, pages
// follow each other without moving what is there, and nothing can be deleted.
#include "ui/canned_door.h"
#include "ui/ledger/key_detail.h"
#include "ui/ledger/key_look.h"
#include "ui/ledger/ledger_page.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::ledger;
using namespace Qt::StringLiterals;

namespace
{
QJsonObject keyRow(const QString &key, const QString &status)
{
    return {{u"key"_s, key},
            {u"operation"_s, u"payments POST /payments/v1/charges"_s},
            {u"hash"_s, QString(64, u'a')},
            {u"status"_s, status},
            {u"run_id"_s, u"0197c3aa-0000-7000-8000-0000000000e2"_s},
            {u"step"_s, u"charge"_s},
            {u"direction"_s, u"forward"_s},
            {u"request"_s, QJsonObject{{u"method"_s, u"POST"_s},
                                       {u"path"_s, u"/payments/v1/charges"_s},
                                       {u"body"_s, QJsonObject{{u"amount"_s, 12000},
                                                               {u"customer"_s, u"c-17"_s}}}}},
            {u"result"_s,
             status == "succeeded"_L1 ? QJsonObject{{u"id"_s, u"ch_77"_s}} : QJsonObject()},
            {u"created_at"_s, u"2027-01-15T06:00:00.000Z"_s},
            {u"expires_at"_s,
             status == "processing"_L1 ? QJsonValue() : QJsonValue(u"2027-02-14T06:00:00.000Z"_s)}};
}

// 250 keys in pages of at most 100, as the door gives them.
QJsonObject pageOf(const QJsonObject &arguments)
{
    const QString status = arguments.value("status"_L1).toString();
    const int from = arguments.value("after"_L1).toString(u"0"_s).toInt();
    QJsonArray rows;
    int at = from;
    for (; at < 250 && rows.size() < arguments.value("limit"_L1).toInt(); ++at) {
        const QString own = keyStatuses().at(at % keyStatuses().size());
        if (!status.isEmpty() && status != own)
            continue;
        QJsonObject row =
            keyRow(u"charge:c-%1:order-%2"_s.arg(at % 40).arg(at, 4, 10, QLatin1Char('0')), own);
        row.remove(u"request"_s); // only a key that is asked for by itself comes with it
        rows.append(row);
    }
    return {{u"ledger"_s, rows},
            {u"cursor"_s, at < 250 ? QJsonValue(QString::number(at)) : QJsonValue()}};
}

void fill(CannedDoor &door)
{
    door.answer(u"ledger_page"_s, [](const QJsonObject &in) { return QJsonValue(pageOf(in)); });
    door.answer(u"ledger"_s, [](const QJsonObject &in) {
        const QString key = in.value("key"_L1).toString();
        const QJsonArray rows =
            key.startsWith(u"charge"_s) ? QJsonArray{keyRow(key, u"succeeded"_s)} : QJsonArray();
        return QJsonValue(QJsonObject{{u"ledger"_s, rows}});
    });
}

widgets::SteadyTable *tableOf(const LedgerPage &page)
{
    return page.findChild<widgets::SteadyTable *>(u"keys"_s);
}
} // namespace

class LedgerPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void pagesFollowEachOther();
    void aKeyIsLookedUp();
    void unknownKeyIsSaid();
    void statusNarrows();
    void detailIsWhole();
    void slashFocusesTheSearch();
    void lateAnswersAreNotShown();
    void emptyAndFailedStatesAreSaid();
    void nothingCanBeDeleted();
    void hostileTextBreaksNothing();
    void everyControlHasAName();
    void pictures();

private:
    static void settle(LedgerPage &page)
    {
        page.resize(1120, 760);
        page.show();
        page.refresh();
        QTRY_VERIFY(tableOf(page)->model()->rowCount() > 0);
    }
};

void LedgerPageTest::pagesFollowEachOther()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    QAbstractItemModelTester tester(tableOf(page)->model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(tableOf(page)->model()->rowCount(), 100);
    QCOMPARE(page.findChild<QLabel *>(u"count"_s)->text(), u"100 keys, and more"_s);
    tableOf(page)->selectRow(3);
    auto *more = page.findChild<QPushButton *>(u"more"_s);
    QTest::mouseClick(more, Qt::LeftButton);
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 200);
    QCOMPARE(tableOf(page)->currentIndex().row(), 3);
    tableOf(page)->scrollToBottom(); // reaching the end asks for more by itself
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 250);
    QVERIFY(!more->isVisible());
    QCOMPARE(page.findChild<QLabel *>(u"count"_s)->text(), u"250 keys"_s);
    const auto asked = door.asked(u"ledger_page"_s).size();
    page.refresh(); // what was paged through stays
    QCOMPARE(tableOf(page)->model()->rowCount(), 250);
    QCOMPARE(door.asked(u"ledger_page"_s).size(), asked);
}

void LedgerPageTest::aKeyIsLookedUp()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    QSignalSpy placed(&page, &shell::Page::placeChanged);
    auto *search = page.findChild<QLineEdit *>(u"search"_s);
    QTest::keyClicks(search, u" charge:c-1:order-7 "_s);
    QCOMPARE(door.asked(u"ledger"_s).size(), 0);
    QTest::keyClick(search, Qt::Key_Return);
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 1);
    QCOMPARE(door.asked(u"ledger"_s).last().value("key"_L1).toString(), u"charge:c-1:order-7"_s);
    QCOMPARE(placed.size(), 1);
    QCOMPARE(page.where(), (QJsonObject{{u"key"_s, u"charge:c-1:order-7"_s}}));
    QVERIFY(page.findChild<KeyDetail *>()->isVisible()); // what was looked up is shown
    search->clear();
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 100);
    page.open({{u"key"_s, u"charge:other"_s}});
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 1);
    QCOMPARE(search->text(), u"charge:other"_s);
}

void LedgerPageTest::unknownKeyIsSaid()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    page.open({{u"key"_s, u"nobody"_s}});
    auto *note = page.findChild<QLabel *>(u"keysEmpty"_s);
    QTRY_VERIFY(note->isVisible() && note->text().startsWith(u"Nobody used this key"_s));
}

void LedgerPageTest::statusNarrows()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    auto *filter = page.findChild<QComboBox *>(u"statusFilter"_s);
    filter->setFocus();
    QTest::keyClick(filter, Qt::Key_Down);
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 50);
    QCOMPARE(door.asked(u"ledger_page"_s).last().value("status"_L1).toString(), u"processing"_s);
    QCOMPARE(tableOf(page)->model()->index(0, 2).data().toString(), u"▶ Processing"_s);
    QCOMPARE(page.where(), (QJsonObject{{u"status"_s, u"processing"_s}}));
    page.open({});
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 100);
    QCOMPARE(filter->currentIndex(), 0);
}

void LedgerPageTest::detailIsWhole()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    tableOf(page)->selectRow(1);
    auto *detail = page.findChild<KeyDetail *>();
    QVERIFY(detail->isVisible());
    QCOMPARE(detail->findChild<QLabel *>(u"keyStatus"_s)->text(), u"✔ Succeeded"_s);
    const auto *request = detail->findChild<widgets::CodeView *>(u"request"_s);
    QTRY_VERIFY(request->toPlainText().contains(u"\"amount\": 12000"_s));
    // Reading the list again does not take it away, nor ask for it again.
    const auto asked = door.asked(u"ledger_page"_s).size();
    page.refresh();
    QTRY_VERIFY(door.asked(u"ledger_page"_s).size() > asked);
    settle(page);
    QVERIFY(request->toPlainText().contains(u"\"amount\": 12000"_s));
    QCOMPARE(door.asked(u"ledger"_s).size(), 1);
    QVERIFY(
        detail->findChild<widgets::CodeView *>(u"result"_s)->toPlainText().contains(u"ch_77"_s));
    QSignalSpy went(&page, &shell::Page::goTo);
    QTest::mouseClick(detail->findChild<QPushButton *>(u"openRun"_s), Qt::LeftButton);
    QCOMPARE(went.size(), 1);
    QCOMPARE(went.first().at(0).toString(), u"run"_s);
    QTest::mouseClick(detail->findChild<QPushButton *>(u"copyKey"_s), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), u"charge:c-1:order-0001"_s);
    tableOf(page)->selectRow(0);
    QVERIFY(detail->findChild<widgets::CodeView *>(u"result"_s)
                ->toPlainText()
                .contains(u"no result yet"_s));
}

void LedgerPageTest::slashFocusesTheSearch()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    tableOf(page)->setFocus();
    QTest::keyClick(tableOf(page), Qt::Key_Slash);
    QTRY_VERIFY(page.findChild<QLineEdit *>(u"search"_s)->hasFocus());
}

void LedgerPageTest::lateAnswersAreNotShown()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    page.open({{u"key"_s, u"charge:a"_s}});
    page.open({{u"key"_s, u"nobody"_s}});
    page.open({{u"key"_s, u"charge:b"_s}});
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 1);
    QCOMPARE(tableOf(page)->model()->index(0, 0).data().toString(), u"charge:b"_s);
}

void LedgerPageTest::emptyAndFailedStatesAreSaid()
{
    CannedDoor door;
    LedgerPage page(door.bridge());
    page.resize(1120, 760);
    page.show();
    auto *note = page.findChild<QLabel *>(u"keysEmpty"_s);
    QCOMPARE(note->text(), u"Reading the ledger…"_s);
    door.answer(u"ledger_page"_s, QJsonObject{{u"ledger"_s, QJsonArray()}});
    page.refresh();
    QTRY_VERIFY(note->text().startsWith(u"No keys yet"_s));
    shoot(page, u"ledger-empty"_s);
    fill(door);
    page.refresh();
    QTRY_COMPARE(tableOf(page)->model()->rowCount(), 100);
    door.lose(u"ledger_page"_s);
    page.refresh();
    QTRY_VERIFY(page.findChild<QWidget *>(u"problem"_s)->isVisible());
    QCOMPARE(tableOf(page)->model()->rowCount(), 100);
}

void LedgerPageTest::nothingCanBeDeleted()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    tableOf(page)->selectRow(0);
    QTest::keyClick(tableOf(page), Qt::Key_Delete);
    QCOMPARE(tableOf(page)->model()->rowCount(), 100);
    for (const QPushButton *button : page.findChildren<QPushButton *>())
        QVERIFY(!button->text().contains(u"elete"_s));
}

void LedgerPageTest::hostileTextBreaksNothing()
{
    CannedDoor door;
    QJsonObject row = keyRow(hostileText(), hostileText());
    for (const QString &name : {u"operation"_s, u"hash"_s, u"run_id"_s, u"step"_s})
        row.insert(name, hostileText());
    row.insert(u"request"_s, QJsonObject{{hostileText(), hostileText()}});
    door.answer(u"ledger"_s, QJsonObject{{u"ledger"_s, QJsonArray{row}}});
    row.remove(u"request"_s);
    door.answer(u"ledger_page"_s, QJsonObject{{u"ledger"_s, QJsonArray{row}}});
    LedgerPage page(door.bridge());
    settle(page);
    tableOf(page)->selectRow(0);
    const auto *request = page.findChild<widgets::CodeView *>(u"request"_s);
    QTRY_VERIFY(request->toPlainText().contains(u"<img src=x>"_s));
    for (const QLabel *label : page.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(page.minimumSizeHint().width() <= 1120);
    QVERIFY(page.minimumSizeHint().height() <= 760);
    shoot(page, u"ledger-hostile"_s);
}

void LedgerPageTest::everyControlHasAName()
{
    CannedDoor door;
    fill(door);
    LedgerPage page(door.bridge());
    settle(page);
    tableOf(page)->selectRow(0);
    QCOMPARE(nameless(page).join(u' '), QString());
}

void LedgerPageTest::pictures()
{
    for (const style::Theme theme : {style::Theme::light, style::Theme::dark}) {
        CannedDoor door;
        fill(door);
        LedgerPage page(door.bridge());
        settle(page);
        style::applyTheme(*qApp, theme);
        tableOf(page)->selectRow(1);
        shoot(page, u"ledger"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(LedgerPageTest)
#include "tst_ledger_page.moc"
