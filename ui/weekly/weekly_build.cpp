// How the weekly page is put together: its frame, its keys and its side; sections are in
// weekly_sections.cpp.
#include "ui/shell/permits.h"
#include "ui/weekly/report_export.h"
#include "ui/weekly/report_text.h"
#include "ui/weekly/section_list.h"
#include "ui/weekly/weekly_page.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
constexpr Qt::Alignment right = Qt::AlignRight | Qt::AlignVCenter;

// Where letters are keys, one whose act is off must not choose another row.
class KeyedTable : public widgets::SteadyTable
{
public:
    void keyboardSearch(const QString &) override {}
};

QToolButton *arrow(const QString &name, const QString &accessibleName, Qt::ArrowType type)
{
    auto *button = new QToolButton;
    button->setObjectName(name);
    button->setAccessibleName(accessibleName);
    button->setToolTip(accessibleName);
    button->setArrowType(type);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QVector<JsonColumn> figureColumns()
{
    JsonColumn now{u"Now"_s, [](const QJsonObject &row) {
                       return figureText(row["now"_L1], row["unit"_L1].toString());
                   }};
    JsonColumn change{u"Change"_s, [](const QJsonObject &row) {
                          return changeText(row["now"_L1], row["before"_L1],
                                            row["unit"_L1].toString());
                      }};
    change.token = [](const QJsonObject &) { return Token::muted; };
    now.alignment = right;
    change.alignment = right;
    // The title says it in a sentence, which the tool tip of a narrow column has no room for
    // either.
    const auto title = [](const QJsonObject &row) {
        return row["name"_L1].toString() == "success_rate"_L1 ? u"Success rate"_s
                                                              : row["title"_L1].toString();
    };
    return {{u"This week"_s, title}, now, change};
}

const QVector<std::pair<QString, QString>> &exportFormats()
{
    static const QVector<std::pair<QString, QString>> all{{u"pdf"_s, u"&PDF…"_s},
                                                          {u"html"_s, u"&HTML…"_s},
                                                          {u"markdown"_s, u"&Markdown…"_s},
                                                          {u"csv"_s, u"&CSV…"_s}};
    return all;
}
} // namespace

WeeklyPage::Table WeeklyPage::addTable(const ListText &text, const QVector<JsonColumn> &columns,
                                       const QVector<int> &widths)
{
    Table made;
    made.model = new widgets::JsonTableModel(
        columns,
        [](const QJsonObject &row) {
            // Groups have an id of their own, figures a name; other rows were given one.
            for (const QString &name : {u"identity"_s, u"id"_s, u"name"_s}) {
                if (row.contains(name))
                    return row[name].toString();
            }
            return QString();
        },
        this);
    made.table = text.hasKeys ? new KeyedTable : new widgets::SteadyTable;
    made.table->setObjectName(text.name);
    made.table->setAccessibleName(text.accessibleName);
    made.table->setModel(made.model);
    made.table->setSelectionMode(QAbstractItemView::SingleSelection);
    made.table->setMinimumHeight(fontMetrics().height() * 6);
    widgets::setColumnWidths(*made.table, widths);
    made.empty = new widgets::EmptyNote(made.table, text.empty);
    return made;
}

void WeeklyPage::build()
{
    const int unit = fontMetrics().averageCharWidth();
    m_problemLine = new widgets::WrapLabel(u"problem"_s, u"What went wrong"_s);
    m_problemLine->setToken(Token::bad);
    m_incomplete = new widgets::WrapLabel(u"incomplete"_s, u"What the figures lack"_s);
    m_incomplete->setToken(Token::attention);
    m_reading = new widgets::WrapLabel(u"reading"_s, u"State of the report"_s);
    m_reading->setToken(Token::muted);
    auto *waiting = new QWidget;
    auto *middle = new QVBoxLayout(waiting);
    middle->addWidget(m_reading);
    middle->addStretch();
    m_whole = new QStackedWidget;
    m_whole->addWidget(waiting);
    m_whole->addWidget(buildSections());
    auto *row = new QHBoxLayout;
    row->setSpacing(unit * 2);
    row->addWidget(buildSide());
    row->addWidget(m_whole, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 3 / 2);
    column->setSpacing(unit);
    column->addWidget(buildTop());
    column->addWidget(m_problemLine);
    column->addWidget(m_incomplete);
    column->addLayout(row, 1);
    column->addWidget(buildExportBar());
}

QWidget *WeeklyPage::buildTop()
{
    auto *top = new QWidget;
    auto *row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 0, 0);
    m_previous = arrow(u"previousWeek"_s, u"The week before"_s, Qt::LeftArrow);
    m_next = arrow(u"nextWeek"_s, u"The week after"_s, Qt::RightArrow);
    m_title = new widgets::TokenLabel;
    m_title->setObjectName(u"week"_s);
    m_title->setAccessibleName(u"Week"_s);
    m_title->setSize(1.35, true);
    m_span = new widgets::ElidedLabel(u"span"_s, u"From when to when, on this desktop's clock"_s);
    m_progress = new widgets::TokenLabel({}, Token::muted);
    m_progress->setObjectName(u"done"_s);
    m_progress->setAccessibleName(u"Sections done"_s);
    m_exportButton = new QPushButton;
    widgets::setRoomyText(m_exportButton, u"Export"_s);
    m_exportButton->setMinimumWidth(fontMetrics().averageCharWidth() * 14);
    m_exportButton->setObjectName(u"export"_s);
    m_exportButton->setAccessibleName(u"Export the report"_s);
    auto *menu = new QMenu(m_exportButton);
    for (const auto &[format, text] : exportFormats()) {
        QAction *action = menu->addAction(text);
        action->setObjectName(u"export_"_s + format);
        connect(action, &QAction::triggered, this,
                [this, format = format] { chooseExport(format); });
    }
    m_exportButton->setMenu(menu);
    row->addWidget(m_previous);
    row->addWidget(m_title);
    row->addWidget(m_next);
    row->addSpacing(fontMetrics().averageCharWidth());
    row->addWidget(m_span, 1);
    row->addWidget(m_progress);
    row->addSpacing(fontMetrics().averageCharWidth());
    row->addWidget(m_exportButton);
    connect(m_previous, &QToolButton::clicked, this, [this] {
        setWeek(m_week.before());
        refresh();
    });
    connect(m_next, &QToolButton::clicked, this, [this] {
        if (m_week.after().since() > bridge().now())
            return;
        setWeek(m_week.after());
        refresh();
    });
    return top;
}

QWidget *WeeklyPage::buildSide()
{
    m_sections = new SectionList;
    m_figures = addTable(
        {u"weekFigures"_s, u"Figures of the week against the week before"_s, u"No figures yet."_s},
        figureColumns(), {0, 8, 8});
    m_figures.table->setFocusPolicy(Qt::StrongFocus);
    // The column is narrow, and what a figure counts is said in words.
    m_figures.table->setWordWrap(true);
    QHeaderView *rows = m_figures.table->verticalHeader();
    rows->setMinimumSectionSize(rows->defaultSectionSize());
    rows->setSectionResizeMode(QHeaderView::ResizeToContents);
    auto *side = new QWidget;
    side->setFixedWidth(
        std::max(m_sections->sizeHint().width(), fontMetrics().averageCharWidth() * 38));
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(fontMetrics().averageCharWidth());
    m_sections->setFixedHeight(m_sections->sizeHint().height());
    column->addWidget(m_sections);
    column->addWidget(m_figures.table, 1);
    return side;
}

QWidget *WeeklyPage::buildExportBar()
{
    m_exportBar = new QWidget;
    m_exportText = new widgets::ElidedLabel(u"exportText"_s, u"What the export does"_s);
    m_exportProgress = new QProgressBar;
    m_exportProgress->setObjectName(u"exportProgress"_s);
    m_exportProgress->setAccessibleName(u"How far the export is"_s);
    m_exportProgress->setMaximumWidth(fontMetrics().averageCharWidth() * 24);
    m_exportStop = new QPushButton(u"Stop"_s);
    m_exportStop->setObjectName(u"exportStop"_s);
    m_exportStop->setAccessibleName(u"Stop the export, or close this line"_s);
    auto *row = new QHBoxLayout(m_exportBar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_exportText, 1);
    row->addWidget(m_exportProgress);
    row->addWidget(m_exportStop);
    connect(m_exportStop, &QPushButton::clicked, this, [this] {
        if (m_export)
            m_export->stop();
        else
            m_exportBar->hide();
    });
    m_exportBar->hide();
    return m_exportBar;
}

// A letter works only while the table of groups has the focus; everywhere else it is text.
QAction *WeeklyPage::letterAction(const QString &text, const QString &letter,
                                  const QString &operation)
{
    QAction *action = addPageAction(u"Review"_s, text, QKeySequence(letter));
    action->setShortcutContext(Qt::WidgetShortcut);
    if (!operation.isEmpty())
        shell::Permits::name(action, operation);
    m_groups.table->addAction(action);
    m_actActions << action;
    return action;
}

void WeeklyPage::buildActions()
{
    const QString act = u"group_do"_s;
    const auto add = [this](const QString &text, const QString &letter, const QString &operation,
                            void (WeeklyPage::*slot)()) {
        connect(letterAction(text, letter, operation), &QAction::triggered, this, slot);
    };
    add(u"&Fixed in version…"_s, u"F"_s, act, &WeeklyPage::resolve);
    add(u"Archive until &escalating"_s, u"E"_s, act, &WeeklyPage::archive);
    add(u"Change &policy"_s, u"P"_s, {}, &WeeklyPage::changePolicy);
    add(u"&Assign…"_s, u"M"_s, act, &WeeklyPage::assign);
    add(u"Mer&ge with…"_s, u"G"_s, act, &WeeklyPage::merge);
    add(u"&Note…"_s, u"T"_s, act, &WeeklyPage::note);
    add(u"&Root cause…"_s, u"R"_s, act, &WeeklyPage::tag);
    add(u"Re&open"_s, u"O"_s, act, &WeeklyPage::reopen);
    m_groups.table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(addPageAction(u"View"_s, u"The week &before"_s, u"Ctrl+["_s), &QAction::triggered,
            m_previous, &QToolButton::click);
    connect(addPageAction(u"View"_s, u"The week &after"_s, u"Ctrl+]"_s), &QAction::triggered,
            m_next, &QToolButton::click);
    connect(addPageAction(u"Review"_s, u"E&xport the report"_s, u"Ctrl+E"_s), &QAction::triggered,
            this, [this] {
                if (!m_exportButton->isEnabled())
                    return;
                m_exportButton->setFocus();
                m_exportButton->showMenu();
            });
    QAction *signing = addPageAction(u"Review"_s, u"&Sign the week"_s);
    shell::Permits::name(signing, u"report_sign"_s);
    connect(signing, &QAction::triggered, this, [this] {
        m_sections->setCurrent(u"signoff"_s);
        m_signNote->setFocus();
    });
}

} // namespace holdfast::weekly
