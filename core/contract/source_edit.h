// One value of a definition written anew, with everything around it as its author left it.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

namespace holdfast::contract
{

// The text of one document with `value` at `path`; a step is named in it by its own name, as in
// steps, charge, retry, attempts. What is missing on the way is added. Nothing where the text is
// laid out in a way that cannot be changed by one line; the caller parses what it gets.
std::optional<QString> withValue(const QString &source, const QStringList &path,
                                 const QString &value);

// What changed between two texts that differ in lines replaced or added one by one, as a unified
// diff of `file`.
QString lineDiff(const QString &file, const QString &before, const QString &after);

} // namespace holdfast::contract
