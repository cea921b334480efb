// start: one source event becomes one run.
#include "app/ctl/invocation.h"

#include <QElapsedTimer>
#include <QThread>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int waitPollMs = 100;

bool waitsForPerson(const QString &status, const QJsonValue &run)
{
    return status == "review"_L1 || status == "compensation_failed"_L1 ||
           !run["reviews"_L1].toArray().isEmpty();
}

bool isFinal(const QString &status)
{
    const auto value = model::runStatusFromName(status);
    return value && model::isFinal(*value);
}

// Looks until the run ended, a person is needed or the time is over. The file is let go between
// looks, so that a worker can take it.
Result<QJsonValue> watch(Database &database, const QString &runId, qint64 seconds)
{
    QElapsedTimer elapsed;
    elapsed.start();
    while (true) {
        const auto run = database.call(u"show"_s, {{u"run"_s, runId}});
        if (!run)
            return run;
        const QString status = (*run)["status"_L1].toString();
        if (isFinal(status) || waitsForPerson(status, *run) || elapsed.elapsed() >= seconds * 1000)
            return run;
        database.letGo();
        QThread::msleep(waitPollMs);
    }
}

int runStart(Invocation &invocation)
{
    if (!invocation.has(u"input"_s))
        return invocation.usage(u"--input is missing"_s);
    const auto wait = invocation.integer(u"wait"_s);
    if (wait && !*wait)
        return invocation.usage(wait->error().message);
    const auto version = invocation.integer(u"version"_s);
    if (version && !*version)
        return invocation.usage(version->error().message);
    const auto input = readJsonArgument(invocation.option(u"input"_s));
    if (!input)
        return invocation.out.fail(
            model::invalid(u"the input is not usable: %1"_s.arg(input.error().message)));
    QJsonObject arguments{{u"workflow"_s, invocation.positional(0)}, {u"input"_s, *input}};
    invocation.copyTexts(arguments, {u"event-id"_s, u"traceparent"_s});
    if (version)
        arguments.insert(u"version"_s, **version);
    Database database(invocation.url());
    const auto started = database.call(u"start"_s, arguments);
    if (!started)
        return invocation.out.fail(started.error());
    QJsonObject answer = started->toObject();
    const QString runId = answer.value("run_id"_L1).toString();
    int code = exitDone;
    if (wait) {
        const auto run = watch(database, runId, **wait);
        if (!run)
            return invocation.out.fail(run.error());
        const QString status = (*run)["status"_L1].toString();
        answer.insert(u"status"_s, status);
        answer.insert(u"verdict"_s, (*run)["verdict"_L1]);
        answer.insert(u"key_outputs"_s, (*run)["key_outputs"_L1]);
        if (waitsForPerson(status, *run))
            code = exitPerson;
    }
    const QString text = u"run %1 %2%3"_s.arg(runId, answer.value("status"_L1).toString(),
                                              answer.value("replayed"_L1).toBool()
                                                  ? u" (this event had been started before)"_s
                                                  : QString());
    invocation.out.print(answer, text);
    return code;
}
} // namespace

QVector<Subcommand> startCommands()
{
    return {
        {u"start"_s,
         u"start WORKFLOW --input JSON|@FILE|- [--event-id ID] [--version N] "
         "[--traceparent T] [--wait SECONDS]"_s,
         u"Starts a run for one source event. The same event again gives the same run; the same "
         "event with other input is refused."_s,
         {{u"input"_s, u"JSON|@FILE|-"_s, u"the run's input: JSON, a file, or standard input"_s},
          {u"event-id"_s, u"ID"_s, u"id of the source event; default: the workflow's event_id"_s},
          {u"version"_s, u"N"_s, u"version of the workflow; default: the newest"_s},
          {u"traceparent"_s, u"T"_s, u"make the run part of this trace (W3C Trace Context)"_s},
          {u"wait"_s, u"SECONDS"_s, u"wait for its end; exit 3 if it waits for a person"_s}},
         1,
         1,
         u"start order --input @order.json --wait 30"_s,
         runStart}};
}

} // namespace holdfast::ctl
