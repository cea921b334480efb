// Figures beside their goals, one to a line.
#pragma once

#include <QString>
#include <QVector>

namespace holdfast::bench
{

class Figures
{
public:
    explicit Figures(const QString &title) : m_title(title) {}

    // Prints at once. The lower the better; a goal of zero is none. `processor` is what of it this
    // process itself took, without waiting for others.
    void add(const QString &what, double value, double goal, const QString &unit,
             double processor = 0);
    bool allMet() const { return m_allMet; }

private:
    const QString m_title;
    bool m_allMet = true;
};

// `share` of the values are not above it.
double quantile(QVector<double> values, double share);

} // namespace holdfast::bench
