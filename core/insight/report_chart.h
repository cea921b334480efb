// Charts of a report as SVG: no script, every text escaped, colours by class so that a page can
// have them light and dark. Pure functions of the document.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

namespace holdfast::insight
{

// How runs ended on each day, stacked; as many on the same day before, as an outline.
QString daysChart(const QJsonObject &report);
// Causes by how many runs they cost, with their sum as a line.
QString causesChart(const QJsonObject &report);
// A row of bars the height of a line of text.
QString trendChart(const QJsonArray &trend);

// The colours of the classes above, and of a dark page.
QString chartStyle();

// Text that stays text, in HTML and in SVG.
QString markupText(const QString &text);

} // namespace holdfast::insight
