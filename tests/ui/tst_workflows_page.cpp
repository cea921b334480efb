// The workflows page offscreen, fed by canned answers. Goal: graph, text and findings speak of the
// same lines, late answers are not shown, and nothing is deployed or started that the door refused.
#include "ui/canned_door.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"
#include "ui/workflows/deploy_dialog.h"
#include "ui/workflows/findings_table.h"
#include "ui/workflows/input_draft.h"
#include "ui/workflows/start_dialog.h"
#include "ui/workflows/step_box.h"
#include "ui/workflows/step_graph.h"
#include "ui/workflows/workflows_page.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextBlock>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::workflows;
using namespace Qt::StringLiterals;

namespace
{
QString sample(const QString &name)
{
    QFile file(qEnvironmentVariable("HOLDFAST_SOURCE_DIR") + u"/resources/samples/"_s + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the samples are missing");
    return QString::fromUtf8(file.readAll());
}

QString orderText() { return sample(u"order.yaml"_s).section(u"---\n"_s, 3, 3); }

QJsonObject stepOf(const QString &name, const QString &dependency, const QString &key,
                   const QString &compensate, int line)
{
    return {{u"step"_s, name},
            {u"kind"_s, u"http"_s},
            {u"effect"_s, u"write"_s},
            {u"dependency"_s, dependency},
            {u"key"_s, key},
            {u"protection"_s, u"native"_s},
            {u"retry"_s, u"4 attempts, 1s apart, growing to 30s"_s},
            {u"timeout_ms"_s, 10'000},
            {u"verify"_s, name == "charge"_L1},
            {u"compensate"_s, compensate},
            {u"on_failure"_s, u"compensate"_s},
            {u"when"_s, false},
            {u"approval"_s, name == "charge"_L1},
            {u"detached"_s, false},
            {u"line"_s, line}};
}

int lineOf(const QString &text, const QString &what)
{
    return int(text.left(text.indexOf(what)).count(u'\n')) + 1;
}

QJsonObject orderOf(int version)
{
    const QString text = orderText();
    QJsonArray steps{
        QJsonObject{{u"step"_s, u"check_total"_s}, {u"kind"_s, u"check"_s}, {u"line"_s, 1}},
        stepOf(u"reserve"_s, u"inventory"_s, u"reserve:${ input.order_id }"_s,
               u"POST /inventory/v1/reservations/${ receipt.id }/release"_s,
               lineOf(text, u"- step: reserve"_s)),
        stepOf(u"charge"_s, u"payments"_s, u"charge:${ input.customer_id }:${ input.order_id }"_s,
               u"POST /payments/v1/charges/${ receipt.id }/refund"_s,
               lineOf(text, u"- step: charge"_s)),
        stepOf(u"ship"_s, u"shipping"_s, u"ship:${ input.order_id }"_s,
               u"none: the warehouse recalls the parcel by hand"_s,
               lineOf(text, u"- step: ship"_s))};
    QJsonObject mail = stepOf(u"tell_customer"_s, u"mail"_s, u"mail:${ input.order_id }"_s,
                              u"none"_s, lineOf(text, u"recalls the parcel"_s) + 1);
    mail.insert(u"detached"_s, true);
    mail.insert(u"when"_s, true);
    mail.insert(u"on_failure"_s, u"continue"_s);
    steps.append(mail);
    const int shipLine = lineOf(text, u"- step: ship"_s);
    return {{u"workflow"_s, u"order"_s},
            {u"version"_s, version},
            {u"owner"_s, u"orders@example.com"_s},
            {u"source"_s, text},
            {u"hash"_s, u"h%1"_s.arg(version)},
            {u"deployed_at"_s, u"2027-01-14T10:00:00.000Z"_s},
            {u"deployed_by"_s, u"ada"_s},
            {u"versions"_s, QJsonArray{1, 2, 3}},
            {u"steps"_s, steps},
            {u"findings"_s,
             QJsonArray{QJsonObject{{u"severity"_s, u"warning"_s},
                                    {u"rule"_s, u"no_verify"_s},
                                    {u"message"_s, u"a lost answer of ship waits for a person"_s},
                                    {u"file"_s, u"order.yaml"_s},
                                    {u"line"_s, shipLine},
                                    {u"column"_s, 5}},
                        QJsonObject{{u"severity"_s, u"error"_s},
                                    {u"rule"_s, u"key_time"_s},
                                    {u"message"_s, u"a key must not depend on the time"_s},
                                    {u"file"_s, u"order.yaml"_s},
                                    {u"line"_s, 3},
                                    {u"column"_s, 5}}}},
            {u"readiness"_s,
             QJsonArray{QJsonObject{{u"check"_s, u"Every write has a key"_s},
                                    {u"ok"_s, true},
                                    {u"why"_s, u"All 4 steps do."_s}},
                        QJsonObject{{u"check"_s,
                                     u"Every write that more can fail after can be compensated"_s},
                                    {u"ok"_s, false},
                                    {u"why"_s, u"No way back from ship."_s}}}}};
}

void fill(CannedDoor &door)
{
    const auto row = [](const QString &name, int version) {
        return QJsonObject{{u"workflow"_s, name},
                           {u"version"_s, version},
                           {u"owner"_s, u"orders@example.com"_s},
                           {u"hash"_s, u"h%1"_s.arg(version)}};
    };
    door.answer(
        u"workflows"_s,
        QJsonObject{{u"workflows"_s,
                     QJsonArray{row(u"order"_s, 1), row(u"order"_s, 3), row(u"order"_s, 2),
                                row(u"billing-assistant"_s, 3), row(u"lead-routing"_s, 1)}}});
    door.answer(
        u"rates"_s,
        QJsonObject{{u"workflows"_s, QJsonArray{QJsonObject{{u"workflow"_s, u"order"_s},
                                                            {u"runs_succeeded"_s, 1180},
                                                            {u"runs_compensated"_s, 20},
                                                            {u"runs_failed"_s, 4}},
                                                QJsonObject{{u"workflow"_s, u"billing-assistant"_s},
                                                            {u"runs_succeeded"_s, 400}}}}});
    door.answer(u"workflow"_s, [](const QJsonObject &in) {
        QJsonObject workflow = orderOf(in.value("version"_L1).toInt(3));
        workflow.insert(u"workflow"_s, in.value("workflow"_L1));
        return QJsonValue(workflow);
    });
}

QTableView *listOf(const WorkflowsPage &page)
{
    return page.findChild<QTableView *>(u"workflowList"_s);
}
} // namespace

class WorkflowsPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void listShowsTheNewestOfEach();
    void graphTextAndFindingsAgree();
    void versionsCanBeRead();
    void lateAnswersAreNotShown();
    void emptyAndFailedStatesAreSaid();
    void startingARunAsksTheDoor();
    void draftNamesWhatIsRequired();
    void openedFileIsCheckedThenDeployed();
    void fileThatCannotBeReadIsSaid();
    void hostileTextBreaksNothing();
    void everyControlHasAName();
    void pictures();

private:
    static void settle(WorkflowsPage &page)
    {
        page.resize(1120, 760);
        page.show();
        page.refresh();
        QTRY_VERIFY(!page.findChild<StepGraph *>()->boxes().isEmpty());
    }
};

void WorkflowsPageTest::listShowsTheNewestOfEach()
{
    CannedDoor door;
    fill(door);
    WorkflowsPage page(door.bridge());
    settle(page);
    auto *model = qobject_cast<widgets::JsonTableModel *>(listOf(page)->model());
    QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model->rowCount(), 3);
    const int order = model->indexOf(u"order"_s);
    QCOMPARE(model->index(order, 1).data().toString(), u"3"_s);
    QTRY_COMPARE(model->index(order, 3).data().toString(), u"98.0 %"_s);
    QCOMPARE(model->index(model->indexOf(u"lead-routing"_s), 3).data().toString(), u"? no runs"_s);
    // Choosing another with the keys shows it and makes a place to come back to.
    QSignalSpy placed(&page, &shell::Page::placeChanged);
    listOf(page)->setFocus();
    listOf(page)->selectRow(0);
    QTest::keyClick(listOf(page), Qt::Key_Down);
    QCOMPARE(page.where().value("workflow"_L1).toString(), u"lead-routing"_s);
    QVERIFY(placed.size() >= 1);
    page.open({{u"workflow"_s, u"order"_s}});
    QCOMPARE(listOf(page)->currentIndex().row(), order);
}

void WorkflowsPageTest::graphTextAndFindingsAgree()
{
    CannedDoor door;
    fill(door);
    WorkflowsPage page(door.bridge());
    settle(page);
    auto *graph = page.findChild<StepGraph *>();
    auto *code = page.findChild<widgets::CodeView *>(u"source"_s);
    QCOMPARE(graph->boxes().size(), 5);
    StepBox *charge = graph->boxes().at(2);
    QVERIFY(charge->accessibleDescription().contains(u"protection native"_s));
    QVERIFY(charge->accessibleDescription().contains(u"approval first"_s));
    QVERIFY(charge->isCompensable());
    QVERIFY(!graph->boxes().at(3)->isCompensable());
    QTest::mouseClick(charge, Qt::LeftButton);
    QCOMPARE(code->currentLine(), charge->line());
    QVERIFY(code->textCursor().block().text().contains(u"step: charge"_s));
    auto *findings = page.findChild<FindingsTable *>();
    QCOMPARE(findings->findings()->rowCount(), 2);
    const QModelIndex warning = findings->findings()->index(1, 2);
    findings->scrollTo(warning);
    const QPoint at = findings->visualRect(warning).center();
    QTest::mouseClick(findings->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(findings->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(code->currentLine(), lineOf(orderText(), u"- step: ship"_s));
    QVERIFY(graph->boxes().at(3)->isChecked());
    QCOMPARE(page.findChild<QTabWidget *>()->tabText(1), u"Readiness (1 of 2)"_s);
}

void WorkflowsPageTest::versionsCanBeRead()
{
    CannedDoor door;
    fill(door);
    WorkflowsPage page(door.bridge());
    settle(page);
    page.open({{u"workflow"_s, u"order"_s}});
    auto *versions = page.findChild<QComboBox *>(u"versions"_s);
    QTRY_COMPARE(versions->count(), 3);
    QCOMPARE(versions->currentText(), u"version 3"_s);
    versions->setFocus();
    QTest::keyClick(versions, Qt::Key_Down);
    QTRY_COMPARE(door.asked(u"workflow"_s).last().value("version"_L1).toInt(), 2);
    QCOMPARE(page.where(), (QJsonObject{{u"workflow"_s, u"order"_s}, {u"version"_s, 2}}));
    page.open({{u"workflow"_s, u"order"_s}, {u"version"_s, 1}});
    QTRY_COMPARE(versions->currentText(), u"version 1"_s);
}

void WorkflowsPageTest::lateAnswersAreNotShown()
{
    CannedDoor door;
    fill(door);
    WorkflowsPage page(door.bridge());
    settle(page);
    for (const QString &name : {u"billing-assistant"_s, u"lead-routing"_s, u"order"_s})
        page.open({{u"workflow"_s, name}});
    auto *name = page.findChild<QLabel *>(u"name"_s);
    QTRY_COMPARE(door.asked(u"workflow"_s).last().value("workflow"_L1).toString(), u"order"_s);
    QTRY_COMPARE(name->text(), u"order"_s);
}

void WorkflowsPageTest::emptyAndFailedStatesAreSaid()
{
    CannedDoor door;
    door.answer(u"workflows"_s, QJsonObject{{u"workflows"_s, QJsonArray()}});
    door.answer(u"rates"_s, QJsonObject());
    WorkflowsPage page(door.bridge());
    page.resize(1120, 760);
    page.show();
    page.refresh();
    QTRY_COMPARE(door.asked(u"workflows"_s).size(), 1);
    QVERIFY(page.findChild<QLabel *>(u"workflowListEmpty"_s)->isVisible());
    shoot(page, u"workflows-empty"_s);
    door.lose(u"workflows"_s);
    page.refresh();
    QTRY_VERIFY(page.findChild<QWidget *>(u"problem"_s)->isVisible());
}

void WorkflowsPageTest::startingARunAsksTheDoor()
{
    CannedDoor door;
    fill(door);
    door.refuse(u"start"_s, u"input.total must be at least 1"_s);
    WorkflowsPage page(door.bridge());
    settle(page);
    page.open({{u"workflow"_s, u"order"_s}});
    QTRY_COMPARE(page.findChild<QLabel *>(u"name"_s)->text(), u"order"_s);
    QTest::mouseClick(page.findChild<QPushButton *>(u"startRun"_s), Qt::LeftButton);
    auto *dialog = page.findChild<StartDialog *>();
    QVERIFY(dialog);
    auto *input = dialog->findChild<QPlainTextEdit *>(u"input"_s);
    auto *start = dialog->findChild<QPushButton *>(u"startButton"_s);
    auto *problem = dialog->findChild<QWidget *>(u"startProblem"_s);
    QCOMPARE(nameless(*dialog).join(u' '), QString());
    input->setPlainText(u"{\n\"a\": }"_s);
    QVERIFY(!start->isEnabled());
    QVERIFY(problem->property("text").toString().startsWith(u"▲ Line 2"_s));
    input->setPlainText(u"[1]"_s);
    QVERIFY(!start->isEnabled());
    input->setPlainText(u"{\"total\": 0}"_s);
    dialog->findChild<QLineEdit *>(u"event"_s)->setText(u"order-7"_s);
    QTest::mouseClick(start, Qt::LeftButton);
    QTRY_COMPARE(problem->property("text").toString(), u"▲ input.total must be at least 1"_s);
    QVERIFY(start->isEnabled());
    shoot(*dialog, u"workflows-start"_s);
    const QJsonObject asked = door.asked(u"start"_s).last();
    QCOMPARE(asked.value("workflow"_L1).toString(), u"order"_s);
    QCOMPARE(asked.value("version"_L1).toInt(), 3);
    QCOMPARE(asked.value("event_id"_L1).toString(), u"order-7"_s);
    QCOMPARE(asked.value("input"_L1).toObject(), (QJsonObject{{u"total"_s, 0}}));
    door.answer(u"start"_s, QJsonObject{{u"run_id"_s, u"r1"_s}, {u"replayed"_s, false}});
    QSignalSpy went(&page, &shell::Page::goTo);
    QTest::mouseClick(start, Qt::LeftButton);
    QTRY_COMPARE(went.size(), 1);
    QCOMPARE(went.first(), (QVariantList{u"run"_s, QJsonObject{{u"run"_s, u"r1"_s}}}));
}

void WorkflowsPageTest::draftNamesWhatIsRequired()
{
    const QJsonObject draft = QJsonDocument::fromJson(inputDraft(orderText()).toUtf8()).object();
    QCOMPARE(draft.size(), 6);
    QCOMPARE(draft.value("total"_L1), QJsonValue(0));
    QCOMPARE(draft.value("sku"_L1), QJsonValue(u""_s));
    QCOMPARE(inputDraft(u"workflow: x\nsteps: []\n"_s), u"{\n  \n}"_s);
    QCOMPARE(inputDraft(u"input: {type: object, required: [id]}\n"_s), u"{\n  \"id\": \"\"\n}"_s);
    QCOMPARE(inputDraft(u"input: {required: [\"a\\\"b\", ${x}]}\n"_s), u"{\n  \n}"_s);
}

void WorkflowsPageTest::openedFileIsCheckedThenDeployed()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"new.yaml"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("holdfast: 1\nworkflow: order\nversion: 4\n");
    file.close();
    const QJsonObject finding{{u"severity"_s, u"error"_s},
                              {u"line"_s, 2},
                              {u"column"_s, 1},
                              {u"file"_s, u"new.yaml"_s},
                              {u"message"_s, u"steps are missing"_s}};
    CannedDoor door;
    fill(door);
    door.answer(u"check"_s, QJsonObject{{u"refused"_s, u"1 error found"_s},
                                        {u"findings"_s, QJsonArray{finding}}});
    WorkflowsPage page(door.bridge());
    settle(page);
    page.openFiles({path});
    QTRY_VERIFY(page.findChild<DeployDialog *>());
    auto *dialog = page.findChild<DeployDialog *>();
    auto *deploy = dialog->findChild<QPushButton *>(u"deployButton"_s);
    QTRY_COMPARE(dialog->findChild<FindingsTable *>()->findings()->rowCount(), 1);
    QVERIFY(!deploy->isEnabled());
    QCOMPARE(nameless(*dialog).join(u' '), QString());
    shoot(*dialog, u"workflows-deploy"_s);
    Q_EMIT dialog->findChild<FindingsTable *>()->activated(
        dialog->findChild<FindingsTable *>()->findings()->index(0, 0));
    QCOMPARE(dialog->findChild<widgets::CodeView *>()->currentLine(), 2);
    dialog->reject();
    QTRY_VERIFY(!page.findChild<DeployDialog *>());

    const QJsonObject good{
        {u"workflows"_s, QJsonArray{QJsonObject{{u"workflow"_s, u"order"_s}, {u"version"_s, 4}}}},
        {u"dependencies"_s, QJsonArray()},
        {u"findings"_s, QJsonArray()}};
    door.answer(u"check"_s, good);
    door.refuse(u"deploy"_s, u"version 4 is deployed with other content"_s);
    page.openFiles({path});
    QTRY_VERIFY(page.findChild<DeployDialog *>());
    dialog = page.findChild<DeployDialog *>();
    deploy = dialog->findChild<QPushButton *>(u"deployButton"_s);
    QTRY_VERIFY(deploy->isEnabled());
    QCOMPARE(deploy->text(), u"Deploy 1 workflow"_s);
    QTest::mouseClick(deploy, Qt::LeftButton);
    QTRY_VERIFY(dialog->findChild<QWidget *>(u"deployState"_s)
                    ->property("text")
                    .toString()
                    .contains(u"other content"_s));
    door.answer(u"deploy"_s, good);
    QSignalSpy said(&page, &shell::Page::said);
    QTest::mouseClick(deploy, Qt::LeftButton);
    QTRY_COMPARE(said.size(), 1);
    QCOMPARE(said.first().first().toString(), u"Deployed: workflow order version 4."_s);
    QCOMPARE(page.where().value("workflow"_L1).toString(), u"order"_s);
}

void WorkflowsPageTest::fileThatCannotBeReadIsSaid()
{
    CannedDoor door;
    fill(door);
    WorkflowsPage page(door.bridge());
    settle(page);
    page.openFiles({u"no-such-file.yaml"_s});
    auto *problem = page.findChild<QWidget *>(u"problem"_s);
    QTRY_VERIFY(problem->isVisible());
    QVERIFY(problem->property("text").toString().contains(u"no-such-file.yaml"_s));
    QVERIFY(page.findChild<QPushButton *>(u"openFile"_s)->isEnabled());
}

void WorkflowsPageTest::hostileTextBreaksNothing()
{
    CannedDoor door;
    fill(door);
    QJsonObject workflow = orderOf(3);
    workflow.insert(u"owner"_s, hostileText());
    workflow.insert(u"source"_s, u"a: "_s + hostileText() + u"\nb: 2\n"_s);
    QJsonArray steps;
    for (int i = 0; i < 4; ++i) {
        steps.append(stepOf(hostileText() + QString::number(i), hostileText(), hostileText(),
                            hostileText(), i));
    }
    workflow.insert(u"steps"_s, steps);
    door.answer(u"workflow"_s, workflow);
    door.answer(u"workflows"_s,
                QJsonObject{{u"workflows"_s, QJsonArray{QJsonObject{{u"workflow"_s, hostileText()},
                                                                    {u"version"_s, 1}}}}});
    WorkflowsPage page(door.bridge());
    settle(page);
    for (const QLabel *label : page.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(page.minimumSizeHint().width() <= 1120);
    auto *scroll = page.findChild<QScrollArea *>(u"graphScroll"_s);
    QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
    QVERIFY(
        !page.findChild<widgets::CodeView *>(u"source"_s)->toPlainText().contains(QChar(0x202E)));
    shoot(page, u"workflows-hostile"_s);
}

void WorkflowsPageTest::everyControlHasAName()
{
    CannedDoor door;
    fill(door);
    WorkflowsPage page(door.bridge());
    settle(page);
    QCOMPARE(nameless(page).join(u' '), QString());
}

void WorkflowsPageTest::pictures()
{
    for (const style::Theme theme : {style::Theme::light, style::Theme::dark}) {
        CannedDoor door;
        fill(door);
        WorkflowsPage page(door.bridge());
        settle(page);
        style::applyTheme(*qApp, theme);
        page.open({{u"workflow"_s, u"order"_s}});
        QTRY_COMPARE(page.findChild<QLabel *>(u"name"_s)->text(), u"order"_s);
        shoot(page, u"workflows"_s);
        page.findChild<QTabWidget *>()->setCurrentIndex(1);
        QTest::mouseClick(page.findChild<StepGraph *>()->boxes().at(2), Qt::LeftButton);
        page.resize(900, 640);
        shoot(page, u"workflows-small"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(WorkflowsPageTest)
#include "tst_workflows_page.moc"
