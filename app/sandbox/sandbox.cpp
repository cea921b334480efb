#include "app/sandbox/sandbox.h"

#include "app/sandbox/connection.h"

#include <QHostAddress>
#include <QTcpSocket>

namespace holdfast::sandbox
{

Sandbox::Sandbox(std::shared_ptr<World> world, QObject *parent)
    : QObject(parent), m_world(std::move(world))
{
    m_server.setListenBacklogSize(backlog);
    m_server.setMaxPendingConnections(backlog);
    connect(&m_server, &QTcpServer::newConnection, this, &Sandbox::onNewConnection);
}

model::Result<quint16> Sandbox::listen(quint16 port)
{
    if (!m_server.listen(QHostAddress::LocalHost, port)) {
        return model::Error{model::ErrorKind::busy,
                            QStringLiteral("The sandbox cannot listen on port %1: %2.")
                                .arg(port)
                                .arg(m_server.errorString())};
    }
    return m_server.serverPort();
}

void Sandbox::onNewConnection()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        if (m_connections >= connectionsMax) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        ++m_connections;
        auto *connection = new Connection(socket, *m_world, this);
        connect(connection, &QObject::destroyed, this, [this] { --m_connections; });
    }
}

SandboxThread::SandboxThread(quint16 port) : m_wantedPort(port)
{
    std::future<quint16> listening = m_listening.get_future();
    start();
    m_port = listening.get();
}

SandboxThread::~SandboxThread()
{
    quit();
    wait();
}

QString SandboxThread::origin() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }

void SandboxThread::run()
{
    Sandbox sandbox(m_world);
    const auto port = sandbox.listen(m_wantedPort);
    m_listening.set_value(port ? *port : 0);
    exec();
}

} // namespace holdfast::sandbox
