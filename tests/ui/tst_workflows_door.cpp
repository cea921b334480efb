// A workflow is deployed from a file and a run of it started from the page, on both databases. The
// door says what is deployed, the sandbox's books say what was done, once.
#include "support/window.h"
#include "ui/widgets/code_view.h"
#include "ui/workflows/deploy_dialog.h"
#include "ui/workflows/start_dialog.h"
#include "ui/workflows/step_box.h"
#include "ui/workflows/step_graph.h"
#include "ui/workflows/workflows_page.h"

#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBlock>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::workflows;
using namespace Qt::StringLiterals;

class WorkflowsDoorTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void deployedAndStartedFromThePage_data();
    void deployedAndStartedFromThePage();

private:
    static QString start(WorkflowsPage &page, const QString &input)
    {
        QSignalSpy went(&page, &shell::Page::goTo);
        QTest::mouseClick(page.findChild<QPushButton *>(u"startRun"_s), Qt::LeftButton);
        auto *dialog = page.findChild<StartDialog *>();
        dialog->findChild<QPlainTextEdit *>(u"input"_s)->setPlainText(input);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"startButton"_s), Qt::LeftButton);
        if (!QTest::qWaitFor([&] { return went.size() == 1 && !page.findChild<StartDialog *>(); }))
            return {};
        return went.first().at(1).toJsonObject().value("run"_L1).toString();
    }
};

void WorkflowsDoorTest::deployedAndStartedFromThePage_data()
{
    QTest::addColumn<int>("database");
    for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
        QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
}

void WorkflowsDoorTest::deployedAndStartedFromThePage()
{
    QFETCH(int, database);
    WindowMachine window{Machine::Database(database)};
    Machine &machine = window.machine;
    StepText step;
    step.verify = true;
    step.undo = u"/inventory/v1/reservations/${ receipt.id }/release"_s;
    const QString good =
        machine.dependencyText(u"probe"_s) + Machine::workflowText({Machine::stepText(step)});
    QTemporaryDir folder;
    const auto write = [&](const QString &name, const QString &text) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0)
            qFatal("the test cannot write its files");
        return file.fileName();
    };
    WorkflowsPage page(window.bridge());
    connect(&window.bridge(), &bridge::Bridge::changed, &page, &shell::Page::refresh);
    page.resize(1120, 760);
    page.show();
    page.refresh();

    // A bad file is shown with what is wrong and cannot be deployed.
    page.openFiles(
        {write(u"bad.yaml"_s, QString(good).replace(u"effect: write"_s, u"effect: wrote"_s))});
    QTRY_VERIFY(page.findChild<DeployDialog *>());
    auto *dialog = page.findChild<DeployDialog *>();
    auto *state = dialog->findChild<QWidget *>(u"deployState"_s);
    QTRY_VERIFY(state->property("text").toString().startsWith(u"▲ Cannot be deployed"_s));
    QVERIFY(!dialog->findChild<QPushButton *>(u"deployButton"_s)->isEnabled());
    dialog->reject();
    QTRY_VERIFY(!page.findChild<DeployDialog *>());

    page.openFiles({write(u"good.yaml"_s, good)});
    QTRY_VERIFY(page.findChild<DeployDialog *>());
    dialog = page.findChild<DeployDialog *>();
    auto *deploy = dialog->findChild<QPushButton *>(u"deployButton"_s);
    QTRY_VERIFY(deploy->isEnabled());
    QCOMPARE(deploy->text(), u"Deploy 1 workflow and 1 dependency"_s);
    QTest::mouseClick(deploy, Qt::LeftButton);
    QTRY_VERIFY(!page.findChild<DeployDialog *>());
    QTRY_COMPARE(page.findChild<QLabel *>(u"name"_s)->text(), u"flow"_s);
    QCOMPARE(window.call(u"workflows"_s, {}).value("workflows"_L1).toArray().size(), 1);

    // The graph's step stands at its line in the text.
    auto *graph = page.findChild<StepGraph *>();
    QTRY_COMPARE(graph->boxes().size(), 1);
    QTest::mouseClick(graph->boxes().first(), Qt::LeftButton);
    auto *code = page.findChild<widgets::CodeView *>(u"source"_s);
    QVERIFY(code->textCursor().block().text().contains(u"step: make"_s));

    const QString run = start(page, u"{\"id\": \"one\"}"_s);
    QVERIFY(!run.isEmpty());
    QVERIFY(window.waitFor(run, u"succeeded"_s));
    QCOMPARE(start(page, u"{\"id\": \"one\"}"_s), run); // one event, one run
    QCOMPARE(machine.world.books().effectCount(), 1);
    QVERIFY(machine.world.books().hasEffect(u"make:one"_s));

    // What the door says against an input is shown where it was typed.
    QTest::mouseClick(page.findChild<QPushButton *>(u"startRun"_s), Qt::LeftButton);
    auto *again = page.findChild<StartDialog *>();
    again->findChild<QPlainTextEdit *>(u"input"_s)->setPlainText(u"{}"_s);
    QTest::mouseClick(again->findChild<QPushButton *>(u"startButton"_s), Qt::LeftButton);
    auto *problem = again->findChild<QWidget *>(u"startProblem"_s);
    QTRY_VERIFY(problem->isVisible() && !problem->property("text").toString().isEmpty());
    QCOMPARE(machine.world.books().effectCount(), 1);
}

QTEST_MAIN(WorkflowsDoorTest)
#include "tst_workflows_door.moc"
