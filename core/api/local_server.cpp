#include "api/local_server.h"

#include "api/wire.h"

#include <QFile>
#include <QLocalSocket>
#include <optional>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace holdfast::api
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
std::optional<uid_t> peerOf(const QLocalSocket &socket)
{
    ucred peer{};
    socklen_t size = sizeof(peer);
    if (::getsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return std::nullopt;
    return peer.uid;
}

QString loginOf(uid_t user)
{
    const passwd *entry = ::getpwuid(user);
    return entry ? QString::fromLocal8Bit(entry->pw_name) : u"uid %1"_s.arg(user);
}
} // namespace

LocalServer::LocalServer(Execute execute, QObject *parent)
    : QObject(parent), m_execute(std::move(execute))
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &LocalServer::onNewConnection);
}

LocalServer::~LocalServer() { close(); }

Result<void> LocalServer::listen(const QString &path)
{
    QLocalServer::removeServer(path);
    if (!m_server.listen(path)) {
        return model::refused(u"cannot listen on %1: %2"_s.arg(path, m_server.errorString()));
    }
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    return {};
}

void LocalServer::close()
{
    m_server.close();
    const QList<quint64> clients = m_clients.keys();
    for (const quint64 client : clients)
        drop(client);
}

void LocalServer::onNewConnection()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        const std::optional<uid_t> peer = peerOf(*socket);
        if (!peer || *peer != ::geteuid() || m_clients.size() >= clientsMax) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        const quint64 client = ++m_lastClient;
        socket->setParent(this);
        socket->setReadBufferSize(lineMax + 1);
        m_clients.insert(client, {socket, loginOf(*peer)});
        connect(socket, &QLocalSocket::readyRead, this, [this, client] { onReadyRead(client); });
        connect(socket, &QLocalSocket::disconnected, this, [this, client] { drop(client); });
        onReadyRead(client);
    }
}

void LocalServer::onReadyRead(quint64 client)
{
    while (m_clients.contains(client)) {
        QLocalSocket *socket = m_clients.value(client).socket;
        if (socket->canReadLine()) {
            handle(client, socket->readLine(lineMax + 1));
            continue;
        }
        if (socket->bytesAvailable() > lineMax) {
            answer(client, {}, model::invalid(u"a request is longer than 1 MiB"_s));
            drop(client);
        }
        return;
    }
}

void LocalServer::handle(quint64 client, const QByteArray &line)
{
    auto request = readRequest(line);
    if (!request) {
        answer(client, {}, request.error());
        drop(client);
        return;
    }
    request->actor = m_clients.value(client).actor;
    const QString id = request->id;
    m_execute(*request, [this, client, id](Result<QJsonValue> result) {
        QMetaObject::invokeMethod(
            this, [this, client, id, result = std::move(result)] { answer(client, id, result); },
            Qt::QueuedConnection);
    });
}

void LocalServer::answer(quint64 client, const QString &id, const Result<QJsonValue> &answer)
{
    QLocalSocket *socket = m_clients.value(client).socket;
    if (!socket)
        return; // it hung up; the command table remembers what became of its request
    socket->write(answerLine(id, answer));
    socket->flush();
    if (socket->bytesToWrite() > unsentMax)
        drop(client);
}

void LocalServer::drop(quint64 client)
{
    QLocalSocket *socket = m_clients.take(client).socket;
    if (!socket)
        return;
    socket->disconnect(this);
    socket->disconnectFromServer();
    socket->deleteLater();
}

} // namespace holdfast::api
