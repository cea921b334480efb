// The two charts of a report, painted: the same code draws them on the page, in the colours of its
// theme, and on paper. Nothing here needs the GUI thread.
#pragma once

#include "ui/style/theme.h"

#include <QJsonArray>
#include <QRectF>

class QPainter;

namespace holdfast::weekly
{

struct OutcomeSeries {
    const char16_t *name; // as days call it
    const char16_t *shape;
    const char16_t *word;
    style::Token token;
    bool isHatched;
};
const QVector<OutcomeSeries> &outcomeSeries(); // from the bottom of a bar up

// Runs that ended, a bar a day, with the days of the week before as a dotted outline.
void paintDays(QPainter &painter, const QRectF &area, const QJsonArray &days,
               const QJsonArray &before, style::Theme theme);
// Root causes, most runs first, with the share they make up together.
void paintPareto(QPainter &painter, const QRectF &area, const QJsonArray &causes,
                 style::Theme theme);

double endedOn(const QJsonObject &day); // runs that ended, in any way
bool hasRuns(const QJsonArray &days);   // one at least was started or ended
QString dayName(const QJsonValue &at);  // Mon 9

} // namespace holdfast::weekly
