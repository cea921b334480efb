#include "simulation/record.h"

namespace holdfast::simulation
{

void Record::note(Instant at, const QString &who, const QString &what)
{
    if (!traces)
        return;
    const Millis passed = at - began;
    trace.append(QStringLiteral("%1:%2.%3 %4 %5")
                     .arg(passed / model::minute, 3)
                     .arg(passed / model::second % 60, 2, 10, QLatin1Char('0'))
                     .arg(passed % model::second, 3, 10, QLatin1Char('0'))
                     .arg(who, -8)
                     .arg(what));
}

} // namespace holdfast::simulation
