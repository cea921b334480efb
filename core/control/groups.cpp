// Failure groups: what failed alike in a window, one of them whole, and what a person decides about
// it. Each act is done at once, with its audit row, and leaves nothing to fold.
#include "control/arguments.h"
#include "control/group_view.h"
#include "control/policy_change.h"
#include "control/record.h"
#include "insight/group_status.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 groupsDefault = 100;
constexpr qint64 groupsMax = 500;
constexpr int runsListed = 50;
constexpr qsizetype ownerMax = 200; // characters
constexpr qsizetype tagMax = 60;
constexpr qsizetype tagsMax = 20;

QStringList statusNames()
{
    QStringList names;
    for (const insight::GroupStatus status : insight::allGroupStatuses)
        names.append(insight::groupStatusName(status));
    return names;
}

// One of them, or a list.
Result<QStringList> statusesOf(const QJsonObject &arguments)
{
    const QJsonValue one = arguments.value("status"_L1);
    const auto statuses = one.isString() ? Result<QStringList>(QStringList{one.toString()})
                                         : listOf(arguments, "status");
    if (!statuses)
        return statuses.error();
    for (const QString &status : *statuses) {
        if (!statusNames().contains(status))
            return model::invalid(u"%1 is no status of a failure group; known are %2"_s.arg(
                status, statusNames().join(u", "_s)));
    }
    return statuses;
}

QStringList acts()
{
    return {u"resolve"_s, u"archive"_s, u"reopen"_s, u"assign"_s,
            u"tag"_s,     u"note"_s,    u"merge"_s,  u"unmerge"_s};
}

Result<QJsonArray> runsOf(Context &context, const SeenGroup &group)
{
    QVector<ports::FailureRow> rows;
    for (const QString &id : group.ids()) {
        const auto part = context.store.failuresOfGroup(id, runsListed);
        if (!part)
            return part.error();
        rows += *part;
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto &a, const auto &b) { return a.lastAt > b.lastAt; });
    QJsonArray list;
    for (const ports::FailureRow &row : rows.mid(0, runsListed)) {
        list.append(QJsonObject{{u"run_id"_s, row.runId},
                                {u"event_id"_s, row.eventId},
                                {u"version"_s, row.version},
                                {u"outcome"_s, row.outcome},
                                {u"first_at"_s, instantJson(row.firstAt)},
                                {u"last_at"_s, instantJson(row.lastAt)},
                                {u"occurrences"_s, row.occurrences}});
    }
    return list;
}

Result<QJsonArray> versionsOf(Context &context, const SeenGroup &group)
{
    QVector<int> versions;
    for (const QString &id : group.ids()) {
        const auto part = context.store.failureVersions(id);
        if (!part)
            return part.error();
        versions += *part;
    }
    std::sort(versions.begin(), versions.end());
    versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
    QJsonArray list;
    for (const int version : std::as_const(versions))
        list.append(version);
    return list;
}

Result<QJsonArray> notesOf(Context &context, const SeenGroup &group)
{
    QJsonArray list;
    const auto notes = context.store.groupNotes(group.row.id);
    if (!notes)
        return notes.error();
    for (const ports::GroupNoteRow &note : *notes)
        list.append(QJsonObject{
            {u"at"_s, instantJson(note.at)}, {u"by"_s, note.by}, {u"text"_s, note.text}});
    return list;
}

// For the version that is in force: what was changed since needs no suggestion. Null: none, also
// where the definition is gone or cannot be read, which is no reason to hide the group.
Result<QJsonValue> suggestionFor(Context &context, const SeenGroup &group, const QJsonArray &runs)
{
    const auto orNone = [](const model::Error &error) {
        return error.isRetryable() ? Result<QJsonValue>(error) : Result<QJsonValue>(QJsonValue());
    };
    const auto definition = context.definitions.workflow(context.store, group.row.workflow, 0);
    if (!definition)
        return orNone(definition.error());
    const auto dependencies = context.definitions.dependencies(context.store);
    if (!dependencies)
        return orNone(dependencies.error());
    const QJsonObject change = suggestedChange(group, runs, **definition, *dependencies);
    return change.isEmpty() ? QJsonValue() : QJsonValue(change);
}

// A group that was merged answers as the one it was merged into.
Result<QJsonValue> wholeGroup(Context &context, const QString &id)
{
    const auto window = groupWindowOf(context);
    if (!window)
        return window.error();
    const auto group = groupSeen(context, id, *window);
    if (!group)
        return group.error();
    QJsonObject json = groupJson(*group);
    const auto listed = runsOf(context, *group);
    if (!listed)
        return listed.error();
    const auto versions = versionsOf(context, *group);
    if (!versions)
        return versions.error();
    const auto notes = notesOf(context, *group);
    if (!notes)
        return notes.error();
    const ports::FailureGroupRow &row = group->row;
    const auto suggestion = suggestionFor(context, *group, *listed);
    if (!suggestion)
        return suggestion.error();
    json.insert(u"suggestion"_s, *suggestion);
    json.insert(u"runs_listed"_s, *listed);
    json.insert(u"versions"_s, *versions);
    json.insert(u"notes"_s, *notes);
    json.insert(u"grouped_by"_s, QJsonObject{{u"workflow"_s, row.workflow},
                                             {u"step"_s, row.step},
                                             {u"direction"_s, row.direction},
                                             {u"class"_s, row.failureClass},
                                             {u"reason"_s, row.reason},
                                             {u"message"_s, row.message}});
    return QJsonValue(json);
}

Result<QStringList> tagsOf(const QJsonObject &arguments)
{
    auto tags = listOf(arguments, "tags");
    if (!tags)
        return tags.error();
    for (QString &tag : *tags) {
        tag = tag.simplified();
        if (tag.isEmpty() || tag.size() > tagMax)
            return model::invalid(u"a tag has between 1 and %1 characters"_s.arg(tagMax));
    }
    tags->removeDuplicates();
    if (tags->size() > tagsMax)
        return model::invalid(u"a group has at most %1 tags"_s.arg(tagsMax));
    return tags;
}

// What the act needs, checked; what it does not take is not looked at.
Result<void> readAct(const QJsonObject &arguments, ports::GroupDecision &decision)
{
    if (decision.act == "resolve"_L1) {
        const auto version = integerOr(arguments, "version", 0);
        if (!version)
            return version.error();
        if (*version < 1 || *version > std::numeric_limits<int>::max())
            return model::invalid(
                u"resolve needs the version of the workflow that is free of it"_s);
        decision.version = int(*version);
    } else if (decision.act == "assign"_L1) {
        const QJsonValue owner = arguments.value("owner"_L1);
        decision.owner = owner.toString().simplified();
        if (!owner.isString() || decision.owner.size() > ownerMax)
            return model::invalid(
                u"assign needs an owner of at most %1 characters; empty is nobody"_s.arg(ownerMax));
    } else if (decision.act == "tag"_L1) {
        const auto tags = tagsOf(arguments);
        if (!tags)
            return tags.error();
        decision.tags = *tags;
    } else if (decision.act == "note"_L1) {
        const auto text = requiredText(arguments, "text");
        if (!text)
            return text.error();
        decision.text = text->trimmed();
        if (decision.text.isEmpty() || decision.text.size() > reasonMax)
            return model::invalid(u"a note has between 1 and %1 characters"_s.arg(reasonMax));
    } else if (decision.act == "merge"_L1) {
        const auto into = requiredText(arguments, "into");
        if (!into)
            return into.error();
        decision.into = *into;
    }
    return {};
}

QJsonObject auditBody(const ports::GroupDecision &decision, const ports::FailureGroupRow &before,
                      const QString &reason)
{
    QJsonObject body{{u"act"_s, decision.act}};
    if (!reason.isEmpty())
        body.insert(u"reason"_s, reason);
    if (decision.act == "resolve"_L1)
        body.insert(u"version"_s, decision.version);
    if (decision.act == "resolve"_L1 || decision.act == "archive"_L1 || decision.act == "reopen"_L1)
        body.insert(u"before"_s, before.disposition);
    if (decision.act == "assign"_L1) {
        body.insert(u"owner"_s, decision.owner);
        body.insert(u"before"_s, before.owner);
    }
    if (decision.act == "tag"_L1) {
        body.insert(u"tags"_s, QJsonArray::fromStringList(decision.tags));
        body.insert(u"before"_s, QJsonArray::fromStringList(before.tags));
    }
    if (decision.act == "note"_L1)
        body.insert(u"text"_s, decision.text);
    if (decision.act == "merge"_L1)
        body.insert(u"into"_s, decision.into);
    if (decision.act == "unmerge"_L1)
        body.insert(u"before"_s, before.mergedInto);
    return body;
}

Result<std::optional<ports::FailureGroupRow>> groupRow(Context &context, const QString &id)
{
    using Answer = std::optional<ports::FailureGroupRow>;
    const auto rows = context.store.failureGroups({id});
    if (!rows)
        return rows.error();
    const auto found =
        std::find_if(rows->cbegin(), rows->cend(), [&id](const auto &row) { return row.id == id; });
    return found == rows->cend() ? Answer() : Answer(*found);
}

// One that is merged leads on to where it was merged into, so that there is never a chain.
Result<ports::FailureGroupRow> rootRow(Context &context, const QString &id)
{
    auto row = groupRow(context, id);
    if (row && *row && !(*row)->mergedInto.isEmpty())
        row = groupRow(context, (*row)->mergedInto);
    if (!row)
        return row.error();
    if (!*row)
        return model::notFound(u"there is no failure group %1"_s.arg(id));
    return **row;
}

Result<void> checkMerge(Context &context, const ports::FailureGroupRow &from,
                        ports::GroupDecision &decision)
{
    const auto into = rootRow(context, decision.into);
    if (!into)
        return into.error();
    decision.into = into->id;
    if (into->id == from.id)
        return model::refused(u"a group cannot be merged into itself, nor into what is merged "
                              "into it"_s);
    // The version a group is resolved in means nothing in another workflow.
    if (into->workflow != from.workflow)
        return model::refused(
            u"group %1 is of the workflow %2 and group %3 of %4; only groups of "
            "one workflow can be merged"_s.arg(from.id, from.workflow, into->id, into->workflow));
    return {};
}

// What is decided about a merged group is decided about the one it is shown as; only to be
// unmerged it is meant itself.
Result<ports::FailureGroupRow> groupMeant(Context &context, const ports::GroupDecision &decision)
{
    if (decision.act != "unmerge"_L1)
        return rootRow(context, decision.group);
    const auto row = groupRow(context, decision.group);
    if (!row)
        return row.error();
    if (!*row)
        return model::notFound(u"there is no failure group %1"_s.arg(decision.group));
    if ((*row)->mergedInto.isEmpty())
        return model::refused(u"the group %1 is not merged into another"_s.arg(decision.group));
    return **row;
}

Result<void> decide(Context &context, ports::GroupDecision &decision, const QString &reason)
{
    const auto before = groupMeant(context, decision);
    if (!before)
        return before.error();
    decision.group = before->id;
    if (decision.act == "merge"_L1) {
        if (const auto checked = checkMerge(context, *before, decision); !checked)
            return checked.error();
    }
    const auto changed = context.store.decideGroup(decision);
    if (!changed)
        return changed.error();
    if (!*changed)
        return model::Error{model::ErrorKind::conflict,
                            u"the groups were changed at the same moment; look again"_s};
    // The audit row is named after what is done, whichever operation did it.
    Request named = context.request;
    named.name = u"group"_s;
    named.arguments = auditBody(decision, *before, reason);
    Context own{context.store, context.definitions, context.surroundings, named,
                context.pauseWatch};
    const auto audited = context.store.appendAudit(
        auditRow(own, u"system"_s, decision.group, named.arguments, decision.at));
    if (!audited)
        return audited.error();
    return rememberAnswer(own, {{u"group"_s, decision.group}}, decision.at);
}
} // namespace

Result<QJsonValue> groups(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    const auto limit = integerOr(arguments, "limit", groupsDefault);
    if (!limit)
        return limit.error();
    if (*limit < 1 || *limit > groupsMax)
        return model::invalid(u"limit must be between 1 and %1"_s.arg(groupsMax));
    const auto statuses = statusesOf(arguments);
    if (!statuses)
        return statuses.error();
    const auto window = groupWindowOf(context);
    if (!window)
        return window.error();
    const auto seen = groupsSeen(context, *window);
    if (!seen)
        return seen.error();
    const QString workflow = arguments.value("workflow"_L1).toString();
    qint64 matching = 0;
    qint64 occurrences = 0;
    QJsonArray list;
    for (const SeenGroup &group : *seen) {
        if ((!workflow.isEmpty() && group.row.workflow != workflow) ||
            (!statuses->isEmpty() && !statuses->contains(group.status)))
            continue;
        ++matching;
        occurrences += group.occurrences;
        if (list.size() < *limit)
            list.append(groupJson(group));
    }
    // Of all groups of the window, whichever of them are shown: a run may stand in several.
    const auto runs = context.store.failingRuns(window->since, window->until);
    if (!runs)
        return runs.error();
    return QJsonValue(QJsonObject{
        {u"since"_s, instantJson(window->since)},
        {u"until"_s, instantJson(window->until)},
        {u"groups"_s, list},
        {u"totals"_s,
         QJsonObject{{u"groups"_s, matching}, {u"runs"_s, *runs}, {u"occurrences"_s, occurrences}}},
        {u"more"_s, matching > list.size()}});
}

Result<QJsonValue> group(Context &context)
{
    const auto id = requiredText(context.arguments(), "group");
    return id ? wholeGroup(context, *id) : Result<QJsonValue>(id.error());
}

Result<QJsonValue> groupDo(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    const auto id = requiredText(arguments, "group");
    if (!id)
        return id.error();
    const auto act = requiredText(arguments, "act");
    if (!act)
        return act.error();
    if (!acts().contains(*act))
        return model::invalid(
            u"%1 is no act on a failure group; known are %2"_s.arg(*act, acts().join(u", "_s)));
    const auto reason = reasonOf(arguments, false);
    if (!reason)
        return reason.error();
    ports::GroupDecision decision;
    decision.group = *id;
    decision.act = *act;
    decision.by = context.request.actor;
    if (const auto read = readAct(arguments, decision); !read)
        return read.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    decision.at = *now;
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known)
        return wholeGroup(context, *id);
    const auto done =
        inTransaction(context.store, [&] { return decide(context, decision, *reason); });
    if (!done && done.error().kind == model::ErrorKind::unknownOutcome) {
        const auto stands = rememberedAnswer(context);
        if (stands && *stands)
            return wholeGroup(context, *id);
    }
    return done ? wholeGroup(context, *id) : Result<QJsonValue>(done.error());
}

} // namespace holdfast::control
