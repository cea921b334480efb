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

int finish(const Invocation &invocation, bool untilIdle)
{
    Database database(invocation.url());
    const auto answer = database.call(u"summary"_s, {});
    if (!answer)
        return invocation.out.fail(answer.error());
    const qint64 reviews = (*answer)["reviews"_L1].toInteger();
    const QString state = untilIdle ? u"idle"_s : u"drained"_s;
    invocation.out.print(
        QJsonObject{
            {u"state"_s, state}, {u"runs"_s, (*answer)["runs"_L1]}, {u"reviews"_s, reviews}},
        u"%1; runs %2; %3 items wait for a person"_s.arg(state, plain((*answer)["runs"_L1]))
            .arg(reviews));
    return untilIdle && reviews > 0 ? exitPerson : exitDone;
}

int runWorker(Invocation &invocation)
{
    if (invocation.has(u"api"_s))
        return invocation.out.fail({model::ErrorKind::unsupported,
                                    u"--api is not available yet; the worker was not started"_s});
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
    settings.say = [&invocation](const QString &text) { invocation.out.message(text); };
    WorkerProcess process(settings);
    const Result<WorkerEnd> end = process.run();
    if (!end)
        return invocation.out.fail(end.error());
    return finish(invocation, settings.untilIdle && *end == WorkerEnd::idle);
}
} // namespace

QVector<Subcommand> workerCommands()
{
    return {{u"worker"_s,
             u"worker [--until-idle] [--concurrency N] [--lease T] [--api HOST:PORT]"_s,
             u"Executes runs. SIGTERM drains: attempts under way end, nothing new starts; a second "
             "one ends it at once."_s,
             {{u"until-idle"_s,
               {},
               u"end when nothing is left to do by itself; exit 3 if a person is needed"_s},
              {u"concurrency"_s, u"N"_s, u"runs with an attempt open at once (200)"_s},
              {u"lease"_s, u"T"_s,
               u"how long this worker may be silent before others take its runs over (10s)"_s},
              {u"api"_s, u"HOST:PORT"_s, u"serve the HTTP API (not available yet)"_s}},
             0,
             0,
             u"worker --until-idle"_s,
             runWorker}};
}

} // namespace holdfast::ctl
