// The misbehaving outside world on one loopback origin: fake payments, crm, mail and inventory with
// scripted faults and books of their own. Serves on the thread it lives in. Never a model of how to
// write a service.
#pragma once

#include "app/sandbox/world.h"
#include "model/result.h"

#include <QObject>
#include <QTcpServer>
#include <QThread>
#include <future>
#include <memory>

namespace holdfast::sandbox
{

class Sandbox : public QObject
{
    Q_OBJECT
public:
    static constexpr int connectionsMax = 4096;
    static constexpr int backlog = 1024;

    explicit Sandbox(std::shared_ptr<World> world, QObject *parent = nullptr);

    // Loopback only; port 0 takes a free one.
    model::Result<quint16> listen(quint16 port);
    World &world() { return *m_world; }

private:
    void onNewConnection();

    const std::shared_ptr<World> m_world;
    QTcpServer m_server;
    int m_connections = 0;
};

// A sandbox in a thread of its own, for tests: ready when constructed, gone when destroyed.
class SandboxThread : public QThread
{
    Q_OBJECT
public:
    explicit SandboxThread(quint16 port = 0);
    ~SandboxThread() override;

    quint16 port() const { return m_port; }
    QString origin() const; // "http://127.0.0.1:PORT"
    Books &books() { return m_world->books; }
    FaultPlan &faults() { return m_world->faults; }
    Services &services() { return m_world->services; }
    void reset() { m_world->reset(); }

protected:
    void run() override;

private:
    const std::shared_ptr<World> m_world = std::make_shared<World>();
    const quint16 m_wantedPort;
    std::promise<quint16> m_listening;
    quint16 m_port = 0;
};

} // namespace holdfast::sandbox
