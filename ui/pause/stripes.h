// The pattern of a pause: amber and black bands, so that it is known without its colour. Red is
// kept for failure.
#pragma once

#include <QColor>
#include <QFontMetrics>
#include <QRect>

class QPainter;

namespace holdfast::pause
{

QColor tapeGround(); // amber, also what text stands on
QColor tapeInk();    // what is dark in either theme, for text and bands on amber
int tapeHeight(const QFontMetrics &metrics);
void drawTape(QPainter &painter, const QRect &rect);

} // namespace holdfast::pause
