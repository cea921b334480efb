#include "ui/style/outlined_style.h"

#include "ui/style/theme.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace holdfast::style
{

OutlinedStyle::OutlinedStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void OutlinedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option,
                                  QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
    if (!isBox && element != PE_IndicatorRadioButton)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, !isBox);
    painter->setPen(colour(option->state & State_Enabled ? Token::muted : Token::border));
    painter->setBrush(Qt::NoBrush);
    if (isBox)
        painter->drawRect(option->rect.adjusted(1, 1, -2, -2));
    else
        painter->drawEllipse(QRectF(option->rect).adjusted(1.5, 1.5, -1.5, -1.5));
    painter->restore();
}

} // namespace holdfast::style
