// Answering an item offscreen, with a door that answers from a table. Goal: a decision carries what
// the person saw, can be taken back until it is sent, and a refusal is put in words. What reaches
// the outside is judged in tst_review_live.
#include "ui/review/receipt_text.h"
#include "ui/review_samples.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextEdit>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::review;
using model::minute;

class ReviewAnswersTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answersComeFromTheDryRun();
    void happenedByKeysCarriesReceiptReasonAndVersion();
    void plainIdBecomesAReceipt_data();
    void plainIdBecomesAReceipt();
    void undoWithinGraceSendsNothing();
    void closingSendsNothing();
    void anotherWasFasterIsSaidKindly();
    void itemTakenAwayIsExplained();
    void movedItemAsksToLookAgain();
    void draftsAreKeptPerItem();
    void verifyNeedsNoReasonAndNoGrace();
    void approvalCarriesTheHashShown();
    void claimSnoozeAndNote();
    void similarItemsAreAnsweredInABatch();
    void approvalsAreNobodysBatch();
};

void ReviewAnswersTest::answersComeFromTheDryRun()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"amb1"_s);
    QVERIFY(shown.find<QPushButton>(u"answer_happened"_s)->isEnabled());
    auto *undo = shown.find<QPushButton>(u"answer_compensate"_s);
    QVERIFY(!undo->isEnabled());
    QVERIFY(undo->toolTip().contains(u"nobody knows yet"_s));
    QVERIFY(!shown.find<QPushButton>(u"answer_approve"_s)->isVisible());
    QVERIFY(shown.find<QTextEdit>(u"evidence"_s)->toPlainText().contains(u"WHAT TO CHECK"_s));
    // A letter that is no answer here does nothing; one that is refused says why.
    QTest::keyClick(shown.list, Qt::Key_A);
    QCOMPARE(door.asked(u"approve"_s).size(), 0);
}

void ReviewAnswersTest::happenedByKeysCarriesReceiptReasonAndVersion()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"amb1"_s);
    auto *receipt = shown.find<QLineEdit>(u"receipt"_s);
    auto *reason = shown.find<QLineEdit>(u"reason"_s);
    QTest::keyClick(shown.list, Qt::Key_Y);
    QTRY_VERIFY(receipt->hasFocus());
    QTest::keyClicks(receipt, u"{\"id\":"_s);
    QTest::keyClick(receipt, Qt::Key_Return);
    QVERIFY(shown.find<widgets::WrapLabel>(u"receiptProblem"_s)->isVisible());
    QVERIFY(receipt->hasFocus());
    QTest::keyClicks(receipt, u"\"pi_7\"}"_s);
    QTest::keyClick(receipt, Qt::Key_Return);
    QTRY_VERIFY(reason->hasFocus());
    QCOMPARE(door.asked(u"resolve"_s).size(), 0);
    QTest::keyClicks(reason, u"seen in the dashboard"_s);
    QTest::keyClick(reason, Qt::Key_Return);
    QTRY_COMPARE(door.asked(u"resolve"_s).size(), 1);
    const QJsonObject sent = door.asked(u"resolve"_s).first();
    QCOMPARE(sent.value(u"review"_s).toString(), u"amb1"_s);
    QCOMPARE(sent.value(u"verdict"_s).toString(), u"happened"_s);
    QCOMPARE(sent.value(u"receipt"_s).toObject(), QJsonObject({{u"id"_s, u"pi_7"_s}}));
    QCOMPARE(sent.value(u"reason"_s).toString(), u"seen in the dashboard"_s);
    QCOMPARE(sent.value(u"version"_s).toInt(), 7);
    QCOMPARE(shown.list->currentId(), u"amb2"_s); // on to the next
    QTRY_VERIFY(shown.list->hasFocus());
}

void ReviewAnswersTest::plainIdBecomesAReceipt_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("id"); // empty: refused
    QTest::newRow("id") << u"pi_3Nx7"_s << u"pi_3Nx7"_s;
    QTest::newRow("number") << u" 8841 "_s << u"8841"_s;
    QTest::newRow("object") << u"{\"id\":\"x\"}"_s << u"x"_s;
    QTest::newRow("empty") << u"  "_s << QString();
    QTest::newRow("broken") << u"{\"id\""_s << QString();
    QTest::newRow("list") << u"[1]"_s << QString();
    QTest::newRow("words") << u"it is there"_s << QString();
}

void ReviewAnswersTest::plainIdBecomesAReceipt()
{
    QFETCH(QString, text);
    QFETCH(QString, id);
    const auto receipt = receiptFrom(text);
    QCOMPARE(receipt.ok(), !id.isEmpty());
    if (receipt)
        QCOMPARE(receipt->value(u"id"_s).toString(), id);
    else
        QVERIFY(receipt.error().message.endsWith(u'.'));
}

void ReviewAnswersTest::undoWithinGraceSendsNothing()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.page.setGrace(60'000);
    shown.go(u"amb1"_s);
    auto *reason = shown.find<QLineEdit>(u"reason"_s);
    QTest::keyClick(shown.list, Qt::Key_N);
    QTRY_VERIFY(reason->hasFocus());
    QTest::keyClicks(reason, u"not in the books"_s);
    QTest::keyClick(reason, Qt::Key_Return);
    auto *bar = shown.find<QWidget>(u"undoBar"_s);
    QVERIFY(bar->isVisible());
    QVERIFY(shown.find<QLabel>(u"undoText"_s)->text().contains(u"Sending in 60 s"_s));
    QVERIFY(shown.find<QLabel>(u"undoHint"_s)->text().contains(u"closing the window"_s));
    QTRY_COMPARE(shown.list->currentId(), u"amb2"_s);
    QVERIFY(shown.list->model()
                ->index(1, 0)
                .data(ReviewModel::stateRole)
                .toString()
                .contains(u"sending in"_s));
    shown.page.hide(); // leaving the page keeps it waiting
    shown.page.show();
    QApplication::setActiveWindow(&shown.page);
    QVERIFY(bar->isVisible());
    shown.list->setFocus();
    QTest::keyClick(shown.list, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!bar->isVisible());
    QCOMPARE(shown.list->currentId(), u"amb1"_s);
    QTRY_COMPARE(reason->text(), u"not in the books"_s);
    QCOMPARE(door.asked(u"resolve"_s).size(), 0);
}

void ReviewAnswersTest::closingSendsNothing()
{
    CannedDoor door;
    serve(door);
    {
        ShownReview shown(door);
        shown.page.setGrace(60'000);
        shown.go(u"amb1"_s);
        shown.find<QLineEdit>(u"reason"_s)->setText(u"why"_s);
        QTest::keyClick(shown.list, Qt::Key_N);
        QVERIFY(shown.find<QWidget>(u"undoBar"_s)->isVisible());
    }
    door.pulse();
    QCOMPARE(door.asked(u"resolve"_s).size(), 0);
}

void ReviewAnswersTest::anotherWasFasterIsSaidKindly()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"amb1"_s);
    QJsonObject decided = detailJson(samples().at(6), door.now);
    decided.insert(u"decided_by"_s, u"bob"_s);
    decided.insert(u"decision"_s, u"absent"_s);
    decided.insert(u"decided_at"_s, ago(door.now, minute));
    decided.insert(u"reason"_s, u"not in the books"_s);
    door.answer(u"resolve"_s, [](const QJsonObject &) {
        return model::Error{model::ErrorKind::conflict, u"bob decided item amb1"_s};
    });
    shown.find<QLineEdit>(u"receipt"_s)->setText(u"pi_7"_s);
    shown.find<QLineEdit>(u"reason"_s)->setText(u"seen"_s);
    door.answer(u"review"_s, decided);
    QTest::mouseClick(shown.find<QPushButton>(u"answer_happened"_s), Qt::LeftButton);
    QTRY_VERIFY(shown.notice().contains(u"bob was faster"_s));
    QVERIFY(shown.notice().contains(u"“absent”"_s));
    QVERIFY(shown.notice().contains(u"not in the books"_s));
    QVERIFY(shown.notice().contains(u"nothing was sent by you"_s));
}

void ReviewAnswersTest::itemTakenAwayIsExplained()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"amb1"_s);
    QVector<Sample> rest = samples();
    QJsonObject decided = detailJson(rest.at(6), door.now);
    decided.insert(u"decided_by"_s, u"bob"_s);
    decided.insert(u"decision"_s, u"happened"_s);
    decided.insert(u"decided_at"_s, ago(door.now, minute));
    rest.remove(6);
    serve(door, rest);
    door.answer(u"review"_s, [decided, rest, now = door.now.load()](const QJsonObject &in) {
        const bool isGone = in.value(u"review"_s).toString() == u"amb1"_s;
        return QJsonValue(isGone ? decided : detailJson(rest.at(5), now));
    });
    shown.page.refresh();
    QTRY_VERIFY(shown.notice().contains(u"bob answered charge · invoice:c7:8841"_s));
    QCOMPARE(shown.list->currentId(), u"amb2"_s);
}

void ReviewAnswersTest::movedItemAsksToLookAgain()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"amb1"_s);
    QJsonObject moved = detailJson(samples().at(6), door.now);
    moved.insert(u"version"_s, 9);
    door.answer(u"review"_s, moved);
    shown.page.refresh();
    QTRY_VERIFY(shown.notice().contains(u"version 7 is now 9"_s));
}

void ReviewAnswersTest::draftsAreKeptPerItem()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"amb1"_s);
    auto *reason = shown.find<QLineEdit>(u"reason"_s);
    QTest::keyClicks(reason, u"half a thought"_s);
    shown.go(u"amb2"_s);
    QTRY_COMPARE(reason->text(), QString());
    QTest::keyClicks(reason, u"another"_s);
    shown.page.refresh();
    shown.go(u"amb1"_s);
    QTRY_COMPARE(reason->text(), u"half a thought"_s);
    shown.go(u"amb2"_s);
    QTRY_COMPARE(reason->text(), u"another"_s);
}

void ReviewAnswersTest::verifyNeedsNoReasonAndNoGrace()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.page.setGrace(60'000);
    shown.go(u"amb1"_s);
    QTest::keyClick(shown.list, Qt::Key_V);
    QTRY_COMPARE(door.asked(u"resolve"_s).size(), 1);
    QCOMPARE(door.asked(u"resolve"_s).first().value(u"verdict"_s).toString(), u"verify"_s);
    QCOMPARE(shown.list->currentId(), u"amb1"_s);
}

void ReviewAnswersTest::approvalCarriesTheHashShown()
{
    CannedDoor door;
    serve(door);
    door.refuse(u"approve"_s, u"ada started this run; somebody else has to approve it"_s);
    ShownReview shown(door);
    shown.go(u"app1"_s);
    const QString evidence = shown.find<QTextEdit>(u"evidence"_s)->toPlainText();
    QVERIFY(evidence.contains(QString(64, u'a')));
    QVERIFY(evidence.contains(u"\"amount\": 12000"_s));
    shown.find<QLineEdit>(u"reason"_s)->setText(u"checked"_s);
    QTest::keyClick(shown.list, Qt::Key_A);
    QTRY_COMPARE(door.asked(u"approve"_s).size(), 1);
    QCOMPARE(door.asked(u"approve"_s).first().value(u"hash"_s).toString(), QString(64, u'a'));
    QTRY_VERIFY(shown.notice().contains(u"somebody else has to approve it"_s));
    shown.go(u"app2"_s);
    QTRY_COMPARE(shown.find<QLineEdit>(u"reason"_s)->text(), QString());
    QTest::keyClick(shown.list, Qt::Key_D);
    QTRY_VERIFY(shown.find<QLineEdit>(u"reason"_s)->hasFocus());
    QTest::keyClicks(shown.find<QLineEdit>(u"reason"_s), u"too much"_s);
    QTest::keyClick(shown.find<QLineEdit>(u"reason"_s), Qt::Key_Return);
    QTRY_COMPARE(door.asked(u"reject"_s).size(), 1);
}

void ReviewAnswersTest::claimSnoozeAndNote()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"amb1"_s);
    QTest::keyClick(shown.list, Qt::Key_C);
    QTRY_COMPARE(door.asked(u"claim"_s).size(), 1);
    QJsonObject mine = detailJson(samples().at(6), door.now);
    mine.insert(u"claimed_by"_s, u"ada"_s);
    mine.insert(u"claimed_until"_s, ago(door.now, -20 * minute));
    door.answer(u"review"_s, mine);
    shown.page.refresh();
    QTRY_VERIFY(shown.find<QLabel>(u"claim"_s)->text().startsWith(u"claimed: you until "_s));
    QTest::keyClick(shown.list, Qt::Key_S);
    auto *menu = shown.find<QMenu>(u"snoozeMenu"_s);
    QVERIFY(menu && menu->isVisible());
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_COMPARE(door.asked(u"snooze"_s).size(), 1);
    QCOMPARE(door.asked(u"snooze"_s).first().value(u"until"_s).toString(),
             ago(door.now, -30 * minute));
    shown.page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&shown.page));
    shown.list->setFocus();
    QTest::keyClick(shown.list, Qt::Key_T);
    auto *text = shown.find<QPlainTextEdit>(u"noteText"_s);
    QTRY_VERIFY(text);
    QTest::keyClicks(text, u"called the bank"_s);
    shown.find<QPushButton>(u"addNote"_s)->click();
    QTRY_COMPARE(door.asked(u"note"_s).size(), 1);
    QCOMPARE(door.asked(u"note"_s).first().value(u"text"_s).toString(), u"called the bank"_s);
    QSignalSpy went(&shown.page, &shell::Page::goTo);
    shown.list->setFocus();
    QTest::keyClick(shown.list, Qt::Key_Return);
    QCOMPARE(went.size(), 1);
    QCOMPARE(went.first().at(1).toJsonObject().value(u"run"_s).toString(), u"run-amb1"_s);
}

void ReviewAnswersTest::similarItemsAreAnsweredInABatch()
{
    CannedDoor door;
    serve(door);
    door.answer(u"batch_plan"_s, [](const QJsonObject &in) {
        QJsonArray items;
        for (const QJsonValue &id : in.value(u"items"_s).toArray())
            items << QJsonObject{{u"run_id"_s, u"run-"_s + id.toString()},
                                 {u"review"_s, id},
                                 {u"version"_s, 7},
                                 {u"verdict"_s, u"safe"_s},
                                 {u"may_include"_s, true}};
        return QJsonValue(QJsonObject{{u"items"_s, items}, {u"cursor"_s, QJsonValue()}});
    });
    door.answer(u"batch_start"_s, QJsonObject{{u"id"_s, u"b1"_s}});
    ShownReview shown(door);
    shown.go(u"amb1"_s);
    QSignalSpy went(&shown.page, &shell::Page::goTo);
    QTest::keyClick(shown.list, Qt::Key_B);
    QTRY_VERIFY(shown.find<QMenu>(u"similarMenu"_s));
    auto *menu = shown.find<QMenu>(u"similarMenu"_s);
    QStringList offered;
    for (const QAction *action : menu->actions())
        offered << action->text();
    // Compensating is no answer to an item, and the engine refuses it here anyway.
    QCOMPARE(offered, QStringList({u"It happened"_s, u"It did not happen"_s, u"Ask again"_s}));
    menu->actions().at(1)->trigger();
    QTRY_VERIFY(shown.find<QDialog>(u"batchDialog"_s));
    auto *dialog = shown.find<QDialog>(u"batchDialog"_s);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"batchReason"_s), u"not in the books"_s);
    auto *start = dialog->findChild<QPushButton *>(u"batchStart"_s);
    QTRY_VERIFY(start->isEnabled());
    start->click();
    QTRY_COMPARE(door.asked(u"batch_start"_s).size(), 1);
    const QJsonObject sent = door.asked(u"batch_start"_s).first();
    QCOMPARE(sent.value(u"act"_s).toString(), u"resolve"_s);
    QCOMPARE(sent.value(u"verdict"_s).toString(), u"absent"_s);
    // The conflict is about the same step and is another question.
    QStringList items;
    for (const QJsonValue &item : sent.value(u"items"_s).toArray())
        items << item[u"review"_s].toString();
    items.sort();
    QCOMPARE(items, QStringList({u"amb1"_s, u"amb2"_s}));
    QTRY_COMPARE(went.size(), 1);
    QCOMPARE(went.first().at(0).toString(), u"batches"_s);
}

void ReviewAnswersTest::approvalsAreNobodysBatch()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"app1"_s);
    QSignalSpy said(&shown.page, &shell::Page::said);
    QTest::keyClick(shown.list, Qt::Key_B);
    QCOMPARE(said.size(), 1);
    QVERIFY(!shown.find<QDialog>(u"batchDialog"_s));
}

QTEST_MAIN(ReviewAnswersTest)
#include "tst_review_answers.moc"
