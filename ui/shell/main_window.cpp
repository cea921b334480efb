#include "ui/shell/main_window.h"

#include "model/run.h"
#include "ui/shell/labels.h"
#include "ui/shell/need_strip.h"
#include "ui/shell/plain_text.h"
#include "ui/shell/run_filter_model.h"
#include "ui/shell/run_table.h"
#include "ui/shell/run_table_model.h"
#include "ui/shell/status_look.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

namespace
{
QString pauseText(const PauseLine &pause)
{
    const QString what =
        pause.scope == "all"_L1 ? u"everything"_s : plainText(pause.scope + u' ' + pause.target);
    QString text = u"‖ Paused: %1 (%2), since %3 by %4: %5"_s.arg(
        what, plainText(pause.depth), shortTime(pause.at), plainText(pause.actor),
        plainText(pause.reason));
    if (pause.inFlight > 0)
        text += u" · %1 still in flight"_s.arg(pause.inFlight);
    return text;
}
} // namespace

MainWindow::MainWindow(const QString &database, Theme theme, QWidget *parent)
    : QMainWindow(parent), m_database(database), m_theme(theme),
      m_snapshot(std::make_shared<Snapshot>()), m_model(new RunTableModel(this)),
      m_filter(new RunFilterModel(this))
{
    setWindowTitle(u"Holdfast"_s);
    m_filter->setSourceModel(m_model);
    auto *central = new QWidget(this);
    auto *column = new QVBoxLayout(central);
    m_away = plainLabel(u"away"_s, u"Problem"_s);
    m_away->setWordWrap(true);
    m_away->hide();
    m_needs = new NeedStrip(central);
    m_pauses = plainLabel(u"pauses"_s, u"Pauses"_s);
    m_pauses->setWordWrap(true);
    column->addWidget(m_away);
    column->addWidget(m_needs);
    column->addWidget(m_pauses);
    column->addWidget(buildFilterRow());
    m_body = new QStackedWidget(central);
    m_body->addWidget(buildTable());
    m_body->addWidget(buildEmptyPage());
    column->addWidget(m_body, 1);
    setCentralWidget(central);
    buildStatusBar();
    buildMenus();
    resize(1280, 800);
    setTheme(theme);
}

void MainWindow::buildMenus()
{
    QMenu *file = menuBar()->addMenu(u"&File"_s);
    file->addAction(u"&Quit"_s, QKeySequence(u"Ctrl+Q"_s), this, &QWidget::close);
    QMenu *edit = menuBar()->addMenu(u"&Edit"_s);
    edit->addAction(u"&Copy Run Id"_s, QKeySequence::Copy, this, &MainWindow::copyRunIds);
    edit->addAction(u"&Filter"_s, QKeySequence::Find, this, [this] {
        m_text->setFocus(Qt::ShortcutFocusReason);
        m_text->selectAll();
    });
    QMenu *view = menuBar()->addMenu(u"&View"_s);
    view->addAction(u"&Refresh"_s, QKeySequence(u"F5"_s), this, &MainWindow::refreshWanted);
    view->addSeparator();
    auto *themes = new QActionGroup(this);
    for (const auto &[title, value] :
         {std::pair{u"&Light"_s, Theme::light}, std::pair{u"&Dark"_s, Theme::dark}}) {
        QAction *action = view->addAction(title);
        action->setCheckable(true);
        action->setChecked(value == m_theme);
        action->setActionGroup(themes);
        connect(action, &QAction::triggered, this, [this, value = value] {
            Q_EMIT themeChosen(value);
            setTheme(value);
        });
    }
}

QWidget *MainWindow::buildFilterRow()
{
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_status = new QComboBox(row);
    m_status->setObjectName(u"statusFilter"_s);
    m_status->setAccessibleName(u"Show runs with status"_s);
    fillStatusFilter();
    m_text = new QLineEdit(row);
    m_text->setObjectName(u"textFilter"_s);
    m_text->setAccessibleName(u"Filter by workflow, event id, run id, step or reason"_s);
    m_text->setPlaceholderText(u"Filter by workflow, event id, run id, step or reason"_s);
    m_text->setClearButtonEnabled(true);
    m_text->setMaxLength(500);
    m_shown = plainLabel(u"shown"_s, u"Runs shown"_s);
    layout->addWidget(m_status);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_shown);
    connect(m_status, &QComboBox::currentIndexChanged, this, [this] {
        m_filter->setStatuses(m_status->currentData().toStringList());
        showBody();
    });
    connect(m_text, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter->setText(text);
        showBody();
    });
    return row;
}

void MainWindow::fillStatusFilter()
{
    QStringList needing;
    QStringList open;
    for (const QString &name : statusNames()) {
        if (statusLook(name).needsPerson)
            needing << name;
        if (!model::isFinal(*model::runStatusFromName(name)))
            open << name;
    }
    m_status->addItem(u"All statuses"_s, QStringList());
    m_status->addItem(u"Needs a person"_s, needing);
    m_status->addItem(u"Not final"_s, open);
    m_status->insertSeparator(m_status->count());
    for (const QString &name : statusNames())
        m_status->addItem(statusLook(name).text(), QStringList{name});
    m_status->setMaxVisibleItems(m_status->count());
}

QWidget *MainWindow::buildTable()
{
    m_table = new RunTable;
    m_table->setObjectName(u"runs"_s);
    m_table->setAccessibleName(u"Runs"_s);
    m_table->setModel(m_filter);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->setSortingEnabled(true);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto *copy = new QAction(u"Copy Run Id"_s, m_table);
    connect(copy, &QAction::triggered, this, &MainWindow::copyRunIds);
    m_table->addAction(copy);
    connect(m_table, &RunTable::copyWanted, this, &MainWindow::copyRunIds);
    const int unit = m_table->fontMetrics().averageCharWidth();
    const int widths[] = {26, 26, 22, 22, 34, 10, 20, 20};
    for (int column = 0; column < RunTableModel::columnTotal; ++column)
        m_table->setColumnWidth(column, widths[column] * unit);
    m_table->horizontalHeader()->setSectionResizeMode(RunTableModel::reason, QHeaderView::Stretch);
    return m_table;
}

QWidget *MainWindow::buildEmptyPage()
{
    m_empty = plainLabel(u"empty"_s, u"No runs to show"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return m_empty;
}

void MainWindow::buildStatusBar()
{
    m_engine = plainLabel(u"engine"_s, u"Engine"_s);
    m_connection = plainLabel(u"connection"_s, u"Run database"_s);
    m_asOf = plainLabel(u"asOf"_s, u"Time of the figures"_s);
    statusBar()->addWidget(m_engine);
    statusBar()->addWidget(m_connection, 1);
    statusBar()->addPermanentWidget(m_asOf);
}

void MainWindow::setTheme(Theme theme)
{
    m_theme = theme;
    m_model->setTheme(theme);
    showSnapshot(m_snapshot);
}

void MainWindow::showSnapshot(const SnapshotPtr &snapshot)
{
    m_snapshot = snapshot;
    const QStringList selected = selectedRuns();
    m_table->changeInPlace([&] { m_model->setSnapshot(snapshot); });
    if (selectedRuns() != selected)
        selectRuns(selected);
    m_needs->showSnapshot(*snapshot, m_theme);
    showAway();
    showPauses();
    showBody();
    showStatusBar();
}

void MainWindow::showAway()
{
    m_away->setVisible(m_snapshot->isAway);
    if (!m_snapshot->isAway)
        return;
    const QString from =
        m_snapshot->takenAt == model::never
            ? u"Nothing could be read yet."_s
            : u"The figures below are from %1."_s.arg(shortTime(m_snapshot->takenAt));
    m_away->setText(
        u"▲ The run database is away. %1 %2"_s.arg(from, plainText(m_snapshot->problem)));
    setTextColour(m_away, colour(m_theme, Token::bad));
}

void MainWindow::showPauses()
{
    QStringList lines;
    for (const PauseLine &pause : m_snapshot->pauses)
        lines << pauseText(pause);
    const bool isKnown = m_snapshot->takenAt != model::never;
    m_pauses->setText(!lines.isEmpty() ? lines.join(u'\n')
                      : isKnown        ? u"No pause is in force."_s
                                       : u"Not known yet whether a pause is in force."_s);
    const bool isLoud = !lines.isEmpty() && !m_snapshot->isAway;
    setTextColour(m_pauses, colour(m_theme, isLoud ? Token::attention : Token::muted));
}

void MainWindow::showBody()
{
    const bool hasRuns = m_model->rowCount() > 0;
    const int shown = m_filter->rowCount();
    m_shown->setText(u"%1 of %2 runs%3"_s.arg(shown)
                         .arg(m_model->rowCount())
                         .arg(m_snapshot->moreRuns ? u" (the newest)"_s : QString()));
    m_body->setCurrentIndex(shown > 0 ? 0 : 1);
    if (hasRuns)
        m_empty->setText(u"No run matches the filter."_s);
    else if (m_snapshot->takenAt == model::never)
        m_empty->setText(m_snapshot->isAway ? u"Runs appear here when the database answers."_s
                                            : u"Reading the runs…"_s);
    else
        m_empty->setText(u"No runs yet. Start one with:\n\n"
                         "holdfastctl start WORKFLOW --input JSON"_s);
    setTextColour(m_empty, colour(m_theme, Token::muted));
    setTextColour(m_shown, colour(m_theme, Token::muted));
}

void MainWindow::showStatusBar()
{
    const EngineLine &engine = m_snapshot->engine;
    QString text =
        u"Engine %1"_s.arg(engine.word.isEmpty() ? u"not known yet"_s : plainText(engine.word));
    if (engine.inFlight > 0)
        text += u" · %1 in flight"_s.arg(engine.inFlight);
    if (!engine.message.isEmpty())
        text += u" · "_s + plainText(engine.message);
    if (m_snapshot->pendingCommands > 0)
        text += u" · %1 decisions recorded, not yet applied"_s.arg(m_snapshot->pendingCommands);
    m_engine->setText(text);
    m_connection->setText(
        u"%1 %2"_s.arg(m_snapshot->isAway ? u"✖ Away:"_s : u"Database:"_s, plainText(m_database)));
    m_asOf->setText(m_snapshot->takenAt == model::never
                        ? QString()
                        : u"As of "_s + shortTime(m_snapshot->takenAt));
    setTextColour(m_connection, colour(m_theme, m_snapshot->isAway ? Token::bad : Token::muted));
    setTextColour(m_asOf, colour(m_theme, Token::muted));
}

QStringList MainWindow::selectedRuns() const
{
    QStringList runIds;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
        runIds << index.data(RunTableModel::runIdRole).toString();
    runIds.sort();
    return runIds;
}

// Only needed when the model had to start over; otherwise the view kept the selection.
void MainWindow::selectRuns(const QStringList &runIds)
{
    QItemSelection selection;
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        const QModelIndex index = m_filter->index(row, 0);
        if (runIds.contains(index.data(RunTableModel::runIdRole).toString()))
            selection.select(index, index);
    }
    m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect |
                                                     QItemSelectionModel::Rows);
}

void MainWindow::copyRunIds()
{
    if (const QStringList runIds = selectedRuns(); !runIds.isEmpty())
        QApplication::clipboard()->setText(runIds.join(u'\n'));
}

} // namespace holdfast::shell
