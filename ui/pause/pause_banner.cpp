#include "ui/pause/pause_banner.h"

#include "ui/pause/pause_line.h"
#include "ui/pause/resume_dialog.h"
#include "ui/pause/stripes.h"

#include <QAccessible>
#include <QJsonArray>
#include <QPainter>
#include <QVBoxLayout>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int clockMs = 30'000;
} // namespace

PauseBanner::PauseBanner(bridge::Bridge &bridge, QWidget *parent)
    : QWidget(parent), m_bridge(bridge)
{
    setObjectName(u"pauseBanner"_s);
    setAccessibleName(u"Pauses in force"_s);
    m_column = new QVBoxLayout(this);
    const int tape = tapeHeight(fontMetrics());
    const int unit = fontMetrics().averageCharWidth();
    m_column->setContentsMargins(unit * 2, tape + unit / 2, unit * 2, tape + unit / 2);
    connect(&m_bridge, &bridge::Bridge::changed, this, &PauseBanner::refresh);
    connect(&m_bridge, &bridge::Bridge::stateChanged, this, &PauseBanner::refresh);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        refresh();
        for (const PauseState &pause : std::as_const(m_pauses))
            askKeys(pause.id);
    });
    m_clock.start(clockMs);
    hide();
    refresh();
}

void PauseBanner::refresh()
{
    // While the database is away the last thing known stays; a pause never ends by silence.
    setPauses(pausesFrom(m_bridge.marks().value("pauses"_L1)));
}

void PauseBanner::setPauses(const QVector<PauseState> &pauses)
{
    const bool wasEmpty = m_pauses.isEmpty();
    m_pauses = pauses;
    QStringList ids;
    for (const PauseState &pause : pauses) {
        ids << pause.id;
        if (!m_lines.contains(pause.id))
            addLine(pause);
        m_lines.value(pause.id)->setPause(pause, m_bridge.actor(), m_bridge.now());
    }
    const QStringList known = m_lines.keys();
    for (const QString &id : known) {
        if (!ids.contains(id))
            delete m_lines.take(id);
    }
    setVisible(!pauses.isEmpty());
    QStringList said;
    for (const PauseLine *line : std::as_const(m_lines))
        said << line->said();
    setAccessibleDescription(said.join(u' '));
    if (!wasEmpty || pauses.isEmpty())
        return;
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    Q_EMIT appeared();
}

void PauseBanner::addLine(const PauseState &pause)
{
    auto *line = new PauseLine;
    const QString id = pause.id;
    m_lines.insert(id, line);
    m_column->addWidget(line);
    connect(line, &PauseLine::detailsWanted, this, [this, id] {
        Q_EMIT goTo(u"pause"_s, {{u"pause"_s, id}});
    });
    connect(line, &PauseLine::resumeWanted, this, [this, id] { resume(id); });
    connect(line, &PauseLine::rampWanted, this,
            [this, id](const QString &what) { ramp(id, what); });
    askKeys(id);
}

// Retry budgets and deadlines stand still under a pause; what the target remembers of a key does
// not.
void PauseBanner::askKeys(const QString &id)
{
    m_bridge.ask(u"resume_check"_s, {{u"pause"_s, id}}, this,
                 [this, id](const Result<QJsonValue> &answer) {
                     PauseLine *line = m_lines.value(id);
                     if (line && answer)
                         line->setKeys((*answer)["keys_expiring"_L1].toArray(), m_bridge.now());
                 });
}

void PauseBanner::resume(const QString &id)
{
    for (const PauseState &pause : std::as_const(m_pauses)) {
        if (pause.id != id)
            continue;
        auto *dialog = new ResumeDialog(m_bridge, pause, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &ResumeDialog::goTo, this, &PauseBanner::goTo);
        dialog->open();
        return;
    }
}

void PauseBanner::ramp(const QString &id, const QString &what)
{
    m_bridge.act(u"ramp"_s, {{u"pause"_s, id}, {u"do"_s, what}}, this,
                 [this, id](const Result<QJsonValue> &answer) {
                     PauseLine *line = m_lines.value(id);
                     if (line)
                         line->setProblem(answer ? QString() : answer.error().message);
                 });
}

void PauseBanner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), tapeGround());
    const int tape = tapeHeight(fontMetrics());
    drawTape(painter, QRect(0, 0, width(), tape));
    drawTape(painter, QRect(0, height() - tape, width(), tape));
}

} // namespace holdfast::pause
