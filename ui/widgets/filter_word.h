// One word of the runs' filter, quoted where its value would end it.
#pragma once

#include <QString>
#include <algorithm>

namespace holdfast::widgets
{

inline QString filterWord(const QString &name, QString value)
{
    const auto ends = [](QChar c) { return c.isSpace() || c == u'"' || c == u'\\'; };
    if (std::none_of(value.cbegin(), value.cend(), ends))
        return name + u':' + value;
    value.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    return name + QStringLiteral(":\"") + value + u'"';
}

} // namespace holdfast::widgets
