// Labels that show what came from outside: none of them ever interprets markup.
#pragma once

#include "ui/style/theme.h"

#include <QLabel>

namespace holdfast::widgets
{

inline QLabel *plainLabel(const QString &objectName, const QString &accessibleName)
{
    auto *label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setObjectName(objectName);
    label->setAccessibleName(accessibleName);
    return label;
}

inline void setTextColour(QWidget *widget, const QColor &colour)
{
    // On a raised ground a label would otherwise take the colour of button text.
    widget->setForegroundRole(QPalette::WindowText);
    QPalette palette = widget->palette();
    palette.setColor(QPalette::WindowText, colour);
    widget->setPalette(palette);
}

} // namespace holdfast::widgets
