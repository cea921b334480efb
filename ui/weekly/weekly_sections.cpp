// The eight sections of the weekly page: their tables, charts and buttons.
#include "ui/shell/permits.h"
#include "ui/style/group_look.h"
#include "ui/weekly/chart_paint.h"
#include "ui/weekly/chart_view.h"
#include "ui/weekly/group_detail.h"
#include "ui/weekly/report_text.h"
#include "ui/weekly/section_list.h"
#include "ui/weekly/weekly_page.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/trend_delegate.h"
#include "ui/widgets/wrap_label.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
JsonColumn words(const QString &title, const QString &name)
{
    return {title, [name](const QJsonObject &row) { return row[name].toString(); }};
}

JsonColumn when(const QString &title, const QString &name)
{
    JsonColumn column{title, [name](const QJsonObject &row) {
                          return widgets::shortTime(widgets::instantOf(row[name]));
                      }};
    column.figure = [name](const QJsonObject &row) { return QVariant(row[name].toString()); };
    return column;
}

JsonColumn figure(const QString &title, const QString &name, const QString &unit = u"count"_s)
{
    JsonColumn column{title, [=](const QJsonObject &row) { return figureText(row[name], unit); }};
    column.figure = [name](const QJsonObject &row) { return QVariant(row[name].toDouble()); };
    column.alignment = Qt::AlignRight | Qt::AlignVCenter;
    return column;
}

JsonColumn look(const QString &title, style::StatusLook (*lookOf)(const QString &))
{
    JsonColumn column{title, [lookOf](const QJsonObject &row) {
                          return lookOf(row["status"_L1].toString()).text();
                      }};
    column.token = [lookOf](const QJsonObject &row) {
        return lookOf(row["status"_L1].toString()).token;
    };
    return column;
}

JsonColumn byUnit(const QString &title, const QString &name)
{
    JsonColumn column{title, [name](const QJsonObject &row) {
                          return figureText(row[name], row["unit"_L1].toString());
                      }};
    column.alignment = Qt::AlignRight | Qt::AlignVCenter;
    return column;
}

QVector<JsonColumn> groupColumns()
{
    JsonColumn change{u"Change"_s, groupChange};
    change.alignment = Qt::AlignRight | Qt::AlignVCenter;
    change.figure = [](const QJsonObject &row) {
        return QVariant(row["runs"_L1].toDouble() - row["runs_before"_L1].toDouble());
    };
    JsonColumn trend{u"Trend"_s,
                     [](const QJsonObject &row) { return trendText(row["trend"_L1].toArray()); }};
    trend.figure = [](const QJsonObject &row) {
        return QVariant(row["trend"_L1].toArray().toVariantList());
    };
    JsonColumn decision{u"Decision"_s, [](const QJsonObject &row) {
                            const QString text = groupDecision(row);
                            return text.isEmpty() ? u"– none yet"_s : text;
                        }};
    decision.token = [](const QJsonObject &row) {
        return groupDecision(row).isEmpty() ? Token::muted : Token::text;
    };
    return {look(u"Status"_s, style::groupLook),
            {u"Where"_s, groupWhere},
            {u"Class, reason"_s, groupReason},
            figure(u"Runs"_s, u"runs"_s),
            change,
            trend,
            decision};
}

QVector<JsonColumn> dayColumns()
{
    QVector<JsonColumn> columns{
        {u"Day (UTC)"_s, [](const QJsonObject &row) { return dayName(row["at"_L1]); }},
        figure(u"Started"_s, u"runs_started"_s)};
    for (const OutcomeSeries &series : outcomeSeries())
        columns << figure(QString::fromUtf16(series.word), QString::fromUtf16(series.name));
    columns << figure(u"Ended the week before"_s, u"before"_s);
    return columns;
}
} // namespace

QWidget *WeeklyPage::buildSections()
{
    m_stack = new QStackedWidget;
    m_stack->addWidget(buildChanges());
    m_stack->addWidget(buildGroups());
    JsonColumn kind{u"Kind"_s, [](const QJsonObject &row) {
                        return style::reviewLook(row["kind"_L1].toString()).text();
                    }};
    kind.token = [](const QJsonObject &row) {
        return style::reviewLook(row["kind"_L1].toString()).token;
    };
    m_unresolved = addTable(
        {u"unresolved"_s, u"Items that wait for a person"_s, u"✔ Nothing waits for a person."_s},
        {kind,
         {u"Where"_s, groupWhere},
         words(u"Question"_s, u"question"_s),
         when(u"Since"_s, u"opened_at"_s)},
        {22, 30, 0, 16});
    m_stack->addWidget(buildList(m_unresolved, &m_unresolvedMore));
    JsonColumn steps{u"Steps"_s, [](const QJsonObject &row) {
                         const QJsonValue value = row["steps"_L1];
                         return value.isArray() ? tagsText(value.toArray())
                                                : figureText(value, u"count"_s);
                     }};
    m_compensations =
        addTable({u"compensations"_s, u"Compensated runs"_s, u"✔ No run was compensated."_s},
                 {look(u"Status"_s, style::statusLook), words(u"Workflow"_s, u"workflow"_s), steps,
                  when(u"Ended"_s, u"finished_at"_s), words(u"Run"_s, u"run_id"_s)},
                 {24, 26, 18, 16, 0});
    m_stack->addWidget(buildList(m_compensations, &m_compensationsMore));
    m_stack->addWidget(buildCost());
    m_canaries = addTable({u"canaries"_s, u"Canary verdicts"_s, u"No canary ran in this week."_s},
                          {{u"Canary"_s, pairsText}}, {0});
    m_stack->addWidget(buildList(m_canaries));
    m_gaps = addTable(
        {u"gaps"_s, u"Contract gaps"_s, u"✔ Every contract says what it has to."_s},
        {{u"Workflow"_s,
          [](const QJsonObject &row) {
              return u"%1 v%2"_s.arg(row["workflow"_L1].toString()).arg(row["version"_L1].toInt());
          }},
         words(u"Step"_s, u"step"_s),
         words(u"Gap"_s, u"gap"_s),
         words(u"Why it matters"_s, u"why"_s)},
        {26, 20, 22, 0});
    m_stack->addWidget(buildList(m_gaps));
    m_stack->addWidget(buildSignoff());
    for (const Table &made : {m_groups, m_unresolved, m_compensations, m_canaries, m_gaps,
                              m_changes, m_flips, m_measures})
        made.table->setItemDelegate(new widgets::CellDelegate(made.table));
    m_groups.table->setItemDelegateForColumn(5, new widgets::TrendDelegate(m_groups.table));
    return m_stack;
}

QWidget *WeeklyPage::buildList(const Table &table, widgets::WrapLabel **about)
{
    auto *side = new QWidget;
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(table.table, 1);
    if (about) {
        *about = new widgets::WrapLabel(table.table->objectName() + u"More"_s, u"And more"_s);
        (*about)->setToken(Token::muted);
        column->addWidget(*about);
    }
    return side;
}

QWidget *WeeklyPage::buildChanges()
{
    m_days = new ChartView(u"Runs by outcome"_s, u"daysChart"_s, dayColumns());
    m_days->setMinimumHeight(220);
    m_days->setEmptyText(u"No run was started or ended in this week."_s);
    m_changes = addTable({u"changes"_s, u"What changed"_s,
                          u"Nothing was deployed, paused or resumed in this week."_s},
                         {when(u"When"_s, u"at"_s), words(u"What"_s, u"kind"_s),
                          words(u"Of"_s, u"subject"_s), words(u"Change"_s, u"text"_s),
                          words(u"By"_s, u"who"_s)},
                         {13, 9, 18, 0, 9});
    m_measures =
        addTable({u"measures"_s, u"Measures with their definitions"_s,
                  u"No measure was taken in this week."_s},
                 {words(u"Measure"_s, u"title"_s), byUnit(u"Now"_s, u"now"_s),
                  byUnit(u"Before"_s, u"before"_s), words(u"Definition"_s, u"definition"_s)},
                 {30, 12, 12, 0});
    auto *section = new QSplitter(Qt::Vertical);
    section->setChildrenCollapsible(false);
    auto *tabs = new QTabWidget;
    tabs->setObjectName(u"changeTabs"_s);
    tabs->setAccessibleName(u"What people changed, or whose leads changed hands"_s);
    tabs->setDocumentMode(true);
    tabs->addTab(m_changes.table, u"Changes"_s);
    tabs->addTab(buildFlips(), u"Owner flips"_s);
    section->addWidget(m_days);
    section->addWidget(tabs);
    section->addWidget(m_measures.table);
    section->setStretchFactor(0, 2);
    section->setStretchFactor(1, 2);
    section->setStretchFactor(2, 3); // all seven at a glance
    return section;
}

QWidget *WeeklyPage::buildFlips()
{
    m_flipsLine = new widgets::WrapLabel(u"flipsLine"_s, u"How many leads changed hands"_s);
    m_flips = addTable(
        {u"flips"_s, u"Leads given to another owner"_s, u"There is nothing to list."_s},
        {when(u"When"_s, u"at"_s), words(u"Workflow"_s, u"workflow"_s), words(u"Lead"_s, u"lead"_s),
         words(u"From"_s, u"from"_s), words(u"To"_s, u"to"_s)},
        {16, 24, 0, 24, 24});
    auto *side = new QWidget;
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_flipsLine);
    column->addWidget(m_flips.table, 1);
    return side;
}

QWidget *WeeklyPage::buildGroups()
{
    m_groupsLine = new widgets::WrapLabel(u"groupsLine"_s, u"How many groups are settled"_s);
    m_groups = addTable({u"groups"_s, u"Failure groups"_s,
                         u"Quiet week: 0 groups.\nSign the report anyway under Sign off."_s, true},
                        groupColumns(), {15, 26, 22, 7, 8, 11, 0});
    m_groups.table->setSortingEnabled(true);
    m_groups.table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    m_groupDetail = new GroupDetail;
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_groupDetail);
    auto *whole = new QWidget;
    auto *detail = new QVBoxLayout(whole);
    const int unit = fontMetrics().averageCharWidth();
    detail->setContentsMargins(0, 0, 0, unit);
    detail->addWidget(scroll, 1);
    detail->addWidget(buildGroupButtons());
    m_actLine = new widgets::WrapLabel(u"actLine"_s, u"What became of the last act"_s);
    m_actLine->hide();
    detail->addWidget(m_actLine);
    JsonColumn cause = words(u"Root cause"_s, u"cause"_s);
    m_causes = new ChartView(u"Runs by root cause"_s, u"causesChart"_s,
                             {cause, figure(u"Runs"_s, u"runs"_s),
                              figure(u"Share"_s, u"share"_s, u"percent"_s),
                              figure(u"Together"_s, u"cumulative"_s, u"percent"_s)});
    m_causes->setEmptyText(u"No failure, no cause."_s);
    auto *tabs = new QTabWidget;
    tabs->setObjectName(u"groupTabs"_s);
    tabs->setAccessibleName(u"The group, or all root causes"_s);
    tabs->setDocumentMode(true);
    tabs->addTab(whole, u"This group"_s);
    tabs->addTab(m_causes, u"Root causes"_s);
    auto *top = new QWidget;
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_groupsLine);
    column->addWidget(m_groups.table, 1);
    auto *section = new QSplitter(Qt::Vertical);
    section->setChildrenCollapsible(false);
    section->addWidget(top);
    section->addWidget(tabs);
    section->setStretchFactor(0, 1);
    section->setStretchFactor(1, 1);
    return section;
}

QWidget *WeeklyPage::buildGroupButtons()
{
    auto *row = new QWidget;
    auto *flow = new widgets::FlowLayout(fontMetrics().averageCharWidth(), row);
    const auto add = [&](const QString &name, const QString &key, const QString &text,
                         const QString &operation, void (WeeklyPage::*slot)()) {
        auto *button = new QPushButton;
        widgets::setRoomyText(button, text);
        button->setObjectName(name);
        button->setAccessibleName(text);
        button->setToolTip(key.isEmpty() ? text : u"%1 (%2)"_s.arg(text, key));
        button->setAutoDefault(false);
        if (!operation.isEmpty())
            shell::Permits::name(button, operation);
        connect(button, &QPushButton::clicked, this, slot);
        flow->addWidget(button);
        m_actButtons << button;
    };
    const QString act = u"group_do"_s;
    add(u"resolve"_s, u"F"_s, u"Fixed in version…"_s, act, &WeeklyPage::resolve);
    add(u"archive"_s, u"E"_s, u"Archive until escalating"_s, act, &WeeklyPage::archive);
    add(u"policy"_s, u"P"_s, u"Change policy"_s, {}, &WeeklyPage::changePolicy);
    add(u"assign"_s, u"M"_s, u"Assign…"_s, act, &WeeklyPage::assign);
    add(u"merge"_s, u"G"_s, u"Merge with…"_s, act, &WeeklyPage::merge);
    add(u"note"_s, u"T"_s, u"Note…"_s, act, &WeeklyPage::note);
    add(u"tag"_s, u"R"_s, u"Root cause…"_s, act, &WeeklyPage::tag);
    add(u"reopen"_s, u"O"_s, u"Reopen"_s, act, &WeeklyPage::reopen);
    add(u"groupRuns"_s, u"Enter"_s, u"Show its runs"_s, {}, &WeeklyPage::openRuns);
    return row;
}

QWidget *WeeklyPage::buildCost()
{
    m_costLine = new widgets::WrapLabel(u"costLine"_s, u"What retries and models cost"_s);
    m_cost =
        addTable({u"cost"_s, u"Attempts by dependency"_s, u"No call in this week."_s},
                 {words(u"Dependency"_s, u"dependency"_s), figure(u"Attempts"_s, u"attempts"_s),
                  figure(u"Retries"_s, u"retries"_s), figure(u"Transient"_s, u"transient"_s),
                  figure(u"Permanent"_s, u"permanent"_s), figure(u"Ambiguous"_s, u"ambiguous"_s)},
                 {0, 12, 12, 12, 12, 12});
    auto *section = new QWidget;
    auto *column = new QVBoxLayout(section);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_costLine);
    column->addWidget(m_cost.table, 1);
    return section;
}

QWidget *WeeklyPage::buildSignoff()
{
    m_signLine = new widgets::WrapLabel(u"signLine"_s, u"Sign-off"_s);
    m_signLine->setLinesMax(6);
    m_signHash = new widgets::WrapLabel(u"signHash"_s, u"Whether the figures are as signed"_s);
    m_signRefusal = new widgets::WrapLabel(u"signRefusal"_s, u"Why it was not signed"_s);
    m_signRefusal->setToken(Token::bad);
    m_signNote = new QLineEdit;
    m_signNote->setObjectName(u"signNote"_s);
    m_signNote->setAccessibleName(u"Note to the sign-off"_s);
    m_signNote->setPlaceholderText(u"Note, for who reads this next week"_s);
    m_signNote->setMaxLength(1000);
    m_sign = new QPushButton;
    m_sign->setObjectName(u"sign"_s);
    shell::Permits::name(m_sign, u"report_sign"_s);
    auto *panel = new widgets::Panel;
    auto *column = new QVBoxLayout(panel);
    const int unit = fontMetrics().averageCharWidth();
    column->setContentsMargins(unit * 3, unit * 2, unit * 3, unit * 2);
    column->setSpacing(unit * 3 / 2);
    column->addWidget(widgets::heading(u"Sign off"_s));
    column->addWidget(m_signLine);
    column->addWidget(m_signNote);
    column->addWidget(m_sign, 0, Qt::AlignLeft);
    column->addWidget(m_signRefusal);
    column->addWidget(m_signHash);
    auto *section = new QWidget;
    auto *around = new QVBoxLayout(section);
    around->setContentsMargins(0, 0, 0, 0);
    around->addWidget(panel);
    around->addStretch();
    return section;
}

void WeeklyPage::connectSections()
{
    connect(m_sections, &SectionList::chosen, this, [this](const QString &section) {
        m_stack->setCurrentIndex(int(SectionList::names().indexOf(section)));
        showActs();
        Q_EMIT placeChanged();
    });
    connect(m_sections, &SectionList::ticksChanged, this, [this] {
        QStringList ticks = m_sections->ticks();
        ticks.removeAll(u"signoff"_s);
        m_ticks.insert(m_week.text(), ticks);
        showTicks();
        Q_EMIT placeChanged();
    });
    connect(m_groups.table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid() && !m_isFilling)
                    chooseGroup(m_groups.model->row(current.row())["id"_L1].toString());
            });
    connect(m_groups.table, &QTableView::activated, this, [this] { openRuns(); });
    const auto leads = [this](const Table &list, auto act) {
        connect(list.table, &QTableView::activated, this,
                [list, act](const QModelIndex &index) { act(list.model->row(index.row())); });
    };
    leads(m_unresolved, [this](const QJsonObject &row) {
        Q_EMIT goTo(u"review"_s, {{u"kind"_s, row["kind"_L1]}, {u"review"_s, row["id"_L1]}});
    });
    for (const Table &ofRuns : {m_compensations, m_flips}) {
        leads(ofRuns, [this](const QJsonObject &row) {
            Q_EMIT goTo(u"run"_s, {{u"run"_s, row["run_id"_L1]}});
        });
    }
    leads(m_gaps, [this](const QJsonObject &row) {
        Q_EMIT goTo(u"workflows"_s,
                    {{u"workflow"_s, row["workflow"_L1]}, {u"version"_s, row["version"_L1]}});
    });
    leads(m_cost, [this](const QJsonObject &row) {
        Q_EMIT goTo(u"dependencies"_s, {{u"dependency"_s, row["dependency"_L1]}});
    });
    connect(m_sign, &QPushButton::clicked, this, &WeeklyPage::sign);
}

} // namespace holdfast::weekly
