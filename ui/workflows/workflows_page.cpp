#include "ui/workflows/workflows_page.h"

#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_word.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/wrap_label.h"
#include "ui/workflows/deploy_dialog.h"
#include "ui/workflows/file_reader.h"
#include "ui/workflows/findings_table.h"
#include "ui/workflows/start_dialog.h"
#include "ui/workflows/step_graph.h"

#include <QComboBox>
#include <QFileDialog>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int readAgainMs = 1000;
constexpr model::Millis outcomeSpan = 7 * model::day;

QString nameOf(const QJsonObject &row) { return row.value("workflow"_L1).toString(); }
int versionOf(const QJsonObject &row) { return row.value("version"_L1).toInt(); }

// One row per workflow: its newest version, with how it went.
QJsonArray newest(const QJsonArray &rows, const QJsonObject &rates)
{
    QMap<QString, QJsonObject> byName;
    for (const QJsonValue &value : rows) {
        const QJsonObject row = value.toObject();
        if (versionOf(row) >= versionOf(byName.value(nameOf(row))))
            byName.insert(nameOf(row), row);
    }
    QJsonArray list;
    for (QJsonObject row : byName) {
        row.insert(u"outcome"_s, rates.value(nameOf(row)));
        list.append(row);
    }
    return list;
}

// Runs where the door counts them by workflow, else steps: what went well, of what ended.
QJsonObject outcomes(const QJsonObject &rates)
{
    QMap<QString, QPair<double, double>> sums; // well, all
    const QJsonArray whole = rates.value("workflows"_L1).toArray();
    for (const QJsonValue &row : whole) {
        auto &sum = sums[row["workflow"_L1].toString()];
        for (const char *well : {"runs_succeeded", "runs_succeeded_partial"})
            sum.first += row[QLatin1String(well)].toDouble();
        sum.second += sum.first;
        for (const char *ill : {"runs_failed", "runs_compensated", "runs_compensation_failed"})
            sum.second += row[QLatin1String(ill)].toDouble();
    }
    const QJsonArray steps =
        whole.isEmpty() ? rates.value("operations"_L1).toArray() : QJsonArray();
    for (const QJsonValue &row : steps) {
        auto &sum = sums[row["workflow"_L1].toString()];
        sum.first += row["confirmed"_L1].toDouble();
        sum.second += row["confirmed"_L1].toDouble() + row["failed"_L1].toDouble();
    }
    QJsonObject json;
    for (auto sum = sums.cbegin(); sum != sums.cend(); ++sum) {
        if (sum->second > 0)
            json.insert(sum.key(), sum->first / sum->second);
    }
    return json;
}
} // namespace

WorkflowsPage::WorkflowsPage(bridge::Bridge &bridge) : Page(bridge, u"workflows"_s, u"Workflows"_s)
{
    build();
    buildActions();
    connectAll();
    m_again.setSingleShot(true);
    m_again.setInterval(readAgainMs);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_isWanted)
            askList();
    });
}

QWidget *WorkflowsPage::first() { return m_list; }

QJsonObject WorkflowsPage::where() const
{
    if (m_workflow.isEmpty())
        return {};
    QJsonObject place{{u"workflow"_s, m_workflow}};
    if (m_version > 0)
        place.insert(u"version"_s, m_version);
    return place;
}

void WorkflowsPage::open(const QJsonObject &where)
{
    if (!where.contains("workflow"_L1))
        return;
    m_goTo = where;
    choose(where.value("workflow"_L1).toString(), where.value("version"_L1).toInt());
}

void WorkflowsPage::refresh()
{
    m_isWanted = true;
    if (!m_isAsking && !m_again.isActive())
        askList();
}

void WorkflowsPage::askList()
{
    m_isWanted = false;
    m_isAsking = true;
    bridge().ask(u"workflows"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        showProblem(answer ? QString() : answer.error().message);
        if (answer)
            listAnswered((*answer)["workflows"_L1].toArray());
    });
    const model::Instant now = bridge().now();
    const QJsonObject span{{u"since"_s, model::instantText(now - outcomeSpan)},
                           {u"until"_s, model::instantText(now)}};
    bridge().ask(u"rates"_s, span, this, [this](const Result<QJsonValue> &answer) {
        if (answer)
            showRates(answer->toObject());
        m_isAsking = false;
        m_again.start();
    });
}

void WorkflowsPage::listAnswered(const QJsonArray &rows)
{
    const bool isOther = rows != m_rows;
    m_rows = rows;
    m_list->changeInPlace([this] { m_model->setRows(newest(m_rows, m_rates)); });
    if (!isOther)
        return;
    if (m_workflow.isEmpty() && m_model->rowCount() > 0)
        m_workflow = nameOf(m_model->row(0));
    choose(m_workflow, m_version);
}

void WorkflowsPage::showRates(const QJsonObject &rates)
{
    m_rates = outcomes(rates);
    m_list->changeInPlace([this] { m_model->setRows(newest(m_rows, m_rates)); });
}

void WorkflowsPage::chooseRow(int row)
{
    if (row >= 0 && nameOf(m_model->row(row)) != m_workflow)
        choose(nameOf(m_model->row(row)), 0);
}

void WorkflowsPage::choose(const QString &workflow, int version)
{
    const bool isOther = workflow != m_workflow || version != m_version;
    m_workflow = workflow;
    m_version = version;
    const int row = m_model->indexOf(workflow);
    if (row >= 0 && m_list->currentIndex().row() != row)
        m_list->selectRow(row);
    if (!m_workflow.isEmpty())
        askDetail();
    if (isOther)
        Q_EMIT placeChanged();
}

void WorkflowsPage::askDetail()
{
    QJsonObject arguments{{u"workflow"_s, m_workflow}};
    if (m_version > 0)
        arguments.insert(u"version"_s, m_version);
    const QString asked = u"%1 %2"_s.arg(m_version).arg(m_workflow);
    m_askedFor = asked;
    bridge().ask(u"workflow"_s, arguments, this, [this, asked](const Result<QJsonValue> &answer) {
        if (asked != m_askedFor)
            return;
        showProblem(answer ? QString() : answer.error().message);
        if (answer)
            showDetail(answer->toObject());
    });
}

void WorkflowsPage::showDetail(const QJsonObject &workflow)
{
    m_stack->setCurrentIndex(1);
    const bool isSame = workflow.value("hash"_L1) == m_shown.value("hash"_L1) &&
                        workflow.value("version"_L1) == m_shown.value("version"_L1) &&
                        workflow.value("workflow"_L1) == m_shown.value("workflow"_L1);
    m_shown = workflow;
    m_name->setWhole(nameOf(workflow));
    const QString owner = workflow.value("owner"_L1).toString();
    m_about->setWhole(u"%1 · deployed %2 by %3"_s.arg(
        owner.isEmpty() ? u"no owner"_s : owner,
        widgets::shortTime(widgets::instantOf(workflow.value("deployed_at"_L1))),
        workflow.value("deployed_by"_L1).toString()));
    showVersions();
    if (!isSame) {
        m_graph->setSteps(workflow.value("steps"_L1).toArray());
        m_code->setCode(workflow.value("source"_L1).toString());
    }
    const QJsonArray findings = workflow.value("findings"_L1).toArray();
    m_code->setMarks(marksOf(findings, {}));
    m_findings->setFindings(findings);
    m_below->setTabText(0, findings.isEmpty() ? u"Findings"_s
                                              : u"Findings (%1)"_s.arg(findings.size()));
    showReadiness(workflow.value("readiness"_L1).toArray());
    m_start->setEnabled(true);
    m_runs->setEnabled(true);
    goToPlace();
}

void WorkflowsPage::goToPlace()
{
    const QJsonObject place = std::exchange(m_goTo, {});
    int line = place["line"_L1].toInt();
    const QJsonArray steps = m_shown.value("steps"_L1).toArray();
    for (const QJsonValue &step : steps) {
        if (step["step"_L1] == place["step"_L1])
            line = step["line"_L1].toInt();
    }
    if (line > 0)
        m_code->goToLine(line);
}

void WorkflowsPage::showVersions()
{
    QVector<int> versions;
    const QJsonArray given = m_shown.value("versions"_L1).toArray();
    for (const QJsonValue &version : given)
        versions << version.toInt();
    std::sort(versions.begin(), versions.end(), std::greater<>());
    const QSignalBlocker quiet(m_versions);
    m_versions->clear();
    for (const int version : versions)
        m_versions->addItem(u"version %1"_s.arg(version), version);
    m_versions->setCurrentIndex(m_versions->findData(versionOf(m_shown)));
}

void WorkflowsPage::showReadiness(const QJsonArray &checks)
{
    m_checks->setRows(checks);
    qsizetype ok = 0;
    for (const QJsonValue &check : checks)
        ok += check["ok"_L1].toBool() ? 1 : 0;
    m_below->setTabText(1, checks.isEmpty() ? u"Readiness"_s
                                            : u"Readiness (%1 of %2)"_s.arg(ok).arg(checks.size()));
}

void WorkflowsPage::showProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString() : u"▲ "_s + problem);
    m_problem->setVisible(!problem.isEmpty());
}

void WorkflowsPage::startRun()
{
    if (m_shown.isEmpty())
        return;
    auto *dialog = new StartDialog(bridge(), m_shown, this);
    connect(dialog, &StartDialog::started, this, [this](const QString &run, bool replayed) {
        Q_EMIT said(replayed ? u"That event is run %1 already; nothing new was started."_s.arg(run)
                             : u"Run %1 was accepted."_s.arg(run));
        Q_EMIT goTo(u"run"_s, {{u"run"_s, run}});
    });
    dialog->open();
}

void WorkflowsPage::chooseFiles()
{
    auto *dialog = new QFileDialog(this, u"Open definition files"_s);
    dialog->setObjectName(u"fileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({u"Definition files (*.yaml *.yml)"_s, u"All files (*)"_s});
    connect(dialog, &QFileDialog::filesSelected, this, &WorkflowsPage::openFiles);
    dialog->open();
}

void WorkflowsPage::openFiles(const QStringList &paths)
{
    auto *reader = new FileReader(paths, this);
    m_open->setEnabled(false);
    connect(reader, &QThread::finished, this, [this, reader] {
        m_open->setEnabled(true);
        filesRead(*reader);
        reader->deleteLater();
    });
    reader->start();
}

void WorkflowsPage::filesRead(const FileReader &reader)
{
    showProblem(reader.problem());
    if (!reader.problem().isEmpty() || reader.files().isEmpty())
        return;
    auto *dialog = new DeployDialog(bridge(), reader.files(), this);
    connect(dialog, &DeployDialog::deployed, this,
            [this](const QString &sentence, const QString &workflow) {
                Q_EMIT said(sentence);
                if (!workflow.isEmpty())
                    choose(workflow, 0);
                refresh();
            });
    dialog->open();
}

} // namespace holdfast::workflows
