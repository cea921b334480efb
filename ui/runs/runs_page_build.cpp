// How the page of runs is put together: its widgets, its actions and the keys they have.
#include "ui/runs/empty_runs.h"
#include "ui/runs/filter_bar.h"
#include "ui/runs/filter_edit.h"
#include "ui/runs/run_peek.h"
#include "ui/runs/run_table.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_page.h"
#include "ui/runs/selection_bar.h"
#include "ui/runs/views_button.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using model::Result;

void RunsPage::buildTable()
{
    m_table = new RunTable;
    m_table->setObjectName(u"runTable"_s);
    m_table->setAccessibleName(u"Runs"_s);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new widgets::CellDelegate(m_table));
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    const int unit = m_table->fontMetrics().averageCharWidth();
    const int widths[] = {24, 26, 28, 22, 26, 9, 16, 16};
    for (int column = 0; column < RunsModel::columnTotal; ++column)
        m_table->setColumnWidth(column, widths[column] * unit);
    QHeaderView *header = m_table->horizontalHeader();
    header->setMinimumSectionSize(unit * 6);
    header->setSectionResizeMode(RunsModel::reason, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        m_isAllThatMatch = false;
        showSelection();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RunsPage::showPeek);
    connect(m_table, &QAbstractItemView::doubleClicked, this, [this] { openCurrent(); });
}

// Letters and Delete belong to the list: they act only while it has the focus, never while a
// person types.
QAction *RunsPage::tableAction(const QString &name, const QString &text, const QKeySequence &key)
{
    QAction *action = addPageAction(u"Run"_s, text, key);
    action->setObjectName(name);
    action->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(action);
    return action;
}

void RunsPage::buildActions()
{
    QAction *openRun = tableAction(u"openRun"_s, u"&Open run"_s, Qt::Key_Return);
    openRun->setShortcuts({Qt::Key_Return, Qt::Key_Enter});
    connect(openRun, &QAction::triggered, this, [this] { openCurrent(); });
    m_onCurrent << openRun;
    m_peekAction = tableAction(u"peekRun"_s, u"&Peek"_s, Qt::Key_Space);
    m_peekAction->setCheckable(true);
    connect(m_peekAction, &QAction::toggled, this, &RunsPage::peek);
    buildActs();
    buildCopies();
    buildViewActions();
}

void RunsPage::buildActs()
{
    const struct {
        const char16_t *act;
        const char16_t *text;
        QKeySequence key;
    } acts[] = {{u"retry", u"&Retry…", u"Ctrl+R"_s},
                {u"cancel", u"&Cancel…", Qt::Key_Delete},
                {u"rerun", u"Run a&gain…", Qt::Key_N}};
    for (const auto &entry : acts) {
        const QString name = QString::fromUtf16(entry.act);
        QAction *action = tableAction(name, QString::fromUtf16(entry.text), entry.key);
        connect(action, &QAction::triggered, this, [this, name] { m_work->act(name, choice()); });
        // A new run for each of many is nobody's batch: effects would be done again.
        (name == "rerun"_L1 ? m_onCurrent : m_onSelection) << action;
    }
    QAction *compensate = tableAction(u"compensate"_s, u"Co&mpensate…"_s, Qt::Key_U);
    connect(compensate, &QAction::triggered, this, [this] {
        const Choice chosen = choice();
        if (chosen.isAllThatMatch || chosen.lines.size() > 1)
            m_work->act(u"compensate"_s, chosen);
        else
            openCurrent(u"compensate"_s);
    });
    m_onSelection << compensate;
}

void RunsPage::buildCopies()
{
    const auto onLines = [this](const QString &name, const QString &text, const QKeySequence &key,
                                const std::function<void(const RunLines &)> &act) {
        QAction *action = tableAction(name, text, key);
        connect(action, &QAction::triggered, this, [this, act] { act(choice().lines); });
        m_onSelection << action;
        return action;
    };
    const auto copyIds = [this](const RunLines &lines) {
        QStringList ids;
        for (const RunLine &line : lines)
            ids << line.runId;
        copy(ids.join(u'\n'), lines.size() == 1 ? u"The run id is"_s : u"The run ids are"_s);
    };
    onLines(u"copyId"_s, u"Copy run &id"_s, {}, copyIds);
    connect(m_table, &widgets::SteadyTable::copyWanted, this,
            [this, copyIds] { copyIds(choice().lines); });
    onLines(u"copyJson"_s, u"Copy as &JSON"_s, {}, [this](const RunLines &lines) {
        QJsonArray array;
        for (const RunLine &line : lines)
            array << line.toJson();
        const QJsonDocument document =
            lines.size() == 1 ? QJsonDocument(array.at(0).toObject()) : QJsonDocument(array);
        copy(QString::fromUtf8(document.toJson()), u"The JSON is"_s);
    });
    onLines(u"copyLink"_s, u"Copy &link"_s, u"Ctrl+Shift+C"_s, [this](const RunLines &lines) {
        QStringList links;
        for (const RunLine &line : lines)
            links << line.link();
        copy(links.join(u'\n'), u"The link is"_s);
    });
}

void RunsPage::buildViewActions()
{
    m_selectAll = addPageAction(u"Edit"_s, u"Select everything that &matches"_s, u"Ctrl+Shift+A"_s);
    connect(m_selectAll, &QAction::triggered, this, &RunsPage::selectAllThatMatch);
    QAction *find = addPageAction(u"Edit"_s, u"&Filter"_s);
    find->setShortcuts({QKeySequence(u"Ctrl+F"_s), QKeySequence(u"/"_s)});
    connect(find, &QAction::triggered, this, [this] { m_filter->focusEdit(); });
    QAction *exportRuns = addPageAction(u"Run"_s, u"&Export…"_s, u"Ctrl+E"_s);
    exportRuns->setObjectName(u"exportRuns"_s);
    connect(exportRuns, &QAction::triggered, this, [this] {
        Choice chosen = choice();
        chosen.isAllThatMatch = chosen.isAllThatMatch || chosen.lines.size() < 2;
        m_work->chooseFile(chosen);
    });
    m_saveView = addPageAction(u"View"_s, u"&Save view…"_s);
    connect(m_saveView, &QAction::triggered, this, &RunsPage::saveView);
    m_deleteView = addPageAction(u"View"_s, u"&Delete this view"_s);
    connect(m_deleteView, &QAction::triggered, this,
            [this] { Q_EMIT m_views->deleteWanted(m_views->currentView()); });
    QAction *newest = addPageAction(u"View"_s, u"&Newest runs"_s, u"Ctrl+Home"_s);
    connect(newest, &QAction::triggered, this, &RunsPage::toTop);
}

void RunsPage::buildLayout()
{
    m_filter = new FilterBar;
    m_filter->setFocusProxy(m_filter->edit());
    m_views = new ViewsButton;
    m_export = new QPushButton(u"Export…"_s);
    m_export->setObjectName(u"exportButton"_s);
    m_export->setAccessibleName(u"Export the selected runs, or all that match"_s);
    m_export->setToolTip(u"Two or more selected runs, else all that match (Ctrl+E)"_s);
    m_count = new widgets::TokenLabel({}, style::Token::muted);
    m_count->setObjectName(u"count"_s);
    m_count->setAccessibleName(u"How many runs"_s);
    m_filter->addWidget(m_count);
    m_filter->addWidget(m_views);
    m_filter->addWidget(m_export);
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"runsProblem"_s);
    m_problem->setToken(style::Token::bad);
    m_problem->hide();
    m_empty = new EmptyRuns;
    m_body = new QStackedWidget;
    m_body->addWidget(m_table);
    m_body->addWidget(m_empty);
    QVector<QAction *> acts;
    for (const auto &name : {u"openRun"_s, u"retry"_s, u"cancel"_s, u"compensate"_s, u"rerun"_s})
        acts << findChild<QAction *>(name);
    m_selection = new SelectionBar(acts, m_selectAll);
    m_work = new RunWork(bridge());
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_filter);
    column->addWidget(m_problem);
    column->addWidget(m_body, 1);
    m_peek = new RunPeek(bridge());
    m_peek->hide();
    column->addWidget(m_peek);
    column->addWidget(m_selection);
    column->addWidget(m_work);
    connect(m_filter, &FilterBar::wanted, this, &RunsPage::setFilter);
    connect(m_filter, &FilterBar::leaveWanted, this, [this] { first()->setFocus(); });
    connect(m_empty, &EmptyRuns::removeWanted, m_filter, &FilterBar::remove);
    connect(m_empty, &EmptyRuns::copied, this, &RunsPage::said);
    connect(m_work, &RunWork::said, this, &RunsPage::said);
    connect(m_work, &RunWork::batchStarted, this, [this](const QString &batch) {
        Q_EMIT goTo(u"batches"_s, {{u"batch"_s, batch}});
    });
    connect(m_export, &QPushButton::clicked, this,
            [this] { findChild<QAction *>(u"exportRuns"_s)->trigger(); });
    connect(m_views, &ViewsButton::chosen, this, &RunsPage::setFilter);
    connect(m_views, &ViewsButton::saveWanted, this, &RunsPage::saveView);
    connect(m_views, &ViewsButton::deleteWanted, this, [this](const QString &name) {
        changeView(u"delete_view"_s, {{u"name"_s, name}}, u"The view %1 is deleted."_s.arg(name));
    });
    connect(m_views->menu(), &QMenu::aboutToHide, this, &RunsPage::askViews);
}

void RunsPage::saveView()
{
    auto *dialog = new QInputDialog(this);
    dialog->setObjectName(u"saveView"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(u"Save view"_s);
    dialog->setLabelText(u"Name of the view; everybody who uses this database sees it."_s);
    dialog->setTextValue(m_views->currentView());
    dialog->setOkButtonText(u"Save view"_s);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &text) {
        const QString name = text.trimmed();
        if (!name.isEmpty())
            changeView(u"save_view"_s, {{u"name"_s, name}, {u"filter"_s, where()["filter"_L1]}},
                       u"The view %1 is saved."_s.arg(name));
    });
    dialog->open();
}

void RunsPage::changeView(const QString &operation, const QJsonObject &arguments,
                          const QString &done)
{
    bridge().act(operation, arguments, this, [this, done](const Result<QJsonValue> &answer) {
        if (!answer) {
            m_problem->setText(u"▲ "_s + answer.error().message);
            m_problem->show();
            return;
        }
        Q_EMIT said(done);
        askViews();
    });
}

} // namespace holdfast::runs
