// Fusion gives a push button hardly more width than its text; names of effects need some air.
#pragma once

#include <QPushButton>

namespace holdfast::widgets
{

inline void setRoomyText(QPushButton *button, const QString &text)
{
    button->setText(text);
    button->setMinimumWidth(0);
    button->setMinimumWidth(button->sizeHint().width() +
                            button->fontMetrics().averageCharWidth() * 2);
}

} // namespace holdfast::widgets
