#include "ui/inspector/timeline.h"

#include "ui/inspector/attempt_look.h"
#include "ui/style/step_look.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextDocument>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using widgets::plainText;

namespace
{
constexpr int gapEms = 12; // room for a mark that says how long it was
}

Timeline::Timeline(QWidget *parent) : QAbstractScrollArea(parent)
{
    setObjectName(u"timeline"_s);
    setAccessibleName(u"Timeline of steps and attempts"_s);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setSizePolicy(policy);
}

void Timeline::setStory(const RunStory &story, model::Instant now)
{
    const QString kept = m_selected >= 0 && m_selected < m_story.attempts.size()
                             ? m_story.attempts.at(m_selected).rowId()
                             : QString();
    const bool isSame = story.runId == m_story.runId;
    m_story = story;
    m_now = now;
    m_selected = isSame ? story.indexOf(kept) : -1;
    updateGeometry();
    rescale();
}

void Timeline::setNow(model::Instant now)
{
    m_now = now;
    const bool isLive = m_story.finishedAt == model::never && !m_story.isEmpty();
    if (isLive)
        rescale();
}

void Timeline::rescale()
{
    QVector<TimeSpan> busy;
    const auto point = [&](model::Instant at) {
        if (at != model::never)
            busy.append({at, at + 1});
    };
    point(m_story.startedAt == model::never ? m_story.createdAt : m_story.startedAt);
    point(m_story.finishedAt);
    for (const AttemptStory &attempt : std::as_const(m_story.attempts))
        busy.append({attempt.startedAt, attempt.startedAt + attempt.took(m_now)});
    for (const WaitStory &wait : std::as_const(m_story.waits)) {
        point(wait.from);
        if (wait.until == model::never)
            point(std::max(m_now, wait.from));
    }
    const int em = fontMetrics().averageCharWidth();
    // Room for what stands beside the last bar.
    const double width = viewport()->width() - namesWidth() - em * 22;
    m_scale = TimeScale(busy, std::max(width, em * 10.0), em * gapEms);
    const int content = int(m_story.steps.size()) * rowHeight() + axisHeight();
    verticalScrollBar()->setRange(0, std::max(0, content - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
    viewport()->update();
}

int Timeline::axisHeight() const { return fontMetrics().height() * 7 / 4; }
int Timeline::rowHeight() const { return fontMetrics().height() * 15 / 8; }

int Timeline::namesWidth() const
{
    int widest = fontMetrics().averageCharWidth() * 24;
    for (const StepStory &step : m_story.steps)
        widest = std::max(widest, fontMetrics().horizontalAdvance(plainText(step.step, 60)) +
                                      fontMetrics().averageCharWidth() * 28);
    return std::min(widest, viewport()->width() * 2 / 5);
}

int Timeline::rowTop(int row) const
{
    return axisHeight() + row * rowHeight() - verticalScrollBar()->value();
}

QRect Timeline::barOf(int attempt) const
{
    if (attempt < 0 || attempt >= m_story.attempts.size())
        return {};
    const AttemptStory &story = m_story.attempts.at(attempt);
    const int left = namesWidth() + int(std::lround(m_scale.x(story.startedAt)));
    const int right =
        namesWidth() + int(std::lround(m_scale.x(story.startedAt + story.took(m_now))));
    const int height = fontMetrics().height();
    const int least = fontMetrics().averageCharWidth();
    return {left, rowTop(story.row) + (rowHeight() - height) / 2, std::max(right - left, least),
            height};
}

int Timeline::attemptAt(const QPoint &point) const
{
    const int slack = fontMetrics().averageCharWidth();
    int found = -1;
    int distance = slack + 1;
    for (int attempt = 0; attempt < m_story.attempts.size(); ++attempt) {
        const QRect bar = barOf(attempt);
        if (point.y() < bar.top() - slack || point.y() > bar.bottom() + slack)
            continue;
        const int away = point.x() < bar.left()    ? bar.left() - point.x()
                         : point.x() > bar.right() ? point.x() - bar.right()
                                                   : 0;
        if (away < distance || (away == 0 && distance == 0)) {
            found = attempt;
            distance = away;
        }
    }
    return found;
}

QString Timeline::describe(int attempt) const
{
    const AttemptStory &story = m_story.attempts.at(attempt);
    QString text = u"%1 %2 of %3: %4"_s.arg(story.directionWord())
                       .arg(story.number)
                       .arg(plainText(story.step, 80), attemptLook(story).word.toLower());
    if (!story.reason.isEmpty() && story.reason != "ok"_L1)
        text += u", "_s + plainText(story.reason, 80);
    if (story.status > 0)
        text += u", status %1"_s.arg(story.status);
    return text +
           u", took %1, began %2"_s.arg(story.tookText(m_now), widgets::fullTime(story.startedAt));
}

void Timeline::select(int attempt)
{
    if (attempt >= m_story.attempts.size())
        attempt = -1;
    if (attempt == m_selected)
        return;
    m_selected = attempt;
    setAccessibleDescription(attempt < 0 ? QString() : describe(attempt));
    if (attempt >= 0) {
        const int top = rowTop(m_story.attempts.at(attempt).row);
        QScrollBar *bar = verticalScrollBar();
        if (top < axisHeight())
            bar->setValue(bar->value() + top - axisHeight());
        else if (top + rowHeight() > viewport()->height())
            bar->setValue(bar->value() + top + rowHeight() - viewport()->height());
        QAccessibleEvent event(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&event);
    }
    viewport()->update();
}

void Timeline::choose(int attempt)
{
    if (attempt < 0 || attempt == m_selected)
        return;
    select(attempt);
    Q_EMIT chosen(attempt);
}

int Timeline::neighbour(int direction) const
{
    const int count = int(m_story.attempts.size());
    if (m_selected < 0)
        return direction > 0 ? 0 : count - 1;
    const int row = m_story.attempts.at(m_selected).row;
    for (int at = m_selected + direction; at >= 0 && at < count; at += direction) {
        if (m_story.attempts.at(at).row == row)
            return at;
    }
    return -1;
}

int Timeline::nearest(int rowDirection) const
{
    if (m_selected < 0)
        return m_story.attempts.isEmpty() ? -1 : 0;
    const AttemptStory &from = m_story.attempts.at(m_selected);
    for (int row = from.row + rowDirection; row >= 0 && row < m_story.steps.size();
         row += rowDirection) {
        int found = -1;
        for (int at = 0; at < m_story.attempts.size(); ++at) {
            if (m_story.attempts.at(at).row != row)
                continue;
            const auto away = [&](int other) {
                return std::abs(m_story.attempts.at(other).startedAt - from.startedAt);
            };
            if (found < 0 || away(at) < away(found))
                found = at;
        }
        if (found >= 0)
            return found;
    }
    return -1;
}

void Timeline::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left: choose(neighbour(-1)); return;
    case Qt::Key_Right: choose(neighbour(1)); return;
    case Qt::Key_Up:
    case Qt::Key_K: choose(nearest(-1)); return;
    case Qt::Key_Down:
    case Qt::Key_J: choose(nearest(1)); return;
    case Qt::Key_Home: choose(m_story.attempts.isEmpty() ? -1 : 0); return;
    case Qt::Key_End: choose(int(m_story.attempts.size()) - 1); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_selected >= 0)
            Q_EMIT opened(m_selected);
        return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void Timeline::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        choose(attemptAt(event->position().toPoint()));
}

void Timeline::mouseDoubleClickEvent(QMouseEvent *event)
{
    const int attempt = attemptAt(event->position().toPoint());
    if (attempt >= 0)
        Q_EMIT opened(attempt);
}

QString Timeline::tipAt(const QPoint &point) const
{
    if (const int attempt = attemptAt(point); attempt >= 0) {
        const AttemptStory &story = m_story.attempts.at(attempt);
        return story.why.isEmpty() ? describe(attempt)
                                   : describe(attempt) + u"\n\n"_s + plainText(story.why, 600);
    }
    const int row = (point.y() - rowTop(0)) / rowHeight();
    if (point.y() < axisHeight() || row < 0 || row >= m_story.steps.size())
        return {};
    const StepStory &step = m_story.steps.at(row);
    if (point.x() < namesWidth())
        return u"%1: %2\n%3 %4 %5"_s.arg(plainText(step.step), style::stepLook(step.status).word,
                                         step.kind, step.effect, plainText(step.dependency));
    for (const WaitStory &wait : m_story.waits) {
        const model::Instant until = wait.until == model::never ? m_now : wait.until;
        const double x = point.x() - namesWidth();
        if (wait.row == row && x >= m_scale.x(wait.from) && x <= m_scale.x(until))
            return u"%1 %2 for %3"_s.arg(plainText(step.step, 80), plainText(wait.text, 200),
                                         widgets::durationText(until - wait.from));
    }
    return {};
}

bool Timeline::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(tip), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void Timeline::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    rescale();
}

void Timeline::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (m_selected < 0)
        choose(m_story.mostTelling());
    viewport()->update();
}

void Timeline::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

QSize Timeline::sizeHint() const
{
    const int rows = std::clamp(int(m_story.steps.size()), 3, 12);
    return {fontMetrics().averageCharWidth() * 100,
            axisHeight() + rows * rowHeight() + 2 * frameWidth() + fontMetrics().height() / 2};
}

QSize Timeline::minimumSizeHint() const
{
    const int rows = std::clamp(int(m_story.steps.size()), 2, 4);
    return {fontMetrics().averageCharWidth() * 40,
            axisHeight() + rows * rowHeight() + 2 * frameWidth()};
}

} // namespace holdfast::inspector
