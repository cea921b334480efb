// alerts, deliveries, tripwires: who is told of what goes wrong, and what pauses by itself.
#include "app/ctl/invocation.h"

#include <QJsonArray>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
QJsonArray commaList(const QString &text)
{
    QJsonArray list;
    const QStringList parts = text.split(u',', Qt::SkipEmptyParts);
    for (const QString &part : parts)
        list.append(part.trimmed());
    return list;
}

QString listText(const QJsonValue &value)
{
    QStringList parts;
    const QJsonArray list = value.toArray();
    for (const QJsonValue &part : list)
        parts << part.toString();
    return parts.isEmpty() ? u"all"_s : parts.join(u',');
}

QString deliveryText(const QJsonValue &row)
{
    return u"%1  %2  %3  %4  %5 tries  %6"_s.arg(
        row["at"_L1].toString(), row["target"_L1].toString(), row["kind"_L1].toString(),
        row["state"_L1].toString(), QString::number(row["attempts"_L1].toInt()),
        row["error"_L1].toString());
}

int listTargets(Invocation &invocation)
{
    return invocation.ask(u"alert_targets"_s, {}, [](const QJsonValue &answer) {
        QStringList lines;
        const QJsonArray targets = answer["targets"_L1].toArray();
        for (const QJsonValue &target : targets) {
            lines << u"%1  %2  %3  kinds %4  workflows %5  %6 waiting  %7 given up"_s.arg(
                target["name"_L1].toString(), target["state"_L1].toString(),
                target["url"_L1].toString(), listText(target["kinds"_L1]),
                listText(target["workflows"_L1]), QString::number(target["waiting"_L1].toInt()),
                QString::number(target["given_up"_L1].toInt()));
            if (!target["reason"_L1].toString().isEmpty())
                lines << u"    disabled: "_s + target["reason"_L1].toString();
            if (!target["last"_L1].isNull())
                lines << u"    last: "_s + deliveryText(target["last"_L1]);
        }
        return lines.isEmpty() ? u"nobody is told; add a target with `alerts add`"_s
                               : lines.join(u'\n');
    });
}

int runAlerts(Invocation &invocation)
{
    const QString act = invocation.positional(0);
    if (act.isEmpty() || act == "list"_L1)
        return listTargets(invocation);
    if (invocation.positionals().size() != 2)
        return invocation.usage(u"alerts %1 needs the NAME of a target"_s.arg(act));
    QJsonObject arguments{{u"act"_s, act}, {u"name"_s, invocation.positional(1)}};
    if (act == "add"_L1) {
        invocation.copyTexts(arguments, {u"url"_s});
        arguments.insert(u"secrets"_s, commaList(invocation.option(u"secret"_s)));
        arguments.insert(u"kinds"_s, commaList(invocation.option(u"kind"_s)));
        arguments.insert(u"workflows"_s, commaList(invocation.option(u"workflow"_s)));
        arguments.insert(u"allow_private"_s, invocation.has(u"allow-private"_s));
    }
    invocation.copyTexts(arguments, {u"reason"_s});
    return invocation.ask(u"alert_target_do"_s, arguments, [&](const QJsonValue &answer) {
        const QString name = answer["name"_L1].toString();
        if (act == "test"_L1)
            return u"a test alert for %1 is recorded; a worker sends it, and `deliveries` says how "
                   "it went"_s.arg(name);
        return u"%1: %2"_s.arg(name, act);
    });
}

int runDeliveries(Invocation &invocation)
{
    QJsonObject arguments;
    invocation.copyTexts(arguments, {u"target"_s, u"state"_s});
    return invocation.ask(u"deliveries"_s, arguments, [](const QJsonValue &answer) {
        QStringList lines;
        const QJsonArray rows = answer["deliveries"_L1].toArray();
        for (const QJsonValue &row : rows)
            lines << deliveryText(row);
        return lines.isEmpty() ? u"nothing was sent, and nothing waits"_s : lines.join(u'\n');
    });
}

QString tripwireText(const QJsonValue &row)
{
    const bool isShare = row["measure"_L1].toString() != "failures"_L1;
    const QString guarded = row["scope"_L1].toString() == "all"_L1
                                ? u"everything"_s
                                : row["scope"_L1].toString() + u' ' + row["target"_L1].toString();
    return u"%1  %2  %3 %4%5 within %6  pauses %7 (%8)%9"_s.arg(
        row["name"_L1].toString(), row["state"_L1].toString(), row["measure"_L1].toString(),
        QString::number(row["threshold"_L1].toInteger()), isShare ? u" %"_s : QString(),
        model::durationText(row["within_ms"_L1].toInteger()), guarded, row["depth"_L1].toString(),
        row["pause"_L1].isNull() ? QString() : u"  pulled at "_s + row["fired_at"_L1].toString());
}

int listTripwires(Invocation &invocation)
{
    return invocation.ask(u"tripwires"_s, {}, [](const QJsonValue &answer) {
        QStringList lines;
        const QJsonArray rows = answer["tripwires"_L1].toArray();
        for (const QJsonValue &row : rows)
            lines << tripwireText(row);
        return lines.isEmpty() ? u"there are no tripwires"_s : lines.join(u'\n');
    });
}

int runTripwires(Invocation &invocation)
{
    const QString act = invocation.positional(0);
    if (act.isEmpty() || act == "list"_L1)
        return listTripwires(invocation);
    if (invocation.positionals().size() != 2)
        return invocation.usage(u"tripwires %1 needs the NAME of one"_s.arg(act));
    QJsonObject arguments{{u"act"_s, act}, {u"name"_s, invocation.positional(1)}};
    if (act == "add"_L1) {
        invocation.copyTexts(arguments, {u"measure"_s, u"workflow"_s, u"dependency"_s, u"step"_s,
                                         u"failure"_s, u"depth"_s});
        QString over = invocation.option(u"over"_s);
        if (over.endsWith(u'%'))
            over.chop(1);
        bool isNumber = false;
        arguments.insert(u"threshold"_s, over.trimmed().toLongLong(&isNumber));
        if (!isNumber)
            return invocation.usage(u"--over is a share such as 20%, or a number of failures"_s);
        const auto window = model::parseDuration(invocation.option(u"within"_s));
        if (!window)
            return invocation.usage(u"--within is a duration such as 15m"_s);
        arguments.insert(u"within_ms"_s, *window);
        if (const auto least = invocation.integer(u"least"_s)) {
            if (!*least)
                return invocation.usage(least->error().message);
            arguments.insert(u"least"_s, **least);
        }
    }
    return invocation.ask(u"tripwire_do"_s, arguments, [&](const QJsonValue &answer) {
        return u"%1: %2"_s.arg(answer["name"_L1].toString(), act);
    });
}
} // namespace

QVector<Subcommand> alertCommands()
{
    return {
        {u"alerts"_s,
         u"alerts [list | add NAME --url URL --secret REF[,REF] [--kind K,…] [--workflow W,…] "
         "[--allow-private] | remove NAME | enable NAME | disable NAME [--reason R] | test NAME]"_s,
         u"Says who is told of what goes wrong, as signed webhooks. Secrets are named, never "
         "given. A kind is one such as run.failed, or all that begin alike: review, run, pause, "
         "breaker."_s,
         {{u"url"_s, u"URL"_s, u"where alerts are sent to"_s},
          {u"secret"_s, u"REF"_s, u"name of the secret that signs; two while one is replaced"_s},
          {u"kind"_s, u"K"_s, u"only these kinds"_s},
          {u"workflow"_s, u"W"_s, u"only of these workflows"_s},
          {u"allow-private"_s, {}, u"the address may be in a private network"_s},
          {u"reason"_s, u"R"_s, u"why it is disabled"_s}},
         0,
         2,
         u"alerts add desk --url https://hooks.example.com/holdfast --secret DESK_HOOK"_s,
         runAlerts},
        {u"deliveries"_s,
         u"deliveries [--target NAME] [--state waiting|delivered|given_up]"_s,
         u"Lists alerts on their way to their targets, the newest first, with the last error. They "
         "are kept for 30 days."_s,
         {{u"target"_s, u"NAME"_s, u"only to this one"_s},
          {u"state"_s, u"STATE"_s, u"only those"_s}},
         0,
         0,
         u"deliveries --state given_up"_s,
         runDeliveries},
        {u"tripwires"_s,
         u"tripwires [list | add NAME --measure M --over X% --within T [--least N] [--workflow W] "
         "[--dependency D] [--step S] [--failure REASON] [--depth D] | remove NAME | enable NAME | "
         "disable NAME]"_s,
         u"Rules that pause by themselves and leave a tripwire item with the figures. A measure is "
         "compensation_rate, ambiguity_rate, failure_rate, retry_rate, or failures: how often a "
         "step of a workflow failed, for instance one that compares two systems."_s,
         {{u"measure"_s, u"M"_s, u"what is counted"_s},
          {u"over"_s, u"X"_s, u"pulled when it reaches this share, or this many failures"_s},
          {u"within"_s, u"T"_s, u"in this time, by whole minutes"_s},
          {u"least"_s, u"N"_s, u"a share of fewer says nothing (20)"_s},
          {u"workflow"_s, u"W"_s, u"counts and pauses this workflow"_s},
          {u"dependency"_s, u"D"_s, u"counts and pauses this dependency; of failures: pauses it"_s},
          {u"step"_s, u"S"_s, u"failures: of this step"_s},
          {u"failure"_s, u"REASON"_s, u"failures: with this reason"_s},
          {u"depth"_s, u"writes|all|intake"_s, u"of the pause (writes)"_s}},
         0,
         2,
         u"tripwires add diverged --measure failures --over 3 --within 15m --workflow "
         u"contract-sync "
         "--step compare --dependency crm"_s,
         runTripwires}};
}

} // namespace holdfast::ctl
