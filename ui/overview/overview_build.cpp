// How the overview is put together; what it shows is in overview_page.cpp.
#include "ui/overview/chart_panel.h"
#include "ui/overview/figure_row.h"
#include "ui/overview/gate_lines.h"
#include "ui/overview/group_table.h"
#include "ui/overview/need_tile.h"
#include "ui/overview/overview_page.h"
#include "ui/overview/rate_table.h"
#include "ui/style/status_look.h"
#include "ui/widgets/filter_word.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/token_label.h"

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QScrollArea>
#include <QTextDocument>
#include <QVBoxLayout>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

void OverviewPage::build()
{
    const int unit = fontMetrics().averageCharWidth();
    auto *inside = new QWidget;
    auto *column = new QVBoxLayout(inside);
    column->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 2);
    column->setSpacing(unit * 3 / 2);
    column->addWidget(buildTop());
    column->addWidget(buildTiles());
    m_gates = new GateLines;
    connect(m_gates, &GateLines::wanted, this, &Page::goTo);
    column->addWidget(m_gates);
    m_problem = new widgets::TokenLabel({}, Token::bad);
    m_problem->setObjectName(u"problem"_s);
    m_problem->setAccessibleName(u"What could not be read"_s);
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_problem);
    column->addWidget(buildCharts(), 3);
    m_groups = new GroupTable;
    column->addWidget(m_groups);
    column->addWidget(buildTables(), 2);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setAccessibleName(title());
    scroll->setWidget(inside);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
}

QWidget *OverviewPage::buildTop()
{
    auto *top = new QWidget;
    auto *row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 0, 0);
    m_heading = new widgets::TokenLabel;
    m_heading->setObjectName(u"heading"_s);
    m_heading->setAccessibleName(u"What needs you"_s);
    m_heading->setSize(1.35, true);
    m_checked = new widgets::TokenLabel({}, Token::muted);
    m_checked->setObjectName(u"checked"_s);
    m_checked->setAccessibleName(u"Last check"_s);
    row->addWidget(m_heading);
    row->addSpacing(fontMetrics().averageCharWidth() * 2);
    row->addWidget(m_checked, 1, Qt::AlignBottom);
    auto *label = new widgets::TokenLabel(u"&Range:"_s, Token::muted);
    m_range = new QComboBox;
    m_range->setObjectName(u"range"_s);
    m_range->setAccessibleName(u"Time range"_s);
    for (const TimeRange &each : timeRanges())
        m_range->addItem(each.name, each.word);
    m_range->setCurrentIndex(m_rangeIndex);
    label->setBuddy(m_range);
    row->addWidget(label);
    row->addWidget(m_range);
    connect(m_range, &QComboBox::currentIndexChanged, this, &OverviewPage::setRange);
    for (int i = 0; i < timeRanges().size(); ++i) {
        QAction *action = addPageAction(u"View"_s, u"Show "_s + timeRanges().at(i).name);
        connect(action, &QAction::triggered, this, [this, i] { m_range->setCurrentIndex(i); });
    }
    return top;
}

QWidget *OverviewPage::buildTiles()
{
    auto *tiles = new QWidget;
    auto *row = new QHBoxLayout(tiles);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(fontMetrics().averageCharWidth() * 3 / 2);
    for (const style::ReviewLook &look : style::reviewLooks()) {
        auto *tile = new NeedTile(look.kind, look.word);
        connect(tile, &NeedTile::clicked, this, [this, kind = look.kind] {
            Q_EMIT goTo(u"review"_s, {{u"kind"_s, kind}});
        });
        row->addWidget(tile, 1);
        m_tiles << tile;
    }
    return tiles;
}

FigureRow *OverviewPage::addFigure(const QString &name, const QString &objectName, QWidget *panel)
{
    auto *row = new FigureRow(name, objectName);
    panel->layout()->addWidget(row);
    return row;
}

QWidget *OverviewPage::buildHarm()
{
    const int unit = fontMetrics().averageCharWidth();
    auto *panel = new widgets::Panel;
    auto *column = new QVBoxLayout(panel);
    column->setContentsMargins(unit, unit, unit, unit);
    column->setSpacing(0);
    auto *harm = widgets::heading(u"Harm"_s);
    harm->setContentsMargins(unit, 0, 0, unit / 2);
    column->addWidget(harm);
    m_duplicates = addFigure(u"Duplicates prevented"_s, u"duplicates"_s, panel);
    m_unresolved = addFigure(u"Effects unresolved"_s, u"unresolved"_s, panel);
    m_compensated = addFigure(u"Effects compensated"_s, u"compensated"_s, panel);
    m_compensationFailed = addFigure(u"Compensation failed"_s, u"compensationFailed"_s, panel);
    m_retried = addFigure(u"Retries"_s, u"retries"_s, panel);
    auto *measures = widgets::heading(u"Measures"_s);
    measures->setContentsMargins(unit, unit, 0, unit / 2);
    column->addWidget(measures);
    m_measures = new QVBoxLayout;
    column->addLayout(m_measures);
    column->addStretch();
    return panel;
}

// What a measure means is a hover away; how it was the week before is on the page it leads to.
FigureRow *OverviewPage::addMeasure(const QJsonObject &measure)
{
    auto *row = new FigureRow(measure["title"_L1].toString(), measure["name"_L1].toString());
    row->setToolTip(
        Qt::convertFromPlainText(widgets::plainText(measure["definition"_L1].toString())));
    connect(row, &FigureRow::clicked, this, [this] { Q_EMIT goTo(u"weekly"_s, {}); });
    const int above = m_measures->count() - 1;
    m_measures->addWidget(row);
    // It comes with an answer, so after everything else: Tab is to meet it where the eye does.
    setTabOrder(above < 0 ? m_retried : m_measures->itemAt(above)->widget(), row);
    return row;
}

void OverviewPage::connectFigures()
{
    const auto leads = [this](FigureRow *row, const QString &filter) {
        connect(row, &FigureRow::clicked, this, [this, filter] { goToRuns(filter + sinceWord()); });
    };
    leads(m_duplicates, {});
    leads(m_compensated, u"status:compensated"_s);
    leads(m_compensationFailed, u"status:compensation_failed"_s);
    leads(m_retried, {});
    connect(m_unresolved, &FigureRow::clicked, this, [this] {
        Q_EMIT goTo(u"review"_s, {{u"kind"_s, u"ambiguous"_s}});
    });
    for (const ChartPanel *panel : {m_runs, m_retries, m_compensations})
        connect(panel, &ChartPanel::wanted, this, &Page::goTo);
    connect(m_groups, &GroupTable::opened, this, [this](const QString &group) {
        goToRuns(widgets::filterWord(u"group"_s, group) + u" since:7d"_s);
    });
    connect(m_groups, &GroupTable::reviewWanted, this, [this] {
        Q_EMIT goTo(u"weekly"_s, {{u"section"_s, u"groups"_s}});
    });
    connect(m_operations, &RateTable::opened, this, [this](const QJsonObject &row) {
        goToRuns(widgets::filterWord(u"workflow"_s, row.value("workflow"_L1).toString()) + u' ' +
                 widgets::filterWord(u"step"_s, row.value("step"_L1).toString()) + sinceWord());
    });
    connect(m_dependencies, &RateTable::opened, this, [this](const QJsonObject &row) {
        Q_EMIT goTo(u"dependencies"_s, {{u"dependency"_s, row.value("dependency"_L1)}});
    });
}

QWidget *OverviewPage::buildCharts()
{
    auto *charts = new QWidget;
    auto *grid = new QGridLayout(charts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(fontMetrics().averageCharWidth() * 3 / 2);
    m_runs = new ChartPanel(u"Runs by outcome"_s, u"runsChart"_s);
    m_retries = new ChartPanel(u"Failed attempts by class, and retries"_s, u"retriesChart"_s);
    m_compensations = new ChartPanel(u"Compensation rate"_s, u"compensationChart"_s);
    grid->addWidget(m_runs, 0, 0, 1, 2);
    grid->addWidget(buildHarm(), 0, 2, 2, 1);
    grid->addWidget(m_retries, 1, 0);
    grid->addWidget(m_compensations, 1, 1);
    for (const int column : {0, 1, 2})
        grid->setColumnStretch(column, 1);
    return charts;
}

QWidget *OverviewPage::buildTables()
{
    auto *tables = new QWidget;
    auto *row = new QHBoxLayout(tables);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(fontMetrics().averageCharWidth() * 3 / 2);
    m_operations = new RateTable(RateTable::By::operation);
    m_dependencies = new RateTable(RateTable::By::dependency);
    row->addWidget(m_operations, 11);
    row->addWidget(m_dependencies, 9);
    return tables;
}

} // namespace holdfast::overview
