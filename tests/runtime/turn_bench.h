// One engine without a thread: a turn at a time on a store of the fixture's, with a sender that
// only notes what it was given.
#pragma once

#include "control/local_door.h"
#include "model/ids.h"
#include "runtime/turn.h"

#include <QJsonArray>

namespace holdfast::tests
{

using namespace Qt::StringLiterals;

class Sent : public ports::Sender
{
public:
    void setReport(Report) override {}
    void send(const model::Call &call) override { calls.append(call); }
    void drain() override {}

    QVector<model::CallResult> answers() const
    {
        QVector<model::CallResult> results;
        for (const model::Call &call : calls) {
            model::CallResult result;
            result.runId = call.runId;
            result.step = call.step;
            result.direction = call.direction;
            result.attempt = call.attempt;
            result.fence = call.fence;
            result.status = 200;
            result.body = "{\"id\":\"obj\"}";
            result.bodyComplete = true;
            results.append(result);
        }
        return results;
    }
    QVector<model::Call> calls;
};

struct Worker {
    // A lease of no length has run out as soon as it is there.
    Worker(ports::Store &where, const ports::Clock &clock, const QString &id,
           model::Millis lease = 0)
        : store(where), turn(where, catalog, sent, clock, options(id))
    {
        const auto registered =
            store.registerWorker({id, u"host"_s, 1, u"test"_s, 0, 0, u"running"_s}, lease);
        Q_ASSERT(registered.ok());
    }
    static runtime::TurnOptions options(const QString &id)
    {
        runtime::TurnOptions options;
        options.worker = id;
        return options;
    }

    ports::Store &store;
    runtime::Catalog catalog;
    Sent sent;
    runtime::Turn turn;
};

inline QJsonValue call(control::LocalDoor &door, const QString &name, const QJsonObject &arguments)
{
    const auto answer =
        door.call({model::newId(ports::SystemClock().now()), name, arguments, u"ada"_s});
    if (!answer)
        qFatal("%s: %s", qPrintable(name), qPrintable(answer.error().message));
    return *answer;
}

inline QJsonValue call(ports::Store &store, const QString &name, const QJsonObject &arguments)
{
    control::LocalDoor door(store);
    return call(door, name, arguments);
}

inline void deploy(ports::Store &store, const QString &text)
{
    call(store, u"deploy"_s,
         {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"f.yaml"_s}, {u"text"_s, text}}}}});
}

template <typename Where> // a store, or a door that keeps what it parsed
QString startRun(Where &where, const QString &workflow, const QString &id)
{
    return call(where, u"start"_s,
                {{u"workflow"_s, workflow}, {u"input"_s, QJsonObject{{u"id"_s, id}}}})[u"run_id"_s]
        .toString();
}

} // namespace holdfast::tests
