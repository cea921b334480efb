// What people changed in a window, and the times of it that the figures know nothing about.
#include "control/arguments.h"
#include "control/report.h"
#include "model/json.h"
#include "model/mask.h"

#include <algorithm>
#include <limits>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype changesMax = 200;
constexpr int auditPageSize = 300;
constexpr int gapsShown = 50;

QJsonObject changeJson(const ports::AuditRow &row, const QString &text, const QString &subject)
{
    return {{u"at"_s, instantJson(row.at)},
            {u"kind"_s, row.action},
            {u"who"_s, row.actor},
            {u"text"_s, text},
            {u"subject"_s, subject}};
}

QString scopeText(const QString &scope, const QString &target)
{
    if (scope.isEmpty())
        return u"a pause"_s;
    return target.isEmpty() ? u"everything"_s : scope + u' ' + target;
}

QString pausedText(const QJsonValue &pause)
{
    return scopeText(pause["scope"_L1].toString(), pause["target"_L1].toString());
}

QString because(const QJsonValue &body)
{
    const QString reason = body["reason"_L1].toString();
    return reason.isEmpty() ? QString() : u": "_s + reason;
}

void addDeployed(const ports::AuditRow &row, const QJsonValue &body, QJsonArray &list)
{
    const QJsonArray workflows = body["workflows"_L1].toArray();
    for (const QJsonValue &each : workflows) {
        const QString name = each["workflow"_L1].toString();
        list.append(changeJson(
            row, u"deployed workflow %1 version %2"_s.arg(name).arg(each["version"_L1].toInt()),
            name));
    }
    const QJsonArray dependencies = body["dependencies"_L1].toArray();
    for (const QJsonValue &each : dependencies) {
        const QString name = each["dependency"_L1].toString();
        list.append(changeJson(
            row, u"deployed dependency %1 revision %2"_s.arg(name).arg(each["revision"_L1].toInt()),
            name));
    }
}

void addResumed(const ports::AuditRow &row, const QJsonValue &body, QJsonArray &list)
{
    const QJsonArray resumed = body["resumed"_L1].toArray();
    for (const QJsonValue &pause : resumed)
        list.append(changeJson(row, u"resumed %1%2"_s.arg(pausedText(pause), because(body)),
                               pausedText(pause)));
}

// The operation, what it did there, and to what: "tripwire add too-many: seen twice".
QString actText(const ports::AuditRow &row, const QJsonValue &body, const QString &subject)
{
    QString action = row.action;
    if (action.endsWith("_do"_L1))
        action.chop(3);
    QStringList words{action.replace(u'_', u' ')};
    for (const QString &name : {u"act"_s, u"do"_s}) {
        if (const QString act = body[name].toString(); !act.isEmpty())
            words.append(act);
    }
    return (words << subject).join(u' ') + because(body);
}

// What is paused, by the id of the pause: that is all a ramp has in the audit.
using Pauses = QMap<QString, QString>;

Result<Pauses> pausesById(Context &context)
{
    const auto rows = context.store.pauses(false);
    if (!rows)
        return rows.error();
    Pauses pauses;
    for (const ports::PauseRow &row : *rows)
        pauses.insert(row.id, scopeText(row.scope, row.target));
    return pauses;
}

// Where the engine paused, the audit has its evidence instead of the scope.
void addPaused(const ports::AuditRow &row, const QJsonValue &body, const Pauses &pauses,
               QJsonArray &list)
{
    const QString what = body["scope"_L1].isString() ? pausedText(body)
                                                     : pauses.value(row.subject, pausedText(body));
    const QString depth = body["depth"_L1].toString();
    const QString text =
        depth.isEmpty() ? u"paused %1"_s.arg(what) : u"paused %1, depth %2"_s.arg(what, depth);
    list.append(changeJson(row, text + because(body), what));
}

QJsonArray changesIn(const ports::AuditRow &row, const Pauses &pauses)
{
    // These change what people look at, say and sign, and nothing that happens.
    static const QStringList left{u"save_view"_s, u"delete_view"_s, u"group"_s, u"report_sign"_s};
    if (left.contains(row.action))
        return {};
    const auto parsed = model::parseJson(row.body.toUtf8());
    const QJsonValue body = parsed ? model::masked(*parsed) : QJsonValue();
    QJsonArray list;
    if (row.action == "deploy"_L1)
        addDeployed(row, body, list);
    else if (row.action == "resume"_L1)
        addResumed(row, body, list);
    else if (row.action == "pause"_L1)
        addPaused(row, body, pauses, list);
    if (!list.isEmpty())
        return list;
    const QString pause = pauses.value(body["pause"_L1].toString(), row.subject);
    const QString subject = pauses.value(row.subject, pause);
    return {changeJson(row, actText(row, body, subject), subject)};
}

struct Lived {
    model::Instant since = model::never;
    model::Instant until = model::never;
};

void addGap(const Lived &gap, QJsonArray &list)
{
    if (gap.until - gap.since < ports::lapseOverlooked)
        return;
    if (list.size() == gapsShown) {
        // What does not fit is told by the last one, which then reaches to the end of all of them.
        QJsonObject last = list.last().toObject();
        last.insert(u"until"_s, instantJson(gap.until));
        last.insert(u"why"_s, u"No worker was running, with short exceptions."_s);
        list.replace(list.size() - 1, last);
        return;
    }
    list.append(QJsonObject{{u"since"_s, instantJson(gap.since)},
                            {u"until"_s, instantJson(gap.until)},
                            {u"why"_s, u"No worker was running."_s}});
}
} // namespace

// The newest of them, in their order; that there were more before them is said first.
Result<QJsonArray> changesOf(Context &context, const ReportSpan &span)
{
    const auto pauses = pausesById(context);
    if (!pauses)
        return pauses.error();
    QVector<QJsonArray> found; // what each row tells, the newest row first
    qsizetype count = 0;
    model::Instant until = span.until;
    qint64 lastSeq = std::numeric_limits<qint64>::max();
    for (bool goesOn = true; goesOn && count <= changesMax;) {
        const auto rows = context.store.systemAudit(span.since, until, auditPageSize);
        if (!rows)
            return rows.error();
        for (const ports::AuditRow &row : *rows) {
            // A page begins with the instant the last one ended in.
            if (row.seq >= lastSeq && row.at == until - 1)
                continue;
            lastSeq = row.seq;
            found.append(changesIn(row, *pauses));
            count += found.last().size();
        }
        goesOn = rows->size() == auditPageSize && rows->last().at + 1 < until;
        until = goesOn ? rows->last().at + 1 : until;
    }
    QJsonArray list;
    for (auto row = found.crbegin(); row != found.crend(); ++row) {
        for (const QJsonValue &change : *row)
            list.append(change);
    }
    QJsonValue lastLeft;
    for (; list.size() > changesMax; list.removeFirst())
        lastLeft = list.first()["at"_L1];
    if (lastLeft.isString())
        list.prepend(QJsonObject{{u"at"_s, lastLeft},
                                 {u"kind"_s, u"more"_s},
                                 {u"who"_s, QString()},
                                 {u"text"_s, u"more was changed before; the audit has it all"_s},
                                 {u"subject"_s, QString()}});
    return list;
}

Result<QJsonArray> incompleteOf(Context &context, const ReportSpan &span, model::Instant now)
{
    const auto workers = context.store.workers();
    if (!workers)
        return workers.error();
    QVector<Lived> lived;
    for (const ports::WorkerRow &worker : *workers)
        lived.append(
            {worker.startedAt, std::max({worker.startedAt, worker.leaseUntil, worker.livedUntil})});
    std::sort(lived.begin(), lived.end(),
              [](const Lived &a, const Lived &b) { return a.since < b.since; });
    QJsonArray list;
    const model::Instant end = std::min(span.until, now);
    model::Instant reached = span.since;
    for (const Lived &each : lived) {
        if (reached >= end)
            break;
        addGap({reached, std::min(each.since, end)}, list);
        reached = std::max(reached, each.until);
    }
    addGap({reached, end}, list);
    if (now < span.until)
        list.append(QJsonObject{{u"since"_s, instantJson(std::max(now, span.since))},
                                {u"until"_s, instantJson(span.until)},
                                {u"why"_s, u"This time has not come yet."_s}});
    return list;
}

} // namespace holdfast::control
