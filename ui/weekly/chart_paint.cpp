#include "ui/weekly/chart_paint.h"

#include "ui/weekly/report_text.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QDateTime>
#include <QJsonObject>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr qsizetype causesShown = 8;

struct Ground {
    QPainter &painter;
    style::Theme theme;
    QFontMetricsF metrics;
    double unit; // as wide as a letter
    double hair; // a thin line, on paper as on a screen

    Ground(QPainter &onto, style::Theme inTheme)
        : painter(onto), theme(inTheme), metrics(onto.font(), onto.device()),
          unit(metrics.averageCharWidth()), hair(metrics.height() / 16)
    {
    }
    QColor ink(Token token) const { return style::colour(theme, token); }
    void say(const QRectF &where, int flags, const QString &text) const
    {
        painter.drawText(where, flags | Qt::TextSingleLine,
                         metrics.elidedText(text, Qt::ElideRight, where.width() + 1));
    }
};

double tickFor(double top)
{
    const double raw = std::max(top / 3, 1.0);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (step * power >= raw * 0.999)
            return step * power;
    }
    return 10 * power;
}

// The part of the area that is left for bars once the scale at its left is drawn.
QRectF paintScale(const Ground &ground, const QRectF &area, double top, double tick)
{
    const QLocale locale;
    const double widest = ground.metrics.horizontalAdvance(locale.toString(qint64(top)));
    const double foot = ground.metrics.height() * 1.3;
    const QRectF plot =
        area.adjusted(widest + ground.unit * 1.5, ground.metrics.height() / 2, -ground.unit, -foot);
    for (double value = 0; value <= top * 1.001; value += tick) {
        const double y = plot.bottom() - value / top * plot.height();
        ground.painter.setPen(QPen(ground.ink(Token::border), ground.hair));
        ground.painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        ground.painter.setPen(ground.ink(Token::muted));
        ground.say({area.left(), y - ground.metrics.height() / 2, widest, ground.metrics.height()},
                   Qt::AlignRight | Qt::AlignVCenter, locale.toString(qint64(value)));
    }
    return plot;
}

void paintSwatch(const Ground &ground, const QRectF &box, const OutcomeSeries &series)
{
    const QColor colour = ground.ink(series.token);
    ground.painter.setPen(QPen(colour, ground.hair));
    ground.painter.setBrush(series.isHatched ? Qt::NoBrush : QBrush(colour));
    ground.painter.drawRect(box);
    if (!series.isHatched)
        return;
    // Lines of our own: a pattern of the device would be a grey haze on paper.
    ground.painter.save();
    ground.painter.setClipRect(box, Qt::IntersectClip);
    const double gap = ground.unit / 1.8;
    for (double x = box.left() - box.height(); x < box.right(); x += gap)
        ground.painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    ground.painter.restore();
}

// What the colours mean, in a row above the chart that goes on in the next line when it is full.
QRectF paintLegend(const Ground &ground, const QRectF &area, const QJsonArray &days, bool hasBefore)
{
    double x = area.left();
    double y = area.top();
    const double height = ground.metrics.height() * 1.25;
    const double box = ground.metrics.height() * 0.62;
    const auto place = [&](const QString &text, const auto &paintMark) {
        const double width =
            box + ground.unit * 0.7 + ground.metrics.horizontalAdvance(text) + ground.unit * 2;
        if (x > area.left() && x + width > area.right()) {
            x = area.left();
            y += height;
        }
        paintMark(QRectF(x, y + (height - box) / 2, box, box));
        ground.painter.setPen(ground.ink(Token::text));
        ground.say({x + box + ground.unit * 0.7, y, width, height},
                   Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width;
    };
    for (const OutcomeSeries &series : outcomeSeries()) {
        double total = 0;
        for (const QJsonValue &day : days)
            total += day[QString::fromUtf16(series.name)].toDouble();
        if (total <= 0 && series.name != outcomeSeries().first().name)
            continue;
        place(QString::fromUtf16(series.word) + u' ' + QLocale().toString(qint64(total)),
              [&](const QRectF &mark) { paintSwatch(ground, mark, series); });
    }
    if (hasBefore)
        place(u"The week before"_s, [&](const QRectF &mark) {
            ground.painter.setPen(QPen(ground.ink(Token::muted), ground.hair * 1.5, Qt::DotLine));
            ground.painter.drawLine(QPointF(mark.left(), mark.center().y()),
                                    QPointF(mark.right(), mark.center().y()));
        });
    return area.adjusted(0, y + height - area.top(), 0, 0);
}

void paintBar(const Ground &ground, const QRectF &band, const QJsonObject &day, double top)
{
    double bottom = band.bottom();
    for (const OutcomeSeries &series : outcomeSeries()) {
        const double value = day[QString::fromUtf16(series.name)].toDouble();
        if (value <= 0)
            continue;
        const double height = std::max(ground.hair, value / top * band.height());
        paintSwatch(ground, {band.left(), bottom - height, band.width(), height}, series);
        bottom -= height;
    }
}

void paintOutline(const Ground &ground, const QRectF &plot, const QJsonArray &before, double top,
                  qsizetype count)
{
    QPainterPath path;
    const double width = plot.width() / double(count);
    for (qsizetype i = 0; i < before.size() && i < count; ++i) {
        const double y = plot.bottom() - endedOn(before.at(i).toObject()) / top * plot.height();
        const double x = plot.left() + double(i) * width;
        if (i == 0)
            path.moveTo(x, y);
        else
            path.lineTo(x, y);
        path.lineTo(x + width, y);
    }
    ground.painter.setBrush(Qt::NoBrush);
    ground.painter.setPen(QPen(ground.ink(Token::muted), ground.hair * 1.5, Qt::DotLine));
    ground.painter.drawPath(path);
}
} // namespace

const QVector<OutcomeSeries> &outcomeSeries()
{
    static const QVector<OutcomeSeries> all{
        {u"succeeded", u"✔", u"Succeeded", Token::good, false},
        {u"partial", u"◐", u"Succeeded partial", Token::good, true},
        {u"compensated", u"↺", u"Compensated", Token::undoing, false},
        {u"failed", u"✖", u"Failed", Token::bad, false},
        {u"compensation_failed", u"▲", u"Compensation failed", Token::bad, true},
        {u"cancelled", u"⊘", u"Cancelled", Token::muted, false},
    };
    return all;
}

double endedOn(const QJsonObject &day)
{
    double total = 0;
    for (const OutcomeSeries &series : outcomeSeries())
        total += day[QString::fromUtf16(series.name)].toDouble();
    return total;
}

bool hasRuns(const QJsonArray &days)
{
    return std::any_of(days.begin(), days.end(), [](const QJsonValue &day) {
        return day["runs_started"_L1].toDouble() > 0 || endedOn(day.toObject()) > 0;
    });
}

// Days are UTC's, as the figures are.
QString dayName(const QJsonValue &at)
{
    const model::Instant instant = widgets::instantOf(at);
    if (instant == model::never)
        return widgets::plainText(at.toString(), 12);
    return QLocale(QLocale::English)
        .toString(QDateTime::fromMSecsSinceEpoch(instant, Qt::UTC), u"ddd d"_s);
}

void paintDays(QPainter &painter, const QRectF &area, const QJsonArray &days,
               const QJsonArray &before, style::Theme theme)
{
    const Ground ground(painter, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    double top = 0;
    for (const QJsonArray &all : {days, before}) {
        for (const QJsonValue &day : all)
            top = std::max(top, endedOn(day.toObject()));
    }
    const QRectF rest = paintLegend(ground, area, days, !before.isEmpty());
    const double tick = tickFor(top);
    top = std::max(tick, std::ceil(top / tick) * tick);
    const QRectF plot = paintScale(ground, rest, top, tick);
    const double width = plot.width() / double(std::max<qsizetype>(1, days.size()));
    for (qsizetype i = 0; i < days.size(); ++i) {
        const QRectF band(plot.left() + double(i) * width, plot.top(), width, plot.height());
        paintBar(ground, band.adjusted(width * 0.18, 0, -width * 0.18, 0), days.at(i).toObject(),
                 top);
        painter.setPen(ground.ink(Token::muted));
        ground.say({band.left(), plot.bottom() + ground.unit / 2, width, ground.metrics.height()},
                   Qt::AlignHCenter | Qt::AlignTop, dayName(days.at(i)["at"_L1]));
    }
    if (!days.isEmpty())
        paintOutline(ground, plot, before, top, days.size());
    painter.restore();
}

void paintPareto(QPainter &painter, const QRectF &area, const QJsonArray &causes,
                 style::Theme theme)
{
    const Ground ground(painter, theme);
    const qsizetype count = std::min(causesShown, causes.size());
    if (count == 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    double top = 1;
    double widest = 0;
    for (const QJsonValue &cause : causes)
        top = std::max(top, cause["runs"_L1].toDouble());
    for (qsizetype i = 0; i < count; ++i)
        widest = std::max(widest, ground.metrics.horizontalAdvance(
                                      widgets::plainText(causes.at(i)["cause"_L1].toString(), 80)));
    const double names = std::min(widest + ground.unit, area.width() * 0.32);
    const double figures = ground.metrics.horizontalAdvance(u"8,888 runs, 100 % together"_s);
    const double bars = std::max(ground.unit, area.width() - names - figures - ground.unit * 2);
    const double row = std::min(area.height() / double(count), ground.metrics.height() * 1.8);
    for (qsizetype i = 0; i < count; ++i) {
        const QJsonValue cause = causes.at(i);
        const double y = area.top() + double(i) * row;
        const double length = cause["runs"_L1].toDouble() / top * bars;
        painter.setPen(ground.ink(Token::text));
        ground.say({area.left(), y, names - ground.unit, row}, Qt::AlignRight | Qt::AlignVCenter,
                   widgets::plainText(cause["cause"_L1].toString(), 80));
        painter.fillRect(
            QRectF(area.left() + names, y + row * 0.2, std::max(1.0, length), row * 0.6),
            ground.ink(i == 0 ? Token::bad : Token::busy));
        painter.setPen(ground.ink(Token::muted));
        ground.say(
            {area.left() + names + length + ground.unit, y, figures + ground.unit, row},
            Qt::AlignLeft | Qt::AlignVCenter,
            u"%1, %2 % together"_s.arg(countText(cause["runs"_L1].toDouble(), u"run"_s, u"runs"_s))
                .arg(std::lround(cause["cumulative"_L1].toDouble())));
    }
    painter.restore();
}

} // namespace holdfast::weekly
