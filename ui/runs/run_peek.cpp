#include "ui/runs/run_peek.h"

#include "ui/bridge/bridge.h"
#include "ui/style/step_look.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QVBoxLayout>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int stepsShown = 24; // a glance, not a list
}

RunPeek::RunPeek(bridge::Bridge &bridge, QWidget *parent) : widgets::Panel(parent), m_bridge(bridge)
{
    setObjectName(u"peek"_s);
    setAccessibleName(u"The current run at a glance"_s);
    m_status = new widgets::TokenLabel;
    m_status->setObjectName(u"peekStatus"_s);
    m_status->setAccessibleName(u"Status"_s);
    m_status->setSize(1.1, true);
    m_event = new widgets::ElidedLabel(u"peekEvent"_s, u"Event id"_s);
    m_verdict = new widgets::WrapLabel(u"peekVerdict"_s, u"Verdict"_s);
    m_steps = new QWidget;
    m_steps->setAccessibleName(u"Steps"_s);
    m_flow = new widgets::FlowLayout(fontMetrics().averageCharWidth() * 2, m_steps);
    auto *hint = new widgets::TokenLabel(u"Enter opens it, Space closes"_s, style::Token::muted);
    auto *top = new QHBoxLayout;
    top->addWidget(m_status);
    top->addWidget(m_event, 1);
    top->addWidget(hint);
    auto *column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addWidget(m_verdict);
    column->addWidget(m_steps);
}

void RunPeek::showRun(const QString &runId)
{
    if (m_runId == runId)
        return;
    m_runId = runId;
    if (runId.isEmpty())
        showProblem(u"Choose a run to see it here."_s);
    else
        refresh();
}

// One question at a time; who scrolls fast asks for the last one only.
void RunPeek::refresh()
{
    if (m_isAsking || m_runId.isEmpty())
        return;
    m_isAsking = true;
    const QString asked = m_runId;
    m_bridge.ask(u"show"_s, {{u"run"_s, asked}}, this,
                 [this, asked](const Result<QJsonValue> &answer) {
                     m_isAsking = false;
                     if (asked != m_runId)
                         refresh();
                     else if (answer)
                         read(answer->toObject());
                     else
                         showProblem(u"▲ The run could not be read: "_s + answer.error().message);
                 });
}

void RunPeek::read(const QJsonObject &run)
{
    const style::StatusLook look = style::statusLook(run["status"_L1].toString());
    m_status->setText(look.text());
    m_status->setToken(look.token);
    m_event->setWhole(
        u"%1 · %2@%3"_s.arg(run["event_id"_L1].toString(), run["workflow"_L1].toString())
            .arg(run["version"_L1].toInt()));
    const QString verdict = run["verdict"_L1].toString();
    m_verdict->setText(verdict.left(1).toUpper() + verdict.mid(1));
    setSteps(run["steps"_L1].toArray());
}

void RunPeek::showProblem(const QString &why)
{
    m_status->clear();
    m_event->setWhole({});
    m_verdict->setText(why);
    setSteps({});
}

void RunPeek::setSteps(const QJsonArray &steps)
{
    while (QLayoutItem *item = m_flow->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (qsizetype i = 0; i < std::min<qsizetype>(steps.size(), stepsShown); ++i) {
        const QJsonValue step = steps.at(i);
        const style::StatusLook look = style::stepLook(step["status"_L1].toString());
        const QString name = widgets::plainText(step["step"_L1].toString(), 40);
        auto *label = new widgets::TokenLabel(look.shape + u' ' + name, look.token);
        label->setToolTip(u"%1: %2"_s.arg(name, look.word));
        label->setAccessibleName(u"%1: %2"_s.arg(name, look.word));
        m_flow->addWidget(label);
    }
    if (steps.size() > stepsShown)
        m_flow->addWidget(new widgets::TokenLabel(u"and %L1 more"_s.arg(steps.size() - stepsShown),
                                                  style::Token::muted));
    m_steps->setVisible(!steps.isEmpty());
}

} // namespace holdfast::runs
