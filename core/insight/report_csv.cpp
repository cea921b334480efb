#include "insight/report_csv.h"

#include <QJsonArray>
#include <QStringList>

namespace holdfast::insight
{

using namespace Qt::StringLiterals;

namespace
{
// Lines of one form for all sections: whose, what, when, a number, one before it, its unit, words.
class Csv
{
public:
    Csv()
    {
        line({u"section"_s, u"item"_s, u"name"_s, u"at"_s, u"value"_s, u"before"_s, u"unit"_s,
              u"text"_s});
    }

    void line(const QStringList &cells)
    {
        for (qsizetype i = 0; i < cells.size(); ++i)
            m_text += (i == 0 ? "" : ",") + csvCell(cells.at(i));
        m_text += "\r\n";
    }
    // Numbers are not text and need no apostrophe before a minus.
    void value(const QString &section, const QString &item, const QString &name, const QString &at,
               const QJsonValue &now, const QJsonValue &before, const QString &unit,
               const QString &text = {})
    {
        m_text += csvCell(section) + ',' + csvCell(item) + ',' + csvCell(name) + ',' + csvCell(at) +
                  ',' + number(now) + ',' + number(before) + ',' + csvCell(unit) + ',' +
                  csvCell(text) + "\r\n";
    }
    QByteArray text() const { return m_text; }

private:
    static QByteArray number(const QJsonValue &value)
    {
        if (!value.isDouble())
            return {};
        const double exact = value.toDouble();
        return exact == double(value.toInteger()) ? QByteArray::number(value.toInteger())
                                                  : QByteArray::number(exact, 'g', 15);
    }

    QByteArray m_text;
};

QString word(const QJsonValue &value, const char *name)
{
    return value[QLatin1String(name)].toString();
}

void addNumbers(const QJsonObject &report, Csv &csv)
{
    for (const QString &section : {u"figures"_s, u"measures"_s}) {
        const QJsonArray list = report[section].toArray();
        for (const QJsonValue &each : list)
            csv.value(section, {}, word(each, "name"), {}, each["now"_L1], each["before"_L1],
                      word(each, "unit"), word(each, "title"));
    }
    const QJsonArray measures = report["measures"_L1].toArray();
    for (const QJsonValue &each : measures) {
        for (const char *part : {"numerator", "denominator"})
            csv.value(u"measures"_s, QLatin1String(part), word(each, "name"), {},
                      each[QLatin1String(part)], {}, {}, word(each, "title"));
    }
    for (const QString &section : {u"days"_s, u"days_before"_s}) {
        const QJsonArray days = report[section].toArray();
        for (const QJsonValue &day : days) {
            for (const char *name : {"runs_started", "succeeded", "partial", "failed",
                                     "compensated", "compensation_failed", "cancelled"})
                csv.value(section, {}, QLatin1String(name), word(day, "at"),
                          day[QLatin1String(name)], {}, u"count"_s);
        }
    }
    const QJsonArray dependencies = report["cost"_L1]["by_dependency"_L1].toArray();
    for (const QJsonValue &each : dependencies) {
        for (const char *name : {"attempts", "retries", "transient", "permanent", "ambiguous"})
            csv.value(u"cost"_s, word(each, "dependency"), QLatin1String(name), {},
                      each[QLatin1String(name)], {}, u"count"_s);
    }
}

void addGroups(const QJsonObject &report, Csv &csv)
{
    const QJsonArray groups = report["groups"_L1].toArray();
    for (const QJsonValue &each : groups) {
        const QString where = word(each, "workflow") + u'/' + word(each, "step") + u' ' +
                              word(each, "class") + u' ' + word(each, "reason");
        csv.value(u"groups"_s, word(each, "id"), word(each, "status"), word(each, "first_at"),
                  each["runs"_L1], each["runs_before"_L1], u"runs"_s,
                  where + u": "_s + word(each, "message"));
    }
    const QJsonArray causes = report["causes"_L1].toArray();
    for (const QJsonValue &each : causes)
        csv.value(u"causes"_s, {}, word(each, "cause"), {}, each["runs"_L1], {}, u"runs"_s);
}

void addLists(const QJsonObject &report, Csv &csv)
{
    const QJsonArray changes = report["changes"_L1].toArray();
    for (const QJsonValue &each : changes)
        csv.value(u"changes"_s, word(each, "who"), word(each, "kind"), word(each, "at"), {}, {}, {},
                  word(each, "text"));
    const QJsonArray items = report["unresolved"_L1].toArray();
    for (const QJsonValue &each : items)
        csv.value(u"unresolved"_s, word(each, "id"), word(each, "kind"), word(each, "opened_at"),
                  {}, {}, {},
                  word(each, "workflow") + u'/' + word(each, "step") + u": "_s +
                      word(each, "question"));
    const QJsonArray runs = report["compensations"_L1].toArray();
    for (const QJsonValue &each : runs)
        csv.value(u"compensations"_s, word(each, "run_id"), word(each, "status"),
                  word(each, "finished_at"), each["steps"_L1], {}, u"steps"_s,
                  word(each, "workflow"));
    const QJsonArray gaps = report["gaps"_L1].toArray();
    for (const QJsonValue &each : gaps)
        csv.value(u"gaps"_s, word(each, "workflow") + u'/' + word(each, "step"), word(each, "gap"),
                  {}, {}, {}, {}, word(each, "why"));
    const QJsonArray flips = report["owner_flips"_L1]["list"_L1].toArray();
    for (const QJsonValue &each : flips)
        csv.value(u"owner_flips"_s, word(each, "lead"), word(each, "workflow"), word(each, "at"),
                  {}, {}, {}, word(each, "from") + u" → "_s + word(each, "to"));
    const QJsonArray incomplete = report["incomplete"_L1].toArray();
    for (const QJsonValue &each : incomplete)
        csv.value(u"incomplete"_s, {}, word(each, "until"), word(each, "since"), {}, {}, {},
                  word(each, "why"));
}
// What the lists leave out, so that nobody takes them for all there is.
void addTotals(const QJsonObject &report, Csv &csv)
{
    for (const char *section : {"groups", "unresolved", "compensations"})
        csv.value(QLatin1String(section), {}, u"not_listed"_s, {},
                  report[QLatin1String(section) + "_more"_L1], {}, u"count"_s);
    const QJsonValue flips = report["owner_flips"_L1];
    if (!flips.isObject())
        return;
    csv.value(u"owner_flips"_s, {}, u"flips"_s, {}, flips["flips"_L1], {}, u"count"_s);
    csv.value(u"owner_flips"_s, {}, u"runs_read"_s, {}, flips["runs_read"_L1], {}, u"count"_s,
              flips["complete"_L1].toBool() ? QString() : u"not all runs of this time were read"_s);
}

void addSignoff(const QJsonValue &signoff, Csv &csv)
{
    if (!signoff.isObject())
        return;
    csv.value(u"signoff"_s, word(signoff, "by"), word(signoff, "figures_hash"), word(signoff, "at"),
              signoff["audit_seq"_L1], {}, u"audit row"_s, word(signoff, "note"));
    QStringList figures;
    const QJsonArray changed = signoff["changed"_L1].toArray();
    for (const QJsonValue &name : changed)
        figures.append(name.toString());
    csv.value(u"signoff"_s, {}, u"signed_figures_changed"_s, {}, changed.size(), {}, u"count"_s,
              figures.join(u", "_s));
}
} // namespace

QByteArray csvCell(const QString &text)
{
    QString safe;
    for (const QChar c : text) {
        // A terminal would act on these, and no spreadsheet shows them.
        const bool isBreak = c == u'\t' || c == u'\r' || c == u'\n';
        if (isBreak || c.category() != QChar::Other_Control)
            safe += c;
    }
    if (!safe.isEmpty() && u"=+-@\t\r"_s.contains(safe.front()))
        safe.prepend(u'\'');
    const bool needsQuotes = safe.contains(u'"') || safe.contains(u',') || safe.contains(u'\n') ||
                             safe.contains(u'\r') || safe != safe.trimmed();
    if (needsQuotes)
        safe = u'"' + safe.replace(u'"', u"\"\""_s) + u'"';
    return safe.toUtf8();
}

QByteArray reportCsv(const QJsonObject &report)
{
    Csv csv;
    csv.value(u"window"_s, {}, u"since"_s, word(report, "since"), {}, {}, {});
    csv.value(u"window"_s, {}, u"until"_s, word(report, "until"), {}, {}, {});
    addNumbers(report, csv);
    addGroups(report, csv);
    addLists(report, csv);
    addTotals(report, csv);
    addSignoff(report["signoff"_L1], csv);
    return csv.text();
}

} // namespace holdfast::insight
