#include "ui/pause/pause_page.h"

#include "ui/pause/audit_view.h"
#include "ui/pause/pause_dialog.h"
#include "ui/pause/pause_table_model.h"
#include "ui/pause/resume_dialog.h"
#include "ui/shell/permits.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

PausePage::PausePage(bridge::Bridge &bridge)
    : Page(bridge, u"pause"_s, u"Pause & audit"_s), m_model(new PauseTableModel(this))
{
    m_audit = new AuditView(bridge);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(buildPauses());
    splitter->addWidget(m_audit);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setChildrenCollapsible(false);
    auto *column = new QVBoxLayout(this);
    column->addWidget(splitter);
    connect(m_audit, &AuditView::said, this, &Page::said);
    connect(m_audit, &AuditView::filterChanged, this, &Page::placeChanged);
    connect(m_audit, &AuditView::openRun, this, [this](const QString &run) {
        Q_EMIT goTo(u"run"_s, {{u"run"_s, run}});
    });
    QAction *verify = addPageAction(u"Tools"_s, u"Verify the audit chain"_s);
    connect(verify, &QAction::triggered, m_audit, &AuditView::verify);
    QAction *exported =
        addPageAction(u"Tools"_s, u"Export the audit…"_s, QKeySequence(u"Ctrl+E"_s));
    connect(exported, &QAction::triggered, m_audit, &AuditView::chooseExport);
    QAction *resumed = addPageAction(u"Tools"_s, u"Resume the chosen pause…"_s);
    connect(resumed, &QAction::triggered, this, &PausePage::resume);
    take({});
    m_state->setText(u"Reading the pauses…"_s);
}

QWidget *PausePage::buildPauses()
{
    m_state = new widgets::WrapLabel(u"pauseState"_s, u"Pauses in force"_s);
    auto *pauseButton = new QPushButton(u"Pause…"_s);
    pauseButton->setObjectName(u"pagePause"_s);
    pauseButton->setAccessibleName(u"Pause"_s);
    shell::Permits::name(pauseButton, u"pause"_s);
    m_resume = new QPushButton(u"Resume…"_s);
    shell::Permits::name(m_resume, u"resume"_s);
    m_resume->setObjectName(u"pageResume"_s);
    m_resume->setAccessibleName(u"Resume the chosen pause"_s);
    m_held = new QPushButton(u"Show held runs"_s);
    m_held->setObjectName(u"pageHeld"_s);
    m_held->setAccessibleName(u"Show the runs that are held"_s);
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(u"pauses"_s);
    m_table->setAccessibleName(u"Pauses"_s);
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    const int unit = fontMetrics().averageCharWidth();
    const int widths[] = {14, 26, 30, 12, 16, 30, 8, 11, 15};
    for (int column = 0; column < PauseTableModel::columnTotal; ++column)
        m_table->setColumnWidth(column, widths[column] * unit);
    for (const int column : {PauseTableModel::why, PauseTableModel::lifted})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    auto *row = new QHBoxLayout;
    row->addWidget(widgets::heading(u"Pauses"_s));
    row->addSpacing(unit * 2);
    row->addWidget(m_state, 1);
    for (QPushButton *button : {m_held, m_resume, pauseButton})
        row->addWidget(button);
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    connect(pauseButton, &QPushButton::clicked, this, &PausePage::pauseNow);
    connect(m_resume, &QPushButton::clicked, this, &PausePage::resume);
    connect(m_held, &QPushButton::clicked, this, &PausePage::showHeld);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showButtons();
        Q_EMIT placeChanged();
    });
    return box;
}

QWidget *PausePage::first() { return m_table; }

void PausePage::refresh()
{
    if (m_isAsking) {
        m_askAgain = true;
        return;
    }
    m_isAsking = true;
    bridge().ask(u"pauses"_s, {{u"all"_s, true}}, this, [this](const Result<QJsonValue> &answer) {
        m_isAsking = false;
        if (answer)
            take(pausesFrom((*answer)["pauses"_L1]));
        if (std::exchange(m_askAgain, false))
            refresh();
    });
    m_audit->refresh();
}

void PausePage::take(const QVector<PauseState> &pauses)
{
    const PauseState *before = current();
    const QString id = !m_link.isEmpty() ? m_link : before ? before->id : QString();
    m_table->changeInPlace([&] {
        m_model->setRows(inOrder(pauses));
        select(id);
    });
    if (m_model->rowOf(m_link) >= 0)
        m_link.clear();
    const auto inForce = std::count_if(pauses.begin(), pauses.end(),
                                       [](const PauseState &pause) { return pause.isInForce(); });
    m_state->setToken(inForce > 0 ? Token::attention : Token::muted);
    m_state->setText(inForce > 0        ? u"‖ %1 in force"_s.arg(inForce)
                     : pauses.isEmpty() ? u"Never paused."_s
                                        : u"No pause is in force."_s);
    if (!m_table->currentIndex().isValid() && inForce > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
    showButtons();
    Q_EMIT countChanged(int(inForce));
}

void PausePage::select(const QString &id)
{
    const int row = m_model->rowOf(id);
    if (row >= 0 && row != m_table->currentIndex().row())
        m_table->setCurrentIndex(m_model->index(row, 0));
}

const PauseState *PausePage::current() const
{
    const int row = m_table->currentIndex().row();
    return row >= 0 && row < m_model->rowCount() ? &m_model->rows().at(row) : nullptr;
}

void PausePage::showButtons()
{
    const PauseState *pause = current();
    m_resume->setEnabled(pause && pause->isInForce());
    m_held->setEnabled(pause && pause->isInForce());
}

void PausePage::open(const QJsonObject &where)
{
    if (where.contains("pause"_L1)) {
        m_link = where.value("pause"_L1).toString();
        select(m_link);
    }
    if (where.contains("actor"_L1) || where.contains("action"_L1) || where.contains("run"_L1))
        m_audit->setFilter(where);
    refresh();
}

QJsonObject PausePage::where() const
{
    QJsonObject where = m_audit->filter();
    if (const PauseState *pause = current())
        where.insert(u"pause"_s, pause->id);
    return where;
}

void PausePage::pauseNow()
{
    auto *dialog = new PauseDialog(bridge(), {}, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void PausePage::resume()
{
    const PauseState *pause = current();
    if (!pause || !pause->isInForce()) {
        Q_EMIT said(u"Choose a pause that is in force."_s);
        return;
    }
    auto *dialog = new ResumeDialog(bridge(), *pause, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void PausePage::showHeld()
{
    const PauseState *pause = current();
    QString filter = u"status:held"_s;
    if (pause && pause->scope != "all"_L1)
        filter += u" %1:%2"_s.arg(pause->scope, pause->target);
    Q_EMIT goTo(u"runs"_s, {{u"filter"_s, filter}});
}

} // namespace holdfast::pause
