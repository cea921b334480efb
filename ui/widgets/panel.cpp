#include "ui/widgets/panel.h"

#include "ui/style/theme.h"

#include <QPainter>

namespace holdfast::widgets
{

namespace
{
constexpr qreal radius = 4;
}

Panel::Panel(QWidget *parent) : QFrame(parent) { setFrameShape(QFrame::NoFrame); }

void Panel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(style::colour(style::Token::border));
    painter.setBrush(style::colour(style::Token::raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace holdfast::widgets
