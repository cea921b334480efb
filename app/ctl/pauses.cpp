// pause, resume, pauses, breaker.
#include "app/ctl/invocation.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
// "▶ 5 of 1, 5, 10 %, 100 %; 5 runs let through, 4 attempts ended well, 0 failed"
QString rampText(const QJsonValue &ramp)
{
    QStringList labels;
    for (const QJsonValue &stage : ramp["stages"_L1].toArray())
        labels << stage.toString();
    QString text =
        u"%1 at stage %2 of %3; %4 runs let through, %5 attempts ended well, %6 failed"_s.arg(
            ramp["state"_L1].toString(), labels.value(ramp["stage"_L1].toInt()),
            labels.join(u", "_s), plain(ramp["admitted"_L1]), plain(ramp["ok"_L1]),
            plain(ramp["failed"_L1]));
    if (const QString note = ramp["note"_L1].toString(); !note.isEmpty())
        text += u" ("_s + note + u')';
    return text;
}

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
        arguments.insert(u"ramp"_s, true);
    if (!invocation.positional(0).isEmpty())
        arguments.insert(u"pause"_s, invocation.positional(0));
    return invocation.ask(u"resume"_s, arguments, [](const QJsonValue &answer) {
        const QJsonArray ramping = answer["ramping"_L1].toArray();
        if (!ramping.isEmpty())
            return u"resuming by stages: %1"_s.arg(rampText(ramping.first()["ramp"_L1]));
        return u"resumed\n"_s + table(answer["resumed"_L1].toArray(),
                                      {u"id"_s, u"scope"_s, u"target"_s, u"depth"_s, u"reason"_s});
    });
}

int runRamp(Invocation &invocation)
{
    return invocation.ask(
        u"ramp"_s, {{u"pause"_s, invocation.positional(0)}, {u"do"_s, invocation.positional(1)}},
        [](const QJsonValue &answer) { return rampText(answer["ramp"_L1]); });
}

int runPauses(Invocation &invocation)
{
    return invocation.ask(
        u"pauses"_s, {{u"all"_s, invocation.has(u"all"_s)}}, [](const QJsonValue &answer) {
            const QJsonArray list = answer["pauses"_L1].toArray();
            if (list.isEmpty())
                return u"nothing is paused"_s;
            QString text =
                table(list, {u"id"_s, u"scope"_s, u"target"_s, u"depth"_s, u"at"_s, u"actor"_s,
                             u"in_flight"_s, u"started_since"_s, u"held"_s, u"reason"_s});
            for (const QJsonValue &pause : list) {
                if (pause["ramp"_L1].isObject())
                    text +=
                        u"\n%1: %2"_s.arg(pause["id"_L1].toString(), rampText(pause["ramp"_L1]));
            }
            return text;
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
         u"resume [PAUSE] [--workflow W|--dependency D] [--depth D] [--ramp] [--reason R]"_s,
         u"Lifts exactly the pauses it names, by id or by scope; without either, those of "
         "everything. With --ramp the pause stays and lets the held runs through oldest first: 1, "
         "5, 10 %, 50 %, all. Too many failures, or a breaker that opens, stop it."_s,
         {workflow,
          dependency,
          {u"depth"_s, u"writes|all|intake"_s, u"only of this depth"_s},
          reason,
          {u"ramp"_s, {}, u"let go by stages, stopping at errors"_s}},
         0,
         1,
         u"resume --dependency payments"_s,
         runResume},
        {u"ramp"_s,
         u"ramp PAUSE hold|go|repause"_s,
         u"Holds a ramp at its stage, lets it go on, or pauses again."_s,
         {},
         2,
         2,
         u"ramp 0197c3e2 hold"_s,
         runRamp},
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
