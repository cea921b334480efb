#include "contract/template.h"

namespace holdfast::contract
{

QString TextTemplate::source() const
{
    QString text;
    for (const Part &part : parts)
        text += part.isExpression ? QStringLiteral("${ ") + part.text + QStringLiteral(" }")
                                  : part.text;
    return text;
}

} // namespace holdfast::contract
