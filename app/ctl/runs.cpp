// runs, show.
#include "app/ctl/invocation.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
QString runsText(const QJsonValue &answer)
{
    const QString list =
        table(answer["runs"_L1].toArray(), {u"run_id"_s, u"workflow"_s, u"version"_s, u"status"_s,
                                            u"step"_s, u"reason"_s, u"created_at"_s});
    const QString cursor = answer["cursor"_L1].toString();
    return cursor.isEmpty() ? list : list + u"more: --cursor %1\n"_s.arg(cursor);
}

QString showText(const QJsonValue &run)
{
    QString text = fields(run.toObject(),
                          {u"run_id"_s, u"workflow"_s, u"version"_s, u"event_id"_s, u"status"_s,
                           u"started_at"_s, u"finished_at"_s, u"duration_ms"_s, u"retry_count"_s,
                           u"compensation_count"_s, u"duplicates_prevented"_s, u"key_outputs"_s});
    text += u"\n%1\n\n"_s.arg(plain(run["verdict"_L1]));
    const QJsonArray steps = run["steps"_L1].toArray();
    text += table(steps, {u"step"_s, u"status"_s, u"effect"_s, u"key"_s, u"receipt"_s});
    for (const QJsonValue &step : steps) {
        const QJsonArray attempts = step["attempts"_L1].toArray();
        if (attempts.isEmpty())
            continue;
        text += u"\nattempts of %1\n"_s.arg(plain(step["step"_L1]));
        text += table(attempts, {u"number"_s, u"direction"_s, u"started_at"_s, u"ended_at"_s,
                                 u"class"_s, u"reason"_s, u"status"_s});
    }
    const QJsonArray reviews = run["reviews"_L1].toArray();
    if (!reviews.isEmpty())
        text += u"\nreviews\n"_s + table(reviews, {u"id"_s, u"kind"_s, u"step"_s, u"opened_at"_s});
    text += u"\njournal\n"_s;
    text +=
        table(run["journal"_L1].toArray(), {u"seq"_s, u"at"_s, u"kind"_s, u"step"_s, u"direction"_s,
                                            u"attempt"_s, u"class"_s, u"reason"_s, u"actor"_s});
    return text;
}

int runRuns(Invocation &invocation)
{
    QJsonObject arguments;
    invocation.copyTexts(arguments, {u"filter"_s, u"workflow"_s, u"event-id"_s, u"step"_s,
                                     u"reason"_s, u"since"_s, u"until"_s, u"cursor"_s});
    if (invocation.has(u"status"_s))
        arguments.insert(u"status"_s,
                         QJsonArray::fromStringList(invocation.option(u"status"_s).split(u',')));
    if (const auto limit = invocation.integer(u"limit"_s)) {
        if (!*limit)
            return invocation.usage(limit->error().message);
        arguments.insert(u"limit"_s, **limit);
    }
    return invocation.ask(u"runs"_s, arguments, runsText);
}

int runShow(Invocation &invocation)
{
    return invocation.ask(u"show"_s, {{u"run"_s, invocation.positional(0)}}, showText);
}
} // namespace

QVector<Subcommand> runCommands()
{
    return {
        {u"runs"_s,
         u"runs [--filter F] [--status S,S] [--workflow W] [--event-id ID] [--step S] [--reason R] "
         "[--since T] [--until T] [--cursor RUN] [--limit N]"_s,
         u"Lists runs, the newest first, 100 at a time."_s,
         {{u"filter"_s, u"F"_s, u"as typed in the console: 'status:failed group:ID'"_s},
          {u"status"_s, u"S,S"_s, u"only these statuses"_s},
          {u"workflow"_s, u"W"_s, u"only of this workflow"_s},
          {u"event-id"_s, u"ID"_s, u"only of this source event"_s},
          {u"step"_s, u"S"_s, u"only where they stand at, or failed in, this step"_s},
          {u"reason"_s, u"R"_s, u"only with this reason code"_s},
          {u"since"_s, u"T"_s, u"created at or after this instant or date"_s},
          {u"until"_s, u"T"_s, u"created before it"_s},
          {u"cursor"_s, u"RUN"_s, u"continue after this run"_s},
          {u"limit"_s, u"N"_s, u"at most so many (100)"_s}},
         0,
         0,
         u"runs --status failed,compensation_failed --since 2026-11-09"_s,
         runRuns},
        {u"show"_s,
         u"show RUN"_s,
         u"Shows one run whole: steps, attempts, receipts, reviews, journal."_s,
         {},
         1,
         1,
         u"show 0199a3f2-7c1e-7d7a-9f0b-6a2f4b1c9d10"_s,
         runShow}};
}

} // namespace holdfast::ctl
