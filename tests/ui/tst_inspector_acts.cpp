// Acts from the inspector on the real engine, on both databases, judged by the sandbox's books: a
// compensation does what its preview said, in reverse order and once; a part is a part; an
// ambiguous outcome is verified; and the window shows how it goes.
#include "support/window.h"
#include "ui/inspector/detail_tabs.h"
#include "ui/inspector/inspector_page.h"
#include "ui/inspector/timeline.h"

#include <QAbstractItemView>
#include <QAction>
#include <QDialog>
#include <QDir>
#include <QJsonArray>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::inspector;
using tests::Machine;
using tests::StepText;
using tests::WindowMachine;

namespace
{
struct Desk {
    explicit Desk(int database) : window(Machine::Database(database)), page(window.bridge())
    {
        page.resize(1200, 700);
        page.show();
        QObject::connect(&window.bridge(), &bridge::Bridge::changed, &page,
                         &InspectorPage::refresh);
    }

    void deploy(bool verified = false)
    {
        StepText reserve;
        reserve.name = u"reserve"_s;
        reserve.undo = u"/inventory/v1/reservations/${ receipt.id }/release"_s;
        StepText charge;
        charge.name = u"charge"_s;
        charge.path = u"/payments/v1/charges"_s;
        charge.undo = u"/payments/v1/charges/${ receipt.id }/refund"_s;
        charge.verify = verified;
        const QString text =
            window.machine.dependencyText(verified ? u"probe"_s : u"native"_s) +
            Machine::workflowText({Machine::stepText(reserve), Machine::stepText(charge)});
        const QJsonObject file{{u"file"_s, u"test.yaml"_s}, {u"text"_s, text}};
        window.call(u"deploy"_s, {{u"files"_s, QJsonArray{file}}});
    }
    bool open(const QString &run, const QString &status)
    {
        if (!window.waitFor(run, status))
            return false;
        page.open({{u"run"_s, run}});
        return sees(status);
    }
    bool sees(const QString &status)
    {
        return QTest::qWaitFor([&] { return page.story().status == status; }, 20'000);
    }
    QDialog *dialog(const QString &name)
    {
        QDialog *found = nullptr;
        (void)QTest::qWaitFor([&] { return (found = page.findChild<QDialog *>(name)) != nullptr; });
        return found;
    }
    // The plan, a reason, the button.
    bool compensate(const QStringList &leaveOut)
    {
        page.timeline()->setFocus();
        page.findChild<QAction *>(u"compensate"_s)->trigger();
        QDialog *plan = dialog(u"compensateDialog"_s);
        if (!plan)
            return false;
        auto *table = plan->findChild<QAbstractItemView *>(u"planTable"_s);
        if (!QTest::qWaitFor([&] { return table->model()->rowCount() == 2; }))
            return false;
        for (int row = 0; row < 2; ++row) {
            const QString step = table->model()->index(row, 1).data().toString();
            if (leaveOut.contains(step.section(u"  "_s, 1))) {
                table->setFocus();
                table->setCurrentIndex(table->model()->index(row, 1));
                QTest::keyClick(table, Qt::Key_Space);
            }
        }
        QTest::keyClicks(plan->findChild<QLineEdit *>(u"planReason"_s), u"customer returned it"_s);
        auto *button = plan->findChild<QPushButton *>(u"planAct"_s);
        if (!button->isEnabled())
            return false;
        QTest::mouseClick(button, Qt::LeftButton);
        return true;
    }
    // Into the folder that HOLDFAST_SHOTS names, to be looked at by a person.
    void picture(const QString &name)
    {
        const QString folder = qEnvironmentVariable("HOLDFAST_SHOTS");
        if (!folder.isEmpty())
            page.grab().save(QDir(folder).filePath(name + u".png"_s));
    }
    QStringList effects()
    {
        QStringList names;
        for (const auto &effect : window.machine.world.books().effects())
            names << effect.action;
        return names;
    }

    WindowMachine window;
    InspectorPage page;
};
} // namespace

class InspectorActsTest : public QObject
{
    Q_OBJECT

    static void databases()
    {
        QTest::addColumn<int>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
    }

private Q_SLOTS:
    void aRunIsCompensatedFromTheWindow_data() { databases(); }
    void aRunIsCompensatedFromTheWindow();
    void aPartIsCompensated_data() { databases(); }
    void aPartIsCompensated();
    void aFailedRunIsRetried_data() { databases(); }
    void aFailedRunIsRetried();
    void anAmbiguousAttemptIsVerified_data() { databases(); }
    void anAmbiguousAttemptIsVerified();
    void aRunIsStartedAgain_data() { databases(); }
    void aRunIsStartedAgain();
    void aNoteIsWritten_data() { databases(); }
    void aNoteIsWritten();
};

void InspectorActsTest::aRunIsCompensatedFromTheWindow()
{
    QFETCH(int, database);
    Desk desk(database);
    desk.deploy();
    const QString run = desk.window.start(u"o1"_s);
    QVERIFY(desk.open(run, u"succeeded"_s));
    QVERIFY(desk.compensate({}));
    QVERIFY(desk.sees(u"compensated"_s));
    QCOMPARE(desk.effects(), QStringList({u"reservations.create"_s, u"charges.create"_s,
                                          u"charges.refund"_s, u"reservations.release"_s}));
    QCOMPARE(desk.window.machine.world.books().duplicates().size(), 0);
    QDialog *plan = desk.page.findChild<QDialog *>(u"compensateDialog"_s);
    const auto progress = [&] {
        return plan->findChild<QWidget *>(u"planProgress"_s)->property("text").toString();
    };
    QTRY_VERIFY2(progress().contains(u"✔ Applied  →  ↺ Compensated"_s), qPrintable(progress()));
    auto *table = plan->findChild<QAbstractItemView *>(u"planTable"_s);
    QTRY_COMPARE(table->model()->index(0, 4).data().toString(), u"↺ Compensated"_s);
    QTRY_COMPARE(desk.page.story().attempts.size(), 4);
    desk.picture(u"run-real-compensated"_s);
}

void InspectorActsTest::aPartIsCompensated()
{
    QFETCH(int, database);
    Desk desk(database);
    desk.deploy();
    const QString run = desk.window.start(u"o1"_s);
    QVERIFY(desk.open(run, u"succeeded"_s));
    QVERIFY(desk.compensate({u"reserve"_s}));
    QTRY_COMPARE_WITH_TIMEOUT(
        desk.effects(),
        QStringList({u"reservations.create"_s, u"charges.create"_s, u"charges.refund"_s}), 20'000);
    QVERIFY(QTest::qWaitFor(
        [&] { return desk.page.story().step(u"charge"_s)->status == "compensated"_L1; }, 20'000));
    QCOMPARE(desk.page.story().step(u"reserve"_s)->status, u"succeeded"_s);
}

void InspectorActsTest::aFailedRunIsRetried()
{
    QFETCH(int, database);
    Desk desk(database);
    desk.deploy();
    QVERIFY(desk.window.machine.push(u"/inventory/v1/reservations"_s, {u"422"_s}));
    const QString run = desk.window.start(u"o1"_s);
    QVERIFY(desk.open(run, u"failed"_s));
    QTRY_VERIFY(desk.page.findChild<QPushButton *>(u"retryButton"_s)->isEnabled());
    QVERIFY(!desk.page.findChild<QPushButton *>(u"cancelButton"_s)->isEnabled());
    QTest::mouseClick(desk.page.findChild<QPushButton *>(u"retryButton"_s), Qt::LeftButton);
    QDialog *dialog = desk.dialog(u"actDialog"_s);
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), u"there is stock again"_s);
    QTest::keyClick(dialog, Qt::Key_Return);
    QVERIFY(desk.sees(u"succeeded"_s));
    QCOMPARE(desk.effects(), QStringList({u"reservations.create"_s, u"charges.create"_s}));
    // The evidence is all there: every attempt, the refusal and why it was one.
    QTRY_COMPARE(desk.page.story().attempts.size(), 3);
    const AttemptStory &refused = desk.page.story().attempts.first();
    QCOMPARE(refused.failureClass, u"permanent"_s);
    QCOMPARE(refused.status, 422);
    QVERIFY(!refused.why.isEmpty());
    QCOMPARE(refused.request["path"_L1].toString(), u"/inventory/v1/reservations"_s);
}

void InspectorActsTest::anAmbiguousAttemptIsVerified()
{
    QFETCH(int, database);
    Desk desk(database);
    desk.deploy(true);
    auto &machine = desk.window.machine;
    QVERIFY(machine.push(u"/payments/v1/charges"_s, {u"work_then_drop"_s}));
    QVERIFY(machine.world.faults().always(u"/payments/v1/charges"_s, u"probe_down"_s).ok());
    const QString run = desk.window.start(u"o1"_s);
    QVERIFY(desk.open(run, u"review"_s));
    desk.picture(u"run-real-review"_s);
    QVERIFY(machine.world.faults().always(u"/payments/v1/charges"_s, {}).ok());
    QTRY_VERIFY(desk.page.findChild<QPushButton *>(u"verifyButton"_s)->isEnabled());
    QTest::mouseClick(desk.page.findChild<QPushButton *>(u"verifyButton"_s), Qt::LeftButton);
    QDialog *dialog = desk.dialog(u"actDialog"_s);
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), u"it answers again"_s);
    QTest::keyClick(dialog, Qt::Key_Return);
    QVERIFY(desk.sees(u"succeeded"_s));
    QCOMPARE(desk.effects(), QStringList({u"reservations.create"_s, u"charges.create"_s}));
    QCOMPARE(machine.world.books().duplicates().size(), 0);
    const RunStory &story = desk.page.story();
    QVERIFY(std::any_of(story.attempts.begin(), story.attempts.end(), [](const auto &attempt) {
        return attempt.failureClass == "ambiguous"_L1;
    }));
    QVERIFY(std::any_of(story.attempts.begin(), story.attempts.end(),
                        [](const auto &attempt) { return attempt.direction == "verify"_L1; }));
}

void InspectorActsTest::aRunIsStartedAgain()
{
    QFETCH(int, database);
    Desk desk(database);
    desk.deploy();
    const QString run = desk.window.start(u"o1"_s);
    QVERIFY(desk.open(run, u"succeeded"_s));
    QSignalSpy gone(&desk.page, &shell::Page::goTo);
    QTRY_VERIFY(desk.page.findChild<QPushButton *>(u"rerunButton"_s)->isEnabled());
    QTest::mouseClick(desk.page.findChild<QPushButton *>(u"rerunButton"_s), Qt::LeftButton);
    QDialog *dialog = desk.dialog(u"actDialog"_s);
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), u"a second one is wanted"_s);
    auto *button = dialog->findChild<QPushButton *>(u"actButton"_s);
    QVERIFY(!button->isEnabled()); // its effects stand: that has to be meant
    dialog->findChild<QAbstractButton *>(u"actConfirm"_s)->click();
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE(gone.size(), 1);
    const QString other = gone.first().at(1).toJsonObject()["run"_L1].toString();
    QVERIFY(!other.isEmpty() && other != run);
}

void InspectorActsTest::aNoteIsWritten()
{
    QFETCH(int, database);
    Desk desk(database);
    desk.deploy();
    const QString run = desk.window.start(u"o1"_s);
    QVERIFY(desk.open(run, u"succeeded"_s));
    desk.page.findChild<QAction *>(u"writeNote"_s)->trigger();
    auto *edit = desk.page.findChild<QLineEdit *>(u"noteText"_s);
    QTest::keyClicks(edit, u"<b>checked</b> with the provider"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    auto *notes = desk.page.findChild<QAbstractItemView *>(u"notesTable"_s);
    QTRY_COMPARE_WITH_TIMEOUT(notes->model()->rowCount(), 1, 20'000);
    QCOMPARE(notes->model()->index(0, 2).data().toString(), u"<b>checked</b> with the provider"_s);
    QVERIFY(edit->text().isEmpty());
    desk.page.details()->setCurrentIndex(DetailTabs::ledgerTab);
    auto *ledger = desk.page.findChild<QAbstractItemView *>(u"ledgerTable"_s);
    QTRY_COMPARE(ledger->model()->rowCount(), 2);
    auto *contract = desk.page.findChild<QPlainTextEdit *>(u"contractText"_s);
    QVERIFY(contract->toPlainText().contains("workflow: flow"_L1));
}

QTEST_MAIN(InspectorActsTest)
#include "tst_inspector_acts.moc"
