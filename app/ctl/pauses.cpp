// pause, resume, pauses, breaker.
#include "app/ctl/invocation.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
int runPause(Invocation &invocation)
{
    if (invocation.option(u"reason"_s).trimmed().isEmpty())
        return invocation.usage(u"--reason is missing"_s);
    QJsonObject arguments;
    invocation.copyTexts(arguments, {u"workflow"_s, u"dependency"_s, u"depth"_s, u"reason"_s});
    return invocation.ask(u"pause"_s, arguments, [](const QJsonValue &answer) {
        return u"paused (%1); %2 attempts were under way and end by themselves"_s.arg(
            answer["id"_L1].toString(), plain(answer["in_flight"_L1]));
    });
}

int runResume(Invocation &invocation)
{
    QJsonObject arguments;
    invocation.copyTexts(arguments, {u"workflow"_s, u"dependency"_s, u"depth"_s, u"reason"_s});
    if (invocation.has(u"ramp"_s))
        return invocation.out.fail(
            {model::ErrorKind::unsupported,
             u"--ramp is not available yet; nothing was resumed. Without it, "
             "resume acts at once"_s});
    if (!invocation.positional(0).isEmpty())
        arguments.insert(u"pause"_s, invocation.positional(0));
    return invocation.ask(u"resume"_s, arguments, [](const QJsonValue &answer) {
        return u"resumed\n"_s + table(answer["resumed"_L1].toArray(),
                                      {u"id"_s, u"scope"_s, u"target"_s, u"depth"_s, u"reason"_s});
    });
}

int runPauses(Invocation &invocation)
{
    return invocation.ask(
        u"pauses"_s, {{u"all"_s, invocation.has(u"all"_s)}}, [](const QJsonValue &answer) {
            const QJsonArray list = answer["pauses"_L1].toArray();
            if (list.isEmpty())
                return u"nothing is paused"_s;
            return table(list, {u"id"_s, u"scope"_s, u"target"_s, u"depth"_s, u"at"_s, u"actor"_s,
                                u"in_flight"_s, u"started_since"_s, u"held"_s, u"reason"_s});
        });
}

int runBreaker(Invocation &invocation)
{
    if (invocation.option(u"reason"_s).trimmed().isEmpty())
        return invocation.usage(u"--reason is missing"_s);
    const QString state = invocation.positional(1);
    if (state != "open"_L1 && state != "closed"_L1)
        return invocation.usage(u"a breaker is forced open or closed"_s);
    QJsonObject arguments{{u"dependency"_s, invocation.positional(0)}, {u"state"_s, state}};
    invocation.copyTexts(arguments, {u"reason"_s});
    if (invocation.has(u"for"_s)) {
        const auto duration = model::parseDuration(invocation.option(u"for"_s));
        if (!duration)
            return invocation.usage(u"--for needs a duration such as 30m"_s);
        arguments.insert(u"for_ms"_s, *duration);
    }
    return invocation.ask(u"breaker"_s, arguments, [](const QJsonValue &answer) {
        return u"the breaker of %1 is %2"_s.arg(answer["dependency"_L1].toString(),
                                                answer["state"_L1].toString());
    });
}
} // namespace

QVector<Subcommand> pauseCommands()
{
    const Option workflow{u"workflow"_s, u"W"_s, u"only this workflow"_s};
    const Option dependency{u"dependency"_s, u"D"_s, u"only this dependency"_s};
    const Option reason{u"reason"_s, u"R"_s, u"why; goes into the audit"_s};
    return {
        {u"pause"_s,
         u"pause [--workflow W|--dependency D] [--depth writes|all|intake] --reason R"_s,
         u"Pauses everything, or one workflow or dependency. writes (default): no write and no "
         "compensation starts; all: no read and no verify either; intake: new runs are accepted as "
         "held."_s,
         {workflow, dependency, {u"depth"_s, u"writes|all|intake"_s, u"how deep"_s}, reason},
         0,
         0,
         u"pause --dependency payments --reason 'duplicate charges reported'"_s,
         runPause},
        {u"resume"_s,
         u"resume [PAUSE] [--workflow W|--dependency D] [--depth D] [--reason R]"_s,
         u"Lifts exactly the pauses it names, by id or by scope; without either, those of "
         "everything."_s,
         {workflow,
          dependency,
          {u"depth"_s, u"writes|all|intake"_s, u"only of this depth"_s},
          reason,
          {u"ramp"_s, {}, u"let go slowly (not available yet)"_s}},
         0,
         1,
         u"resume --dependency payments"_s,
         runResume},
        {u"pauses"_s,
         u"pauses [--all]"_s,
         u"Lists pauses with what is still in flight, what started since (it must be 0) and what "
         u"is "
         "held."_s,
         {{u"all"_s, {}, u"with those that were lifted"_s}},
         0,
         0,
         u"pauses"_s,
         runPauses},
        {u"breaker"_s,
         u"breaker DEPENDENCY open|closed [--for DURATION] --reason R"_s,
         u"Forces a breaker open for a while, or closed at once."_s,
         {{u"for"_s, u"DURATION"_s, u"with open: for how long (1h)"_s}, reason},
         2,
         2,
         u"breaker payments open --for 30m --reason 'maintenance'"_s,
         runBreaker}};
}

} // namespace holdfast::ctl
