#include "ui/pause/stripes.h"

#include "ui/style/theme.h"

#include <QPainter>

namespace holdfast::pause
{

using style::Token;

QColor tapeGround() { return style::colour(Token::stripe); }

QColor tapeInk()
{
    const QColor text = style::colour(Token::text);
    const QColor base = style::colour(Token::base);
    return text.lightness() < base.lightness() ? text : base;
}

int tapeHeight(const QFontMetrics &metrics) { return std::max(4, metrics.height() * 2 / 5); }

void drawTape(QPainter &painter, const QRect &rect)
{
    painter.save();
    painter.setClipRect(rect);
    painter.fillRect(rect, tapeGround());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tapeInk());
    const int slant = rect.height();
    const int band = std::max(6, rect.height() * 3 / 2);
    for (int x = rect.left() - slant; x < rect.right() + slant; x += band * 2) {
        const QPoint points[] = {{x, rect.bottom() + 1},
                                 {x + band, rect.bottom() + 1},
                                 {x + band + slant, rect.top()},
                                 {x + slant, rect.top()}};
        painter.drawPolygon(points, 4);
    }
    painter.restore();
}

} // namespace holdfast::pause
