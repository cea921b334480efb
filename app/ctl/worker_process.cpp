#include "app/ctl/worker_process.h"

#include "api/socket_path.h"
#include "app/ctl/database.h"
#include "app/ctl/keychain_secrets.h"
#include "app/ctl/signals.h"
#include "model/ids.h"
#include "store/sqlite_store.h"
#include "store/store_url.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QThread>
#include <QTimer>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
constexpr int pollMs = 20;
constexpr int nameAgainMs = 100;

Error notStarted(const Error &error)
{
    return {error.kind, error.message + u"; the worker was not started"_s};
}
} // namespace

WorkerProcess::WorkerProcess(WorkerSettings settings) : m_settings(std::move(settings)) {}

WorkerProcess::~WorkerProcess()
{
    m_listener.reset();
    m_api.reset();
    // Reports of calls that end later find nobody; their intents are ambiguous on the next start.
    if (m_worker) {
        m_worker->drain();
        m_worker->join();
    }
    if (m_outside)
        m_outside->setReport([](const model::CallResult &) {});
    // Their threads call the worker, maybe at this moment; it goes when they are gone.
    m_courier.reset();
    m_outside.reset();
    m_worker.reset();
}

// Short commands hold the file for a moment; a worker or a console holds it for good.
Result<void> WorkerProcess::waitForFile()
{
    const QString path = sqlitePath(m_settings.url);
    if (path.isEmpty() || !QFileInfo(path).absoluteDir().exists())
        return {};
    const model::Millis until = m_clock.monotonic() + Database::patience;
    while (true) {
        store::FileOwnership probe;
        const auto answer = probe.tryAcquire(path);
        if (!answer)
            return answer.error();
        if (answer->outcome == store::FileOwnership::Outcome::held) {
            // The mark of an orderly end must survive the look; its absence too.
            if (probe.wasUnclean())
                probe.release();
            else
                probe.releaseCleanly();
            return {};
        }
        if (!answer->other.socket.isEmpty() || m_clock.monotonic() >= until) {
            return Error{
                ErrorKind::busy,
                u"process %1 owns %2 and executes its runs; a SQLite file has one owner. "
                "End it first, or use PostgreSQL for several workers"_s.arg(answer->other.pid)
                    .arg(path)};
        }
        QThread::msleep(pollMs);
    }
}

void WorkerProcess::execute(const control::Request &request, api::LocalServer::Reply reply)
{
    m_worker->post([this, request, reply](const Result<ports::Store *> &store) {
        if (!store) {
            reply(store.error());
            return;
        }
        if (!m_door)
            m_door = std::make_unique<control::LocalDoor>(**store, surroundings(m_settings.url));
        reply(m_door->call(request));
    });
}

Result<void> WorkerProcess::serve()
{
    const QString path = sqlitePath(m_settings.url);
    if (path.isEmpty())
        return {};
    const auto socketPath = api::socketPathFor(path);
    if (!socketPath)
        return socketPath.error();
    m_socketPath = *socketPath;
    m_server = std::make_unique<api::LocalServer>(
        [this](const control::Request &request, api::LocalServer::Reply reply) {
            execute(request, std::move(reply));
        });
    return {};
}

// The socket is opened and named once the file is ours: the path may be that of an owner before us.
void WorkerProcess::nameSocket()
{
    m_worker->post([this](const Result<ports::Store *> &store) {
        auto *sqlite = store ? dynamic_cast<store::SqliteStore *>(*store) : nullptr;
        if (!sqlite) {
            QMetaObject::invokeMethod(
                m_server.get(),
                [this] {
                    QTimer::singleShot(nameAgainMs, m_server.get(), [this] { nameSocket(); });
                },
                Qt::QueuedConnection);
            return;
        }
        api::removeOldSockets(m_socketPath);
        Result<void> listening;
        QMetaObject::invokeMethod(
            m_server.get(), [&] { listening = m_server->listen(m_socketPath); },
            Qt::BlockingQueuedConnection);
        const Result<void> named =
            listening ? sqlite->ownership().setSocket(m_socketPath) : listening;
        if (!named)
            m_settings.say(u"other commands have to wait until this worker ends: %1"_s.arg(
                named.error().message));
    });
}

void WorkerProcess::watchSignals()
{
    onEndSignal([this] {
        m_drainAsked = true;
        m_worker->drain(); // before it is said: whoever reads may keep us waiting
        m_settings.say(u"draining: attempts under way end, nothing new starts"_s);
    });
}

runtime::WorkerOptions WorkerProcess::options()
{
    runtime::WorkerOptions options;
    options.id = model::newId(m_clock.now());
    options.concurrency = m_settings.concurrency;
    options.untilIdle = m_settings.untilIdle;
    options.lease = m_settings.lease;
    options.renewEvery = m_settings.lease * 3 / 10;
    options.programVersion = QCoreApplication::applicationVersion();
    options.memoryFile = memoryFile();
    const auto originOf = [this](const QString &name, int revision) {
        const auto definition = m_catalog.definition(name, revision);
        return definition ? definition->url : QString();
    };
    m_telemetry = std::make_unique<Telemetry>(TelemetrySettings{
        options.id, options.programVersion, m_settings.logFile, m_settings.summaryFile,
        m_settings.traces, m_settings.tracesPrivate, originOf, m_settings.say});
    options.telemetry = m_telemetry.get();
    options.courier = m_courier.get();
    return options;
}

Result<void> WorkerProcess::serveHttp()
{
    if (m_settings.api.isEmpty())
        return {};
    m_api = std::make_unique<WorkerApi>(*m_worker, m_telemetry->metrics());
    if (const auto listening = m_api->listen(m_settings.api); !listening)
        return listening;
    m_settings.say(u"serving /metrics and /healthz on port %1%2"_s.arg(m_api->port())
                       .arg(m_api->isLoopback() ? QString()
                                                : u", open to the network: whoever reaches it "
                                                  "may read them, without a login"_s));
    return {};
}

Result<WorkerEnd> WorkerProcess::run()
{
    if (const auto free = waitForFile(); !free)
        return free.error();
    auto store = store::openStore(m_settings.url);
    if (!store)
        return store.error();
    if (const auto served = serve(); !served)
        return served.error();
    const auto secrets = std::make_shared<actions::Secrets>(
        QString(), actions::Secrets::Places::environmentAndFile, keychainLookup());
    m_outside = std::make_unique<actions::Outside>(
        m_clock,
        [this](const QString &name, int revision) { return m_catalog.definition(name, revision); },
        secrets);
    m_courier = std::make_unique<actions::WebhookCourier>(m_clock, secrets);
    m_worker = std::make_unique<runtime::Worker>(std::move(*store), m_catalog, *m_outside, m_clock,
                                                 options());
    if (const auto opened = m_telemetry->open(); !opened)
        return notStarted(opened.error());
    m_courier->onResult([this] { m_worker->wake(); });
    if (const auto served = serveHttp(); !served)
        return notStarted(served.error());
    m_worker->onStopped([] {
        QMetaObject::invokeMethod(
            qApp, [] { QCoreApplication::quit(); }, Qt::QueuedConnection);
    });
    watchSignals();
    if (m_server)
        nameSocket();
    if (sqlitePath(m_settings.url).isEmpty()) {
        const auto address = store::PostgresAddress::parse(m_settings.url);
        if (!address)
            return address.error();
        m_listener =
            std::make_unique<store::PostgresListener>(*address, [this] { m_worker->wake(); });
        m_listener->start();
    }
    m_worker->start();
    QCoreApplication::exec();
    m_listener.reset();
    m_api.reset();
    const bool sound = m_worker->join();
    const runtime::WorkerStatus status = m_worker->status();
    if (m_server)
        m_server->close();
    if (!sound)
        return Error{ErrorKind::lost, status.message};
    return m_drainAsked ? WorkerEnd::drained : WorkerEnd::idle;
}

} // namespace holdfast::ctl
