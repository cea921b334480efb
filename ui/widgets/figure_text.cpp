#include "ui/widgets/figure_text.h"

#include "ui/widgets/times.h"

#include <QLocale>
#include <cmath>

namespace holdfast::widgets
{

using namespace Qt::StringLiterals;

QString figureText(const QJsonValue &value, const QString &unit)
{
    if (!value.isDouble())
        return u"–"_s;
    const double number = value.toDouble();
    if (unit == "percent"_L1)
        return QLocale().toString(number, 'f', number == std::floor(number) ? 0 : 1) + u" %"_s;
    if (unit == "ms"_L1)
        return durationText(model::Millis(number));
    return QLocale().toString(qint64(std::llround(number)));
}

} // namespace holdfast::widgets
