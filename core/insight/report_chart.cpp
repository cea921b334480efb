#include "insight/report_chart.h"

#include "insight/report_text.h"

#include <algorithm>

namespace holdfast::insight
{

using namespace Qt::StringLiterals;

namespace
{
struct Part {
    const char *name; // in a day, and of the class
    const char *title;
    const char *colour; // where no style sheet says otherwise
};

constexpr Part parts[] = {{"succeeded", "succeeded", "#2f7d4f"},
                          {"partial", "in part", "#8a9a2b"},
                          {"failed", "failed", "#b3372f"},
                          {"compensated", "compensated", "#2f6fb0"},
                          {"compensation_failed", "compensation failed", "#7a2f8f"},
                          {"cancelled", "cancelled", "#7d7d7d"}};

constexpr double width = 720, height = 240, left = 52, bottom = 40, top = 12;
constexpr qsizetype causesShown = 10;
constexpr qsizetype causeLetters = 34;

QString number(double value) { return QString::number(value, 'f', 1); }

qint64 endedOn(const QJsonValue &day)
{
    qint64 sum = 0;
    for (const Part &part : parts)
        sum += day[QLatin1String(part.name)].toInteger();
    return sum;
}

// The next round number: what an axis can end with.
qint64 niceMax(qint64 value)
{
    qint64 step = 1;
    while (step < value) {
        for (const qint64 factor : {1, 2, 3, 4, 5, 6, 8}) {
            if (step * factor >= value)
                return step * factor;
        }
        step *= 10;
    }
    return std::max<qint64>(step, 1);
}

QString rectangle(const QString &kind, double x, double y, double w, double h,
                  const QString &colour, const QString &title)
{
    return u"<rect class=\"%1\" x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\" "
           "fill=\"%6\"><title>%7</title></rect>"_s.arg(kind, number(x), number(y), number(w),
                                                        number(h), colour, markupText(title));
}

QString label(double x, double y, const QString &anchor, const QString &text)
{
    return u"<text class=\"label\" x=\"%1\" y=\"%2\" text-anchor=\"%3\" fill=\"#444\" "
           "font-size=\"12\">%4</text>"_s.arg(number(x), number(y), anchor, markupText(text));
}

QString axis(qint64 max)
{
    QString out;
    const double room = height - top - bottom;
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = height - bottom - room * share;
        out += u"<line class=\"grid\" x1=\"%1\" y1=\"%2\" x2=\"%3\" y2=\"%2\" "
               "stroke=\"#ccc\"/>"_s.arg(number(left), number(y), number(width));
        const double at = double(max) * share;
        if (at == double(qint64(at)))
            out += label(left - 6, y + 4, u"end"_s, valueText(qint64(at), u"count"_s));
    }
    return out;
}

QString begin(double w, double h, const QString &title)
{
    return u"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" "
           "viewBox=\"0 0 %1 %2\" font-family=\"sans-serif\"><title>%3</title>"_s.arg(
               number(w), number(h), markupText(title));
}

QString legend()
{
    QString out;
    double x = left;
    for (const Part &part : parts) {
        out += rectangle(QLatin1String(part.name), x, height - 14, 10, 10,
                         QLatin1String(part.colour), QLatin1String(part.title));
        out += label(x + 14, height - 5, u"start"_s, QLatin1String(part.title));
        x += 26 + 6.6 * double(qstrlen(part.title));
    }
    out += u"<rect class=\"before\" x=\"%1\" y=\"%2\" width=\"10\" height=\"10\" "
           "fill=\"none\" stroke=\"#444\"/>"_s.arg(number(x), number(height - 14));
    return out + label(x + 14, height - 5, u"start"_s, u"before"_s);
}

QString dayBars(const QJsonValue &day, double x, double w, double scale)
{
    QString out;
    double y = height - bottom;
    for (const Part &part : parts) {
        const qint64 count = day[QLatin1String(part.name)].toInteger();
        if (count == 0)
            continue;
        const double h = double(count) * scale;
        y -= h;
        out +=
            rectangle(QLatin1String(part.name), x, y, w, h, QLatin1String(part.colour),
                      u"%1: %2 %3"_s.arg(dayText(day["at"_L1].toString()),
                                         valueText(count, u"count"_s), QLatin1String(part.title)));
    }
    return out;
}
} // namespace

QString markupText(const QString &text)
{
    QString safe;
    for (const QChar c : text) {
        if (c == u'\n' || c == u'\t' || c == u'\r')
            safe += u' ';
        else if (c.category() != QChar::Other_Control)
            safe += c;
    }
    return safe.toHtmlEscaped().replace(u'\'', u"&#39;"_s);
}

QString daysChart(const QJsonObject &report)
{
    const QJsonArray days = report["days"_L1].toArray();
    const QJsonArray before = report["days_before"_L1].toArray();
    qint64 max = 1;
    for (const QJsonArray &list : {days, before}) {
        for (const QJsonValue &day : list)
            max = std::max(max, endedOn(day));
    }
    max = niceMax(max);
    const double scale = (height - top - bottom) / double(max);
    const double each = (width - left) / double(std::max<qsizetype>(days.size(), 1));
    const qsizetype named = std::max<qsizetype>(1, days.size() / 7);
    QString out = begin(width, height, u"Runs that ended, by day"_s) + axis(max);
    for (qsizetype i = 0; i < days.size(); ++i) {
        const double x = left + each * double(i);
        out += dayBars(days.at(i), x + each * 0.15, each * 0.7, scale);
        const double h = double(endedOn(before.at(i))) * scale;
        if (h > 0)
            out += u"<rect class=\"before\" x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" "
                   "fill=\"none\" stroke=\"#444\"/>"_s.arg(number(x + each * 0.08),
                                                           number(height - bottom - h),
                                                           number(each * 0.84), number(h));
        if (i % named == 0)
            out += label(x + each / 2, height - bottom + 16, u"middle"_s,
                         dayText(days.at(i)["at"_L1].toString()).mid(5));
    }
    return out + legend() + u"</svg>"_s;
}

QString causesChart(const QJsonObject &report)
{
    const QJsonArray causes = report["causes"_L1].toArray();
    if (causes.isEmpty())
        return {};
    const qsizetype shown = std::min(causes.size(), causesShown);
    const double line = 24, names = 240, room = 380;
    QString out = begin(width, line * double(shown) + 8, u"Root causes"_s);
    QString points;
    for (qsizetype i = 0; i < shown; ++i) {
        const QJsonValue cause = causes.at(i);
        const double y = 4 + line * double(i);
        QString name = cause["cause"_L1].toString();
        const QString whole = name;
        if (name.size() > causeLetters)
            name = name.left(causeLetters - 1) + u'…';
        const double w = room * cause["share"_L1].toDouble() / 100;
        out += label(names - 8, y + 16, u"end"_s, name);
        out += rectangle(u"cause"_s, names, y + 3, w, line - 8, u"#b3372f"_s, whole);
        out += label(width - 4, y + 16, u"end"_s,
                     u"%1 (%2)"_s.arg(valueText(cause["runs"_L1], u"count"_s),
                                      valueText(cause["cumulative"_L1], u"percent"_s)));
        points += u"%1,%2 "_s.arg(number(names + room * cause["cumulative"_L1].toDouble() / 100),
                                  number(y + line / 2 - 1));
    }
    out += u"<polyline class=\"sum\" points=\"%1\" fill=\"none\" stroke=\"#444\"/>"_s.arg(
        points.trimmed());
    return out + u"</svg>"_s;
}

QString trendChart(const QJsonArray &trend)
{
    if (trend.isEmpty())
        return {};
    qint64 max = 1;
    QStringList values;
    for (const QJsonValue &day : trend) {
        max = std::max(max, day.toInteger());
        values.append(QString::number(day.toInteger()));
    }
    const double each = 9, h = 16;
    QString out = u"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"trend\" role=\"img\" "
                  "width=\"%1\" height=\"%2\" viewBox=\"0 0 %1 %2\"><title>%3</title>"_s.arg(
                      number(each * double(trend.size())), number(h),
                      markupText(u"Runs by day: "_s + values.join(u", "_s)));
    for (qsizetype i = 0; i < trend.size(); ++i) {
        const double bar = std::max(1.0, h * double(trend.at(i).toInteger()) / double(max));
        out += u"<rect class=\"cause\" x=\"%1\" y=\"%2\" width=\"7\" height=\"%3\" "
               "fill=\"#b3372f\"/>"_s.arg(number(each * double(i)), number(h - bar), number(bar));
    }
    return out + u"</svg>"_s;
}

QString chartStyle()
{
    return uR"(.chart{width:100%;max-width:60rem;height:auto;display:block}
.chart .label{fill:var(--ink)}.chart .grid{stroke:var(--line)}
.chart .before,.chart .sum{stroke:var(--ink);stroke-width:1.5}
.chart .before{stroke-dasharray:4 3}
.succeeded{fill:var(--good)}.partial{fill:var(--part)}.failed,.cause{fill:var(--bad)}
.compensated{fill:var(--undone)}.compensation_failed{fill:var(--stuck)}.cancelled{fill:var(--off)}
)"_s;
}

} // namespace holdfast::insight
