#include "ui/overview/chart_panel.h"

#include "ui/overview/chart_table_model.h"
#include "ui/overview/legend_button.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/token_label.h"

#include <QHeaderView>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

ChartPanel::ChartPanel(const QString &title, const QString &objectName, QWidget *parent)
    : Panel(parent), m_range(timeRanges().at(1))
{
    setObjectName(objectName);
    build(title);
    connect(m_chart, &BucketChart::currentChanged, this, &ChartPanel::showBucket);
    connect(m_chart, &BucketChart::opened, this,
            [this](int bucket) { open(ChartSeries(), bucket); });
    connect(m_toggle, &QToolButton::toggled, this, &ChartPanel::showTable);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        const QVector<ChartSeries> all = m_data.bars + m_data.lines;
        open(all.value(index.column() - 1), m_model->bucketOf(index.row()));
    });
}

void ChartPanel::build(const QString &title)
{
    const int unit = fontMetrics().averageCharWidth();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit, unit * 2, unit);
    column->setSpacing(unit / 2);
    auto *top = new QHBoxLayout;
    top->addWidget(widgets::heading(title));
    m_when = new widgets::TokenLabel({}, Token::busy);
    m_when->setAccessibleName(u"Time under the cursor"_s);
    top->addSpacing(unit);
    top->addWidget(m_when);
    top->addStretch();
    m_toggle = new QToolButton;
    m_toggle->setObjectName(objectName() + u"Toggle"_s);
    m_toggle->setText(u"Table"_s);
    m_toggle->setAccessibleName(title + u" as a table"_s);
    m_toggle->setCheckable(true);
    m_toggle->setAutoRaise(true);
    m_toggle->setFocusPolicy(Qt::StrongFocus);
    top->addWidget(m_toggle);
    column->addLayout(top);
    m_chart = new BucketChart(title);
    m_model = new ChartTableModel(this);
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(objectName() + u"Table"_s);
    m_table->setAccessibleName(title + u" as a table"_s);
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setFrameShape(QFrame::NoFrame);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_chart);
    m_stack->addWidget(m_table);
    column->addWidget(m_stack, 1);
    auto *legend = new QWidget;
    m_legendRow = new widgets::FlowLayout(unit, legend);
    column->addWidget(legend);
}

void ChartPanel::setData(const ChartData &fresh, const TimeRange &range)
{
    m_range = range;
    m_chart->setData(fresh, range);
    m_data = m_chart->data(); // the old one while the cursor is on the chart
    m_model->setData(m_data, range);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    const qsizetype wanted = m_data.bars.size() + m_data.lines.size() + m_data.outline.size();
    while (m_legend.size() < wanted) {
        auto *button = new LegendButton;
        connect(button, &QAbstractButton::clicked, this,
                [this, button] { open(button->series(), -1); });
        m_legend << button;
        m_legendRow->addWidget(button);
    }
    int at = 0;
    for (const ChartSeries &series : m_data.bars)
        m_legend[at++]->setSeries(series, LegendButton::Swatch::bar);
    for (const ChartSeries &series : m_data.lines)
        m_legend[at++]->setSeries(series, LegendButton::Swatch::line);
    for (ChartSeries series : m_data.outline) {
        series.page.clear();
        m_legend[at++]->setSeries(series, LegendButton::Swatch::outline);
    }
    showBucket(m_chart->currentBucket());
}

void ChartPanel::showBucket(int bucket)
{
    m_data = m_chart->data();
    m_when->setText(bucket < 0 ? QString() : m_range.bucketText(m_data.at.value(bucket)));
    const QVector<ChartSeries> all = m_data.bars + m_data.lines + m_data.outline;
    for (int i = 0; i < m_legend.size() && i < all.size(); ++i) {
        const double value = bucket < 0 ? all.at(i).total : all.at(i).values.value(bucket);
        m_legend.at(i)->setValue(m_data.valueText(value));
    }
}

void ChartPanel::showTable(bool shown)
{
    m_stack->setCurrentWidget(shown ? static_cast<QWidget *>(m_table) : m_chart);
    m_toggle->setText(shown ? u"Chart"_s : u"Table"_s);
}

void ChartPanel::open(const ChartSeries &series, int bucket)
{
    if (!series.kind.isEmpty() && bucket < 0) {
        Q_EMIT wanted(series.page, {{u"kind"_s, series.kind}});
        return;
    }
    QStringList words;
    if (!series.filter.isEmpty())
        words << series.filter;
    if (bucket < 0) {
        words << u"since:"_s + m_range.word;
    } else {
        const model::Instant from = m_data.at.value(bucket);
        words << u"since:"_s + model::instantText(from)
              << u"until:"_s + model::instantText(from + m_range.bucket);
    }
    Q_EMIT wanted(u"runs"_s, {{u"filter"_s, words.join(u' ')}});
}

} // namespace holdfast::overview
