#include "app/console/tour_panel.h"

#include "ui/settings/preferences.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"

#include <QGridLayout>
#include <QJsonArray>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

namespace
{
constexpr int runsWanted = 40;
constexpr int lookMs = 700;
constexpr int auditRowsMax = 100;
constexpr int runsLooked = 100;
} // namespace

TourPanel::TourPanel(bridge::Bridge &bridge, settings::Preferences &preferences, QWidget *parent)
    : QDockWidget(u"Things to try"_s, parent), m_bridge(bridge), m_preferences(preferences),
      m_began(bridge.now())
{
    setObjectName(u"tourPanel"_s);
    setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    build();
    m_soon.setSingleShot(true);
    m_soon.setInterval(lookMs);
    connect(&m_soon, &QTimer::timeout, this, &TourPanel::look);
    connect(&m_bridge, &bridge::Bridge::changed, this, [this] {
        if (!m_soon.isActive())
            m_soon.start();
    });
    setVisible(!m_preferences.isTourSkipped());
}

void TourPanel::build()
{
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    auto *grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    grid->setVerticalSpacing(2);
    addTask(*grid, finishRuns, u"Let %1 runs end"_s.arg(runsWanted),
            u"Start some in the demo panel, faults and all."_s);
    addTask(*grid, seeReplay, u"See a replay"_s,
            u"Look at a run whose effect was found, not made again."_s);
    addTask(*grid, settle, u"Settle an ambiguous outcome"_s,
            u"Weigh the evidence, then say whether it happened."_s);
    addTask(*grid, pauseAndResume, u"Pause, and resume"_s,
            u"Ctrl+Alt+P pauses; the banner resumes."_s);
    addTask(*grid, compensate, u"Compensate a run"_s,
            u"Open one that succeeded, look at the plan, then do it."_s);
    addTask(*grid, signWeek, u"Sign the week"_s,
            u"Go through the weekly review; its last section is yours to sign."_s);
    m_next = new widgets::TokenLabel({}, Token::muted);
    m_next->setObjectName(u"tourNext"_s);
    m_next->setAccessibleName(u"Next"_s);
    m_next->setWordWrap(true);
    m_next->setMinimumHeight(fontMetrics().lineSpacing() * 2);
    m_next->setAlignment(Qt::AlignTop);
    auto *foot = new QHBoxLayout;
    m_summary = widgets::plainLabel(u"tourSummary"_s, u"How far you are"_s);
    auto *skip = new QPushButton(u"Skip"_s);
    skip->setObjectName(u"tourSkip"_s);
    skip->setAccessibleName(u"Skip the things to try"_s);
    connect(skip, &QPushButton::clicked, this, [this] {
        m_preferences.setTourSkipped(true);
        hide();
    });
    foot->addWidget(m_summary, 1);
    foot->addWidget(skip);
    column->addLayout(grid);
    column->addWidget(m_next);
    column->addStretch();
    column->addLayout(foot);
    setWidget(body);
    paint();
}

void TourPanel::addTask(QGridLayout &grid, Task task, const QString &title, const QString &how)
{
    Row &row = m_rows[task];
    const QString name = u"tourTask%1"_s.arg(int(task));
    row.mark = new widgets::TokenLabel;
    row.mark->setObjectName(name + u"Mark"_s);
    row.title = widgets::plainLabel(name, title);
    row.title->setText(title);
    row.how = how;
    auto *show = new QPushButton(u"Show"_s);
    show->setObjectName(name + u"Show"_s);
    show->setAccessibleName(u"Show where: %1"_s.arg(title));
    connect(show, &QPushButton::clicked, this, [this, task] { this->show(task); });
    grid.addWidget(row.mark, int(task), 0);
    grid.addWidget(row.title, int(task), 1);
    grid.addWidget(show, int(task), 2);
}

void TourPanel::show(Task task)
{
    switch (task) {
    case finishRuns: Q_EMIT goTo(u"runs"_s, {}); return;
    case seeReplay: showReplay(); return;
    case settle: Q_EMIT goTo(u"review"_s, {{u"kind"_s, u"ambiguous"_s}}); return;
    case pauseAndResume: Q_EMIT goTo(u"pause"_s, {}); return;
    case compensate:
        Q_EMIT goTo(u"runs"_s, {{u"filter"_s, u"status:succeeded workflow:order"_s}});
        return;
    case signWeek: Q_EMIT goTo(u"weekly"_s, {}); return;
    case taskCount: break;
    }
    Q_UNREACHABLE();
}

void TourPanel::showReplay()
{
    m_bridge.ask(u"runs"_s, {{u"limit"_s, runsLooked}}, this,
                 [this](const Result<QJsonValue> &answer) {
                     const QJsonArray runs = answer ? (*answer)["runs"_L1].toArray() : QJsonArray();
                     for (const QJsonValue &run : runs) {
                         if (run["duplicates_prevented"_L1].toInt() == 0)
                             continue;
                         Q_EMIT goTo(u"run"_s, {{u"run"_s, run["run_id"_L1].toString()}});
                         return;
                     }
                     setHow(seeReplay, u"None among the newest runs yet; let payments lose "
                                       "replies for a while."_s);
                 });
}

void TourPanel::setSeenRun(const QString &run)
{
    if (isDone(seeReplay) || run.isEmpty())
        return;
    m_bridge.ask(u"show"_s, {{u"run"_s, run}}, this, [this](const Result<QJsonValue> &answer) {
        if (answer && (*answer)["duplicates_prevented"_L1].toInt() > 0)
            setDone(seeReplay, u"The effect was there already, and was not made again."_s);
    });
}

void TourPanel::bringBack()
{
    m_preferences.setTourSkipped(false);
    QDockWidget::show();
}

void TourPanel::look()
{
    if (!isDone(finishRuns))
        askRuns();
    if (!isDone(settle) || !isDone(pauseAndResume) || !isDone(compensate) || !isDone(signWeek))
        askAudit();
}

void TourPanel::askRuns()
{
    const QString filter =
        u"since:%1 status:succeeded,succeeded_partial,failed,compensated,compensation_failed"_s.arg(
            model::instantText(m_began));
    m_bridge.ask(
        u"count"_s, {{u"filter"_s, filter}}, this, [this](const Result<QJsonValue> &answer) {
            if (!answer)
                return;
            const int count = (*answer)["count"_L1].toInt();
            setHow(finishRuns, u"%1 of %2 since the demo began."_s.arg(count).arg(runsWanted));
            if (count >= runsWanted)
                setDone(finishRuns);
        });
}

void TourPanel::askAudit()
{
    m_bridge.ask(u"audit"_s, {{u"actor"_s, m_bridge.actor()}, {u"limit"_s, auditRowsMax}}, this,
                 [this](const Result<QJsonValue> &answer) {
                     if (answer)
                         takeAudit((*answer)["audit"_L1].toArray());
                 });
}

// Newest first, so a resume stands before the pause it lifted.
void TourPanel::takeAudit(const QJsonArray &rows)
{
    bool isResumed = false;
    for (const QJsonValue &row : rows) {
        if (widgets::instantOf(row["at"_L1]) < m_began)
            return;
        const QString action = row["action"_L1].toString();
        const QString answer = row["body"_L1]["verdict"_L1].toString();
        if (action == "resolve"_L1 && (answer == "happened"_L1 || answer == "absent"_L1))
            setDone(settle, u"Your answer is in the audit: %1."_s.arg(answer));
        else if (action == "resume"_L1)
            isResumed = true;
        else if (action == "pause"_L1 && isResumed)
            setDone(pauseAndResume);
        else if (action == "report_sign"_L1)
            setDone(signWeek, u"The figures stand in the audit under your name."_s);
        else if (action == "compensate"_L1 && !isDone(compensate))
            checkCompensated(row["chain"_L1].toString());
    }
}

void TourPanel::checkCompensated(const QString &run)
{
    m_bridge.ask(u"show"_s, {{u"run"_s, run}}, this, [this](const Result<QJsonValue> &answer) {
        if (!answer)
            return;
        const QString status = (*answer)["status"_L1].toString();
        if (status == "compensated"_L1)
            setDone(compensate, u"Undone, last effect first."_s);
        else if (status == "compensation_failed"_L1)
            setDone(compensate, u"Partly undone; the rest waits in the review."_s);
    });
}

void TourPanel::setHow(Task task, const QString &how)
{
    m_rows[task].how = how;
    paint();
}

void TourPanel::setDone(Task task, const QString &how)
{
    if (std::exchange(m_rows[task].isDone, true))
        return;
    if (!how.isEmpty())
        m_rows[task].how = how;
    paint();
}

void TourPanel::paint()
{
    int done = 0;
    QString next;
    for (const Row &row : std::as_const(m_rows)) {
        row.mark->setText(row.isDone ? u"✔"_s : u"○"_s);
        row.mark->setToken(row.isDone ? Token::good : Token::muted);
        row.mark->setAccessibleName(row.isDone ? u"Done"_s : u"Open"_s);
        row.title->setToolTip(row.how);
        if (!row.isDone && next.isEmpty())
            next = u"%1: %2"_s.arg(row.title->text(), row.how);
        done += row.isDone ? 1 : 0;
    }
    m_next->setText(next.isEmpty() ? u"You know your way around."_s : next);
    m_summary->setText(u"%1 of %2 done"_s.arg(done).arg(int(taskCount)));
}

} // namespace holdfast::console
