// worker: executes runs until told to stop, or until nothing is left to do.
#include "app/ctl/invocation.h"
#include "app/ctl/worker_process.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr qint64 concurrencyMax = 100'000;

// A program reads what is on standard output then: lines of JSON and nothing else.
bool fillsOutput(const WorkerSettings &settings)
{
    return settings.summaryFile == "-"_L1 || settings.summaryFile == "/dev/stdout"_L1 ||
           settings.logFile == "/dev/stdout"_L1;
}

int finish(const Invocation &invocation, bool untilIdle, bool isOutputTaken)
{
    Database database(invocation.url());
    const auto answer = database.call(u"summary"_s, {});
    if (!answer)
        return invocation.out.fail(answer.error());
    const qint64 reviews = (*answer)["reviews"_L1].toInteger();
    const QString state = untilIdle ? u"idle"_s : u"drained"_s;
    const QString text =
        u"%1; runs %2; %3 items wait for a person"_s.arg(state, plain((*answer)["runs"_L1]))
            .arg(reviews);
    if (isOutputTaken)
        invocation.out.message(text);
    else
        invocation.out.print(QJsonObject{{u"state"_s, state},
                                         {u"runs"_s, (*answer)["runs"_L1]},
                                         {u"reviews"_s, reviews}},
                             text);
    return untilIdle && reviews > 0 ? exitPerson : exitDone;
}

int runWorker(Invocation &invocation)
{
    WorkerSettings settings;
    settings.url = invocation.url();
    settings.untilIdle = invocation.has(u"until-idle"_s);
    if (const auto concurrency = invocation.integer(u"concurrency"_s)) {
        if (!*concurrency)
            return invocation.usage(concurrency->error().message);
        if (**concurrency < 1 || **concurrency > concurrencyMax)
            return invocation.usage(u"--concurrency is between 1 and %1"_s.arg(concurrencyMax));
        settings.concurrency = int(**concurrency);
    }
    if (invocation.has(u"lease"_s)) {
        const auto lease = model::parseDuration(invocation.option(u"lease"_s));
        if (!lease || *lease < 500 || *lease > model::hour)
            return invocation.usage(u"--lease is a duration between 500ms and 1h"_s);
        settings.lease = *lease;
    }
    settings.api = invocation.option(u"api"_s);
    settings.logFile = invocation.option(u"log"_s);
    settings.summaryFile = invocation.option(u"summaries"_s);
    settings.traces = invocation.option(u"traces"_s);
    for (const QString &name : {u"api"_s, u"log"_s, u"summaries"_s, u"traces"_s}) {
        if (invocation.has(name) && invocation.option(name).isEmpty())
            return invocation.usage(u"--%1 is empty; the worker was not started"_s.arg(name));
    }
    if (fillsOutput(settings) && invocation.out.isJson())
        return invocation.usage(u"--json prints one document; log and summaries go to standard "
                                "output without it"_s);
    if (settings.traces == "-"_L1)
        return invocation.usage(u"--traces takes the address of a collector or a file"_s);
    settings.tracesPrivate = invocation.has(u"traces-private"_s);
    settings.say = [&invocation](const QString &text) { invocation.out.message(text); };
    WorkerProcess process(settings);
    const Result<WorkerEnd> end = process.run();
    if (!end)
        return invocation.out.fail(end.error());
    return finish(invocation, settings.untilIdle && *end == WorkerEnd::idle, fillsOutput(settings));
}
} // namespace

QVector<Subcommand> workerCommands()
{
    return {
        {u"worker"_s,
         u"worker [--until-idle] [--concurrency N] [--lease T] [--api HOST:PORT] [--log FILE] "
         "[--summaries FILE] [--traces URL|FILE [--traces-private]]"_s,
         u"Executes runs. SIGTERM drains: attempts under way end, nothing new starts; a second "
         "one ends it at once."_s,
         {{u"until-idle"_s,
           {},
           u"end when nothing is left to do by itself; exit 3 if a person is needed"_s},
          {u"concurrency"_s, u"N"_s, u"runs with an attempt open at once (200)"_s},
          {u"lease"_s, u"T"_s,
           u"how long this worker may be silent before others take its runs over (10s)"_s},
          {u"api"_s, u"HOST:PORT"_s,
           u"serve /metrics for Prometheus and /healthz, for instance on 127.0.0.1:9464"_s},
          {u"log"_s, u"FILE"_s, u"append every decision as a line of JSON; - is standard error"_s},
          {u"summaries"_s, u"FILE"_s,
           u"append a line of JSON for every run that ends; - is standard output"_s},
          {u"traces"_s, u"URL|FILE"_s,
           u"hand spans on: to an OpenTelemetry collector, for instance at "
           "http://127.0.0.1:4318, or as lines of OTLP JSON to a file"_s},
          {u"traces-private"_s, {}, u"the collector may be at a private address"_s}},
         0,
         0,
         u"worker --until-idle"_s,
         runWorker}};
}

} // namespace holdfast::ctl
