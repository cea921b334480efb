#include "app/console/workspace.h"

#include "app/console/door_calls.h"
#include "app/ctl/database.h"
#include "model/ids.h"

#include <QUrl>
#include <future>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;

Workspace::Workspace(const QString &url, const QString &shownAs) : m_url(url), m_shownAs(shownAs) {}

// The bridge first: its threads may be waiting for the engine's answer.
Workspace::~Workspace()
{
    m_bridge.reset();
    m_engine.reset();
}

Result<void> Workspace::start()
{
    bridge::Sources sources;
    sources.now = [] { return ports::SystemClock().now(); };
    sources.actor = ctl::currentActor(m_url);
    const QString path = ctl::sqlitePath(m_url);
    sources.database = !m_shownAs.isEmpty() ? m_shownAs
                       : path.isEmpty()     ? QUrl(m_url).toString(QUrl::RemovePassword)
                                            : path;
    if (const qint64 owner = answeringOwner(m_url); owner != 0) {
        sources.read = ownerCall(m_url);
        sources.act = ownerCall(m_url);
        sources.engine = [owner] {
            return bridge::EngineState{u"of process %1, attached"_s.arg(owner), {}, 0};
        };
    } else {
        m_engine = std::make_unique<EngineHost>(m_url);
        connect(m_engine.get(), &EngineHost::stopped, this, &Workspace::stopped);
        if (const auto started = m_engine->start(); !started)
            return started;
        sources.read = readerCall(m_url);
        sources.act = engineCall();
        sources.engine = [host = m_engine.get()] {
            const runtime::WorkerStatus status = host->status();
            return bridge::EngineState{runtime::workerStateName(status.state), status.message,
                                       status.inFlight};
        };
    }
    m_bridge = std::make_unique<bridge::Bridge>(std::move(sources));
    return {};
}

// Acts go to the one thread that may write; the bridge's own thread waits for it, never the window.
bridge::Call Workspace::engineCall() const
{
    return
        [engine = m_engine.get(), url = m_url](const QString &name, const QJsonObject &arguments) {
            const auto promise = std::make_shared<std::promise<Result<QJsonValue>>>();
            auto answer = promise->get_future();
            engine->execute(
                {model::newId(ports::SystemClock().now()), name, arguments, ctl::currentActor(url)},
                [promise](Result<QJsonValue> value) { promise->set_value(std::move(value)); });
            return answer.get();
        };
}

void Workspace::drain()
{
    if (m_engine)
        m_engine->drain();
    else
        Q_EMIT stopped();
}

} // namespace holdfast::console
