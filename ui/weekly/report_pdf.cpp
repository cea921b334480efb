#include "ui/weekly/report_pdf.h"

#include "ui/style/group_look.h"
#include "ui/weekly/chart_paint.h"
#include "ui/weekly/pdf_sheet.h"
#include "ui/weekly/report_text.h"
#include "ui/weekly/week.h"
#include "ui/widgets/times.h"

#include <QBuffer>
#include <QDateTime>
#include <QJsonArray>
#include <QLocale>
#include <QSaveFile>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;

namespace
{
// On paper nobody knows whose clock it was, so all times are UTC.
QString paperTime(const QJsonValue &value)
{
    const model::Instant instant = widgets::instantOf(value);
    if (instant == model::never)
        return u"–"_s;
    return QLocale(QLocale::English)
        .toString(QDateTime::fromMSecsSinceEpoch(instant, Qt::UTC), u"ddd d MMM yyyy HH:mm"_s);
}

QString windowText(const QJsonObject &report)
{
    const model::Instant since = widgets::instantOf(report["since"_L1]);
    const Week week = Week::of(since);
    const bool isWeek =
        week.since() == since && week.until() == widgets::instantOf(report["until"_L1]);
    return isWeek ? week.yearTitle()
                  : paperTime(report["since"_L1]) + u" – "_s + paperTime(report["until"_L1]);
}

void drawHead(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.title(u"Weekly review "_s + windowText(report));
    sheet.text(u"From %1 to %2, UTC. Made %3 UTC."_s.arg(paperTime(report["since"_L1]),
                                                         paperTime(report["until"_L1]),
                                                         paperTime(report["made_at"_L1])),
               true);
    const QJsonObject signoff = report["signoff"_L1].toObject();
    sheet.text(signoff.isEmpty() ? u"Not signed."_s
                                 : u"Signed by %1 on %2 UTC."_s.arg(signoff["by"_L1].toString(),
                                                                    paperTime(signoff["at"_L1])),
               true);
    sheet.gap(2);
    if (const QString change = signoffChange(signoff); !change.isEmpty())
        sheet.warning(change);
    for (const QJsonValue &hole : report["incomplete"_L1].toArray())
        sheet.warning(u"Figures are incomplete from %1 to %2 UTC: %3"_s.arg(
            paperTime(hole["since"_L1]), paperTime(hole["until"_L1]), hole["why"_L1].toString()));
}

void drawFigures(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.heading(u"Figures"_s);
    QVector<QStringList> rows;
    for (const QJsonValue &figure : report["figures"_L1].toArray()) {
        const QString unit = figure["unit"_L1].toString();
        rows << QStringList{figure["title"_L1].toString(), figureText(figure["now"_L1], unit),
                            figureText(figure["before"_L1], unit),
                            changeText(figure["now"_L1], figure["before"_L1], unit)};
    }
    if (rows.isEmpty())
        sheet.text(u"No figures were kept for this time."_s);
    sheet.table({{u"Figure"_s, 5},
                 {u"This week"_s, 2, true},
                 {u"Week before"_s, 2, true},
                 {u"Change"_s, 2, true}},
                rows);
}

void drawDays(PdfSheet &sheet, const QJsonObject &report)
{
    const QJsonArray days = report["days"_L1].toArray();
    if (days.isEmpty())
        return;
    sheet.heading(u"Runs by outcome, a day at a time"_s);
    if (!hasRuns(days)) {
        sheet.text(u"No run was started or ended in this week."_s);
        return;
    }
    sheet.picture(62, [&](QPainter &painter, const QRectF &area) {
        paintDays(painter, area, days, report["days_before"_L1].toArray(), style::Theme::light);
    });
}

void drawMeasures(PdfSheet &sheet, const QJsonObject &report)
{
    QVector<QStringList> rows;
    for (const QJsonValue &measure : report["measures"_L1].toArray()) {
        const QString unit = measure["unit"_L1].toString();
        rows << QStringList{measure["title"_L1].toString(), figureText(measure["now"_L1], unit),
                            figureText(measure["before"_L1], unit),
                            measure["definition"_L1].toString()};
    }
    if (rows.isEmpty())
        return;
    sheet.heading(u"Measures"_s);
    sheet.table({{u"Measure"_s, 4},
                 {u"This week"_s, 2, true},
                 {u"Before"_s, 2, true},
                 {u"Definition"_s, 9}},
                rows);
}

void drawChanges(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.heading(u"1  What changed"_s);
    QVector<QStringList> rows;
    for (const QJsonValue &change : report["changes"_L1].toArray())
        rows << QStringList{paperTime(change["at"_L1]), change["kind"_L1].toString(),
                            change["subject"_L1].toString(), change["text"_L1].toString(),
                            change["who"_L1].toString()};
    if (rows.isEmpty())
        sheet.text(u"Nothing was deployed, paused or resumed."_s);
    sheet.table({{u"When"_s, 4}, {u"What"_s, 2}, {u"Of"_s, 4}, {u"Change"_s, 7}, {u"By"_s, 3}},
                rows);
}

void drawGroups(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.heading(u"2  Failure groups"_s);
    const QJsonArray groups = report["groups"_L1].toArray();
    QVector<QStringList> rows;
    for (const QJsonValue &value : groups) {
        const QJsonObject group = value.toObject();
        QString what = group["message"_L1].toString();
        if (const QString note = group["note"_L1].toString(); !note.isEmpty())
            what += u" — Note: "_s + note;
        QString decision = groupDecision(group);
        if (const QString tags = tagsText(group["tags"_L1].toArray()); !tags.isEmpty())
            decision += (decision.isEmpty() ? u"Tags: "_s : u"; tags: "_s) + tags;
        rows << QStringList{style::groupLook(group["status"_L1].toString()).text(),
                            groupWhere(group),
                            groupReason(group),
                            what,
                            figureText(group["runs"_L1], u"count"_s),
                            groupChange(group),
                            decision.isEmpty() ? u"–"_s : decision};
    }
    sheet.text(groups.isEmpty() ? u"Quiet week: 0 groups."_s : groupsText(report, u", "_s) + u'.');
    sheet.gap(1);
    sheet.table({{u"Status"_s, 3},
                 {u"Where"_s, 4},
                 {u"Class, reason"_s, 3.4},
                 {u"Message"_s, 6},
                 {u"Runs"_s, 1.6, true},
                 {u"Change"_s, 1.9, true},
                 {u"Decision"_s, 3.2}},
                rows);
}

void drawCauses(PdfSheet &sheet, const QJsonObject &report)
{
    const QJsonArray causes = report["causes"_L1].toArray();
    if (causes.isEmpty())
        return;
    sheet.heading(u"Root causes"_s);
    const double rows = double(std::min<qsizetype>(8, causes.size()));
    sheet.picture(6.2 * rows, [&](QPainter &painter, const QRectF &area) {
        paintPareto(painter, area, causes, style::Theme::light);
    });
    sheet.gap(1);
    QVector<QStringList> table;
    for (const QJsonValue &cause : causes)
        table << QStringList{cause["cause"_L1].toString(), figureText(cause["runs"_L1], u"count"_s),
                             figureText(cause["share"_L1], u"percent"_s),
                             figureText(cause["cumulative"_L1], u"percent"_s)};
    sheet.table(
        {{u"Cause"_s, 6}, {u"Runs"_s, 2, true}, {u"Share"_s, 2, true}, {u"Together"_s, 2, true}},
        table);
}

// Only where a workflow gives out leads; elsewhere there is nothing to say.
void drawFlips(PdfSheet &sheet, const QJsonObject &report)
{
    const QJsonValue flips = report["owner_flips"_L1];
    if (!flips.isObject())
        return;
    sheet.heading(u"Owner flips"_s);
    sheet.text(flipsText(flips));
    QVector<QStringList> rows;
    for (const QJsonValue &flip : flips["list"_L1].toArray())
        rows << QStringList{paperTime(flip["at"_L1]), flip["workflow"_L1].toString(),
                            flip["lead"_L1].toString(), flip["from"_L1].toString(),
                            flip["to"_L1].toString()};
    sheet.table({{u"When"_s, 3}, {u"Workflow"_s, 4}, {u"Lead"_s, 5}, {u"From"_s, 4}, {u"To"_s, 4}},
                rows);
}

void drawUnresolved(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.heading(u"3  Unresolved"_s);
    QVector<QStringList> rows;
    for (const QJsonValue &item : report["unresolved"_L1].toArray())
        rows << QStringList{style::reviewLook(item["kind"_L1].toString()).text(),
                            groupWhere(item.toObject()), item["question"_L1].toString(),
                            paperTime(item["opened_at"_L1]), item["run_id"_L1].toString()};
    if (rows.isEmpty())
        sheet.text(u"Nothing waits for a person."_s);
    sheet.table(
        {{u"Kind"_s, 3}, {u"Where"_s, 4}, {u"Question"_s, 6}, {u"Since"_s, 3}, {u"Run"_s, 4}},
        rows);
    if (const qint64 more = report["unresolved_more"_L1].toInteger(); more > 0)
        sheet.text(u"And %L1 more items."_s.arg(more));
}

void drawCompensations(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.heading(u"4  Compensations"_s);
    QVector<QStringList> rows;
    for (const QJsonValue &run : report["compensations"_L1].toArray()) {
        const QJsonValue steps = run["steps"_L1];
        rows << QStringList{
            style::statusLook(run["status"_L1].toString()).text(), run["workflow"_L1].toString(),
            steps.isArray() ? tagsText(steps.toArray()) : figureText(steps, u"count"_s),
            paperTime(run["finished_at"_L1]), run["run_id"_L1].toString()};
    }
    if (rows.isEmpty())
        sheet.text(u"No run was compensated."_s);
    sheet.table(
        {{u"Status"_s, 4}, {u"Workflow"_s, 4}, {u"Steps"_s, 3}, {u"Ended"_s, 4}, {u"Run"_s, 5}},
        rows);
    if (const qint64 more = report["compensations_more"_L1].toInteger(); more > 0)
        sheet.text(u"And %L1 more."_s.arg(more));
}

void drawCost(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.heading(u"5  Retry and model cost"_s);
    const QJsonObject cost = report["cost"_L1].toObject();
    sheet.text(costText(cost));
    sheet.text(modelText(cost["model"_L1]));
    sheet.gap(1);
    QVector<QStringList> rows;
    for (const QJsonValue &value : cost["by_dependency"_L1].toArray()) {
        QStringList row{value["dependency"_L1].toString()};
        for (const QString &name :
             {u"attempts"_s, u"retries"_s, u"transient"_s, u"permanent"_s, u"ambiguous"_s})
            row << figureText(value[name], u"count"_s);
        rows << row;
    }
    sheet.table({{u"Dependency"_s, 5},
                 {u"Attempts"_s, 2, true},
                 {u"Retries"_s, 2, true},
                 {u"Transient"_s, 2, true},
                 {u"Permanent"_s, 2, true},
                 {u"Ambiguous"_s, 2, true}},
                rows);
}

void drawCanariesAndGaps(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.heading(u"6  Canary verdicts"_s);
    const QJsonArray canaries = report["canaries"_L1].toArray();
    if (canaries.isEmpty())
        sheet.text(u"No canary ran."_s);
    for (const QJsonValue &canary : canaries)
        sheet.text(pairsText(canary.toObject()));
    sheet.heading(u"7  Contract gaps"_s);
    QVector<QStringList> rows;
    for (const QJsonValue &gap : report["gaps"_L1].toArray())
        rows << QStringList{
            gap["workflow"_L1].toString() + u" v"_s + QString::number(gap["version"_L1].toInt()),
            gap["step"_L1].toString(), gap["gap"_L1].toString(), gap["why"_L1].toString()};
    if (rows.isEmpty())
        sheet.text(u"Every contract says what it has to."_s);
    sheet.table({{u"Workflow"_s, 4}, {u"Step"_s, 3}, {u"Gap"_s, 3}, {u"Why it matters"_s, 7}},
                rows);
}

void drawSignoff(PdfSheet &sheet, const QJsonObject &report)
{
    sheet.heading(u"8  Sign-off"_s);
    const QJsonObject signoff = report["signoff"_L1].toObject();
    if (signoff.isEmpty()) {
        sheet.text(u"This week was not signed in Holdfast when this was made."_s);
        sheet.signatureLine(u"Name"_s, u"Date"_s);
        return;
    }
    sheet.text(
        u"Signed by %1 on %2 UTC."_s.arg(signoff["by"_L1].toString(), paperTime(signoff["at"_L1])));
    if (const QString change = signoffChange(signoff); !change.isEmpty())
        sheet.warning(change);
    if (const QString note = signoff["note"_L1].toString(); !note.isEmpty())
        sheet.text(u"Note: "_s + note);
    sheet.text(u"SHA-256 of the figures: "_s + signoff["figures_hash"_L1].toString(), true);
    sheet.text(u"Audit up to row %1, hash %2"_s.arg(signoff["audit_seq"_L1].toInteger())
                   .arg(signoff["audit_hash"_L1].toString()),
               true);
}

void drawAll(PdfSheet &sheet, const QJsonObject &report)
{
    for (const auto draw : {drawHead, drawFigures, drawDays, drawMeasures, drawChanges, drawFlips,
                            drawGroups, drawCauses, drawUnresolved, drawCompensations, drawCost,
                            drawCanariesAndGaps, drawSignoff}) {
        if (!sheet.isStopped())
            draw(sheet, report);
    }
}

// Rows are what takes time, and both passes take about the same.
qsizetype rowsOf(const QJsonObject &report)
{
    qsizetype rows = report["cost"_L1]["by_dependency"_L1].toArray().size() +
                     report["owner_flips"_L1]["list"_L1].toArray().size();
    for (const QString &name : {u"figures"_s, u"measures"_s, u"changes"_s, u"groups"_s, u"causes"_s,
                                u"unresolved"_s, u"compensations"_s, u"gaps"_s})
        rows += report[name].toArray().size();
    return std::max<qsizetype>(1, rows);
}
} // namespace

model::Result<void> checkReport(const QJsonObject &report)
{
    for (const QString &name : {u"since"_s, u"until"_s}) {
        if (widgets::instantOf(report[name]) == model::never)
            return model::invalid(u"this is no report: %1 is missing or no time"_s.arg(name));
    }
    for (const QString &name : {u"figures"_s, u"groups"_s}) {
        if (!report[name].isArray())
            return model::invalid(u"this is no report: %1 is missing or no list"_s.arg(name));
    }
    return {};
}

model::Result<int> drawReportPdf(const QJsonObject &report, QIODevice &device,
                                 const PdfProgress &progress)
{
    if (const auto checked = checkReport(report); !checked)
        return checked.error();
    const double total = double(rowsOf(report)) * 2;
    qsizetype done = 0;
    PdfSheet::Options options;
    options.title = u"Weekly review "_s + windowText(report);
    options.footer = options.title;
    options.goesOn = [&] {
        ++done;
        return !progress || progress(std::min(99, int(double(done) / total * 100)));
    };
    const auto stopped = model::refused(u"drawing the report was stopped"_s);
    QBuffer nowhere;
    nowhere.open(QIODevice::WriteOnly);
    PdfSheet plan(nowhere, options);
    drawAll(plan, report);
    if (plan.isStopped())
        return stopped;
    options.pages = plan.pages();
    PdfSheet sheet(device, options);
    drawAll(sheet, report);
    if (sheet.isStopped())
        return stopped;
    if (!sheet.end())
        return model::invalid(u"the PDF could not be written: %1"_s.arg(device.errorString()));
    if (progress)
        progress(100);
    return sheet.pages();
}

model::Result<int> writeReportPdf(const QJsonObject &report, const QString &path,
                                  const PdfProgress &progress)
{
    if (const auto checked = checkReport(report); !checked)
        return checked.error();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return model::invalid(u"cannot write %1: %2"_s.arg(path, file.errorString()));
    // Qt closes the device it drew on, which a file that is to be committed does not survive.
    QBuffer drawn;
    drawn.open(QIODevice::WriteOnly);
    const auto pages = drawReportPdf(report, drawn, progress);
    if (!pages)
        return pages;
    if (file.write(drawn.data()) != drawn.data().size() || !file.commit())
        return model::invalid(u"cannot write %1: %2"_s.arg(path, file.errorString()));
    return pages;
}

} // namespace holdfast::weekly
