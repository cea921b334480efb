// Acts from the page of runs on the real engine, on both databases, judged by the sandbox's books:
// what a person asks for happens once, and what was confirmed is not repeated.
#include "support/window.h"
#include "ui/runs/run_table.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_page.h"

#include <QAction>
#include <QDialog>
#include <QJsonArray>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::runs;
using tests::Machine;
using tests::StepText;
using tests::WindowMachine;

namespace
{
struct Desk {
    explicit Desk(int database) : window(Machine::Database(database)), page(window.bridge())
    {
        StepText reserve;
        reserve.name = u"reserve"_s;
        reserve.undo = u"/inventory/v1/reservations/${ receipt.id }/release"_s;
        StepText charge;
        charge.name = u"charge"_s;
        charge.path = u"/payments/v1/charges"_s;
        charge.undo = u"/payments/v1/charges/${ receipt.id }/refund"_s;
        StepText ship;
        ship.name = u"ship"_s;
        ship.path = u"/inventory/v1/shipments"_s;
        deploy(window.machine.dependencyText(u"native"_s) +
               Machine::workflowText({Machine::stepText(reserve), Machine::stepText(charge),
                                      Machine::stepText(ship)}));
        page.resize(1200, 600);
        page.show();
        QObject::connect(&window.bridge(), &bridge::Bridge::changed, &page, &RunsPage::refresh);
    }

    void deploy(const QString &text)
    {
        const QJsonObject file{{u"file"_s, u"test.yaml"_s}, {u"text"_s, text}};
        window.call(u"deploy"_s, {{u"files"_s, QJsonArray{file}}});
    }
    RunsModel *model() { return qobject_cast<RunsModel *>(page.table()->model()); }
    bool sees(const QString &run, const QString &status)
    {
        return QTest::qWaitFor(
            [&] {
                const int row = model()->rowOf(run);
                return row >= 0 && model()->line(row).status == status;
            },
            20'000);
    }
    void choose(const QString &run) { page.table()->selectRow(model()->rowOf(run)); }
    // Triggers an act, gives a reason and confirms it.
    bool act(const QString &name, const QString &reason)
    {
        page.findChild<QAction *>(name)->trigger();
        QDialog *dialog = nullptr;
        if (!QTest::qWaitFor(
                [&] { return (dialog = page.findChild<QDialog *>(u"actDialog"_s)) != nullptr; }))
            return false;
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), reason);
        auto *button = dialog->findChild<QPushButton *>(u"actButton"_s);
        if (!button->isEnabled())
            return false;
        QTest::mouseClick(button, Qt::LeftButton);
        return QTest::qWaitFor([&] { return !page.findChild<QDialog *>(u"actDialog"_s); });
    }
    QStringList effects()
    {
        QStringList names;
        for (const auto &effect : window.machine.world.books().effects())
            names << effect.action;
        return names;
    }

    WindowMachine window;
    RunsPage page;
};
} // namespace

class RunsActsTest : public QObject
{
    Q_OBJECT

    static void databases()
    {
        QTest::addColumn<int>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
    }

private Q_SLOTS:
    void aFailedRunIsRetriedFromTheWindow_data() { databases(); }
    void aFailedRunIsRetriedFromTheWindow();
    void aRunIsCancelledAndCompensated_data() { databases(); }
    void aRunIsCancelledAndCompensated();
    void theRealFilterAndViewsWork_data() { databases(); }
    void theRealFilterAndViewsWork();
};

void RunsActsTest::aFailedRunIsRetriedFromTheWindow()
{
    QFETCH(int, database);
    Desk desk(database);
    QVERIFY(desk.window.machine.push(u"/inventory/v1/reservations"_s, {u"422"_s}));
    const QString run = desk.window.start(u"o1"_s);
    QVERIFY(desk.sees(run, u"failed"_s));
    QVERIFY(desk.effects().isEmpty());
    desk.choose(run);
    QVERIFY(desk.act(u"retry"_s, u"there is stock again"_s));
    QVERIFY(desk.sees(run, u"succeeded"_s));
    QCOMPARE(desk.effects(),
             QStringList({u"reservations.create"_s, u"charges.create"_s, u"shipments.create"_s}));
    QCOMPARE(desk.window.machine.world.books().duplicates().size(), 0);
}

void RunsActsTest::aRunIsCancelledAndCompensated()
{
    QFETCH(int, database);
    Desk desk(database);
    // The charge is told to come back later, so the run waits.
    QVERIFY(desk.window.machine.push(u"/payments/v1/charges"_s, {u"429:600"_s}));
    const QString run = desk.window.start(u"o1"_s);
    QVERIFY(desk.sees(run, u"waiting"_s));
    desk.choose(run);
    QVERIFY(desk.act(u"cancel"_s, u"ordered twice"_s));
    QVERIFY(desk.sees(run, u"compensated"_s));
    QCOMPARE(desk.effects(), QStringList({u"reservations.create"_s, u"reservations.release"_s}));
}

void RunsActsTest::theRealFilterAndViewsWork()
{
    QFETCH(int, database);
    Desk desk(database);
    const QString first = desk.window.start(u"o1"_s);
    const QString second = desk.window.start(u"o2"_s);
    QVERIFY(desk.sees(first, u"succeeded"_s));
    QVERIFY(desk.sees(second, u"succeeded"_s));
    desk.page.open({{u"filter"_s, u"event:o2 status:succeeded"_s}});
    QTRY_COMPARE(desk.model()->rowCount(), 1);
    QCOMPARE(desk.model()->line(0).runId, second);
    QTRY_COMPARE(desk.page.findChild<QWidget *>(u"count"_s)->property("text").toString(),
                 u"1 run matches"_s);
    desk.page.open({{u"filter"_s, u"o1"_s}}); // a bare id
    QTRY_COMPARE(desk.model()->rowCount(), 1);
    QTRY_COMPARE(desk.model()->line(0).runId, first);
    desk.page.open({{u"filter"_s, u"key:charge:o1"_s}});
    QTRY_COMPARE(desk.page.where()["filter"_L1].toString(), u"key:charge:o1"_s);
    QCOMPARE(desk.model()->rowCount(), 1);
    desk.page.open({{u"filter"_s, u"colour:red"_s}});
    QTRY_VERIFY(desk.page.findChild<QWidget *>(u"filterProblem"_s)->isVisible());
    desk.window.call(u"save_view"_s, {{u"name"_s, u"Mine"_s}, {u"filter"_s, u"status:failed"_s}});
    const QJsonArray views = desk.window.call(u"views"_s, {})["views"_L1].toArray();
    QCOMPARE(views.first()["filter"_L1].toString(), u"status:failed"_s);
}

QTEST_MAIN(RunsActsTest)
#include "tst_runs_acts.moc"
