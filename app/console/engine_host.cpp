#include "app/console/engine_host.h"

#include "api/socket_path.h"
#include "app/ctl/database.h"
#include "store/sqlite_store.h"
#include "store/store_url.h"

#include <QCoreApplication>
#include <QThread>
#include <QTimer>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int askAgainMs = 200;
}

EngineHost::EngineHost(const QString &url, std::shared_ptr<actions::Secrets> secrets,
                       QObject *parent)
    : QObject(parent), m_url(url), m_secrets(std::move(secrets))
{
}

EngineHost::~EngineHost()
{
    m_listener.reset();
    if (m_worker) {
        m_worker->drain();
        m_worker->join();
    }
    // Reports of calls that end later find nobody; their intents are ambiguous on the next start.
    if (m_outside)
        m_outside->setReport([](const model::CallResult &) {});
    m_door.reset();
    // Their threads call the worker, maybe at this moment; it goes when they are gone.
    m_courier.reset();
    m_outside.reset();
    m_worker.reset();
}

Result<void> EngineHost::start()
{
    auto store = store::openStore(m_url);
    if (!store)
        return store.error();
    const bool isShared = ctl::sqlitePath(m_url).isEmpty();
    const auto address = isShared ? store::PostgresAddress::parse(m_url)
                                  : Result<store::PostgresAddress>(store::PostgresAddress{});
    if (!address)
        return address.error();
    m_outside = std::make_unique<actions::Outside>(
        m_clock,
        [this](const QString &name, int revision) { return m_catalog.definition(name, revision); },
        m_secrets);
    runtime::WorkerOptions options;
    options.programVersion = QCoreApplication::applicationVersion();
    options.mayWatch = isShared;
    options.memoryFile = ctl::memoryFile();
    m_courier = std::make_unique<actions::WebhookCourier>(m_clock, m_secrets);
    options.courier = m_courier.get();
    m_worker = std::make_unique<runtime::Worker>(std::move(*store), m_catalog, *m_outside, m_clock,
                                                 options);
    m_courier->onResult([this] { m_worker->wake(); });
    m_worker->onStopped([this] { QMetaObject::invokeMethod(this, [this] { stopListening(); }); });
    if (isShared) {
        m_listener =
            std::make_unique<store::PostgresListener>(*address, [this] { m_worker->wake(); });
        m_listener->start();
    } else if (const auto listening = listenWhenOwned(); !listening) {
        return listening.error();
    }
    m_worker->start();
    return {};
}

void EngineHost::drain() { m_worker->drain(); }

// The listener may hang in a connection; ending it is nothing the window's thread waits for.
void EngineHost::stopListening()
{
    if (!m_listener) {
        Q_EMIT stopped();
        return;
    }
    auto *thread = QThread::create([listener = m_listener.release()] { delete listener; });
    connect(thread, &QThread::finished, this, &EngineHost::stopped);
    connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    thread->start();
}

void EngineHost::execute(const control::Request &request, api::LocalServer::Reply reply)
{
    m_worker->post([this, request, reply = std::move(reply)](const Result<ports::Store *> &store) {
        if (!store) {
            reply(store.error());
            return;
        }
        if (!m_door)
            m_door = std::make_unique<control::LocalDoor>(**store, ctl::surroundings(m_url));
        reply(m_door->call(request));
    });
}

Result<void> EngineHost::listenWhenOwned()
{
    const auto path = api::socketPathFor(ctl::sqlitePath(m_url));
    if (!path)
        return path.error();
    m_socketPath = *path;
    m_server = std::make_unique<api::LocalServer>(
        [this](const control::Request &request, api::LocalServer::Reply reply) {
            execute(request, std::move(reply));
        });
    askForSocket();
    return {};
}

// Three hops between the threads and none of them waits: is the file ours, then listen, then name
// it.
void EngineHost::askForSocket()
{
    m_worker->post([this](const Result<ports::Store *> &store) {
        QMetaObject::invokeMethod(
            this,
            [this, isOurs = store.ok()] {
                if (isOurs)
                    nameSocket();
                else
                    QTimer::singleShot(askAgainMs, this, &EngineHost::askForSocket);
            },
            Qt::QueuedConnection);
    });
}

void EngineHost::nameSocket()
{
    api::removeOldSockets(m_socketPath);
    if (const auto listening = m_server->listen(m_socketPath); !listening) {
        qWarning("holdfastctl has to wait until this console ends: %s",
                 qPrintable(listening.error().message));
        return;
    }
    m_worker->post([path = m_socketPath](const Result<ports::Store *> &store) {
        auto *sqlite = store ? dynamic_cast<store::SqliteStore *>(*store) : nullptr;
        const Result<void> named = sqlite ? sqlite->ownership().setSocket(path) : Result<void>();
        if (!named)
            qWarning("%s", qPrintable(named.error().message));
    });
}

} // namespace holdfast::console
