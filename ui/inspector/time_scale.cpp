#include "ui/inspector/time_scale.h"

#include "ui/widgets/times.h"

#include <algorithm>
#include <cmath>

namespace holdfast::inspector
{

using model::Instant;
using model::Millis;

namespace
{
constexpr Millis gapMin = 250; // shorter ones are never squeezed
constexpr double gapsShareMax = 0.45;

// Overlapping spans become one.
QVector<TimeSpan> joined(QVector<TimeSpan> spans)
{
    std::sort(spans.begin(), spans.end(),
              [](const TimeSpan &a, const TimeSpan &b) { return a.from < b.from; });
    QVector<TimeSpan> whole;
    for (const TimeSpan &span : std::as_const(spans)) {
        if (!whole.isEmpty() && span.from <= whole.last().to)
            whole.last().to = std::max(whole.last().to, span.to);
        else
            whole.append(span);
    }
    return whole;
}

Millis niceStep(double millisMin)
{
    constexpr Millis steps[] = {1,          2,         5,         10,        20,        50,
                                100,        200,       500,       1000,      2000,      5000,
                                10'000,     15'000,    30'000,    60'000,    120'000,   300'000,
                                600'000,    900'000,   1'800'000, 3'600'000, 7'200'000, 21'600'000,
                                43'200'000, 86'400'000};
    for (const Millis step : steps) {
        if (double(step) >= millisMin)
            return step;
    }
    return 7 * 86'400'000LL;
}
// As fine as the ticks are.
QString tickText(Millis since, Millis step)
{
    if (since == 0)
        return QStringLiteral("0");
    if (since >= model::second && since < model::minute && step < model::second)
        return QStringLiteral("%1 s").arg(double(since) / model::second, 0, 'f',
                                          step >= 100 ? 1 : 2);
    return widgets::durationText(since);
}
} // namespace

TimeScale::TimeScale(QVector<TimeSpan> busy, double width, double gapWidth)
{
    if (busy.isEmpty())
        return;
    for (TimeSpan &span : busy)
        span.to = std::max(span.to, span.from + 1);
    cut(joined(std::move(busy)));
    place(width, gapWidth);
}

// A gap is long when it would take more room than a quarter of everything that happened.
void TimeScale::cut(const QVector<TimeSpan> &busy)
{
    Millis active = 0;
    for (const TimeSpan &span : busy)
        active += span.to - span.from;
    const Millis longest = std::max(gapMin, active / 4);
    for (const TimeSpan &span : busy) {
        if (m_pieces.isEmpty()) {
            m_pieces.append({span, 0, 0, false});
            continue;
        }
        Piece &last = m_pieces.last();
        if (span.from - last.span.to <= longest) {
            last.span.to = span.to;
            continue;
        }
        const TimeSpan gap{last.span.to, span.from};
        m_pieces.append({gap, 0, 0, true});
        m_pieces.append({span, 0, 0, false});
    }
}

void TimeScale::place(double width, double gapWidth)
{
    Millis shown = 0;
    int gaps = 0;
    for (const Piece &piece : std::as_const(m_pieces)) {
        if (piece.isGap)
            ++gaps;
        else
            shown += piece.span.to - piece.span.from;
    }
    if (gaps > 0)
        gapWidth = std::min(gapWidth, width * gapsShareMax / gaps);
    m_perMilli = std::max(width - gaps * gapWidth, 1.0) / double(std::max<Millis>(shown, 1));
    double x = 0;
    for (Piece &piece : m_pieces) {
        piece.left = x;
        x += piece.isGap ? gapWidth : double(piece.span.to - piece.span.from) * m_perMilli;
        piece.right = x;
    }
}

double TimeScale::x(Instant instant) const
{
    if (m_pieces.isEmpty())
        return 0;
    for (const Piece &piece : m_pieces) {
        if (instant > piece.span.to)
            continue;
        const double share = double(std::max(instant, piece.span.from) - piece.span.from) /
                             double(piece.span.to - piece.span.from);
        return piece.left + share * (piece.right - piece.left);
    }
    return m_pieces.last().right;
}

// Where something goes on after a gap is said first; what is in between, where there is room.
QVector<TimeScale::Tick> TimeScale::ticks(double apart) const
{
    QVector<Tick> ticks;
    if (m_pieces.isEmpty())
        return ticks;
    const Instant start = m_pieces.first().span.from;
    const Millis step = niceStep(apart / m_perMilli);
    const auto add = [&](Instant at) {
        const double place = x(at);
        const bool isFree = std::all_of(ticks.begin(), ticks.end(), [&](const Tick &tick) {
            return std::abs(tick.x - place) >= apart;
        });
        if (isFree)
            ticks.append({place, tickText(at - start, step)});
    };
    for (const Piece &piece : m_pieces) {
        if (!piece.isGap)
            add(piece.span.from);
    }
    for (const Piece &piece : m_pieces) {
        const Instant first = start + ((piece.span.from - start) / step + 1) * step;
        for (Instant at = first; !piece.isGap && at <= piece.span.to; at += step)
            add(at);
    }
    std::sort(ticks.begin(), ticks.end(), [](const Tick &a, const Tick &b) { return a.x < b.x; });
    return ticks;
}

} // namespace holdfast::inspector
