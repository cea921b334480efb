// The engine at full speed: runs of three write steps whose effects are in-process no-ops, 200 in
// flight, full fsync.
#pragma once

#include "bench/bench_support.h"
#include "runtime/turn.h"

#include <QElapsedTimer>

namespace holdfast::bench
{

inline const QByteArray noopDefinitions = R"(holdfast: 1
dependency: noop
owner: bench@example.com
url: http://127.0.0.1:9
idempotency: {protection: native, header: Idempotency-Key, retention: 24h}
---
holdfast: 1
workflow: bench
version: 1
owner: bench@example.com
event_id: ${ input.id }
input: {type: object, required: [id]}
steps:
  - step: one
    dependency: noop
    effect: write
    key: one:${ input.id }
    http: {method: POST, path: /one, body: {id: "${ input.id }"}}
    receipt: {id: "${ response.body.id }"}
    compensate: none
  - step: two
    dependency: noop
    effect: write
    key: two:${ input.id }
    http: {method: POST, path: /two, body: {id: "${ input.id }"}}
    receipt: {id: "${ response.body.id }"}
    compensate: none
  - step: three
    dependency: noop
    effect: write
    key: three:${ input.id }
    http: {method: POST, path: /three, body: {id: "${ input.id }"}}
    receipt: {id: "${ response.body.id }"}
    compensate: none
)";

class NoopSender : public ports::Sender
{
public:
    void setReport(Report) override {}
    void send(const model::Call &call) override
    {
        model::CallResult result;
        result.runId = call.runId;
        result.step = call.step;
        result.direction = call.direction;
        result.attempt = call.attempt;
        result.fence = call.fence;
        result.status = 200;
        result.body = QByteArrayLiteral("{\"id\":\"obj_1\"}");
        result.bodyComplete = true;
        results.append(result);
    }
    void drain() override {}
    QVector<model::CallResult> results;
};

// Turns until all of so many runs have succeeded.
inline double secondsOf(ports::Store &store, qint64 runs)
{
    runtime::Catalog catalog;
    NoopSender sender;
    const ports::SystemClock clock;
    runtime::TurnOptions options;
    options.worker = model::newId(clock.now());
    must(store.registerWorker(
        {options.worker, QStringLiteral("bench"), 1, {}, 0, 0, QStringLiteral("running")},
        model::hour));
    runtime::Turn turn(store, catalog, sender, clock, options);
    QElapsedTimer timer;
    timer.start();
    while (true) {
        const auto report = must(turn.turn(std::exchange(sender.results, {})));
        if (report.claimed == 0 && report.decided == 0)
            break;
    }
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    const auto counts = must(store.counts());
    if (counts.runsByStatus.value(QStringLiteral("succeeded")) != runs)
        die(QStringLiteral("only %1 of %2 runs succeeded")
                .arg(counts.runsByStatus.value(QStringLiteral("succeeded")))
                .arg(runs));
    return seconds;
}

} // namespace holdfast::bench
