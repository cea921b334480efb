// groups, group.
#include "app/ctl/invocation.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
QString groupsText(const QJsonValue &answer)
{
    const QJsonArray list = answer["groups"_L1].toArray();
    if (list.isEmpty())
        return u"no failures in this window"_s;
    const QString more =
        answer["more"_L1].toBool() ? u"\nthere are more; --limit shows them"_s : QString();
    return table(list, {u"id"_s, u"status"_s, u"workflow"_s, u"step"_s, u"class"_s, u"reason"_s,
                        u"runs"_s, u"runs_before"_s, u"last_at"_s, u"owner"_s, u"message"_s}) +
           more;
}

QString groupText(const QJsonValue &answer)
{
    QString text = fields(answer.toObject(), {u"id"_s,
                                              u"status"_s,
                                              u"workflow"_s,
                                              u"step"_s,
                                              u"direction"_s,
                                              u"class"_s,
                                              u"reason"_s,
                                              u"message"_s,
                                              u"dependency"_s,
                                              u"runs"_s,
                                              u"runs_before"_s,
                                              u"occurrences"_s,
                                              u"outcomes"_s,
                                              u"trend"_s,
                                              u"versions"_s,
                                              u"first_at"_s,
                                              u"last_at"_s,
                                              u"disposition"_s,
                                              u"resolved_version"_s,
                                              u"decided_by"_s,
                                              u"decided_at"_s,
                                              u"owner"_s,
                                              u"tags"_s,
                                              u"merged"_s});
    if (const QJsonObject change = answer["suggestion"_L1].toObject(); !change.isEmpty()) {
        text += u"\n\nsuggestion   "_s + change["why"_L1].toString();
        if (const QString diff = change["diff"_L1].toString(); !diff.isEmpty())
            text += u"\n\n"_s + diff.trimmed();
    }
    const QJsonArray notes = answer["notes"_L1].toArray();
    if (!notes.isEmpty())
        text += u"\n\n"_s + table(notes, {u"at"_s, u"by"_s, u"text"_s});
    return text + u"\n\n"_s +
           table(answer["runs_listed"_L1].toArray(),
                 {u"run_id"_s, u"event_id"_s, u"version"_s, u"outcome"_s, u"last_at"_s,
                  u"occurrences"_s});
}

int runGroups(Invocation &invocation)
{
    QJsonObject arguments;
    invocation.copyTexts(arguments, {u"since"_s, u"until"_s, u"workflow"_s});
    if (invocation.has(u"status"_s)) {
        const QStringList statuses = invocation.option(u"status"_s).split(u',', Qt::SkipEmptyParts);
        arguments.insert(u"status"_s, QJsonArray::fromStringList(statuses));
    }
    if (const auto limit = invocation.integer(u"limit"_s)) {
        if (!*limit)
            return invocation.usage(limit->error().message);
        arguments.insert(u"limit"_s, **limit);
    }
    return invocation.ask(u"groups"_s, arguments, groupsText);
}

// Nothing: how the act is to be called.
std::optional<QJsonObject> actOf(const Invocation &invocation)
{
    const QString act = invocation.positional(1);
    const QStringList words = invocation.positionals().mid(2);
    QJsonObject arguments{{u"act"_s, act}};
    if (act == "assign"_L1 && words.size() == 1)
        arguments.insert(u"owner"_s, words.first());
    else if (act == "tag"_L1)
        arguments.insert(u"tags"_s, QJsonArray::fromStringList(words));
    else if (act == "note"_L1 && !words.isEmpty())
        arguments.insert(u"text"_s, words.join(u' '));
    else if (act == "merge"_L1 && words.size() == 1)
        arguments.insert(u"into"_s, words.first());
    else if (!words.isEmpty() || act == "assign"_L1 || act == "note"_L1 || act == "merge"_L1)
        return std::nullopt;
    return arguments;
}

int runGroup(Invocation &invocation)
{
    QJsonObject arguments{{u"group"_s, invocation.positional(0)}};
    invocation.copyTexts(arguments, {u"since"_s, u"until"_s});
    if (invocation.positionals().size() == 1)
        return invocation.ask(u"group"_s, arguments, groupText);
    const auto act = actOf(invocation);
    if (!act)
        return invocation.usage(u"the acts are resolve --version N, archive, reopen, assign OWNER, "
                                "tag T…, note TEXT, merge INTO, unmerge"_s);
    for (auto member = act->constBegin(); member != act->constEnd(); ++member)
        arguments.insert(member.key(), member.value());
    if (const auto version = invocation.integer(u"version"_s)) {
        if (!*version)
            return invocation.usage(version->error().message);
        arguments.insert(u"version"_s, **version);
    }
    invocation.copyTexts(arguments, {u"reason"_s});
    return invocation.ask(u"group_do"_s, arguments, groupText);
}

QVector<Option> windowOptions()
{
    return {{u"since"_s, u"T"_s, u"first seen at or after this instant or date (7 days ago)"_s},
            {u"until"_s, u"T"_s, u"and before it (now)"_s}};
}
} // namespace

QVector<Subcommand> groupCommands()
{
    return {
        {u"groups"_s, u"groups [--since T] [--until T] [--status S,S] [--workflow W]"_s,
         u"Lists what failed alike: failure groups with a run in the window, most runs first, "
         "with what became of the runs and how many there were in the window before."_s,
         windowOptions() +
             QVector<Option>{{u"status"_s, u"S,S"_s,
                              u"only new, ongoing, escalating, regressed, archived, resolved"_s},
                             {u"workflow"_s, u"W"_s, u"only of this workflow"_s},
                             {u"limit"_s, u"N"_s, u"at most so many (100)"_s}},
         0, 0, u"groups --since 2026-11-09 --status new,escalating"_s, runGroups},
        {u"group"_s,
         u"group ID [resolve --version N | archive | reopen | assign OWNER | tag T… | "
         "note TEXT | merge INTO | unmerge] [--reason R]"_s,
         u"Shows one failure group whole, or decides about it. Resolved in a version, it has "
         "regressed when it is seen again in that version or a later one; archived, it stays "
         "quiet until it escalates."_s,
         windowOptions() +
             QVector<Option>{
                 {u"version"_s, u"N"_s, u"resolve: of the workflow, free of it from there on"_s},
                 {u"reason"_s, u"R"_s, u"why; goes into the audit"_s}},
         1, 30, u"group 3f2a9c0d1b7e4a55 resolve --version 4"_s, runGroup}};
}

} // namespace holdfast::ctl
