// How the page is put together; what it shows is in workflows_page.cpp.
#include "ui/shell/permits.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/filter_word.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/rate_delegate.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/wrap_label.h"
#include "ui/workflows/findings_table.h"
#include "ui/workflows/step_graph.h"
#include "ui/workflows/workflows_page.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
QPushButton *button(const QString &text, const QString &objectName)
{
    auto *made = new QPushButton(text);
    made->setObjectName(objectName);
    made->setAccessibleName(text);
    return made;
}

QVector<JsonColumn> listColumns()
{
    JsonColumn version{u"Version"_s, [](const QJsonObject &row) {
                           return QString::number(row.value("version"_L1).toInt());
                       }};
    version.figure = [](const QJsonObject &row) {
        return QVariant(row.value("version"_L1).toInt());
    };
    version.alignment = Qt::AlignRight | Qt::AlignVCenter;
    JsonColumn outcome{u"7 days"_s, [](const QJsonObject &row) {
                           const QJsonValue rate = row.value("outcome"_L1);
                           return rate.isDouble() ? widgets::rateText(rate.toDouble())
                                                  : u"? no runs"_s;
                       }};
    outcome.figure = [](const QJsonObject &row) {
        const QJsonValue rate = row.value("outcome"_L1);
        return rate.isDouble() ? QVariant(rate.toDouble()) : QVariant();
    };
    return {JsonColumn{u"Workflow"_s,
                       [](const QJsonObject &row) {
                           return u"%1 · v%2"_s.arg(row.value("workflow"_L1).toString())
                               .arg(row.value("version"_L1).toInt());
                       }},
            version,
            JsonColumn{u"Owner"_s,
                       [](const QJsonObject &row) { return row.value("owner"_L1).toString(); }},
            outcome};
}

QVector<JsonColumn> checkColumns()
{
    JsonColumn state{u"State"_s, [](const QJsonObject &row) {
                         return row.value("ok"_L1).toBool() ? u"✔ ready"_s : u"▲ open"_s;
                     }};
    state.token = [](const QJsonObject &row) {
        return row.value("ok"_L1).toBool() ? Token::good : Token::attention;
    };
    return {state,
            JsonColumn{u"Check"_s,
                       [](const QJsonObject &row) { return row.value("check"_L1).toString(); }},
            JsonColumn{u"Why"_s,
                       [](const QJsonObject &row) { return row.value("why"_L1).toString(); }}};
}
} // namespace

void WorkflowsPage::build()
{
    const int unit = fontMetrics().averageCharWidth();
    m_stack = new QStackedWidget;
    auto *nothing = new widgets::WrapLabel;
    nothing->setText(u"A workflow is a file in Git. Open one to see what a check says about it, "
                     "and deploy it from there."_s);
    nothing->setToken(Token::muted);
    auto *empty = new QWidget;
    auto *emptyColumn = new QVBoxLayout(empty);
    emptyColumn->addStretch();
    emptyColumn->addWidget(nothing);
    emptyColumn->addStretch();
    emptyColumn->setContentsMargins(unit * 8, 0, unit * 8, 0);
    m_stack->addWidget(empty);
    m_stack->addWidget(buildDetail());
    auto *split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->addWidget(buildList());
    split->addWidget(m_stack);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 7);
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"problem"_s);
    m_problem->setAccessibleName(u"What went wrong"_s);
    m_problem->setToken(Token::bad);
    m_problem->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 2);
    column->addWidget(m_problem);
    column->addWidget(split, 1);
}

void WorkflowsPage::buildActions()
{
    const auto add = [this](const QString &menu, const QString &text, const QKeySequence &key) {
        return addPageAction(menu, text, key);
    };
    connect(add(u"Run"_s, u"Start run…"_s, QKeySequence(u"Ctrl+N"_s)), &QAction::triggered, this,
            &WorkflowsPage::startRun);
    connect(add(u"Tools"_s, u"Open workflow file…"_s, QKeySequence(u"Ctrl+O"_s)),
            &QAction::triggered, this, &WorkflowsPage::chooseFiles);
}

QWidget *WorkflowsPage::buildList()
{
    m_model = new widgets::JsonTableModel(
        listColumns(), [](const QJsonObject &row) { return row.value("workflow"_L1).toString(); },
        this);
    m_list = new widgets::SteadyTable;
    m_list->setObjectName(u"workflowList"_s);
    m_list->setAccessibleName(u"Workflows"_s);
    m_list->setModel(m_model);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setItemDelegateForColumn(3, new widgets::RateDelegate(m_list));
    widgets::setColumnWidths(*m_list, {0, 8, 12, 15});
    // They stand in the detail; the list is for choosing.
    m_list->setColumnHidden(1, true);
    m_list->setColumnHidden(2, true);
    new widgets::EmptyNote(m_list, u"No workflow is deployed yet."_s);
    m_open = button(u"Open file…"_s, u"openFile"_s);
    auto *list = new QWidget;
    auto *column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_list, 1);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    list->setMinimumWidth(fontMetrics().averageCharWidth() * 34);
    return list;
}

QWidget *WorkflowsPage::buildHead()
{
    auto *head = new QWidget;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    m_name = new widgets::ElidedLabel;
    m_name->setObjectName(u"name"_s);
    m_name->setAccessibleName(u"Workflow"_s);
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.35);
    m_name->setFont(bold);
    m_about = new widgets::ElidedLabel;
    m_about->setObjectName(u"about"_s);
    m_about->setAccessibleName(u"Owner and deployment"_s);
    m_versions = new QComboBox;
    m_versions->setObjectName(u"versions"_s);
    m_versions->setAccessibleName(u"Version"_s);
    m_versions->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_start = button(u"Start run…"_s, u"startRun"_s);
    shell::Permits::name(m_start, u"start"_s);
    m_runs = button(u"Runs"_s, u"runsOfIt"_s);
    m_runs->setAccessibleName(u"Runs of this workflow"_s);
    m_start->setEnabled(false);
    m_runs->setEnabled(false);
    row->addWidget(m_name);
    row->addWidget(m_versions);
    row->addSpacing(fontMetrics().averageCharWidth());
    row->addWidget(m_about, 1);
    row->addWidget(m_runs);
    row->addWidget(m_start);
    return head;
}

QWidget *WorkflowsPage::buildDetail()
{
    m_graph = new StepGraph;
    auto *scroll = new QScrollArea;
    scroll->setObjectName(u"graphScroll"_s);
    scroll->setAccessibleName(u"Steps of the workflow"_s);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_graph);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_code = new widgets::CodeView(u"Text of the workflow"_s);
    m_code->setObjectName(u"source"_s);
    auto *across = new QSplitter(Qt::Horizontal);
    across->setChildrenCollapsible(false);
    across->addWidget(scroll);
    across->addWidget(m_code);
    across->setStretchFactor(0, 1);
    across->setStretchFactor(1, 1);
    across->setSizes(
        {fontMetrics().averageCharWidth() * 54, fontMetrics().averageCharWidth() * 62});
    auto *down = new QSplitter(Qt::Vertical);
    down->setChildrenCollapsible(false);
    down->addWidget(across);
    down->addWidget(buildBelow());
    down->setStretchFactor(0, 4);
    down->setStretchFactor(1, 1);
    auto *detail = new QWidget;
    auto *column = new QVBoxLayout(detail);
    column->setContentsMargins(fontMetrics().averageCharWidth(), 0, 0, 0);
    column->addWidget(buildHead());
    column->addWidget(down, 1);
    return detail;
}

QWidget *WorkflowsPage::buildBelow()
{
    m_findings = new FindingsTable;
    m_checks = new widgets::JsonTableModel(
        checkColumns(), [](const QJsonObject &row) { return row.value("check"_L1).toString(); },
        this);
    auto *checks = new widgets::SteadyTable;
    checks->setObjectName(u"readiness"_s);
    checks->setAccessibleName(u"Readiness"_s);
    checks->setModel(m_checks);
    checks->setSelectionMode(QAbstractItemView::SingleSelection);
    widgets::setColumnWidths(*checks, {11, 52, 0});
    m_below = new QTabWidget;
    m_below->setObjectName(u"below"_s);
    m_below->setAccessibleName(u"Findings and readiness"_s);
    m_below->setDocumentMode(true);
    m_below->addTab(m_findings, u"Findings"_s);
    m_below->addTab(checks, u"Readiness"_s);
    return m_below;
}

void WorkflowsPage::connectAll()
{
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { chooseRow(current.row()); });
    connect(m_versions, &QComboBox::activated, this,
            [this](int index) { choose(m_workflow, m_versions->itemData(index).toInt()); });
    connect(m_graph, &StepGraph::chosen, m_code, &widgets::CodeView::goToLine);
    connect(m_findings, &FindingsTable::lineWanted, this, [this](const QString &, int line) {
        m_code->goToLine(line);
        m_graph->select(line);
        m_code->setFocus();
    });
    connect(m_start, &QPushButton::clicked, this, &WorkflowsPage::startRun);
    connect(m_open, &QPushButton::clicked, this, &WorkflowsPage::chooseFiles);
    connect(m_runs, &QPushButton::clicked, this, [this] {
        Q_EMIT goTo(u"runs"_s, {{u"filter"_s, widgets::filterWord(u"workflow"_s, m_workflow)}});
    });
}

} // namespace holdfast::workflows
