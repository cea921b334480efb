// archive, archives.
#include "app/ctl/invocation.h"

#include "model/time.h"

#include <QFileInfo>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
Result<QJsonObject> cutOff(const Invocation &invocation)
{
    QJsonObject arguments;
    invocation.copyTexts(arguments, {u"before"_s});
    if (invocation.has(u"older-than"_s)) {
        const auto age = model::parseDuration(invocation.option(u"older-than"_s));
        if (!age || *age <= 0)
            return model::invalid(u"--older-than needs a time such as 90d"_s);
        arguments.insert(u"older_than_ms"_s, *age);
    }
    if (arguments.size() != 1)
        return model::invalid(u"say how old runs are to be: --before T or --older-than 90d"_s);
    return arguments;
}

QString keptText(const QString &reason)
{
    static const QMap<QString, QString> texts{
        {u"open"_s, u"have not ended"_s},
        {u"later"_s, u"ended, or were touched, after it"_s},
        {u"newest"_s, u"has the newest journal row, which always stays"_s},
        {u"review"_s, u"wait for a person"_s},
        {u"command"_s, u"have a command that is not applied"_s},
        {u"batch"_s, u"are items of a batch that is not done"_s}};
    return texts.value(reason, reason);
}

int preview(const Invocation &invocation, QJsonObject arguments)
{
    Database database(invocation.url());
    qint64 goes = 0;
    QMap<QString, qint64> stays;
    QString before;
    while (true) {
        const auto page = database.call(u"archive_preview"_s, arguments);
        if (!page)
            return invocation.out.fail(page.error());
        // The first page's cut-off is everybody's.
        before = (*page)["before"_L1].toString();
        arguments.remove(u"older_than_ms"_s);
        arguments.insert(u"before"_s, before);
        goes += (*page)["archives"_L1].toInteger();
        const QJsonObject kept = (*page)["stays"_L1].toObject();
        for (auto each = kept.begin(); each != kept.end(); ++each)
            stays[each.key()] += each.value().toInteger();
        const QString cursor = (*page)["cursor"_L1].toString();
        if (cursor.isEmpty())
            break;
        arguments.insert(u"cursor"_s, cursor);
    }
    QJsonObject kept;
    QString text = u"before %1: %2 runs would be archived\n"_s.arg(before).arg(goes);
    for (auto each = stays.cbegin(); each != stays.cend(); ++each) {
        kept.insert(each.key(), *each);
        text += u"%1 stay: they %2\n"_s.arg(*each).arg(keptText(each.key()));
    }
    invocation.out.print(
        QJsonObject{{u"before"_s, before}, {u"archives"_s, goes}, {u"stays"_s, kept}}, text);
    return exitDone;
}

QString endText(const QJsonValue &answer)
{
    if (answer["state"_L1].toString() == "dropped"_L1)
        return u"nothing was archived: %1"_s.arg(plain(answer["note"_L1]));
    QString text = u"%1 runs are in %2; %3 were removed here"_s.arg(
        plain(answer["runs"_L1]), plain(answer["file"_L1]), plain(answer["removed"_L1]));
    if (!answer["note"_L1].isNull())
        text += u"\n%1"_s.arg(plain(answer["note"_L1]));
    return text;
}

// Each call is a short piece of work of whoever owns the database; ending this process stops it.
int goOn(const Invocation &invocation, Database &database, const QJsonObject &arguments)
{
    QString told;
    while (true) {
        const auto answer = database.call(u"archive_go"_s, arguments);
        if (!answer)
            return invocation.out.fail(answer.error());
        const QString doing = (*answer)["doing"_L1].toString();
        if (doing.isEmpty()) {
            invocation.out.print(*answer, endText(*answer));
            return exitDone;
        }
        if (doing != told)
            invocation.out.message(doing + u"…"_s);
        told = doing;
    }
}

int runArchive(Invocation &invocation)
{
    if (invocation.has(u"resume"_s)) {
        Database database(invocation.url());
        return goOn(invocation, database, {});
    }
    auto arguments = cutOff(invocation);
    if (!arguments)
        return invocation.usage(arguments.error().message);
    if (invocation.has(u"preview"_s))
        return preview(invocation, *arguments);
    if (!invocation.has(u"output"_s) || !invocation.has(u"reason"_s))
        return invocation.usage(u"an archive needs --output FILE and --reason R"_s);
    const QFileInfo file(invocation.option(u"output"_s));
    arguments->insert(u"file"_s, file.absoluteFilePath());
    invocation.copyTexts(*arguments, {u"reason"_s});
    Database database(invocation.url());
    const auto started = database.call(u"archive"_s, *arguments);
    if (!started)
        return invocation.out.fail(started.error());
    return goOn(invocation, database, {{u"archive"_s, (*started)["id"_L1]}});
}

int runArchives(Invocation &invocation)
{
    return invocation.ask(u"archives"_s, {}, [](const QJsonValue &answer) {
        const QJsonArray list = answer["archives"_L1].toArray();
        return list.isEmpty()
                   ? u"no run was ever archived"_s
                   : table(list, {u"id"_s, u"state"_s, u"before"_s, u"runs"_s, u"removed"_s,
                                  u"actor"_s, u"started_at"_s, u"host"_s, u"file"_s});
    });
}
} // namespace

QVector<Subcommand> archiveCommands()
{
    return {{u"archive"_s,
             u"archive (--before T | --older-than 90d) (--output FILE --reason R | --preview), or "
             "archive --resume"_s,
             u"Copies runs that ended before a cut-off into a file that is only read, checks it, "
             "and then removes them here. Their events, keys, audit and counters stay. Interrupted "
             "at any point it is finished by --resume, or by the same command again."_s,
             {{u"before"_s, u"T"_s, u"runs that ended before this instant or date"_s},
              {u"older-than"_s, u"90d"_s, u"runs that ended longer ago than this"_s},
              {u"output"_s, u"FILE"_s, u"a new file that ends in .hfarchive; -o is the same"_s},
              {u"reason"_s, u"R"_s, u"why; goes into the audit"_s},
              {u"preview"_s, {}, u"count what would go and what stays, and why; do nothing"_s},
              {u"resume"_s, {}, u"finish the one that was interrupted"_s}},
             0,
             0,
             u"archive --older-than 90d --output runs-2026-08.hfarchive --reason 'retention'"_s,
             runArchive},
            {u"archives"_s,
             u"archives"_s,
             u"Lists archives, the newest first."_s,
             {},
             0,
             0,
             u"archives"_s,
             runArchives}};
}

} // namespace holdfast::ctl
