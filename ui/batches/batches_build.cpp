// How the page of batches is put together: its widgets, its columns and its keys.
#include "ui/batch/batch_look.h"
#include "ui/batches/batches_page.h"
#include "ui/shell/permits.h"
#include "ui/style/status_look.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace holdfast::batches
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
JsonColumn textColumn(const QString &title, const QString &name)
{
    return {title, [name](const QJsonObject &row) { return row.value(name).toString(); }};
}

JsonColumn lookColumn(const QString &title, const QString &name,
                      batch::Look (*look)(const QString &))
{
    JsonColumn column{title,
                      [=](const QJsonObject &row) { return look(row[name].toString()).text; }};
    column.token = [=](const QJsonObject &row) { return look(row[name].toString()).token; };
    return column;
}

JsonColumn numberColumn(const QString &title,
                        const std::function<QString(const QJsonObject &)> &text)
{
    JsonColumn column{title, text};
    column.alignment = Qt::AlignRight | Qt::AlignVCenter;
    return column;
}

QVector<JsonColumn> listColumns()
{
    JsonColumn act{u"Act"_s, [](const QJsonObject &row) {
                       return batch::actText(row["act"_L1].toString(),
                                             row["verdict"_L1].toString());
                   }};
    JsonColumn time{u"Started"_s, [](const QJsonObject &row) {
                        return widgets::shortTime(widgets::instantOf(row["started_at"_L1]));
                    }};
    return {
        lookColumn(u"State"_s, u"state"_s, batch::batchLook),
        act,
        numberColumn(
            u"Taken"_s,
            [](const QJsonObject &row) {
                return u"%L1 of %L2"_s.arg(row["taken"_L1].toInt()).arg(row["chosen"_L1].toInt());
            }),
        numberColumn(u"Set apart"_s,
                     [](const QJsonObject &row) {
                         return u"%L1"_s.arg(row["items"_L1].toInt() - row["chosen"_L1].toInt());
                     }),
        textColumn(u"By"_s, u"actor"_s),
        time,
        textColumn(u"Reason"_s, u"reason"_s)};
}

QVector<JsonColumn> itemColumns()
{
    JsonColumn status{u"Run now"_s, [](const QJsonObject &row) {
                          const QString name = row["status"_L1].toString();
                          return name.isEmpty() ? QString() : style::statusLook(name).text();
                      }};
    status.token = [](const QJsonObject &row) {
        return style::statusLook(row["status"_L1].toString()).token;
    };
    return {numberColumn(
                u"Place"_s,
                [](const QJsonObject &row) { return QString::number(row["place"_L1].toInt()); }),
            lookColumn(u"Outcome"_s, u"state"_s, batch::itemLook),
            lookColumn(u"Verdict"_s, u"verdict"_s, batch::verdictLook),
            status,
            textColumn(u"Run"_s, u"run_id"_s),
            textColumn(u"Message"_s, u"message"_s)};
}

widgets::WrapLabel *lineOf(const QString &objectName, const QString &accessibleName, Token token)
{
    auto *label = new widgets::WrapLabel(objectName, accessibleName);
    label->setToken(token);
    return label;
}
} // namespace

void BatchesPage::build()
{
    const int unit = fontMetrics().averageCharWidth();
    m_problem = lineOf(u"problem"_s, u"What went wrong"_s, Token::bad);
    m_problem->hide();
    m_stack = new QStackedWidget;
    m_stack->addWidget(new QWidget);
    m_stack->addWidget(buildDetail());
    auto *split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->addWidget(buildList());
    split->addWidget(m_stack);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 5);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 2);
    column->addWidget(m_problem);
    column->addWidget(split, 1);
}

QWidget *BatchesPage::buildList()
{
    m_list = new widgets::JsonTableModel(
        listColumns(), [](const QJsonObject &row) { return row["id"_L1].toString(); }, this);
    m_listTable = new widgets::SteadyTable;
    m_listTable->setObjectName(u"batches"_s);
    m_listTable->setAccessibleName(u"Batches"_s);
    m_listTable->setModel(m_list);
    m_listTable->setSelectionMode(QAbstractItemView::SingleSelection);
    widgets::setColumnWidths(*m_listTable, {14, 20, 18, 12, 16, 18, 0});
    new widgets::EmptyNote(m_listTable,
                           u"No batch was ever started.\nSelect several runs on the page Runs, or "
                           "all that match, and choose Retry, Cancel or Compensate."_s);
    return m_listTable;
}

QWidget *BatchesPage::buildDetail()
{
    m_state = new widgets::TokenLabel;
    m_state->setObjectName(u"batchState"_s);
    m_state->setAccessibleName(u"State of the batch"_s);
    m_state->setSize(1.15, true);
    m_about = lineOf(u"batchAbout"_s, u"About this batch"_s, Token::text);
    m_about->setLinesMax(2);
    m_note = lineOf(u"batchNote"_s, u"Why it is so"_s, Token::attention);
    m_note->setLinesMax(2);
    m_note->hide();
    m_progress = new QProgressBar;
    m_progress->setObjectName(u"batchProgress"_s);
    m_progress->setAccessibleName(u"Items taken"_s);
    m_progress->setFormat(u"%v of %m taken"_s);
    m_totals = lineOf(u"batchTotals"_s, u"Totals"_s, Token::text);
    m_now = lineOf(u"batchNow"_s, u"How the runs stand now"_s, Token::muted);
    auto *row = new QHBoxLayout;
    row->addWidget(m_state);
    row->addStretch();
    const auto button = [row](const QString &name, const QString &text) {
        auto *made = new QPushButton;
        widgets::setRoomyText(made, text);
        made->setObjectName(name);
        made->setAccessibleName(text);
        shell::Permits::name(made, u"batch_do"_s);
        made->setEnabled(false); // until it is known what it would be done to
        row->addWidget(made);
        return made;
    };
    m_hold = button(u"batchHold"_s, u"Hold"_s);
    m_go = button(u"batchGo"_s, u"Go on"_s);
    m_stop = button(u"batchStop"_s, u"Stop"_s);
    auto *detail = new QWidget;
    auto *column = new QVBoxLayout(detail);
    column->setContentsMargins(0, fontMetrics().height() / 2, 0, 0);
    column->addLayout(row);
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_about, m_note, m_progress, m_totals, m_now})
        column->addWidget(widget);
    column->addWidget(buildItems(), 1);
    return detail;
}

QWidget *BatchesPage::buildItems()
{
    m_filter = new QComboBox;
    m_filter->setObjectName(u"outcomeFilter"_s);
    m_filter->setAccessibleName(u"Outcome"_s);
    m_filter->addItem(u"Every outcome"_s, QString());
    for (const QString &state :
         {u"applied"_s, u"refused"_s, u"recorded"_s, u"pending"_s, u"skipped"_s, u"apart"_s})
        m_filter->addItem(batch::itemLook(state).text, state);
    m_items = new widgets::JsonTableModel(
        itemColumns(),
        [](const QJsonObject &row) { return QString::number(row["place"_L1].toInt()); }, this);
    m_itemTable = new widgets::SteadyTable;
    m_itemTable->setObjectName(u"batchItems"_s);
    m_itemTable->setAccessibleName(u"Items of the batch"_s);
    m_itemTable->setModel(m_items);
    m_itemTable->setSelectionMode(QAbstractItemView::SingleSelection);
    widgets::setColumnWidths(*m_itemTable, {8, 16, 20, 22, 40, 0});
    new widgets::EmptyNote(m_itemTable, u"No item has this outcome."_s);
    m_more = new QPushButton(u"Show more"_s);
    m_more->setObjectName(u"moreItems"_s);
    m_more->setAccessibleName(u"Show more items"_s);
    m_more->hide();
    auto *side = new QWidget;
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_filter, 0, Qt::AlignLeft);
    column->addWidget(m_itemTable, 1);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    return side;
}

void BatchesPage::connectAll()
{
    connect(m_listTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid())
                    choose(m_list->row(current.row())["id"_L1].toString());
            });
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] {
        m_items->setRows({});
        if (!m_chosen.isEmpty())
            askItems(false);
    });
    connect(m_more, &QPushButton::clicked, this, [this] { askItems(true); });
    connect(m_itemTable, &QTableView::activated, this,
            [this](const QModelIndex &index) { openItem(index.row()); });
    const auto act = [this](QPushButton *button, const QString &text, const QKeySequence &key,
                            const QString &word) {
        connect(button, &QPushButton::clicked, this, [this, word] { tell(word); });
        QAction *action = addPageAction(u"Run"_s, text, key);
        shell::Permits::name(action, u"batch_do"_s);
        connect(action, &QAction::triggered, button, &QPushButton::click);
    };
    act(m_hold, u"&Hold the batch"_s, u"Ctrl+H"_s, u"hold"_s);
    act(m_go, u"Let the batch &go on"_s, u"Ctrl+G"_s, u"go"_s);
    act(m_stop, u"&Stop the batch"_s, u"Ctrl+Shift+X"_s, u"stop"_s);
}

} // namespace holdfast::batches
