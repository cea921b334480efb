// The report as Markdown, for a page that others keep. Text from data never becomes markup.
#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace holdfast::insight
{

QByteArray reportMarkdown(const QJsonObject &report);

// Text that stays text, also inside of a table.
QString markdownText(const QString &text);

} // namespace holdfast::insight
