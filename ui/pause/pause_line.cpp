#include "ui/pause/pause_line.h"

#include "ui/pause/stripes.h"
#include "ui/shell/permits.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;

PauseLine::PauseLine(QWidget *parent) : QWidget(parent)
{
    m_first = new widgets::ElidedLabel(u"pauseWhat"_s, u"What is paused, by whom and why"_s);
    m_second = new widgets::ElidedLabel(u"pauseCounts"_s, u"Held and in flight"_s);
    m_ramp = new widgets::ElidedLabel(u"pauseRamp"_s, u"Progress of the ramp"_s);
    QFont bold = m_first->font();
    bold.setBold(true);
    m_first->setFont(bold);
    m_hold = button(u"rampHold"_s, u"Hold here"_s, u"Hold the ramp at this stage"_s);
    m_repause = button(u"rampRepause"_s, u"Pause again"_s, u"Stop the ramp and pause again"_s);
    m_details = button(u"pauseDetails"_s, u"Details"_s, u"Details of this pause"_s);
    m_resume = button(u"pauseResume"_s, u"Resume…"_s, u"Resume, after a check"_s);
    auto *lines = new QVBoxLayout;
    lines->setSpacing(0);
    lines->addWidget(m_first);
    lines->addWidget(m_second);
    lines->addWidget(m_ramp);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(lines, 1);
    shell::Permits::name(m_resume, u"resume"_s);
    for (QPushButton *one : {m_hold, m_repause})
        shell::Permits::name(one, u"ramp"_s);
    for (QPushButton *one : {m_hold, m_repause, m_details, m_resume})
        row->addWidget(one);
    connect(m_details, &QPushButton::clicked, this, &PauseLine::detailsWanted);
    connect(m_resume, &QPushButton::clicked, this, &PauseLine::resumeWanted);
    connect(m_repause, &QPushButton::clicked, this, [this] { Q_EMIT rampWanted(u"repause"_s); });
    connect(m_hold, &QPushButton::clicked, this, [this] {
        Q_EMIT rampWanted(m_pause.ramp.state == "holding"_L1 ? u"go"_s : u"hold"_s);
    });
    colour();
}

QPushButton *PauseLine::button(const QString &name, const QString &text, const QString &accessible)
{
    auto *made = new QPushButton(text);
    made->setObjectName(name);
    made->setAccessibleName(accessible);
    made->setToolTip(accessible);
    made->setAutoDefault(false);
    return made;
}

void PauseLine::setPause(const PauseState &pause, const QString &actor, model::Instant now)
{
    m_pause = pause;
    const QString since = QDateTime::fromMSecsSinceEpoch(pause.at).toString(u"ddd HH:mm"_s);
    // A long name must not push the reason out of sight.
    PauseState brief = pause;
    brief.target = widgets::plainText(pause.target, 40);
    const QString who = pause.actor == actor ? u"you"_s : widgets::plainText(pause.actor, 30);
    m_first->setWhole(u"‖ PAUSED: %1 · by %2, %3 (%4) · “%5”"_s.arg(
        gateText(brief), who, since, widgets::ageText(pause.at, now), pause.reason));
    showCounts();
}

void PauseLine::setKeys(const QJsonArray &keys, model::Instant now)
{
    m_keys.clear();
    if (!keys.isEmpty()) {
        const model::Instant first = widgets::instantOf(keys.first()["expires_at"_L1]);
        const QString when = first <= now ? u"the first has lost it already"_s
                                          : u"the first %1"_s.arg(widgets::ageText(first, now));
        m_keys = u"%1 lose their key window, %2"_s.arg(
            countText(int(keys.size()), u"held"_s, u"held"_s), when);
    }
    showCounts();
}

void PauseLine::setProblem(const QString &problem)
{
    m_problem = problem;
    showCounts();
}

void PauseLine::showCounts()
{
    QStringList parts{countText(m_pause.held, u"run held"_s, u"runs held"_s)};
    parts << (m_pause.inFlight == 0
                  ? u"nothing left on the wire"_s
                  : countText(m_pause.inFlight, u"attempt on the wire (will finish)"_s,
                              u"attempts on the wire (will finish)"_s));
    if (m_pause.startedSince > 0)
        parts << u"▲ %1 since it began"_s.arg(
            countText(m_pause.startedSince, u"attempt started"_s, u"attempts started"_s));
    if (!m_keys.isEmpty())
        parts << m_keys;
    if (!m_problem.isEmpty())
        parts << u"✖ "_s + m_problem;
    m_second->setWhole(parts.join(u" · "_s));
    const Ramp &ramp = m_pause.ramp;
    m_ramp->setWhole(rampText());
    m_ramp->setVisible(!ramp.state.isEmpty());
    const bool isRamping = ramp.state == "ramping"_L1 || ramp.state == "holding"_L1;
    m_hold->setVisible(isRamping);
    m_hold->setText(ramp.state == "holding"_L1 ? u"Go on"_s : u"Hold here"_s);
    m_repause->setVisible(isRamping);
    m_resume->setVisible(!isRamping);
}

QString PauseLine::rampText() const
{
    const Ramp &ramp = m_pause.ramp;
    if (ramp.state == "repaused"_L1)
        return u"▲ The ramp was stopped after %1 and all of it is paused again: %2."_s.arg(
            countText(ramp.admitted, u"run"_s, u"runs"_s), widgets::plainText(ramp.note, 200));
    QStringList stages;
    for (int i = 0; i < ramp.stages.size(); ++i) {
        const QString mark = i < ramp.stage ? u"✔ "_s : i == ramp.stage ? u"▶ "_s : QString();
        stages << mark + ramp.stages.at(i);
    }
    return u"%1: %2 · %3 let through"_s.arg(
        ramp.state == "holding"_L1 ? u"Ramp holds"_s : u"Resuming by ramp"_s, stages.join(u" → "_s),
        countText(ramp.admitted, u"run"_s, u"runs"_s));
}

QString PauseLine::said() const
{
    QStringList parts{m_first->text(), m_second->text()};
    if (m_ramp->isVisibleTo(this))
        parts << m_ramp->text();
    return parts.join(u". "_s);
}

void PauseLine::colour()
{
    m_isColouring = true;
    for (widgets::ElidedLabel *label : {m_first, m_second, m_ramp})
        widgets::setTextColour(label, tapeInk());
    m_isColouring = false;
}

void PauseLine::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_resume && !m_isColouring)
        colour();
}

} // namespace holdfast::pause
