// The report as one HTML file that needs nothing else: style and charts stand in it, there is no
// script, and every text is escaped. Light and dark as the reader has it, and good on paper.
#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace holdfast::insight
{

QByteArray reportHtml(const QJsonObject &report);

} // namespace holdfast::insight
