// Puts a worker together: engine, senders, signals, and on SQLite the socket through which other
// processes command the owner of the file.
#pragma once

#include "actions/outside.h"
#include "actions/webhook_courier.h"
#include "api/local_server.h"
#include "app/ctl/telemetry.h"
#include "app/ctl/worker_api.h"
#include "model/result.h"
#include "ports/clock.h"
#include "runtime/worker.h"
#include "store/postgres_listener.h"

#include <QString>
#include <functional>

namespace holdfast::ctl
{

struct WorkerSettings {
    QString url;
    bool untilIdle = false;
    int concurrency = 200;
    model::Millis lease = 10 * model::second;
    QString api;                              // HOST:PORT; empty: nothing is served
    QString logFile;                          // as in TelemetrySettings
    QString summaryFile;                      // the same
    QString traces;                           // the same
    bool tracesPrivate = false;               // the same
    std::function<void(const QString &)> say; // messages for a person
};

enum class WorkerEnd { idle, drained };

class WorkerProcess
{
public:
    explicit WorkerProcess(WorkerSettings settings);
    ~WorkerProcess();

    // Blocks in an event loop until the worker has ended.
    model::Result<WorkerEnd> run();

private:
    model::Result<void> waitForFile();
    model::Result<void> serve();
    model::Result<void> serveHttp();
    runtime::WorkerOptions options();
    void nameSocket();
    void execute(const control::Request &request, api::LocalServer::Reply reply);
    void watchSignals();

    const WorkerSettings m_settings;
    ports::SystemClock m_clock;
    runtime::Catalog m_catalog;
    std::unique_ptr<actions::Outside> m_outside;
    std::unique_ptr<actions::WebhookCourier> m_courier;
    std::unique_ptr<api::LocalServer> m_server;
    std::unique_ptr<Telemetry> m_telemetry;
    std::unique_ptr<runtime::Worker> m_worker;
    std::unique_ptr<WorkerApi> m_api;
    std::unique_ptr<store::PostgresListener> m_listener;
    std::unique_ptr<control::Door> m_door; // used and made on the worker's thread
    QString m_socketPath;
    bool m_drainAsked = false;
};

} // namespace holdfast::ctl
