// Text from outside made safe to show: one line, nothing invisible, nothing that reorders its
// neighbours. What was taken out is shown as its code point, so a person sees that something is
// odd.
#pragma once

#include <QString>

namespace holdfast::widgets
{

constexpr qsizetype plainTextMax = 500;

QString plainText(const QString &text, qsizetype lengthMax = plainTextMax);

} // namespace holdfast::widgets
