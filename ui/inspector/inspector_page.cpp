#include "ui/inspector/inspector_page.h"

#include "ui/inspector/attempts_model.h"
#include "ui/inspector/compensate_dialog.h"
#include "ui/inspector/detail_tabs.h"
#include "ui/inspector/notes_panel.h"
#include "ui/inspector/run_head.h"
#include "ui/inspector/timeline.h"
#include "ui/widgets/act_dialog.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QLayout>
#include <QSplitter>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using model::Result;
using widgets::ActDialog;

namespace
{
constexpr int tickMs = 1000;
}

InspectorPage::InspectorPage(bridge::Bridge &bridge)
    : shell::Page(bridge, u"run"_s, u"Run"_s), m_model(new AttemptsModel(this))
{
    buildLayout();
    connectParts();
    m_timer.setInterval(tickMs);
    connect(&m_timer, &QTimer::timeout, this, &InspectorPage::tick);
    m_head->showNothing(u"No run is open. Choose one in the list of runs."_s, false);
    m_body->hide();
    showActions();
}

QWidget *InspectorPage::first()
{
    return m_story.isEmpty() ? this : static_cast<QWidget *>(m_timeline);
}

QJsonObject InspectorPage::where() const
{
    return m_runId.isEmpty() ? QJsonObject() : QJsonObject{{u"run"_s, m_runId}};
}

void InspectorPage::open(const QJsonObject &where)
{
    const QString run = where["run"_L1].toString();
    if (run.isEmpty())
        return;
    m_actWanted = where["act"_L1].toString();
    if (run != m_runId) {
        m_runId = run;
        m_story = {};
        m_chosen.clear();
        m_ledgerSeq = -1;
        m_problem->hide();
        m_head->showNothing(u"Reading the run…"_s, false);
        m_body->hide();
        showActions();
        Q_EMIT placeChanged();
    }
    refresh();
}

void InspectorPage::refresh()
{
    if (m_runId.isEmpty())
        return;
    if (m_isAsking) {
        m_askAgain = true;
        return;
    }
    m_isAsking = true;
    const QString run = m_runId;
    bridge().ask(u"show"_s, {{u"run"_s, run}}, this, [this, run](const Result<QJsonValue> &answer) {
        m_isAsking = false;
        const bool again = std::exchange(m_askAgain, false) || run != m_runId;
        if (run == m_runId && answer)
            read(answer->toObject());
        else if (run == m_runId && m_story.isEmpty())
            m_head->showNothing(u"▲ "_s + answer.error().message, true);
        if (again)
            refresh();
    });
    if (m_outgoing.isEmpty())
        askDependencies();
}

void InspectorPage::read(const QJsonObject &show)
{
    if (show == m_story.whole && m_actWanted.isEmpty())
        return;
    m_story = RunStory::fromJson(show);
    if (m_story.indexOf(m_chosen) < 0) {
        const int telling = m_story.mostTelling();
        m_chosen = telling < 0 ? QString() : m_story.attempts.at(telling).rowId();
    }
    m_body->show();
    layout()->activate(); // the timeline takes its part of a height that is known
    showStory();
    showActions();
    askLedger();
    if (m_dialog)
        m_dialog->showRun(m_story);
    if (std::exchange(m_actWanted, {}) == "compensate"_L1)
        compensate();
}

void InspectorPage::showStory()
{
    const model::Instant now = bridge().now();
    const int chosen = m_story.indexOf(m_chosen);
    m_head->setStory(m_story, now);
    m_timeline->setStory(m_story, now);
    m_timeline->select(chosen);
    fitTimeline();
    m_model->setNow(now);
    m_table->changeInPlace([&] { m_model->setRows(m_story.attempts); });
    if (chosen >= 0 && m_table->currentIndex().row() != chosen) {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_table->selectRow(chosen);
        m_table->viewport()->update();
    }
    m_details->setStory(m_story, chosen, now);
}

void InspectorPage::fitTimeline()
{
    const int total = m_split->height();
    const int wanted = std::min(m_timeline->sizeHint().height(), total / 2);
    if (!m_isSplitByHand && wanted > 0 && m_timeline->height() != wanted)
        m_split->setSizes({wanted, total - wanted});
}

void InspectorPage::choose(int attempt)
{
    if (attempt < 0 || attempt >= m_story.attempts.size())
        return;
    const QString id = m_story.attempts.at(attempt).rowId();
    if (id == m_chosen)
        return;
    m_chosen = id;
    m_timeline->select(attempt);
    m_table->selectRow(attempt);
    m_details->setStory(m_story, attempt, bridge().now());
    showActions();
}

void InspectorPage::tick()
{
    if (m_story.isEmpty() || m_story.finishedAt != model::never || bridge().isAway())
        return;
    const model::Instant now = bridge().now();
    m_timeline->setNow(now);
    m_model->setNow(now);
    m_head->setStory(m_story, now);
}

QJsonObject InspectorPage::actionOf(const QString &name) const
{
    return m_story.whole["actions"_L1][name].toObject();
}

// A button is enabled because the engine, asked what it would do, would do it.
void InspectorPage::showActions()
{
    for (QAction *action : std::as_const(m_acts)) {
        const QJsonObject allowed = actionOf(action->objectName());
        const bool isConfirmable = allowed["may_confirm"_L1].toBool();
        // The preview also explains why a run cannot be compensated.
        const bool isPreview = action->objectName() == "compensate"_L1 && !m_story.isEmpty();
        action->setEnabled(allowed["allowed"_L1].toBool() || isConfirmable || isPreview);
        action->setToolTip(widgets::plainText(allowed["why"_L1].toString()).toHtmlEscaped());
    }
    for (QAction *action : std::as_const(m_copies))
        action->setEnabled(!m_story.isEmpty() &&
                           (action->objectName() != "copyCurl"_L1 || !m_details->curl().isEmpty()));
}

void InspectorPage::askLedger()
{
    if (m_ledgerSeq == m_story.seq)
        return;
    m_ledgerSeq = m_story.seq;
    const QString run = m_runId;
    bridge().ask(u"ledger"_s, {{u"run"_s, run}}, this,
                 [this, run](const Result<QJsonValue> &answer) {
                     if (run != m_runId)
                         return;
                     if (answer)
                         m_details->setLedger(answer->toObject()["ledger"_L1].toArray());
                     else
                         m_ledgerSeq = -1;
                 });
}

void InspectorPage::askDependencies()
{
    bridge().ask(
        u"dependencies"_s, {{u"source"_s, true}}, this, [this](const Result<QJsonValue> &answer) {
            if (!answer)
                return;
            const QJsonArray list = answer->toObject()["dependencies"_L1].toArray();
            for (const QJsonValue &item : list)
                m_outgoing.insert(item["dependency"_L1].toString(), Outgoing::of(item.toObject()));
            m_details->setOutgoing(m_outgoing);
            if (m_dialog)
                m_dialog->setOutgoing(m_outgoing);
        });
}

void InspectorPage::act(const QString &name)
{
    const QJsonObject action = actionOf(name);
    widgets::RunAct about;
    about.act = name;
    about.name = widgets::plainText(m_story.eventId, 60);
    about.hasEffects = action["may_confirm"_L1].toBool();
    about.then = action["allowed"_L1].toBool() ? action["why"_L1].toString() : QString();
    for (const AttemptStory &attempt : std::as_const(m_story.attempts))
        about.isOnTheWire = about.isOnTheWire || attempt.isOpen();
    auto *dialog = new ActDialog(widgets::runActText(about), this);
    connect(dialog, &ActDialog::confirmed, this,
            [this, name, dialog, version = m_story.seq] { send(name, dialog, version); });
    dialog->open();
}

void InspectorPage::send(const QString &name, ActDialog *dialog, qint64 version)
{
    dialog->setBusy(true);
    QString operation = name;
    QJsonObject arguments{{u"run"_s, m_runId}, {u"reason"_s, dialog->reason()}};
    // Of a rerun, "version" is the workflow's; everything else is bound to what the person saw.
    if (name == "rerun"_L1)
        arguments.insert(u"confirm"_s, dialog->isConfirmed());
    else
        arguments.insert(u"version"_s, version);
    if (name == "verify"_L1) {
        operation = u"resolve"_s;
        arguments.remove(u"run"_s);
        arguments.insert(u"review"_s, actionOf(name)["review"_L1]);
        arguments.insert(u"verdict"_s, u"verify"_s);
    }
    bridge().act(operation, arguments, this,
                 [this, name, dialog = QPointer(dialog)](const Result<QJsonValue> &answer) {
                     if (!answer) {
                         if (dialog)
                             dialog->showProblem(answer.error().message);
                         else
                             Q_EMIT said(answer.error().message);
                         refresh();
                         return;
                     }
                     if (dialog)
                         dialog->accept();
                     refresh();
                     if (name != "rerun"_L1) {
                         Q_EMIT said(u"Recorded; the engine applies it."_s);
                         return;
                     }
                     const QString run = answer->toObject()["run_id"_L1].toString();
                     Q_EMIT said(u"Run %1 was started."_s.arg(run));
                     Q_EMIT goTo(u"run"_s, {{u"run"_s, run}});
                 });
}

void InspectorPage::compensate()
{
    if (m_dialog || m_story.isEmpty())
        return;
    m_dialog = new CompensateDialog(bridge(), m_story, this);
    m_dialog->setOutgoing(m_outgoing);
    connect(m_dialog, &CompensateDialog::said, this, &InspectorPage::said);
    m_dialog->open();
}

void InspectorPage::addNote(const QString &text)
{
    bridge().act(u"note"_s, {{u"run"_s, m_runId}, {u"text"_s, text}}, this,
                 [this](const Result<QJsonValue> &answer) {
                     if (!answer) {
                         m_details->notesPanel()->showProblem(answer.error().message);
                         return;
                     }
                     m_details->notesPanel()->added();
                     Q_EMIT said(u"The note is recorded."_s);
                     refresh();
                 });
}

void InspectorPage::copy(const QString &text, const QString &what)
{
    if (text.isEmpty())
        return;
    QApplication::clipboard()->setText(text);
    Q_EMIT said(u"%1 in the clipboard."_s.arg(what));
}

void InspectorPage::changeEvent(QEvent *event)
{
    shell::Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_details)
        m_model->repaintAll();
}

void InspectorPage::showEvent(QShowEvent *event)
{
    shell::Page::showEvent(event);
    m_timer.start();
    fitTimeline();
}

void InspectorPage::resizeEvent(QResizeEvent *event)
{
    shell::Page::resizeEvent(event);
    fitTimeline();
}

void InspectorPage::hideEvent(QHideEvent *event)
{
    shell::Page::hideEvent(event);
    m_timer.stop();
}

} // namespace holdfast::inspector
