// Leads that were given to another owner within a week. A workflow takes part when its outputs name
// `lead` and `owner`; what they were is read from the runs themselves, so from no more of them than
// a bound, and the answer says how far back that reached.
#include "control/arguments.h"
#include "control/report.h"
#include "model/mask.h"

#include <QSet>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int runsReadMax = 5000; // of all such workflows together
constexpr int flipsPageSize = 500;
constexpr qsizetype flipsShown = 50;
constexpr model::Millis within = 7 * model::day;
// Runs are found by when they were created, and count when they end: so long it may take them.
constexpr model::Millis lastsAtMost = 30 * model::day;

struct Given {
    QString workflow;
    QString lead;
    QString owner;
    QString runId;
    model::Instant at = model::never;
};

struct Reading {
    QVector<Given> given;
    qint64 runs = 0;
    bool isComplete = true; // no run that may count was left out
};

QString outputText(const QJsonObject &outputs, QLatin1String name)
{
    const QJsonValue value = outputs.value(name);
    return value.isDouble() ? QString::number(value.toDouble(), 'g', 17) : value.toString();
}

void take(const ports::RunRow &row, Reading &reading)
{
    const QJsonObject outputs = model::masked(row.outputs);
    const Given given{row.workflow, outputText(outputs, "lead"_L1), outputText(outputs, "owner"_L1),
                      row.runId, row.finishedAt};
    if (!given.lead.isEmpty() && !given.owner.isEmpty() && given.at != model::never)
        reading.given.append(given);
}

// Of the runs before those: whether some took longer than is allowed for, and still count.
Result<void> readLasting(Context &context, ports::RunFilter filter, const ReportSpan &span,
                         Reading &reading)
{
    filter.until = filter.since;
    filter.since = model::never;
    filter.cursor.clear();
    const auto page = context.store.runPage(filter);
    if (!page)
        return page.error();
    for (const ports::RunRow &row : page->rows) {
        if (row.finishedAt < span.since - within)
            continue;
        take(row, reading);
        ++reading.runs;
        reading.isComplete = reading.isComplete && page->cursor.isEmpty();
    }
    return {};
}

Result<void> read(Context &context, const QString &workflow, const ReportSpan &span, int most,
                  Reading &reading)
{
    ports::RunFilter filter;
    filter.workflow = workflow;
    filter.since = std::max(model::never, span.since - within - lastsAtMost);
    filter.until = span.until;
    filter.limit = flipsPageSize;
    int left = most;
    do {
        const auto page = context.store.runPage(filter);
        if (!page)
            return page.error();
        for (const ports::RunRow &row : page->rows)
            take(row, reading);
        left -= int(std::max<qsizetype>(page->rows.size(), 1));
        reading.runs += page->rows.size();
        filter.cursor = page->cursor;
    } while (left > 0 && !filter.cursor.isEmpty());
    reading.isComplete = reading.isComplete && filter.cursor.isEmpty();
    const bool hasEarlier = filter.cursor.isEmpty() && filter.since != model::never;
    return hasEarlier ? readLasting(context, filter, span, reading) : Result<void>();
}

QJsonArray flipsIn(QVector<Given> given, const ReportSpan &span)
{
    std::sort(given.begin(), given.end(), [](const Given &a, const Given &b) {
        return std::tie(a.workflow, a.lead, a.at, a.runId) <
               std::tie(b.workflow, b.lead, b.at, b.runId);
    });
    QJsonArray flips;
    for (qsizetype i = 1; i < given.size(); ++i) {
        const Given &first = given.at(i - 1);
        const Given &then = given.at(i);
        const bool isSame = first.workflow == then.workflow && first.lead == then.lead;
        const bool counts = then.at >= span.since && then.at < span.until;
        if (!isSame || !counts || first.owner == then.owner || then.at - first.at > within)
            continue;
        flips.append(QJsonObject{{u"workflow"_s, then.workflow},
                                 {u"lead"_s, then.lead},
                                 {u"from"_s, first.owner},
                                 {u"to"_s, then.owner},
                                 {u"at"_s, instantJson(then.at)},
                                 {u"run_id"_s, then.runId}});
    }
    return flips;
}

// A viewer gets every run without its outputs, and would be told that nothing was given to anybody.
bool readsOutputs(const ports::Rights &rights)
{
    if (rights.isOwner)
        return true;
    return std::any_of(rights.roles.cbegin(), rights.roles.cend(),
                       [](ports::Role role) { return role != ports::Role::viewer; });
}

Result<QStringList> routingWorkflows(Context &context)
{
    const auto rows = context.store.workflows();
    if (!rows)
        return rows.error();
    QSet<QString> known;
    QStringList names;
    for (const ports::WorkflowRow &row : *rows) {
        // The newest version comes first.
        if (known.contains(row.name))
            continue;
        known.insert(row.name);
        const auto definition = context.definitions.workflow(context.store, row.name, row.version);
        // One that cannot be read is told of as a contract gap.
        if (!definition && definition.error().kind == model::ErrorKind::corrupt)
            continue;
        if (!definition)
            return definition.error();
        QStringList outputs;
        for (const auto &output : (*definition)->workflow.outputs)
            outputs.append(output.first);
        if (outputs.contains(u"lead"_s) && outputs.contains(u"owner"_s))
            names.append(row.name);
    }
    return names;
}
} // namespace

Result<QJsonValue> ownerFlipsOf(Context &context, const ReportSpan &span)
{
    if (!readsOutputs(context.store.rights()))
        return QJsonValue();
    const auto workflows = routingWorkflows(context);
    if (!workflows)
        return workflows.error();
    if (workflows->isEmpty())
        return QJsonValue();
    Reading reading;
    for (const QString &workflow : *workflows) {
        const int most = std::max(flipsPageSize, runsReadMax / int(workflows->size()));
        if (const auto done = read(context, workflow, span, most, reading); !done)
            return done.error();
    }
    const QJsonArray flips = flipsIn(reading.given, span);
    QJsonArray shown;
    for (qsizetype i = 0; i < std::min(flips.size(), flipsShown); ++i)
        shown.append(flips.at(i));
    return QJsonValue(QJsonObject{{u"flips"_s, flips.size()},
                                  {u"runs_read"_s, reading.runs},
                                  {u"complete"_s, reading.isComplete},
                                  {u"workflows"_s, QJsonArray::fromStringList(*workflows)},
                                  {u"list"_s, shown}});
}

} // namespace holdfast::control
