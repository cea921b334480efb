// What the benchmarks share: deploying definitions, starting runs in one transaction, dying with a
// reason.
#pragma once

#include "contract/parser.h"
#include "engine/decide.h"
#include "engine/fold.h"
#include "model/ids.h"
#include "ports/store.h"
#include "runtime/projection.h"

#include <QTextStream>
#include <cstdlib>

namespace holdfast::bench
{

[[noreturn]] inline void die(const QString &message)
{
    QTextStream(stderr) << message << Qt::endl;
    std::exit(1);
}

template <typename T>
T must(model::Result<T> result)
{
    if (!result)
        die(result.error().message);
    return std::move(*result);
}

inline void must(const model::Result<void> &result)
{
    if (!result)
        die(result.error().message);
}

inline void deploy(ports::Store &store, const QByteArray &definitions)
{
    const contract::Parsed parsed = contract::parse(QStringLiteral("bench.yaml"), definitions);
    if (contract::hasErrors(parsed.findings))
        die(parsed.findings.first().text());
    for (const contract::Dependency &dependency : parsed.dependencies)
        must(store.deployDependency({dependency.name, 0, dependency.owner, dependency.source,
                                     dependency.hash, 1, QStringLiteral("bench")}));
    for (const contract::Workflow &workflow : parsed.workflows)
        must(store.deployWorkflow({workflow.name, workflow.version, workflow.owner, workflow.source,
                                   workflow.hash, 1, QStringLiteral("bench")}));
}

inline void startRuns(ports::Store &store, int count)
{
    static int started = 0; // event ids go on from batch to batch
    const model::Instant now = must(store.now());
    must(store.begin());
    for (int i = 0; i < count; ++i) {
        model::Run run;
        run.runId = model::newId(now);
        run.workflow = QStringLiteral("bench");
        run.version = 1;
        run.eventId = QStringLiteral("event-%1").arg(started++);
        run.input = {{QStringLiteral("id"), run.eventId}};
        const model::Entries entries{engine::acceptedEntry(run, now, 0, false)};
        model::Run folded = engine::foldAll(entries);
        folded.seq = 1;
        ports::NewRun fresh;
        fresh.run = runtime::projectRun(folded, {}, {});
        fresh.run.due = now;
        fresh.run.updatedAt = now;
        fresh.journal = {0, run.runId, 1, now, {}, 0, model::entriesToJson(entries)};
        must(store.startRun(fresh));
    }
    must(store.commit());
}

} // namespace holdfast::bench
