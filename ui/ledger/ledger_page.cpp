#include "ui/ledger/ledger_page.h"

#include "ui/ledger/key_detail.h"
#include "ui/ledger/key_look.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace holdfast::ledger
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;
using widgets::JsonColumn;

namespace
{
constexpr int pageSize = 100;
constexpr int rowsMax = 5000; // beyond it a person looks a key up
constexpr int keyMax = 1000;
constexpr int readAgainMs = 1000;

QString identityOf(const QJsonObject &row)
{
    return row.value("key"_L1).toString() + u'\n' + row.value("operation"_L1).toString();
}

JsonColumn text(const QString &title, const QString &name)
{
    return {title, [name](const QJsonObject &row) { return row.value(name).toString(); }};
}

JsonColumn time(const QString &title, const QString &name, const QString &never)
{
    JsonColumn column{title, [name, never](const QJsonObject &row) {
                          const model::Instant at = widgets::instantOf(row.value(name));
                          return at == model::never ? never : widgets::shortTime(at);
                      }};
    column.figure = [name](const QJsonObject &row) {
        return QVariant(widgets::instantOf(row.value(name)));
    };
    return column;
}

QVector<JsonColumn> columns()
{
    JsonColumn status{u"Status"_s, [](const QJsonObject &row) {
                          return keyLook(row.value("status"_L1).toString()).text;
                      }};
    status.token = [](const QJsonObject &row) {
        return keyLook(row.value("status"_L1).toString()).token;
    };
    return {text(u"Key"_s, u"key"_s),
            text(u"Operation"_s, u"operation"_s),
            status,
            text(u"Run"_s, u"run_id"_s),
            text(u"Step"_s, u"step"_s),
            time(u"Created"_s, u"created_at"_s, {}),
            time(u"Expires"_s, u"expires_at"_s, u"in use"_s)};
}
} // namespace

LedgerPage::LedgerPage(bridge::Bridge &bridge) : Page(bridge, u"ledger"_s, u"Ledger"_s)
{
    build();
    connectAll();
    m_again.setSingleShot(true);
    m_again.setInterval(readAgainMs);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_isWanted)
            ask();
    });
    showState();
}

QWidget *LedgerPage::first() { return m_search; }

void LedgerPage::build()
{
    const int unit = fontMetrics().averageCharWidth();
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"problem"_s);
    m_problem->setAccessibleName(u"What went wrong"_s);
    m_problem->setToken(Token::bad);
    m_problem->hide();
    m_detail = new KeyDetail;
    m_stack = new QStackedWidget;
    m_stack->addWidget(new QWidget);
    m_stack->addWidget(m_detail);
    auto *split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->addWidget(buildTable());
    split->addWidget(m_stack);
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 3);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 2);
    column->addWidget(buildBar());
    column->addWidget(m_problem);
    column->addWidget(split, 1);
}

QWidget *LedgerPage::buildBar()
{
    m_search = new QLineEdit;
    m_search->setObjectName(u"search"_s);
    m_search->setAccessibleName(u"Look up a key"_s);
    m_search->setPlaceholderText(u"Look up a whole key, then Return   ( / )"_s);
    m_search->setClearButtonEnabled(true);
    m_search->setMaxLength(keyMax);
    m_filter = new QComboBox;
    m_filter->setObjectName(u"statusFilter"_s);
    m_filter->setAccessibleName(u"Status"_s);
    m_filter->addItem(u"Any status"_s, QString());
    for (const QString &status : keyStatuses())
        m_filter->addItem(keyLook(status).text, status);
    m_count = new widgets::TokenLabel({}, Token::muted);
    m_count->setObjectName(u"count"_s);
    m_count->setAccessibleName(u"How many are shown"_s);
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_search, 1);
    row->addWidget(m_filter);
    row->addSpacing(fontMetrics().averageCharWidth());
    row->addWidget(m_count);
    return bar;
}

QWidget *LedgerPage::buildTable()
{
    m_model = new widgets::JsonTableModel(columns(), identityOf, this);
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(u"keys"_s);
    m_table->setAccessibleName(u"Keys"_s);
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    widgets::setColumnWidths(*m_table, {0, 36, 16, 22, 16, 14, 14});
    m_empty = new widgets::EmptyNote(m_table, {});
    m_more = new QPushButton(u"Show more"_s);
    m_more->setObjectName(u"more"_s);
    m_more->setAccessibleName(u"Show more keys"_s);
    auto *side = new QWidget;
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table, 1);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    return side;
}

void LedgerPage::connectAll()
{
    connect(m_search, &QLineEdit::returnPressed, this, &LedgerPage::lookUp);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &typed) {
        if (typed.isEmpty() && !m_key.isEmpty())
            lookUp();
    });
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_status = m_filter->itemData(index).toString();
        startOver();
    });
    connect(m_more, &QPushButton::clicked, this, &LedgerPage::askMore);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (value > 0 && value == m_table->verticalScrollBar()->maximum())
            askMore();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { choose(current.row()); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        Q_EMIT goTo(u"run"_s, {{u"run"_s, m_model->row(index.row()).value("run_id"_L1)}});
    });
    connect(m_detail, &KeyDetail::runWanted, this, [this](const QString &run) {
        Q_EMIT goTo(u"run"_s, {{u"run"_s, run}});
    });
    QAction *find = addPageAction(u"Edit"_s, u"Look up a key"_s, QKeySequence(u"/"_s));
    connect(find, &QAction::triggered, this, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
}

QJsonObject LedgerPage::where() const
{
    QJsonObject place;
    if (!m_key.isEmpty())
        place.insert(u"key"_s, m_key);
    if (!m_status.isEmpty())
        place.insert(u"status"_s, m_status);
    return place;
}

void LedgerPage::open(const QJsonObject &where)
{
    const QString key = where.value("key"_L1).toString();
    const QString status = where.value("status"_L1).toString();
    if (key == m_key && status == m_status)
        return;
    {
        const QSignalBlocker quietly(m_filter);
        m_filter->setCurrentIndex(std::max(0, m_filter->findData(status)));
    }
    const QSignalBlocker quietSearch(m_search);
    m_search->setText(key);
    m_key = key;
    m_status = status;
    startOver();
}

void LedgerPage::lookUp()
{
    m_key = m_search->text().trimmed();
    startOver();
}

void LedgerPage::startOver()
{
    m_cursor.clear();
    m_hasAnswer = false;
    m_filter->setEnabled(m_key.isEmpty());
    m_model->setRows({});
    Q_EMIT placeChanged();
    showState();
    ask();
}

void LedgerPage::refresh()
{
    m_isWanted = true;
    // Further pages stay as they were read: they are in the order of keys and do not shift.
    if (!m_isAsking && !m_again.isActive() && m_model->rowCount() <= pageSize)
        ask();
}

void LedgerPage::ask()
{
    m_isWanted = false;
    m_isAsking = true;
    const int question = ++m_question;
    QJsonObject arguments{{u"limit"_s, pageSize}};
    if (!m_status.isEmpty())
        arguments.insert(u"status"_s, m_status);
    if (!m_key.isEmpty())
        arguments = {{u"key"_s, m_key}};
    bridge().ask(m_key.isEmpty() ? u"ledger_page"_s : u"ledger"_s, arguments, this,
                 [this, question](const Result<QJsonValue> &answer) {
                     if (question != m_question)
                         return;
                     m_isAsking = false;
                     m_again.start();
                     showProblem(answer ? QString() : answer.error().message);
                     if (answer)
                         answered(answer->toObject(), false);
                 });
}

void LedgerPage::askMore()
{
    if (m_isAsking || m_cursor.isEmpty() || m_model->rowCount() >= rowsMax)
        return;
    m_isAsking = true;
    const int question = ++m_question;
    QJsonObject arguments{{u"limit"_s, pageSize}, {u"after"_s, m_cursor}};
    if (!m_status.isEmpty())
        arguments.insert(u"status"_s, m_status);
    bridge().ask(u"ledger_page"_s, arguments, this,
                 [this, question](const Result<QJsonValue> &answer) {
                     if (question != m_question)
                         return;
                     m_isAsking = false;
                     showProblem(answer ? QString() : answer.error().message);
                     if (answer)
                         answered(answer->toObject(), true);
                 });
}

void LedgerPage::answered(const QJsonObject &answer, bool isMore)
{
    m_hasAnswer = true;
    const QJsonArray rows = answer.value("ledger"_L1).toArray();
    m_cursor = answer.value("cursor"_L1).toString();
    if (isMore)
        m_model->appendRows(rows);
    else
        m_table->changeInPlace([&] { m_model->setRows(rows); });
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0 && !m_key.isEmpty())
        m_table->selectRow(0); // a key that was looked up is what the person wants to see
    const int row = m_model->indexOf(m_chosen);
    if (row >= 0)
        showChosen(m_model->row(row));
    showState();
}

void LedgerPage::choose(int row)
{
    m_stack->setCurrentIndex(row < 0 ? 0 : 1);
    if (row < 0)
        return;
    m_chosen = identityOf(m_model->row(row));
    showChosen(m_model->row(row));
}

// A list carries no requests, so the chosen key is asked for by itself, once: what was sent under a
// key is the same for as long as its hash is.
void LedgerPage::showChosen(QJsonObject row)
{
    const bool isKnown = identityOf(m_whole) == m_chosen &&
                         m_whole.value("run_id"_L1) == row.value("run_id"_L1) &&
                         m_whole.value("hash"_L1) == row.value("hash"_L1);
    if (!row.contains("request"_L1) && isKnown)
        row.insert(u"request"_s, m_whole.value("request"_L1));
    m_detail->setRow(row);
    if (row.contains("request"_L1))
        return;
    bridge().ask(u"ledger"_s, {{u"key"_s, row.value("key"_L1)}}, this,
                 [this, chosen = m_chosen](const Result<QJsonValue> &answer) {
                     showProblem(answer ? QString() : answer.error().message);
                     if (!answer || chosen != m_chosen)
                         return;
                     const QJsonArray rows = (*answer)["ledger"_L1].toArray();
                     for (const QJsonValue &whole : rows) {
                         if (identityOf(whole.toObject()) == chosen)
                             m_whole = whole.toObject();
                     }
                     if (identityOf(m_whole) == chosen)
                         m_detail->setRow(m_whole);
                 });
}

void LedgerPage::showState()
{
    const int count = m_model->rowCount();
    const bool isMore = !m_cursor.isEmpty();
    m_more->setVisible(isMore && count < rowsMax);
    m_count->setText(!m_hasAnswer ? QString()
                     : isMore     ? u"%1 keys, and more"_s.arg(QLocale().toString(count))
                     : count == 1 ? u"1 key"_s
                                  : u"%1 keys"_s.arg(QLocale().toString(count)));
    m_empty->setText(!m_hasAnswer       ? u"Reading the ledger…"_s
                     : !m_key.isEmpty() ? u"Nobody used this key. Keys are matched whole."_s
                     : !m_status.isEmpty()
                         ? u"No key has this status."_s
                         : u"No keys yet. The first write of a run claims the first one."_s);
}

void LedgerPage::showProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString() : u"▲ "_s + problem);
    m_problem->setVisible(!problem.isEmpty());
}

} // namespace holdfast::ledger
