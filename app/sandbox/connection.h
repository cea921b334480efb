// One client of the sandbox: reads requests one after another and carries out the fault chosen for
// each, with raw control over how its socket ends. Lives on the sandbox's thread and owns its
// socket.
#pragma once

#include "app/sandbox/faults.h"
#include "app/sandbox/message.h"

#include <QObject>
#include <QTimer>

class QTcpSocket;

namespace holdfast::sandbox
{

class Sandbox;
struct World;

class Connection : public QObject
{
    Q_OBJECT
public:
    static constexpr int idleMs = 120'000;
    static constexpr int hangMs = 30'000;

    Connection(QTcpSocket *socket, World &world, QObject *acting);

private:
    void onReadyRead();
    void serveNext();
    void serve(const Incoming &incoming);
    void misbehave(const Incoming &incoming, const Fault &fault);
    void actAfter(const Incoming &incoming, int delayMs, bool answers);
    Reply act(const Incoming &incoming);
    void send(const Reply &reply);
    void sendHalf(const Reply &reply);
    void sendHuge();
    void sendDrip();
    void sendPiece();
    void hangUp();
    void reset();

    QTcpSocket *const m_socket;
    World &m_world;
    QObject *const
        m_acting; // outlives the connection: what is due later happens even if the client left
    RequestReader m_reader;
    bool m_isBusy = false; // a request is being answered
    bool m_closesAfter = false;
    qint64 m_left = 0; // bytes of a huge answer still to be sent
    QTimer m_idle;
    QTimer m_drip;
};

} // namespace holdfast::sandbox
