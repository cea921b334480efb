#include "app/console/workspace.h"

#include "app/console/door_calls.h"
#include "app/ctl/database.h"
#include "app/ctl/keychain_secrets.h"
#include "model/ids.h"

#include <QUrl>
#include <future>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;

Workspace::Workspace(const Approach &approach, const Options &options)
    : m_approach(approach), m_options(options)
{
}

// The bridge first: its threads may be waiting for the engine's answer.
Workspace::~Workspace()
{
    m_bridge.reset();
    m_engine.reset();
}

Result<void> Workspace::start()
{
    const QString &url = m_approach.url;
    bridge::Sources sources;
    sources.now = [] { return ports::SystemClock().now(); };
    sources.actor = m_approach.actor;
    const QString path = ctl::sqlitePath(url);
    sources.database = !m_options.shownAs.isEmpty() ? m_options.shownAs
                       : ctl::isArchive(url)        ? url.mid(8)
                       : path.isEmpty()             ? QUrl(url).toString(QUrl::RemovePassword)
                                                    : path;
    if (ctl::isArchive(url)) {
        // The door refuses every act by itself, and there is nothing for an engine to do.
        sources.read = readerCall(url);
        sources.act = readerCall(url);
        sources.engine = [] { return bridge::EngineState{u"none: archive, read only"_s, {}, 0}; };
    } else if (const qint64 owner = m_approach.owner; owner != 0) {
        sources.read = ownerCall(url);
        sources.act = ownerCall(url);
        sources.engine = [owner] {
            return bridge::EngineState{u"of process %1, attached"_s.arg(owner), {}, 0};
        };
    } else {
        m_engine = std::make_unique<EngineHost>(url, secrets());
        connect(m_engine.get(), &EngineHost::stopped, this, [this] {
            m_isEngineStopped = true;
            checkLeft();
        });
        if (const auto started = m_engine->start(); !started)
            return started;
        sources.read = readerCall(url);
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

// A workspace with a file of its own, as the demo is, looks nowhere else: not into the environment
// and not into the keychain, so that no real secret can reach it.
std::shared_ptr<actions::Secrets> Workspace::secrets() const
{
    using Places = actions::Secrets::Places;
    if (!m_options.secretsFile.isEmpty())
        return std::make_shared<actions::Secrets>(m_options.secretsFile, Places::fileOnly);
    return std::make_shared<actions::Secrets>(QString(), Places::environmentAndFile,
                                              ctl::keychainLookup());
}

// Acts go to the one thread that may write; the bridge's own thread waits for it, never the window.
bridge::Call Workspace::engineCall() const
{
    return [engine = m_engine.get(), actor = m_approach.actor](const QString &name,
                                                               const QJsonObject &arguments) {
        const auto promise = std::make_shared<std::promise<Result<QJsonValue>>>();
        auto answer = promise->get_future();
        engine->execute(
            {model::newId(ports::SystemClock().now()), name, arguments, actor},
            [promise](Result<QJsonValue> value) { promise->set_value(std::move(value)); });
        return answer.get();
    };
}

int Workspace::inFlight() const { return m_engine ? m_engine->status().inFlight : 0; }

void Workspace::leave()
{
    if (std::exchange(m_isLeaving, true))
        return;
    connect(m_bridge.get(), &bridge::Bridge::retired, this, [this] {
        m_isBridgeRetired = true;
        checkLeft();
    });
    m_bridge->retire();
    if (m_engine)
        m_engine->drain();
    else
        m_isEngineStopped = true;
}

void Workspace::checkLeft()
{
    if (m_isLeaving && m_isEngineStopped && m_isBridgeRetired)
        Q_EMIT left();
}

} // namespace holdfast::console
