#include "bench/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace holdfast::bench
{

void Figures::add(const QString &what, double value, double goal, const QString &unit,
                  double processor)
{
    const bool isMet = goal <= 0 || value < goal;
    m_allMet = m_allMet && isMet;
    const QString aim = goal <= 0 ? QString()
                                  : QStringLiteral("  goal %1 %2  %3")
                                        .arg(goal, 4, 'f', 0)
                                        .arg(unit, isMet ? QString() : QStringLiteral("MISSED"));
    const QString own =
        processor <= 0 ? QString() : QStringLiteral("  processor %1 ms").arg(processor, 6, 'f', 1);
    std::printf("%s\n", qPrintable(QStringLiteral("%1  %2 %3 %4%5%6")
                                       .arg(m_title, -10)
                                       .arg(what, -46)
                                       .arg(value, 8, 'f', 1)
                                       .arg(unit, own, aim)
                                       .trimmed()));
    std::fflush(stdout);
}

double quantile(QVector<double> values, double share)
{
    if (values.isEmpty())
        return 0;
    const auto place =
        std::min<qsizetype>(qsizetype(std::ceil(share * double(values.size()))), values.size());
    std::nth_element(values.begin(), values.begin() + place - 1, values.end());
    return values.at(place - 1);
}

} // namespace holdfast::bench
