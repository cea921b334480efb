#include "support/window.h"

#include "model/ids.h"
#include "store/audit_chain.h"
#include "store/store_url.h"

#include <future>

namespace holdfast::tests
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
control::Surroundings surroundings()
{
    control::Surroundings around;
    around.auditHash = [](const ports::AuditRow &row) { return store::auditHash(row); };
    return around;
}

control::Request requestOf(const QString &name, const QJsonObject &arguments, const QString &actor)
{
    return {model::newId(ports::SystemClock().now()), name, arguments, actor};
}

// Opened on the thread that calls it, kept until a call fails.
class Reading
{
public:
    Reading(const QString &url, store::Access access, const QString &actor)
        : m_url(url), m_access(access), m_actor(actor)
    {
    }

    Result<QJsonValue> call(const QString &name, const QJsonObject &arguments)
    {
        if (!m_door) {
            auto store = store::openStore(m_url, m_access);
            if (!store)
                return store.error();
            if (const auto opened = (*store)->open(); !opened)
                return opened.error();
            m_store = std::move(*store);
            m_door = std::make_unique<control::LocalDoor>(*m_store, surroundings());
        }
        auto answer = m_door->call(requestOf(name, arguments, m_actor));
        if (!answer && answer.error().kind == model::ErrorKind::lost) {
            m_door.reset();
            m_store.reset();
        }
        return answer;
    }

private:
    const QString m_url;
    const store::Access m_access;
    const QString m_actor;
    std::unique_ptr<ports::Store> m_store;
    std::unique_ptr<control::LocalDoor> m_door;
};
} // namespace

WindowMachine::WindowMachine(Machine::Database database) : machine(database)
{
    m_worker = machine.startWorker();
    // Until the worker has made the database there is nothing to read.
    const bridge::Call act = sources(u"ada"_s).act;
    if (!QTest::qWaitFor([&] { return act(u"pulse"_s, {}).ok(); }, 30000))
        qFatal("the worker did not open its database");
    m_bridge = newBridge(u"ada"_s);
}

WindowMachine::~WindowMachine()
{
    m_bridge.reset();
    m_worker->drain();
    m_worker->join();
}

bridge::Sources WindowMachine::sources(const QString &actor)
{
    bridge::Sources sources;
    sources.read = [reading =
                        std::make_shared<Reading>(machine.url(), store::Access::reader, actor)](
                       const auto &name, const auto &in) { return reading->call(name, in); };
    sources.act = [this, actor](const QString &name, const QJsonObject &arguments) {
        std::promise<Result<QJsonValue>> promise;
        auto future = promise.get_future();
        m_worker->post([&](const Result<ports::Store *> &store) {
            if (!store) {
                promise.set_value(store.error());
                return;
            }
            control::LocalDoor door(**store, surroundings());
            promise.set_value(door.call(requestOf(name, arguments, actor)));
        });
        return future.get();
    };
    sources.engine = [this] {
        const runtime::WorkerStatus status = m_worker->status();
        return bridge::EngineState{runtime::workerStateName(status.state), status.message,
                                   status.inFlight};
    };
    sources.now = [] { return ports::SystemClock().now(); };
    sources.actor = actor;
    sources.database = machine.url();
    return sources;
}

std::unique_ptr<bridge::Bridge> WindowMachine::newBridge(const QString &actor)
{
    auto bridge = std::make_unique<bridge::Bridge>(sources(actor));
    bridge->start();
    return bridge;
}

QJsonObject WindowMachine::call(const QString &name, const QJsonObject &arguments)
{
    const auto answer = sources(u"ada"_s).act(name, arguments);
    if (!answer)
        qFatal("%s: %s", qPrintable(name), qPrintable(answer.error().message));
    return answer->toObject();
}

QString WindowMachine::start(const QString &id)
{
    return call(u"start"_s, {{u"workflow"_s, u"flow"_s}, {u"input"_s, QJsonObject{{u"id"_s, id}}}})
        .value(u"run_id"_s)
        .toString();
}

bool WindowMachine::waitFor(const QString &run, const QString &status)
{
    return QTest::qWaitFor(
        [&] {
            return call(u"show"_s, {{u"run"_s, run}}).value(u"status"_s).toString() == status;
        },
        20000);
}

} // namespace holdfast::tests
