#include "insight/report_html.h"

#include "insight/report_chart.h"
#include "insight/report_text.h"

#include <QRegularExpression>
#include <algorithm>

namespace holdfast::insight
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype wordMax = 22;

// Breaking anywhere keeps the longest name inside of its table.
QString pageStyle()
{
    return uR"(:root{color-scheme:light dark;
--paper:#fff;--ink:#1d2329;--quiet:#59636e;--line:#c9d1d9;
--band:#f4f6f8;--warn:#7a4b00;--warnpaper:#fff4dc;--good:#2f7d4f;--part:#8a9a2b;--bad:#b3372f;
--undone:#2f6fb0;--stuck:#7a2f8f;--off:#7d7d7d}
@media (prefers-color-scheme:dark){:root{
--paper:#14181d;--ink:#e3e8ee;--quiet:#a3adb8;--line:#3a444f;
--band:#1d242c;--warn:#ffd58a;--warnpaper:#3a2c10;--good:#5bbd83;--part:#c2d04f;--bad:#ec7468;
--undone:#6fb1ef;--stuck:#cf8be4;--off:#a0a0a0}}
@media print{:root{color-scheme:light;
--paper:#fff;--ink:#000;--quiet:#333;--line:#999;--band:#f2f2f2;
--warn:#000;--warnpaper:#fff;--good:#2f7d4f;--part:#8a9a2b;--bad:#b3372f;--undone:#2f6fb0;
--stuck:#7a2f8f;--off:#7d7d7d}body{max-width:none!important;padding:0!important;
font-size:11px!important}.wide{overflow:visible!important}
h2,h2+p{break-after:avoid}tr,svg{break-inside:avoid}thead{display:table-header-group}
*{print-color-adjust:exact}}
body{margin:0 auto;max-width:72rem;padding:2rem;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:0 0 .5rem}h2{font-size:1.15rem;margin:2.2rem 0 .5rem}
p{margin:.3rem 0;overflow-wrap:anywhere}.quiet{color:var(--quiet)}
.warn{color:var(--warn);background:var(--warnpaper);border-left:4px solid;padding:.3rem .7rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;border-bottom:1px solid var(--line);
overflow-wrap:anywhere}
th{color:var(--quiet);font-weight:600;overflow-wrap:normal}
tbody tr:nth-child(even){background:var(--band)}
.wide{overflow-x:auto}
.n{min-width:3rem;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
)"_s;
}

QString cell(const char *tag, const QString &markup, bool isNumber)
{
    return u"<%1%2>%3</%1>"_s.arg(QLatin1String(tag), isNumber ? u" class=\"n\""_s : QString(),
                                  markup);
}

// A column is at least as wide as its longest word, so that no browser breaks one, unless somebody
// wrote a very long one. The head of the table says so for all rows.
QString headCell(const ReportTable &table, int column)
{
    const QString &title = table.header.at(column);
    if (table.numbers.contains(column))
        return cell("th", markupText(title), true);
    static const QRegularExpression gaps(u"[\\s-]+"_s);
    qsizetype longest = 0;
    for (const QString &word : title.split(gaps))
        longest = std::max(longest, word.size());
    for (const QStringList &row : table.rows) {
        for (const QString &word : row.value(column).split(gaps))
            longest = std::max(longest, word.size());
    }
    return u"<th style=\"min-width:%1ch\">%2</th>"_s.arg(std::min(longest, wordMax) + 1)
        .arg(markupText(title));
}

QString tableMarkup(const ReportTable &table, const QStringList &lastCells)
{
    QString out = u"<div class=\"wide\"><table><thead><tr>"_s;
    for (qsizetype i = 0; i < table.header.size(); ++i)
        out += headCell(table, int(i));
    if (!lastCells.isEmpty())
        out += cell("th", u"Trend"_s, false);
    out += u"</tr></thead><tbody>\n"_s;
    for (qsizetype row = 0; row < table.rows.size(); ++row) {
        out += u"<tr>"_s;
        const QStringList &cells = table.rows.at(row);
        for (qsizetype i = 0; i < cells.size(); ++i)
            out += cell("td", markupText(cells.at(i)), table.numbers.contains(int(i)));
        if (!lastCells.isEmpty())
            out += cell("td", lastCells.value(row), false);
        out += u"</tr>\n"_s;
    }
    return out + u"</tbody></table></div>\n"_s;
}

QString sectionMarkup(const ReportTable &table, const QJsonObject &report)
{
    QString out = u"<section id=\"%1\"><h2>%2</h2>\n"_s.arg(table.name, markupText(table.title));
    if (!table.intro.isEmpty())
        out += u"<p class=\"quiet\">%1</p>\n"_s.arg(markupText(table.intro));
    if (table.name == "days"_L1)
        out += daysChart(report);
    if (table.name == "causes"_L1)
        out += causesChart(report);
    QStringList trends;
    if (table.name == "groups"_L1) {
        const QJsonArray groups = report["groups"_L1].toArray();
        for (const QJsonValue &group : groups)
            trends.append(trendChart(group["trend"_L1].toArray()));
    }
    out += table.rows.isEmpty() ? u"<p>%1</p>\n"_s.arg(markupText(table.ifEmpty))
                                : tableMarkup(table, trends);
    return out + u"</section>\n"_s;
}
} // namespace

QByteArray reportHtml(const QJsonObject &report)
{
    const QString title = markupText(reportTitle(report));
    QString out = u"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>"_s +
                  title + u"</title>\n<style>"_s + pageStyle() + chartStyle() +
                  u"</style></head>\n<body>\n<h1>"_s + title + u"</h1>\n"_s;
    const QStringList notes = reportNotes(report);
    for (qsizetype i = 0; i < notes.size(); ++i)
        out += u"<p class=\"%1\">%2</p>\n"_s.arg(i == 0 ? u"quiet"_s : u"warn"_s,
                                                 markupText(notes.at(i)));
    const QVector<ReportTable> tables = reportTables(report);
    for (const ReportTable &table : tables)
        out += sectionMarkup(table, report);
    out +=
        u"<section id=\"signoff\"><h2>Sign-off</h2>\n<p>%1</p></section>\n</body></html>\n"_s.arg(
            markupText(signoffText(report)));
    return out.toUtf8();
}

} // namespace holdfast::insight
