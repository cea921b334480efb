// How the page is put together; what it shows is in dependencies_page.cpp.
#include "ui/dependencies/breaker_look.h"
#include "ui/dependencies/dependencies_page.h"
#include "ui/dependencies/failure_map.h"
#include "ui/shell/permits.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/filter_word.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/rate_delegate.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace holdfast::dependencies
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
constexpr Qt::Alignment right = Qt::AlignRight | Qt::AlignVCenter;

double countOf(const QJsonObject &row, const QString &name)
{
    return row.value("counts"_L1).toObject().value(name).toDouble();
}

QVariant successOf(const QJsonObject &row)
{
    const double confirmed = countOf(row, u"confirmed"_s);
    const double all = confirmed + countOf(row, u"failed"_s);
    return all > 0 ? QVariant(confirmed / all) : QVariant();
}

JsonColumn text(const QString &title, const QString &name)
{
    return {title, [name](const QJsonObject &row) { return row.value(name).toString(); }};
}

JsonColumn counter(const QString &title, const QString &name, Token token)
{
    JsonColumn column{title, [name](const QJsonObject &row) {
                          return hasCalls(row) ? QLocale().toString(qint64(countOf(row, name)))
                                               : u"–"_s;
                      }};
    column.figure = [name](const QJsonObject &row) { return QVariant(countOf(row, name)); };
    column.token = [name, token](const QJsonObject &row) {
        return countOf(row, name) > 0 ? token : Token::muted;
    };
    column.alignment = right;
    return column;
}

QVector<JsonColumn> columnsOf(const bridge::Bridge &bridge)
{
    JsonColumn breaker{u"Breaker"_s, [&bridge](const QJsonObject &row) {
                           return breakerLook(row, bridge.now()).text;
                       }};
    breaker.token = [&bridge](const QJsonObject &row) {
        return breakerLook(row, bridge.now()).token;
    };
    JsonColumn success{u"Success, 24 h"_s, [](const QJsonObject &row) {
                           const QVariant rate = successOf(row);
                           return rate.isValid() ? widgets::rateText(rate.toDouble())
                                                 : u"? unknown, no calls"_s;
                       }};
    success.figure = successOf;
    JsonColumn deployed{u"Deployed"_s, [](const QJsonObject &row) {
                            return widgets::shortTime(
                                widgets::instantOf(row.value("deployed_at"_L1)));
                        }};
    deployed.figure = [](const QJsonObject &row) {
        return QVariant(widgets::instantOf(row.value("deployed_at"_L1)));
    };
    return {text(u"Dependency"_s, u"dependency"_s),
            breaker,
            success,
            counter(u"Retries"_s, u"retries"_s, Token::text),
            counter(u"Ambiguous"_s, u"ambiguous"_s, Token::attention),
            text(u"Protection"_s, u"protection"_s),
            {u"Limits"_s, limitText},
            text(u"Owner"_s, u"owner"_s),
            deployed};
}

QPushButton *button(const QString &label, const QString &objectName)
{
    auto *made = new QPushButton(label);
    made->setObjectName(objectName);
    made->setAccessibleName(label);
    return made;
}
} // namespace

void DependenciesPage::build()
{
    const int unit = fontMetrics().averageCharWidth();
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"problem"_s);
    m_problem->setAccessibleName(u"What went wrong"_s);
    m_problem->setToken(Token::bad);
    m_problem->hide();
    m_stack = new QStackedWidget;
    m_stack->addWidget(new QWidget);
    m_stack->addWidget(buildDetail());
    auto *split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->addWidget(buildTable());
    split->addWidget(m_stack);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 2);
    column->addWidget(m_problem);
    column->addWidget(split, 1);
}

QWidget *DependenciesPage::buildTable()
{
    m_model = new widgets::JsonTableModel(
        columnsOf(bridge()),
        [](const QJsonObject &row) { return row.value("dependency"_L1).toString(); }, this);
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(u"dependencyList"_s);
    m_table->setAccessibleName(u"Dependencies"_s);
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setItemDelegateForColumn(2, new widgets::RateDelegate(m_table));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    widgets::setColumnWidths(*m_table, {0, 24, 21, 9, 12, 11, 15, 22, 14});
    new widgets::EmptyNote(m_table, u"No dependency is deployed yet. A definition file with one "
                                    "is opened on the Workflows page."_s);
    return m_table;
}

QWidget *DependenciesPage::buildActions()
{
    auto *actions = new QWidget;
    auto *row = new QHBoxLayout(actions);
    row->setContentsMargins(0, 0, 0, 0);
    m_breaker = new widgets::TokenLabel;
    m_breaker->setObjectName(u"breaker"_s);
    m_breaker->setAccessibleName(u"Breaker"_s);
    m_breaker->setSize(1, true);
    m_why = new widgets::WrapLabel;
    m_why->setObjectName(u"breakerWhy"_s);
    m_why->setAccessibleName(u"Why it stands so"_s);
    m_why->setToken(Token::muted);
    m_force = button(u"Force open…"_s, u"forceOpen"_s);
    m_trial = button(u"Allow one trial…"_s, u"allowTrial"_s);
    m_close = button(u"Close…"_s, u"closeBreaker"_s);
    m_close->setAccessibleName(u"Close the breaker…"_s);
    for (QPushButton *each : {m_force, m_trial, m_close})
        shell::Permits::name(each, u"breaker"_s);
    m_pause = button(u"Pause this dependency…"_s, u"pauseIt"_s);
    shell::Permits::name(m_pause, u"pause"_s);
    m_runs = button(u"Runs"_s, u"runsOfIt"_s);
    m_runs->setAccessibleName(u"Runs that call it"_s);
    row->addWidget(m_breaker);
    row->addSpacing(fontMetrics().averageCharWidth());
    row->addWidget(m_why, 1);
    for (QPushButton *each : {m_runs, m_trial, m_close, m_force, m_pause})
        row->addWidget(each);
    return actions;
}

QWidget *DependenciesPage::buildDetail()
{
    const int unit = fontMetrics().averageCharWidth();
    m_name = new widgets::ElidedLabel;
    m_name->setObjectName(u"name"_s);
    m_name->setAccessibleName(u"Dependency"_s);
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.35);
    m_name->setFont(bold);
    m_about = new widgets::ElidedLabel;
    m_about->setObjectName(u"about"_s);
    m_about->setAccessibleName(u"About it"_s);
    auto *head = new QHBoxLayout;
    head->addWidget(m_name);
    head->addSpacing(unit);
    head->addWidget(m_about, 1);
    m_map = new FailureMap;
    m_source = new widgets::CodeView(u"Text of the dependency"_s);
    m_source->setObjectName(u"source"_s);
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(u"detailTabs"_s);
    m_tabs->setAccessibleName(u"Failure map and source"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_map, u"Failure map"_s);
    m_tabs->addTab(m_source, u"Source"_s);
    auto *detail = new QWidget;
    auto *column = new QVBoxLayout(detail);
    column->setContentsMargins(0, unit, 0, 0);
    column->addLayout(head);
    column->addWidget(buildActions());
    column->addWidget(m_tabs, 1);
    return detail;
}

void DependenciesPage::connectAll()
{
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid())
                    choose(m_model->row(current.row()).value("dependency"_L1).toString());
            });
    connect(m_pause, &QPushButton::clicked, this, [this] {
        Q_EMIT goTo(u"pause"_s, {{u"dependency"_s, m_dependency}});
    });
    connect(m_runs, &QPushButton::clicked, this, [this] {
        Q_EMIT goTo(u"runs"_s, {{u"filter"_s, widgets::filterWord(u"dependency"_s, m_dependency)}});
    });
    const auto both = [this](QPushButton *button, const QString &text,
                             void (DependenciesPage::*act)()) {
        connect(button, &QPushButton::clicked, this, act);
        connect(addPageAction(u"Tools"_s, text), &QAction::triggered, this, act);
    };
    both(m_force, u"Force breaker open…"_s, &DependenciesPage::forceOpen);
    both(m_trial, u"Allow one trial…"_s, &DependenciesPage::allowTrial);
    both(m_close, u"Close breaker…"_s, &DependenciesPage::closeBreaker);
    connect(addPageAction(u"Tools"_s, u"Pause this dependency…"_s), &QAction::triggered, m_pause,
            &QPushButton::click);
}

} // namespace holdfast::dependencies
