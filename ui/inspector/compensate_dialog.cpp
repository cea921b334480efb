#include "ui/inspector/compensate_dialog.h"

#include "model/run.h"
#include "ui/inspector/code_panel.h"
#include "ui/inspector/plan_model.h"
#include "ui/inspector/record_columns.h"
#include "ui/style/status_look.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/typed_word.h"
#include "ui/widgets/wrap_label.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

namespace
{
constexpr int reasonMax = 1000;

QString stepsText(qsizetype count) { return count == 1 ? u"1 step"_s : u"%L1 steps"_s.arg(count); }
} // namespace

CompensateDialog::CompensateDialog(bridge::Bridge &bridge, const RunStory &story, QWidget *parent)
    : QDialog(parent), m_bridge(bridge), m_story(story), m_plan(new PlanModel(this))
{
    setObjectName(u"compensateDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(u"Compensate"_s);
    buildLayout();
    connect(m_plan, &QAbstractItemModel::dataChanged, this, &CompensateDialog::updateButton);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CompensateDialog::showRequest);
    connect(m_reason, &QLineEdit::textChanged, this, &CompensateDialog::updateButton);
    connect(m_typed, &widgets::TypedWord::changed, this, &CompensateDialog::updateButton);
    connect(m_act, &QPushButton::clicked, this, &CompensateDialog::start);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    m_headline->setText(u"Making the plan for %1…"_s.arg(story.eventId));
    updateButton();
    askPlan();
}

void CompensateDialog::buildLayout()
{
    m_headline = new widgets::WrapLabel;
    m_headline->setObjectName(u"planHeadline"_s);
    m_table = recordTable(u"planTable"_s, u"Plan of compensation"_s, m_plan, {5, 24, 22, 34, 24});
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setFrameShape(QFrame::StyledPanel);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(PlanModel::why, QHeaderView::Stretch);
    auto *space = new QShortcut(Qt::Key_Space, m_table);
    space->setContext(Qt::WidgetShortcut);
    connect(space, &QShortcut::activated, this, [this] {
        if (m_table->currentIndex().isValid())
            m_plan->toggle(m_table->currentIndex().row());
    });
    m_request = new CodePanel(u"planRequest"_s, u"Request of the chosen step"_s);
    m_request->layout()->setContentsMargins(0, 0, 0, 0);
    m_reasonLabel = widgets::plainLabel(u"planReasonLabel"_s, u"Reason"_s);
    m_reasonLabel->setText(u"&Reason (required; goes into the audit)"_s);
    m_reason = new QLineEdit;
    m_reason->setObjectName(u"planReason"_s);
    m_reason->setAccessibleName(u"Reason"_s);
    m_reason->setPlaceholderText(u"Why this is compensated, in a few words"_s);
    m_reason->setMaxLength(reasonMax);
    m_reasonLabel->setBuddy(m_reason);
    m_typed = new widgets::TypedWord(u"planTyped"_s);
    m_typed->ask(parentWidget());
    m_progress = new widgets::WrapLabel;
    m_progress->setObjectName(u"planProgress"_s);
    m_progress->setLinesMax(6);
    m_progress->hide();
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"planProblem"_s);
    m_problem->setToken(Token::bad);
    m_problem->hide();
    m_act = new QPushButton;
    m_act->setObjectName(u"planAct"_s);
    m_act->setDefault(true);
    m_close = new QPushButton(u"Leave it"_s);
    m_close->setObjectName(u"planClose"_s);
    m_close->setAccessibleName(u"Leave it as it is"_s);
    m_close->setAutoDefault(false);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    buttons->addWidget(m_act);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_headline);
    column->addWidget(m_table, 3);
    column->addWidget(m_request, 2);
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_reasonLabel, m_reason, m_typed, m_progress, m_problem})
        column->addWidget(widget);
    column->addLayout(buttons);
    resize(fontMetrics().averageCharWidth() * 130, fontMetrics().height() * 34);
}

void CompensateDialog::askPlan()
{
    m_bridge.ask(u"compensate"_s, {{u"run"_s, m_story.runId}, {u"preview"_s, true}}, this,
                 [this](const Result<QJsonValue> &answer) {
                     if (answer)
                         showPlan(answer->toObject());
                     else
                         showProblem(answer.error().message);
                 });
}

void CompensateDialog::showPlan(const QJsonObject &plan)
{
    m_version = plan["version"_L1].toInteger(m_story.seq);
    m_plan->setPlan(plan["plan"_L1].toArray());
    const QJsonObject action = m_story.whole["actions"_L1]["compensate"_L1].toObject();
    const bool isRefused = !action.isEmpty() && !action["allowed"_L1].toBool();
    // What has to be verified first can be left out, and the rest be asked for.
    m_isRefused = isRefused && !m_plan->needsVerify();
    const qsizetype count = m_plan->chosen().size();
    m_headline->setText(
        m_plan->rowCount() == 0
            ? u"No step of this run was reached: there is nothing to compensate."_s
            : u"%1 of %2, in this order. Nothing is sent before you press the button."_s.arg(
                  count == 0 ? u"Nothing can be compensated in the steps"_s
                             : u"Holdfast will compensate %1"_s.arg(stepsText(count)),
                  m_story.eventId));
    if (m_plan->rowCount() > 0)
        m_table->selectRow(0);
    m_reason->setFocus();
    if (isRefused)
        showProblem(action["why"_L1].toString());
    updateButton();
}

void CompensateDialog::showRequest()
{
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return;
    const PlannedStep &planned = m_plan->planned(current.row());
    const StepStory *step = m_story.step(planned.step);
    if (planned.request.isEmpty()) {
        m_request->setText(u"Nothing is sent for %1."_s.arg(planned.step), planned.problem);
        return;
    }
    const Outgoing outgoing = step ? m_outgoing.value(step->dependency) : Outgoing();
    m_request->setText(u"What is sent for %1; secrets are masked."_s.arg(planned.step),
                       requestText(planned.request, outgoing, planned.key));
}

void CompensateDialog::updateButton()
{
    const qsizetype count = m_plan->chosen().size();
    const bool isDecided = !m_command.isEmpty();
    widgets::setRoomyText(m_act,
                          count == 0 ? u"Compensate"_s : u"Compensate %1"_s.arg(stepsText(count)));
    m_act->setAccessibleName(m_act->text());
    m_act->setEnabled(!m_isBusy && !m_isRefused && !isDecided && count > 0 && m_typed->isTyped() &&
                      !m_reason->text().trimmed().isEmpty());
    m_act->setToolTip(m_reason->text().trimmed().isEmpty() ? u"Give a reason first."_s
                                                           : m_typed->hint());
    m_act->setVisible(!isDecided);
    m_reason->setVisible(!isDecided);
    m_reasonLabel->setVisible(!isDecided);
    m_typed->setVisible(!isDecided && !m_typed->word().isEmpty());
}

void CompensateDialog::start()
{
    m_isBusy = true;
    showProblem({});
    QJsonObject arguments{{u"run"_s, m_story.runId},
                          {u"reason"_s, m_reason->text().trimmed()},
                          {u"version"_s, m_version}};
    if (!m_plan->isWhole())
        arguments.insert(u"steps"_s, QJsonArray::fromStringList(m_plan->chosen()));
    updateButton();
    m_bridge.act(u"compensate"_s, arguments, this, [this](const Result<QJsonValue> &answer) {
        m_isBusy = false;
        if (!answer) {
            showProblem(answer.error().message);
            updateButton();
            return;
        }
        m_command = answer->toObject()["command"_L1].toString(u"-"_s);
        m_commandState = answer->toObject()["state"_L1].toString(u"recorded"_s);
        m_plan->setLocked(true);
        m_headline->setText(u"Compensating %1 of %2, in this order."_s.arg(
            stepsText(m_plan->chosen().size()), m_story.eventId));
        m_close->setText(u"Close"_s);
        m_close->setAccessibleName(u"Close; the compensation goes on"_s);
        m_close->setFocus();
        Q_EMIT said(u"The compensation is recorded; the engine applies it."_s);
        updateButton();
        showProgress();
    });
}

void CompensateDialog::showRun(const RunStory &story)
{
    if (story.runId != m_story.runId)
        return;
    m_story = story;
    if (m_command.isEmpty())
        return;
    m_plan->setSteps(story.whole["steps"_L1].toArray());
    askCommand();
    showProgress();
}

void CompensateDialog::askCommand()
{
    if (m_isAskingCommand || m_commandState != "recorded"_L1)
        return;
    m_isAskingCommand = true;
    m_bridge.ask(u"command"_s, {{u"command"_s, m_command}}, this,
                 [this](const Result<QJsonValue> &answer) {
                     m_isAskingCommand = false;
                     if (!answer)
                         return;
                     m_commandState = answer->toObject()["state"_L1].toString();
                     m_commandMessage = answer->toObject()["message"_L1].toString();
                     showProgress();
                 });
}

void CompensateDialog::showProgress()
{
    m_progress->show();
    if (m_commandState == "rejected"_L1) {
        m_progress->setToken(Token::bad);
        m_progress->setText(
            u"✖ The engine did not apply it: %1. Nothing was sent."_s.arg(m_commandMessage));
        return;
    }
    const style::StatusLook look = style::statusLook(m_story.status);
    const auto status = model::runStatusFromName(m_story.status);
    const bool isApplied = m_commandState == "applied"_L1;
    QString text = u"✔ Recorded  →  %1"_s.arg(isApplied ? u"✔ Applied"_s : u"◔ To be applied"_s);
    if (isApplied)
        text += u"  →  "_s + look.text();
    const bool isOver = isApplied && status && model::isFinal(*status);
    if (isOver || (isApplied && look.needsPerson))
        text += u". "_s + m_story.verdict;
    m_progress->setToken(isApplied ? look.token : Token::busy);
    m_progress->setText(text);
}

void CompensateDialog::showProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString() : u"▲ "_s + problem);
    m_problem->setVisible(!problem.isEmpty());
}

} // namespace holdfast::inspector
