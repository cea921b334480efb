// The engine inside the console: a worker on its own thread, and on SQLite the socket through which
// other processes command the owner of the file. Lives on the GUI thread and never blocks it while
// running.
#pragma once

#include "actions/outside.h"
#include "actions/webhook_courier.h"
#include "api/local_server.h"
#include "ports/clock.h"
#include "runtime/worker.h"
#include "store/postgres_listener.h"

#include <QObject>
#include <memory>

namespace holdfast::console
{

class EngineHost : public QObject
{
    Q_OBJECT
public:
    EngineHost(const QString &url, std::shared_ptr<actions::Secrets> secrets,
               QObject *parent = nullptr);
    // Waits for attempts under way unless stopped() has come.
    ~EngineHost() override;

    // An error is about the address; a database that is away is waited for, see status().
    model::Result<void> start();
    // Open attempts end, nothing new starts; stopped() follows.
    void drain();
    runtime::WorkerStatus status() const { return m_worker->status(); } // any thread
    // Carries an operation out on the worker's thread. The reply comes there.
    void execute(const control::Request &request, api::LocalServer::Reply reply);

Q_SIGNALS:
    void stopped();

private:
    void stopListening();
    model::Result<void> listenWhenOwned();
    void askForSocket();
    void nameSocket();

    const QString m_url;
    const std::shared_ptr<actions::Secrets> m_secrets;
    ports::SystemClock m_clock;
    runtime::Catalog m_catalog;
    std::unique_ptr<actions::Outside> m_outside;
    std::unique_ptr<actions::WebhookCourier> m_courier;
    std::unique_ptr<api::LocalServer> m_server;
    std::unique_ptr<runtime::Worker> m_worker;
    std::unique_ptr<store::PostgresListener> m_listener;
    std::unique_ptr<control::Door> m_door; // made and used on the worker's thread
    QString m_socketPath;
};

} // namespace holdfast::console
