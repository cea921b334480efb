// Lets other processes of the same login command the one that owns the database. It reads requests
// and writes answers; carrying them out is somebody else's thread. Lives in a thread with an event
// loop and never blocks it.
#pragma once

#include "control/door.h"

#include <QHash>
#include <QLocalServer>
#include <QObject>
#include <functional>

class QLocalSocket;

namespace holdfast::api
{

class LocalServer : public QObject
{
    Q_OBJECT
public:
    static constexpr int clientsMax = 64;
    static constexpr qint64 unsentMax = 128ll << 20; // bytes a client may leave unread

    using Reply = std::function<void(model::Result<QJsonValue>)>;
    // Reply may be called on any thread, once. Whoever executes must have stopped before the server
    // is destroyed.
    using Execute = std::function<void(const control::Request &, Reply)>;

    explicit LocalServer(Execute execute, QObject *parent = nullptr);
    ~LocalServer() override;

    // A socket file left behind by a dead owner is replaced: the caller holds the lock of the
    // database.
    model::Result<void> listen(const QString &path);
    void close();

private:
    void onNewConnection();
    void onReadyRead(quint64 client);
    void handle(quint64 client, const QByteArray &line);
    void answer(quint64 client, const QString &id, const model::Result<QJsonValue> &answer);
    void drop(quint64 client);

    struct Client {
        QLocalSocket *socket = nullptr;
        QString actor; // from the kernel, not from the client
    };

    const Execute m_execute;
    QLocalServer m_server;
    QHash<quint64, Client> m_clients;
    quint64 m_lastClient = 0;
};

} // namespace holdfast::api
