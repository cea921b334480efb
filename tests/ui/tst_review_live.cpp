// Deciding from the window, on both databases, judged by the sandbox's own books: what was sent,
// how often, and what was not. Method: the real engine and a real bridge; only the page is driven,
// with keys and mouse.
#include "support/window.h"
#include "ui/canned_door.h"
#include "ui/review/review_list.h"
#include "ui/review/review_page.h"
#include "ui/widgets/wrap_label.h"

#include <QApplication>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextEdit>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;
using review::ReviewList;
using review::ReviewPage;

namespace
{
const QString messages = u"/mail/v1/messages"_s;              // cannot be asked, does not dedup
const QString reservations = u"/inventory/v1/reservations"_s; // can be asked by key
constexpr int patience = 20'000;

StepText mailStep(const QString &extra = {})
{
    StepText step;
    step.path = messages;
    step.timeout = u"10s"_s;
    step.extra = extra;
    return step;
}

void deploy(WindowMachine &window, const QString &protection, const StepText &step)
{
    const QString text = window.machine.dependencyText(protection) +
                         Machine::workflowText({Machine::stepText(step)});
    window.call(
        u"deploy"_s,
        {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"test.yaml"_s}, {u"text"_s, text}}}}});
}

// A person at the page.
struct Person {
    explicit Person(bridge::Bridge &bridge) : page(bridge)
    {
        page.setGrace(0);
        page.resize(1100, 700);
        list = page.findChild<ReviewList *>();
        QObject::connect(&bridge, &bridge::Bridge::changed, &page, &ReviewPage::refresh);
        page.show();
        page.refresh();
        sit();
    }
    void sit()
    {
        QApplication::setActiveWindow(&page);
        list->setFocus();
    }
    template <typename T>
    T *find(const QString &name)
    {
        return page.findChild<T *>(name);
    }
    // Whether the one item is there with its answers.
    bool sees(const QString &verdict)
    {
        return QTest::qWaitFor(
            [&] {
                const auto *button = find<QPushButton>(u"answer_"_s + verdict);
                return button && button->isVisible();
            },
            patience);
    }
    void answer(Qt::Key letter, const QString &reason, const QString &receipt = {})
    {
        sit();
        find<QLineEdit>(u"receipt"_s)->setText(receipt);
        find<QLineEdit>(u"reason"_s)->setText(reason);
        QTest::keyClick(list, letter);
    }
    QString notice() { return find<widgets::WrapLabel>(u"notice"_s)->text(); }
    bool isDone()
    {
        const auto *empty = find<widgets::WrapLabel>(u"empty"_s);
        return QTest::qWaitFor(
            [&] { return empty->isVisible() && empty->text().contains(u"settled"_s); }, patience);
    }

    ReviewPage page;
    ReviewList *list = nullptr;
};
} // namespace

class ReviewLiveTest : public QObject
{
    Q_OBJECT
    static void databases()
    {
        QTest::addColumn<int>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
    }

private Q_SLOTS:
    void happenedWithReceiptSendsNothingMore_data() { databases(); }
    void happenedWithReceiptSendsNothingMore()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window, u"none"_s, mailStep());
        QVERIFY(window.machine.push(messages, {u"work_then_drop"_s}));
        const QString run = window.start(u"a1"_s);
        QVERIFY(window.waitFor(run, u"review"_s));
        Person ada(window.bridge());
        QVERIFY(ada.sees(u"happened"_s));
        const QString evidence = ada.find<QTextEdit>(u"evidence"_s)->toPlainText();
        QVERIFY(evidence.contains(u"WHAT WE KNOW"_s));
        QVERIFY(evidence.contains(u"make:a1"_s));
        style::applyTheme(*qApp, style::Theme::light);
        shoot(ada.page, u"review-live"_s);
        ada.answer(Qt::Key_Y, u"seen in the outbox"_s, u"msg-77"_s);
        QVERIFY(window.waitFor(run, u"succeeded"_s));
        QCOMPARE(window.machine.world.books().writes(messages).size(), 1);
        QCOMPARE(window.machine.world.books().effectCount(), 1);
        const QJsonObject shown = window.call(u"show"_s, {{u"run"_s, run}});
        QCOMPARE(shown["steps"_L1][0]["receipt"_L1]["id"_L1].toString(), u"msg-77"_s);
        QVERIFY(ada.isDone());
    }

    void absentIsSentOnceMore_data() { databases(); }
    void absentIsSentOnceMore()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window, u"none"_s, mailStep());
        QVERIFY(window.machine.push(messages, {u"drop"_s}));
        const QString run = window.start(u"a1"_s);
        QVERIFY(window.waitFor(run, u"review"_s));
        Person ada(window.bridge());
        QVERIFY(ada.sees(u"absent"_s));
        ada.find<QLineEdit>(u"reason"_s)->setText(u"not in the outbox"_s);
        QTest::mouseClick(ada.find<QPushButton>(u"answer_absent"_s), Qt::LeftButton);
        QVERIFY(window.waitFor(run, u"succeeded"_s));
        const auto sent = window.machine.world.books().writes(messages);
        QCOMPARE(sent.size(), 2);
        QCOMPARE(sent.at(1).key, sent.at(0).key);
        QCOMPARE(sent.at(1).body, sent.at(0).body);
        QCOMPARE(window.machine.world.books().effectCount(), 1);
    }

    void undoneWithinGraceIsNeverSent_data() { databases(); }
    void undoneWithinGraceIsNeverSent()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window, u"none"_s, mailStep());
        QVERIFY(window.machine.push(messages, {u"drop"_s}));
        const QString run = window.start(u"a1"_s);
        QVERIFY(window.waitFor(run, u"review"_s));
        Person ada(window.bridge());
        QVERIFY(ada.sees(u"absent"_s));
        ada.page.setGrace(60'000);
        ada.answer(Qt::Key_N, u"too quick"_s);
        QTRY_VERIFY(ada.find<QWidget>(u"undoBar"_s)->isVisible());
        QTest::keyClick(ada.list, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!ada.find<QWidget>(u"undoBar"_s)->isVisible());
        // A later decision is applied; had the first been sent, it would have been before it.
        ada.page.setGrace(0);
        ada.answer(Qt::Key_Y, u"it is there after all"_s, u"msg-1"_s);
        QVERIFY(window.waitFor(run, u"succeeded"_s));
        QCOMPARE(window.machine.world.books().writes(messages).size(), 1);
    }

    void verifyAgainAsksTheTargetAndSettlesIt_data() { databases(); }
    void verifyAgainAsksTheTargetAndSettlesIt()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        StepText step;
        step.verify = true;
        step.timeout = u"10s"_s; // nothing here waits for it; a busy machine must not reach it
        step.attempts = 2;
        deploy(window, u"probe"_s, step);
        auto &faults = window.machine.world.faults();
        QVERIFY(faults.push(reservations, {u"work_then_drop"_s}).ok());
        QVERIFY(faults.always(u"GET "_s + reservations, u"probe_down"_s).ok());
        const QString run = window.start(u"a1"_s);
        QVERIFY(window.waitFor(run, u"review"_s));
        QVERIFY(faults.always(u"GET "_s + reservations, {}).ok());
        Person ada(window.bridge());
        QVERIFY(ada.sees(u"verify"_s));
        QTest::keyClick(ada.list, Qt::Key_V);
        QVERIFY(window.waitFor(run, u"succeeded"_s));
        QCOMPARE(window.machine.world.books().writes(reservations).size(), 1);
        QVERIFY(ada.isDone());
    }

    void approvedIsSentAndRejectedIsNot_data() { databases(); }
    void approvedIsSentAndRejectedIsNot()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window, u"none"_s, mailStep(u"    approval: {expires: 1h}\n"_s));
        const QString first = window.start(u"a1"_s);
        Person ada(window.bridge());
        QVERIFY(ada.sees(u"approve"_s));
        QVERIFY(ada.find<QTextEdit>(u"evidence"_s)->toPlainText().contains(u"THE EXACT REQUEST"_s));
        QCOMPARE(window.machine.world.books().requestCount(), 0);
        ada.answer(Qt::Key_A, u"within the limit"_s);
        QVERIFY(window.waitFor(first, u"succeeded"_s));
        QCOMPARE(window.machine.world.books().writes(messages).size(), 1);
        QVERIFY(ada.isDone());
        const QString second = window.start(u"a2"_s);
        QVERIFY(ada.sees(u"reject"_s));
        ada.answer(Qt::Key_D, u"too much"_s);
        QVERIFY2(window.waitFor(second, u"failed"_s), qPrintable(ada.notice()));
        QCOMPARE(window.machine.world.books().writes(messages).size(), 1);
    }

    void fourEyesAreSaid_data() { databases(); }
    void fourEyesAreSaid()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window, u"none"_s, mailStep(u"    approval: {four_eyes: true}\n"_s));
        const QString run = window.start(u"a1"_s); // as ada
        Person ada(window.bridge());
        QVERIFY(ada.sees(u"approve"_s));
        const auto *button = ada.find<QPushButton>(u"answer_approve"_s);
        QVERIFY(!button->isEnabled());
        QVERIFY(button->toolTip().contains(u"somebody else has to approve it"_s));
        const auto bridge = window.newBridge(u"bob"_s);
        Person bob(*bridge);
        QVERIFY(bob.sees(u"approve"_s));
        bob.answer(Qt::Key_A, u"looked"_s);
        QVERIFY(window.waitFor(run, u"succeeded"_s));
        QCOMPARE(window.machine.world.books().writes(messages).size(), 1);
    }

    // One wins; the other is told who and what, and nothing is sent on their account.
    void twoConsolesDecideTheSameItem_data() { databases(); }
    void twoConsolesDecideTheSameItem()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window, u"none"_s, mailStep());
        QVERIFY(window.machine.push(messages, {u"drop"_s}));
        const QString run = window.start(u"a1"_s);
        QVERIFY(window.waitFor(run, u"review"_s));
        const auto bridge = window.newBridge(u"bob"_s);
        Person ada(window.bridge());
        Person bob(*bridge);
        QVERIFY(ada.sees(u"happened"_s));
        QVERIFY(bob.sees(u"happened"_s));
        // Ada's page hears nothing more before she decides.
        QObject::disconnect(&window.bridge(), nullptr, &ada.page, nullptr);
        bob.answer(Qt::Key_Y, u"found it"_s, u"msg-9"_s);
        QVERIFY(window.waitFor(run, u"succeeded"_s));
        ada.answer(Qt::Key_N, u"not there"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(ada.notice().contains(u"bob was faster"_s),
                                  qPrintable(ada.notice()), patience);
        QVERIFY(ada.notice().contains(u"“happened”"_s));
        QVERIFY(ada.notice().contains(u"found it"_s));
        QVERIFY(ada.isDone());
        QCOMPARE(window.machine.world.books().writes(messages).size(), 1);
    }

    void aClaimIsSeenByOthers_data() { databases(); }
    void aClaimIsSeenByOthers()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window, u"none"_s, mailStep());
        QVERIFY(window.machine.push(messages, {u"drop"_s}));
        QVERIFY(window.waitFor(window.start(u"a1"_s), u"review"_s));
        const auto bridge = window.newBridge(u"bob"_s);
        Person bob(*bridge);
        Person ada(window.bridge());
        QVERIFY(ada.sees(u"happened"_s));
        QVERIFY(bob.sees(u"happened"_s));
        ada.sit();
        QTest::keyClick(ada.list, Qt::Key_C);
        const auto claim = [](Person &person) { return person.find<QLabel>(u"claim"_s)->text(); };
        QTRY_VERIFY_WITH_TIMEOUT(claim(ada).startsWith(u"claimed: you until "_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(claim(bob).startsWith(u"claimed: ada until "_s), patience);
        bob.sit();
        QTest::keyClick(bob.list, Qt::Key_C);
        QTRY_VERIFY_WITH_TIMEOUT(bob.notice().contains(u"ada is looking at item"_s), patience);
        ada.sit();
        QTest::keyClick(ada.list, Qt::Key_C); // gives it back
        QTRY_COMPARE_WITH_TIMEOUT(claim(bob), QString(), patience);
    }
};

QTEST_MAIN(ReviewLiveTest)
#include "tst_review_live.moc"
