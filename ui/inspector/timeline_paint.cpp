// How the timeline is drawn.
#include "ui/inspector/attempt_look.h"
#include "ui/inspector/timeline.h"
#include "ui/style/step_look.h"
#include "ui/style/theme.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::plainText;

void Timeline::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), style::colour(Token::base));
    if (m_story.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (int row = 0; row < m_story.steps.size(); ++row) {
        if (row % 2 == 1)
            painter.fillRect(0, rowTop(row), viewport()->width(), rowHeight(),
                             style::colour(Token::alternate));
    }
    paintGaps(painter);
    paintWaits(painter);
    for (int attempt = 0; attempt < m_story.attempts.size(); ++attempt)
        paintBarText(painter, attempt);
    for (int attempt = 0; attempt < m_story.attempts.size(); ++attempt)
        paintBar(painter, attempt);
    for (int row = 0; row < m_story.steps.size(); ++row)
        paintName(painter, row);
    paintAxis(painter);
}

void Timeline::paintAxis(QPainter &painter) const
{
    const int height = axisHeight();
    const int em = fontMetrics().averageCharWidth();
    painter.fillRect(0, 0, viewport()->width(), height, style::colour(Token::window));
    painter.setPen(style::colour(Token::border));
    painter.drawLine(0, height - 1, viewport()->width(), height - 1);
    painter.setPen(style::colour(Token::muted));
    painter.drawText(QRect(em, 0, namesWidth() - em, height), Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(u"■ attempt  □ verify  ▨ compensation"_s,
                                              Qt::ElideRight, namesWidth() - em * 2));
    for (const TimeScale::Tick &tick : m_scale.ticks(em * 9)) {
        const int x = namesWidth() + int(tick.x);
        painter.setPen(style::colour(Token::border));
        painter.drawLine(x, height - fontMetrics().height() / 3, x, height - 1);
        painter.setPen(style::colour(Token::muted));
        painter.drawText(QRect(x + em / 3, 0, em * 12, height - fontMetrics().height() / 4),
                         Qt::AlignBottom | Qt::AlignLeft, tick.text);
    }
}

// A squeezed stretch is a hatched band across all rows that says how long it was.
void Timeline::paintGaps(QPainter &painter) const
{
    const int bottom = std::min(rowTop(int(m_story.steps.size())), viewport()->height());
    for (const TimeScale::Piece &piece : m_scale.pieces()) {
        if (!piece.isGap)
            continue;
        const QRectF band(namesWidth() + piece.left, axisHeight(), piece.right - piece.left,
                          bottom - axisHeight());
        QColor hatch = style::colour(Token::border);
        hatch.setAlphaF(0.55F);
        painter.fillRect(band, QBrush(hatch, Qt::BDiagPattern));
        const QString text = u"⋯ "_s + widgets::durationText(piece.span.to - piece.span.from);
        const QRectF place(band.left(), bottom - fontMetrics().height() * 5 / 4, band.width(),
                           fontMetrics().height() * 5 / 4);
        const int width = fontMetrics().horizontalAdvance(text);
        if (width > band.width())
            continue;
        const QRectF ground(place.center().x() - width / 2.0 - 3, place.top(), width + 6,
                            place.height());
        painter.fillRect(ground, style::colour(Token::base));
        painter.setPen(style::colour(Token::muted));
        painter.drawText(place, Qt::AlignCenter, text);
    }
}

void Timeline::paintName(QPainter &painter, int row) const
{
    const StepStory &step = m_story.steps.at(row);
    const style::StatusLook look = style::stepLook(step.status);
    const int em = fontMetrics().averageCharWidth();
    const int width = namesWidth();
    const QRect area(0, rowTop(row), width, rowHeight());
    painter.fillRect(area, style::colour(row % 2 == 1 ? Token::alternate : Token::base));
    painter.setPen(style::colour(Token::border));
    painter.drawLine(width - em, area.top(), width - em, area.bottom());
    painter.setPen(style::colour(look.token));
    painter.drawText(area.adjusted(em, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, look.shape);
    const QString meta =
        plainText(QStringList{step.kind, step.effect, step.dependency}.join(u' ').simplified(), 60);
    const QRect inner = area.adjusted(em * 4, 0, -em * 2, 0);
    const int nameWidth =
        std::min(fontMetrics().horizontalAdvance(plainText(step.step, 60)), inner.width() * 3 / 5);
    const int metaWidth =
        std::min(fontMetrics().horizontalAdvance(meta), inner.width() - nameWidth - em * 2);
    painter.setPen(style::colour(Token::text));
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(plainText(step.step), Qt::ElideRight,
                                              inner.width() - metaWidth - em));
    painter.setPen(style::colour(Token::muted));
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignRight,
                     fontMetrics().elidedText(meta, Qt::ElideRight, metaWidth));
}

void Timeline::paintWaits(QPainter &painter) const
{
    for (const WaitStory &wait : m_story.waits) {
        const model::Instant until = wait.until == model::never ? m_now : wait.until;
        const double left = namesWidth() + m_scale.x(wait.from);
        const double right = namesWidth() + m_scale.x(until);
        const double y = rowTop(wait.row) + rowHeight() / 2.0;
        QPen pen(style::colour(wait.isForPerson ? Token::attention : Token::muted));
        pen.setStyle(wait.isForPerson ? Qt::DashLine : Qt::DotLine);
        painter.setPen(pen);
        painter.drawLine(QPointF(left, y), QPointF(right, y));
        if (wait.until != model::never)
            continue;
        const QString text = u"◔ "_s + plainText(wait.text, 40);
        const QRect place(int(right) + 2, rowTop(wait.row), viewport()->width() - int(right) - 4,
                          rowHeight());
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(text, Qt::ElideRight, place.width()));
    }
}

void Timeline::paintBar(QPainter &painter, int attempt) const
{
    const AttemptStory &story = m_story.attempts.at(attempt);
    const QRectF bar = QRectF(barOf(attempt)).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor colour = style::colour(attemptLook(story).token);
    const bool isHollow = story.direction == "verify"_L1 || story.direction == "snapshot"_L1;
    QPainterPath path;
    path.addRoundedRect(bar, 2, 2);
    painter.fillPath(path, style::colour(Token::base));
    if (story.direction == "compensate"_L1) {
        QColor ground = colour;
        ground.setAlphaF(0.25F);
        painter.fillPath(path, ground);
        painter.fillPath(path, QBrush(colour, Qt::Dense5Pattern));
    } else if (!isHollow) {
        QColor ground = colour;
        ground.setAlphaF(story.isOpen() ? 0.45F : 0.85F);
        painter.fillPath(path, ground);
    }
    QPen pen(colour);
    pen.setStyle(story.isOpen() ? Qt::DashLine : Qt::SolidLine);
    painter.strokePath(path, pen);
    if (attempt != m_selected)
        return;
    QPen ring(style::colour(hasFocus() ? Token::busy : Token::text));
    painter.strokePath(path, ring);
    QPainterPath outer;
    outer.addRoundedRect(bar.adjusted(-3, -3, 3, 3), 4, 4);
    painter.strokePath(outer, ring);
}

// What came of it stands beside the bar, as far as there is room before the next one.
void Timeline::paintBarText(QPainter &painter, int attempt) const
{
    const AttemptStory &story = m_story.attempts.at(attempt);
    const style::StatusLook look = attemptLook(story);
    const QRect bar = barOf(attempt);
    const int em = fontMetrics().averageCharWidth();
    int limit = viewport()->width() - em;
    for (int other = 0; other < m_story.attempts.size(); ++other) {
        const QRect next = barOf(other);
        if (other != attempt && m_story.attempts.at(other).row == story.row &&
            next.left() > bar.left())
            limit = std::min(limit, next.left() - em);
    }
    for (const WaitStory &wait : m_story.waits) {
        if (wait.row == story.row && wait.until == model::never)
            limit = std::min(limit, namesWidth() + int(m_scale.x(m_now)) - em);
    }
    const QString mark = story.direction == "compensate"_L1 && look.shape != u"↺"_s
                             ? u"↩ "_s + look.shape
                             : look.shape;
    const QString what =
        story.failureClass.isEmpty() ? QString() : plainText(story.reason, 40) + u' ';
    const QString took = story.tookText(m_now);
    const int left = bar.right() + em;
    for (const QString &text : {mark + u' ' + what + took, mark + u' ' + took, mark}) {
        const int width = fontMetrics().horizontalAdvance(text);
        if (left + width > limit)
            continue;
        const QRect place(left, rowTop(story.row), width + em / 2, rowHeight());
        // A wait may pass behind it.
        const QRect ground(left - em / 3, bar.top(), width + em * 2 / 3, bar.height());
        painter.fillRect(ground,
                         style::colour(story.row % 2 == 1 ? Token::alternate : Token::base));
        painter.setPen(style::colour(look.token));
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, text);
        return;
    }
}

} // namespace holdfast::inspector
