#include "control/group_view.h"

#include "control/arguments.h"
#include "insight/group_status.h"

#include <QJsonArray>
#include <QSet>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using ports::FailureCount;
using ports::FailureGroupRow;

namespace
{
constexpr model::Millis windowDefault = 7 * model::day;

void addNow(SeenGroup &group, const FailureCount &count, const GroupWindow &window)
{
    group.runs += count.runs;
    group.occurrences += count.occurrences;
    group.lastAt = std::max(group.lastAt, count.lastAt);
    group.outcomes[count.outcome.isEmpty() ? u"open"_s : count.outcome] += count.runs;
    group.trend[count.day / model::day - window.firstDay()] += count.runs;
}

void addBefore(SeenGroup &group, const FailureCount &count, const GroupWindow &before)
{
    group.runsBefore += count.runs;
    group.trendBefore[count.day / model::day - before.firstDay()] += count.runs;
}

void clearCounts(SeenGroup &group, const GroupWindow &window)
{
    group.runs = group.occurrences = group.runsBefore = 0;
    group.lastAt = model::never;
    group.outcomes.clear();
    group.trend = QVector<qint64>(window.days(), 0);
    group.trendBefore = QVector<qint64>(window.before().days(), 0);
}

// A run that stands in several of them is one, so that adding up would not do.
Result<void> countAsOne(Context &context, const GroupWindow &window, SeenGroup &group)
{
    clearCounts(group, window);
    const auto now = context.store.failureCountsOf(group.ids(), window.since, window.until);
    if (!now)
        return now.error();
    for (const FailureCount &count : *now)
        addNow(group, count, window);
    const GroupWindow before = window.before();
    const auto then = context.store.failureCountsOf(group.ids(), before.since, before.until);
    if (!then)
        return then.error();
    for (const FailureCount &count : *then)
        addBefore(group, count, before);
    return {};
}

Result<void> setStatuses(Context &context, const GroupWindow &window, QVector<SeenGroup> &groups)
{
    QStringList resolved;
    for (const SeenGroup &group : groups) {
        if (group.row.disposition == "resolved"_L1)
            resolved.append(group.row.id);
    }
    const auto regressed = resolved.isEmpty() ? Result<QStringList>(QStringList())
                                              : context.store.regressedGroups(resolved);
    if (!regressed)
        return regressed.error();
    for (SeenGroup &group : groups) {
        insight::GroupFacts facts;
        facts.disposition = group.row.disposition;
        facts.seenSinceResolved = regressed->contains(group.row.id);
        facts.firstSeenInWindow = group.row.firstAt >= window.since;
        facts.trend = group.trend;
        facts.trendBefore = group.trendBefore;
        group.status = insight::groupStatusName(insight::groupStatus(facts));
    }
    return {};
}

// The groups that these ids are shown as: themselves, or what they were merged into.
Result<QVector<SeenGroup>> rootsOf(Context &context, const QStringList &ids,
                                   const GroupWindow &window)
{
    const auto named = context.store.failureGroups(ids);
    if (!named)
        return named.error();
    QSet<QString> roots;
    bool anyMerged = false;
    for (const FailureGroupRow &row : *named) {
        anyMerged = anyMerged || !row.mergedInto.isEmpty();
        roots.insert(row.mergedInto.isEmpty() ? row.id : row.mergedInto);
    }
    const auto rows = anyMerged ? context.store.failureGroups(roots.values()) : named;
    if (!rows)
        return rows.error();
    QMap<QString, SeenGroup> groups;
    for (const FailureGroupRow &row : *rows) {
        SeenGroup &group = groups[row.mergedInto.isEmpty() ? row.id : row.mergedInto];
        if (row.mergedInto.isEmpty())
            group.row = row;
        else
            group.merged.append(row);
    }
    QVector<SeenGroup> list;
    for (SeenGroup &group : groups) {
        for (const FailureGroupRow &part : group.merged)
            group.row.firstAt = std::min(group.row.firstAt, part.firstAt);
        clearCounts(group, window);
        list.append(group);
    }
    return list;
}
} // namespace

QStringList SeenGroup::ids() const
{
    QStringList ids{row.id};
    for (const FailureGroupRow &part : merged)
        ids.append(part.id);
    return ids;
}

Result<GroupWindow> groupWindowOf(Context &context)
{
    const auto since = instantOf(context.arguments(), "since");
    if (!since)
        return since.error();
    const auto until = instantOf(context.arguments(), "until");
    if (!until)
        return until.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    GroupWindow window{*since, *until == model::never ? *now + 1 : *until};
    if (window.since == model::never)
        window.since = std::max<model::Instant>(1, window.until - windowDefault);
    if (window.since >= window.until)
        return model::invalid(u"since is not before until"_s);
    if (window.until - window.since > windowDaysMax * model::day)
        return model::invalid(
            u"the window is longer than %1 days; make it shorter"_s.arg(windowDaysMax));
    return window;
}

Result<QVector<SeenGroup>> groupsSeen(Context &context, const GroupWindow &window)
{
    const auto now = context.store.failureCounts(window.since, window.until);
    if (!now)
        return now.error();
    QSet<QString> ids;
    for (const FailureCount &count : *now)
        ids.insert(count.groupId);
    if (ids.isEmpty())
        return QVector<SeenGroup>();
    auto groups = rootsOf(context, ids.values(), window);
    if (!groups)
        return groups.error();
    const GroupWindow before = window.before();
    const auto then = context.store.failureCounts(before.since, before.until);
    if (!then)
        return then.error();
    QHash<QString, SeenGroup *> alone;
    for (SeenGroup &group : *groups) {
        if (group.merged.isEmpty())
            alone.insert(group.row.id, &group);
        else if (const auto counted = countAsOne(context, window, group); !counted)
            return counted.error();
    }
    for (const FailureCount &count : *now) {
        if (SeenGroup *group = alone.value(count.groupId))
            addNow(*group, count, window);
    }
    for (const FailureCount &count : *then) {
        if (SeenGroup *group = alone.value(count.groupId))
            addBefore(*group, count, before);
    }
    if (const auto set = setStatuses(context, window, *groups); !set)
        return set.error();
    std::sort(groups->begin(), groups->end(), [](const SeenGroup &a, const SeenGroup &b) {
        return std::tuple(-a.runs, -a.lastAt, a.row.id) < std::tuple(-b.runs, -b.lastAt, b.row.id);
    });
    return groups;
}

Result<SeenGroup> groupSeen(Context &context, const QString &id, const GroupWindow &window)
{
    auto groups = rootsOf(context, {id}, window);
    if (!groups)
        return groups.error();
    if (groups->isEmpty())
        return model::notFound(u"there is no failure group %1"_s.arg(id));
    if (const auto counted = countAsOne(context, window, groups->first()); !counted)
        return counted.error();
    if (const auto set = setStatuses(context, window, *groups); !set)
        return set.error();
    return groups->first();
}

QJsonObject groupJson(const SeenGroup &group)
{
    const FailureGroupRow &row = group.row;
    QJsonObject outcomes{{u"open"_s, 0}};
    for (const model::RunStatus status : model::allRunStatuses) {
        if (model::isFinal(status))
            outcomes.insert(model::runStatusName(status), 0);
    }
    for (auto count = group.outcomes.cbegin(); count != group.outcomes.cend(); ++count)
        outcomes.insert(count.key(), *count);
    QJsonArray trend, merged;
    for (const qint64 runs : group.trend)
        trend.append(runs);
    for (const FailureGroupRow &part : group.merged)
        merged.append(part.id);
    return {{u"id"_s, row.id},
            {u"workflow"_s, row.workflow},
            {u"step"_s, row.step},
            {u"direction"_s, row.direction},
            {u"class"_s, row.failureClass},
            {u"reason"_s, row.reason},
            {u"message"_s, row.message},
            {u"dependency"_s, row.dependency},
            {u"status"_s, group.status},
            {u"first_at"_s, instantJson(row.firstAt)},
            {u"last_at"_s, instantJson(group.lastAt)},
            {u"runs"_s, group.runs},
            {u"occurrences"_s, group.occurrences},
            {u"runs_before"_s, group.runsBefore},
            {u"outcomes"_s, outcomes},
            {u"trend"_s, trend},
            {u"owner"_s, row.owner},
            {u"tags"_s, QJsonArray::fromStringList(row.tags)},
            {u"note"_s, row.note},
            {u"disposition"_s, row.disposition},
            {u"resolved_version"_s,
             row.resolvedVersion > 0 ? QJsonValue(row.resolvedVersion) : QJsonValue()},
            {u"decided_by"_s, row.decidedBy},
            {u"decided_at"_s, instantJson(row.decidedAt)},
            {u"merged"_s, merged}};
}

} // namespace holdfast::control
