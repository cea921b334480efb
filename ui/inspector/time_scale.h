// Where an instant stands on a line of a given width. Time is to scale wherever something happens;
// long stretches in which nothing does are squeezed to a mark, or two hours of waiting would leave
// no room for the seconds that matter.
#pragma once

#include "model/time.h"

#include <QString>
#include <QVector>

namespace holdfast::inspector
{

struct TimeSpan {
    model::Instant from = 0;
    model::Instant to = 0;
};

class TimeScale
{
public:
    struct Piece {
        TimeSpan span;
        double left = 0;
        double right = 0;
        bool isGap = false; // squeezed
    };
    struct Tick {
        double x = 0;
        QString text; // since the start
    };

    TimeScale() = default;
    // `busy` is when something happened, in any order.
    TimeScale(QVector<TimeSpan> busy, double width, double gapWidth);

    bool isEmpty() const { return m_pieces.isEmpty(); }
    double x(model::Instant instant) const;
    const QVector<Piece> &pieces() const { return m_pieces; }
    // At least `apart` from each other.
    QVector<Tick> ticks(double apart) const;

private:
    void cut(const QVector<TimeSpan> &busy);
    void place(double width, double gapWidth);

    QVector<Piece> m_pieces;
    double m_perMilli = 0;
};

} // namespace holdfast::inspector
