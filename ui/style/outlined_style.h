// Fusion, with outlines of boxes and rings to tick that can be seen: it derives theirs from the
// window's colour, and on a dark window that is almost the same dark.
#pragma once

#include <QProxyStyle>

namespace holdfast::style
{

class OutlinedStyle : public QProxyStyle
{
public:
    OutlinedStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
};

} // namespace holdfast::style
