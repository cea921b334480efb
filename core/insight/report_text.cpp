#include "insight/report_text.h"

#include "model/time.h"

#include <cmath>

namespace holdfast::insight
{

using namespace Qt::StringLiterals;

namespace
{
const QString dash = u"–"_s;

QString grouped(qint64 value)
{
    QString digits = QString::number(std::abs(value));
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, u',');
    return value < 0 ? u'−' + digits : digits;
}

QString durationWords(double value)
{
    const auto ms = qint64(std::llround(value));
    if (ms < model::second)
        return u"%1 ms"_s.arg(ms);
    if (ms < model::minute)
        return u"%1 s"_s.arg(QString::number(double(ms) / 1000.0, 'f', 1));
    if (ms < model::hour)
        return u"%1 m %2 s"_s.arg(ms / model::minute).arg(ms % model::minute / model::second);
    if (ms < 2 * model::day)
        return u"%1 h %2 m"_s.arg(ms / model::hour).arg(ms % model::hour / model::minute);
    return u"%1 d %2 h"_s.arg(ms / model::day).arg(ms % model::day / model::hour);
}

QString text(const QJsonValue &value)
{
    if (value.isDouble())
        return value.toDouble() == std::floor(value.toDouble()) ? grouped(value.toInteger())
                                                                : QString::number(value.toDouble());
    return value.isString() && !value.toString().isEmpty() ? value.toString() : dash;
}

// How much more or less than the time before.
QString changeText(const QJsonValue &now, const QJsonValue &before, const QString &unit)
{
    if (!now.isDouble() || !before.isDouble())
        return dash;
    const double by = now.toDouble() - before.toDouble();
    if (by == 0)
        return u"0"_s;
    const QString sign = by > 0 ? u"+"_s : u"−"_s;
    if (unit == "count"_L1)
        return sign + grouped(qint64(std::abs(by)));
    return sign + valueText(std::abs(by), unit);
}

ReportTable figuresTable(const QJsonObject &report)
{
    ReportTable table{u"figures"_s, u"Figures"_s};
    table.intro = u"Counted when it happened: a run in its beginning, and again in its end. The "
                  "success rate is of the runs that ended and were not cancelled."_s;
    table.header = {u"Figure"_s, u"Now"_s, u"Before"_s, u"Change"_s};
    table.numbers = {1, 2, 3};
    const QJsonArray figures = report["figures"_L1].toArray();
    for (const QJsonValue &each : figures) {
        const QString unit = each["unit"_L1].toString();
        table.rows.append({each["title"_L1].toString(), valueText(each["now"_L1], unit),
                           valueText(each["before"_L1], unit),
                           changeText(each["now"_L1], each["before"_L1], unit)});
    }
    return table;
}

ReportTable measuresTable(const QJsonObject &report)
{
    ReportTable table{u"measures"_s, u"Measures"_s};
    table.header = {u"Measure"_s, u"Now"_s, u"Before"_s, u"Of"_s, u"Definition"_s};
    table.numbers = {1, 2, 3};
    const QJsonArray measures = report["measures"_L1].toArray();
    for (const QJsonValue &each : measures) {
        const QString unit = each["unit"_L1].toString();
        table.rows.append({each["title"_L1].toString(), valueText(each["now"_L1], unit),
                           valueText(each["before"_L1], unit), text(each["denominator"_L1]),
                           each["definition"_L1].toString()});
    }
    return table;
}

ReportTable daysTable(const QJsonObject &report)
{
    ReportTable table{u"days"_s, u"Days"_s};
    table.header = {u"Day"_s,    u"Started"_s,     u"Succeeded"_s,           u"In part"_s,
                    u"Failed"_s, u"Compensated"_s, u"Compensation failed"_s, u"Cancelled"_s};
    table.numbers = {1, 2, 3, 4, 5, 6, 7};
    const QJsonArray days = report["days"_L1].toArray();
    for (const QJsonValue &day : days) {
        QStringList row{dayText(day["at"_L1].toString())};
        for (const char *name : {"runs_started", "succeeded", "partial", "failed", "compensated",
                                 "compensation_failed", "cancelled"})
            row.append(text(day[QLatin1String(name)]));
        table.rows.append(row);
    }
    return table;
}

ReportTable changesTable(const QJsonObject &report)
{
    ReportTable table{u"changes"_s, u"What changed"_s};
    table.header = {u"When"_s, u"Kind"_s, u"Who"_s, u"What"_s};
    table.ifEmpty = u"Nothing was deployed, paused or resumed."_s;
    const QJsonArray changes = report["changes"_L1].toArray();
    for (const QJsonValue &each : changes)
        table.rows.append({timeText(each["at"_L1].toString()), text(each["kind"_L1]),
                           text(each["who"_L1]), text(each["text"_L1])});
    return table;
}

QString joined(const QJsonValue &list)
{
    QStringList words;
    const QJsonArray array = list.toArray();
    for (const QJsonValue &each : array)
        words.append(each.toString());
    return words.isEmpty() ? dash : words.join(u", "_s);
}

QString decisionText(const QJsonValue &group)
{
    const QString disposition = group["disposition"_L1].toString();
    const int version = group["resolved_version"_L1].toInt();
    QString decision = disposition.isEmpty() ? u"none"_s : disposition;
    if (version > 0)
        decision += u" in version %1"_s.arg(version);
    const QString note = group["note"_L1].toString();
    return note.isEmpty() ? decision : decision + u": "_s + note;
}

ReportTable groupsTable(const QJsonObject &report)
{
    ReportTable table{u"groups"_s, u"Failure groups"_s};
    table.header = {u"Status"_s, u"Where"_s, u"Class"_s, u"Message"_s, u"Runs"_s,
                    u"Before"_s, u"Owner"_s, u"Tags"_s,  u"Decision"_s};
    table.numbers = {4, 5};
    table.ifEmpty = u"Quiet: no failure in this time."_s;
    const QJsonArray groups = report["groups"_L1].toArray();
    for (const QJsonValue &each : groups) {
        const QString where = each["workflow"_L1].toString() + u" › "_s + text(each["step"_L1]);
        const QString reason = each["reason"_L1].toString();
        table.rows.append({text(each["status"_L1]), where,
                           each["class"_L1].toString() + u' ' + reason, text(each["message"_L1]),
                           text(each["runs"_L1]), text(each["runs_before"_L1]),
                           text(each["owner"_L1]), joined(each["tags"_L1]), decisionText(each)});
    }
    if (const QJsonValue more = report["groups_more"_L1]; more.toInteger() > 0)
        table.intro = u"Those with the most runs; %1 more are not listed."_s.arg(text(more));
    return table;
}

ReportTable causesTable(const QJsonObject &report)
{
    ReportTable table{u"causes"_s, u"Root causes"_s};
    table.header = {u"Cause"_s, u"Runs"_s, u"Share"_s, u"Together"_s};
    table.numbers = {1, 2, 3};
    table.intro =
        u"By the first tag of each group, without one by its reason code; a run that failed in two "
        "ways counts in both."_s;
    table.ifEmpty = u"No failure, no cause."_s;
    const QJsonArray causes = report["causes"_L1].toArray();
    for (const QJsonValue &each : causes)
        table.rows.append({text(each["cause"_L1]), text(each["runs"_L1]),
                           valueText(each["share"_L1], u"percent"_s),
                           valueText(each["cumulative"_L1], u"percent"_s)});
    return table;
}

QString moreText(const QJsonValue &more, const QString &what)
{
    return more.toInteger() > 0 ? u"%1 more %2 are not listed."_s.arg(text(more), what) : QString();
}

ReportTable unresolvedTable(const QJsonObject &report)
{
    ReportTable table{u"unresolved"_s, u"Unresolved"_s};
    table.header = {u"Opened"_s, u"Kind"_s, u"Where"_s, u"Question"_s, u"Run"_s};
    table.ifEmpty = u"Nothing waits for a person."_s;
    table.intro = moreText(report["unresolved_more"_L1], u"items"_s);
    const QJsonArray items = report["unresolved"_L1].toArray();
    for (const QJsonValue &each : items)
        table.rows.append({timeText(each["opened_at"_L1].toString()), text(each["kind"_L1]),
                           each["workflow"_L1].toString() + u" › "_s + text(each["step"_L1]),
                           text(each["question"_L1]), text(each["run_id"_L1])});
    return table;
}

ReportTable compensationsTable(const QJsonObject &report)
{
    ReportTable table{u"compensations"_s, u"Compensations"_s};
    table.header = {u"Ended"_s, u"Workflow"_s, u"Status"_s, u"Steps"_s, u"Run"_s};
    table.numbers = {3};
    table.ifEmpty = u"No run was compensated."_s;
    table.intro = moreText(report["compensations_more"_L1], u"runs"_s);
    const QJsonArray runs = report["compensations"_L1].toArray();
    for (const QJsonValue &each : runs)
        table.rows.append({timeText(each["finished_at"_L1].toString()), text(each["workflow"_L1]),
                           text(each["status"_L1]), text(each["steps"_L1]),
                           text(each["run_id"_L1])});
    return table;
}

ReportTable costTable(const QJsonObject &report)
{
    ReportTable table{u"cost"_s, u"Retry cost"_s};
    const QJsonValue cost = report["cost"_L1];
    table.intro = u"%1 of %2 attempts were retries (%3). %4"_s.arg(
        text(cost["retries"_L1]), text(cost["attempts"_L1]),
        valueText(cost["retry_share"_L1], u"percent"_s),
        cost["model"_L1].isObject() ? QString() : u"No cost of models is known."_s);
    table.header = {u"Dependency"_s, u"Attempts"_s,  u"Retries"_s,
                    u"Transient"_s,  u"Permanent"_s, u"Ambiguous"_s};
    table.numbers = {1, 2, 3, 4, 5};
    table.ifEmpty = u"No dependency was called."_s;
    const QJsonArray dependencies = cost["by_dependency"_L1].toArray();
    for (const QJsonValue &each : dependencies) {
        QStringList row{text(each["dependency"_L1])};
        for (const char *name : {"attempts", "retries", "transient", "permanent", "ambiguous"})
            row.append(text(each[QLatin1String(name)]));
        table.rows.append(row);
    }
    return table;
}

ReportTable canariesTable(const QJsonObject &report)
{
    ReportTable table{u"canaries"_s, u"Canaries"_s};
    table.header = {u"Workflow"_s, u"Version"_s, u"Verdict"_s};
    table.ifEmpty = u"No version of a workflow is tried on a share of its runs."_s;
    const QJsonArray canaries = report["canaries"_L1].toArray();
    for (const QJsonValue &each : canaries)
        table.rows.append(
            {text(each["workflow"_L1]), text(each["version"_L1]), text(each["verdict"_L1])});
    return table;
}

ReportTable gapsTable(const QJsonObject &report)
{
    ReportTable table{u"gaps"_s, u"Contract gaps"_s};
    table.header = {u"Workflow"_s, u"Version"_s, u"Step"_s, u"Gap"_s, u"Why it matters"_s};
    table.numbers = {1};
    table.ifEmpty = u"Every contract is complete."_s;
    const QJsonArray gaps = report["gaps"_L1].toArray();
    for (const QJsonValue &each : gaps)
        table.rows.append({text(each["workflow"_L1]), text(each["version"_L1]),
                           text(each["step"_L1]), text(each["gap"_L1]), text(each["why"_L1])});
    return table;
}

ReportTable flipsTable(const QJsonObject &report)
{
    ReportTable table{u"owner_flips"_s, u"Owner flips"_s};
    table.header = {u"When"_s, u"Workflow"_s, u"Lead"_s, u"From"_s, u"To"_s, u"Run"_s};
    const QJsonValue flips = report["owner_flips"_L1];
    if (!flips.isObject()) {
        table.ifEmpty = u"Not known: no workflow names the outputs lead and owner, or who made "
                        "this report may not read outputs."_s;
        return table;
    }
    table.ifEmpty = u"No lead was given to another owner within seven days."_s;
    table.intro =
        u"%1 leads were given to another owner within seven days, in %2 runs read%3"_s.arg(
            text(flips["flips"_L1]), text(flips["runs_read"_L1]),
            flips["complete"_L1].toBool() ? u"."_s : u"; older runs of this time were not read."_s);
    const QJsonArray list = flips["list"_L1].toArray();
    for (const QJsonValue &each : list)
        table.rows.append({timeText(each["at"_L1].toString()), text(each["workflow"_L1]),
                           text(each["lead"_L1]), text(each["from"_L1]), text(each["to"_L1]),
                           text(each["run_id"_L1])});
    return table;
}
} // namespace

QString valueText(const QJsonValue &value, const QString &unit)
{
    if (!value.isDouble())
        return dash;
    if (unit == "percent"_L1)
        return QString::number(value.toDouble(), 'f', 1) + u" %"_s;
    if (unit == "ms"_L1)
        return durationWords(value.toDouble());
    return grouped(value.toInteger());
}

QString dayText(const QString &instant) { return instant.left(10); }

QString timeText(const QString &instant)
{
    return instant.size() < 16 ? instant : instant.left(10) + u' ' + instant.mid(11, 5) + u" UTC"_s;
}

QString reportTitle(const QJsonObject &report)
{
    return u"Holdfast report, %1 to %2"_s.arg(dayText(report["since"_L1].toString()),
                                              dayText(report["until"_L1].toString()));
}

QStringList reportNotes(const QJsonObject &report)
{
    QStringList notes{u"From %1 until %2, compared with as long a time before it. Made %3."_s.arg(
        timeText(report["since"_L1].toString()), timeText(report["until"_L1].toString()),
        timeText(report["made_at"_L1].toString()))};
    const QJsonArray incomplete = report["incomplete"_L1].toArray();
    for (const QJsonValue &each : incomplete)
        notes.append(u"Figures incomplete, %1 to %2: %3"_s.arg(
            timeText(each["since"_L1].toString()), timeText(each["until"_L1].toString()),
            each["why"_L1].toString()));
    return notes;
}

QString signoffText(const QJsonObject &report)
{
    const QJsonValue signoff = report["signoff"_L1];
    if (!signoff.isObject())
        return u"Nobody has signed this report."_s;
    QString said = u"Signed by %1 at %2. Figures %3, audit up to row %4 (%5)."_s.arg(
        signoff["by"_L1].toString(), timeText(signoff["at"_L1].toString()),
        signoff["figures_hash"_L1].toString().left(16), text(signoff["audit_seq"_L1]),
        signoff["audit_hash"_L1].toString().left(16));
    const QString note = signoff["note"_L1].toString();
    if (!note.isEmpty())
        said += u" Note: "_s + note;
    if (!signoff["record_intact"_L1].toBool(true))
        return said + u" The stored copy of what was signed does not match the hash that was "
                      "signed: it was changed afterwards, and nothing can be compared with it."_s;
    if (signoff["figures_unchanged"_L1].toBool(true))
        return said;
    return said + u" The figures are not those that were signed; changed: "_s +
           joined(signoff["changed"_L1]) + u'.';
}

QVector<ReportTable> reportTables(const QJsonObject &report)
{
    return {figuresTable(report),    daysTable(report),          measuresTable(report),
            changesTable(report),    groupsTable(report),        causesTable(report),
            unresolvedTable(report), compensationsTable(report), costTable(report),
            canariesTable(report),   gapsTable(report),          flipsTable(report)};
}

} // namespace holdfast::insight
