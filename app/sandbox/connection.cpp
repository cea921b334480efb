#include "app/sandbox/connection.h"

#include "app/sandbox/control.h"
#include "app/sandbox/world.h"

#include <QDateTime>
#include <QPointer>
#include <QTcpSocket>
#include <algorithm>
#include <sys/socket.h>

namespace holdfast::sandbox
{

namespace
{

using Kind = Fault::Kind;

constexpr qint64 hugeSize = 64LL << 20;
constexpr qint64 pieceSize = 64 * 1024;
constexpr int dripMs = 100;
constexpr qsizetype dripSize = 100'000;

RequestRecord recordOf(const Incoming &incoming)
{
    RequestRecord record;
    record.time = QDateTime::currentMSecsSinceEpoch();
    record.method = incoming.method;
    record.path = incoming.target;
    record.key = incoming.key;
    record.attempt = incoming.header("Holdfast-Attempt").toInt();
    record.body = incoming.body;
    record.headers = incoming.headers;
    return record;
}

Reply statusReply(const Fault &fault)
{
    Reply reply =
        Reply::problem(fault.number, QStringLiteral("Scripted status %1.").arg(fault.number));
    if (fault.number == 429 || !fault.text.isEmpty())
        reply.headers.append(qMakePair(QByteArray("Retry-After"), fault.text.isEmpty()
                                                                      ? QByteArray("1")
                                                                      : fault.text.toUtf8()));
    return reply;
}

} // namespace

Connection::Connection(QTcpSocket *socket, World &world, QObject *acting)
    : QObject(acting), m_socket(socket), m_world(world), m_acting(acting)
{
    m_socket->setParent(this);
    m_idle.setSingleShot(true);
    m_idle.start(idleMs);
    connect(&m_idle, &QTimer::timeout, this, &Connection::hangUp);
    connect(&m_drip, &QTimer::timeout, this, [this] { m_socket->write("x"); });
    connect(m_socket, &QTcpSocket::readyRead, this, &Connection::onReadyRead);
    connect(m_socket, &QTcpSocket::bytesWritten, this, &Connection::sendPiece);
    connect(m_socket, &QTcpSocket::disconnected, this, &QObject::deleteLater);
}

void Connection::onReadyRead()
{
    m_idle.start(idleMs);
    m_reader.feed(m_socket->readAll());
    if (m_reader.isOverfull())
        return hangUp();
    serveNext();
}

void Connection::serveNext()
{
    while (!m_isBusy && m_socket->state() == QAbstractSocket::ConnectedState) {
        const RequestReader::State state = m_reader.read();
        if (state == RequestReader::State::more)
            return;
        if (state == RequestReader::State::bad) {
            m_closesAfter = true;
            return send(m_reader.problem());
        }
        const Incoming incoming = m_reader.take();
        m_isBusy = true;
        m_closesAfter = incoming.wantsClose();
        if (incoming.path.startsWith(QLatin1String("/_sandbox/")))
            send(control(m_world, incoming));
        else
            serve(incoming);
    }
}

void Connection::serve(const Incoming &incoming)
{
    m_world.books.add(recordOf(incoming));
    const Fault fault = m_world.faults.take(incoming.method, incoming.path, incoming.key);
    if (fault.worksFirst) {
        const Reply reply = act(incoming);
        if (fault.kind == Kind::half)
            return sendHalf(reply);
    }
    misbehave(incoming, fault);
}

void Connection::misbehave(const Incoming &incoming, const Fault &fault)
{
    Reply reply;
    switch (fault.kind) {
    case Kind::ok: return send(act(incoming));
    case Kind::drop: return hangUp();
    case Kind::reset: return reset();
    case Kind::hang: return m_idle.start(hangMs);
    case Kind::half: return sendHalf(Reply::json(200, {{"id", "half"}, {"note", "cut short"}}));
    case Kind::status: return send(statusReply(fault));
    case Kind::delay: return actAfter(incoming, fault.number, true);
    case Kind::late: return actAfter(incoming, fault.number, false);
    case Kind::probeLag: return send(m_world.services.look(incoming, fault.number));
    case Kind::probeDown:
        return send(Reply::problem(500, QStringLiteral("It cannot be asked now.")));
    case Kind::html200:
        reply.contentType = "text/html";
        reply.body = "<html><body>Welcome to the hotel network</body></html>";
        return send(reply);
    case Kind::garbage:
        m_socket->write("\x01\x02 this is not HTTP at all\r\n\r\n");
        return hangUp();
    case Kind::slowLoris: return sendDrip();
    case Kind::huge: return sendHuge();
    case Kind::redirect:
        reply = Reply::problem(302, QStringLiteral("Elsewhere."));
        reply.headers.append(qMakePair(QByteArray("Location"), fault.text.toUtf8()));
        return send(reply);
    case Kind::stored500:
        if (const auto known = m_world.services.begin(incoming))
            return send(*known);
        return send(m_world.services.failStored(incoming));
    }
}

// The first half happens now, so that a second request meanwhile finds this one under way.
void Connection::actAfter(const Incoming &incoming, int delayMs, bool answers)
{
    const bool isRead = incoming.method == u"GET";
    const std::optional<Reply> known = isRead ? std::nullopt : m_world.services.begin(incoming);
    const QPointer<Connection> self(this);
    QTimer::singleShot(delayMs, m_acting,
                       [self, &world = m_world, incoming, known, isRead, answers] {
                           const Reply reply = known    ? *known
                                               : isRead ? world.services.look(incoming, 0)
                                                        : world.services.complete(incoming);
                           if (answers && self)
                               self->send(reply);
                       });
    if (!answers)
        hangUp();
}

Reply Connection::act(const Incoming &incoming)
{
    if (incoming.method == u"GET" || incoming.method == u"HEAD")
        return m_world.services.look(incoming, 0);
    if (const auto known = m_world.services.begin(incoming))
        return *known;
    return m_world.services.complete(incoming);
}

void Connection::send(const Reply &reply)
{
    m_socket->write(reply.bytes());
    m_isBusy = false;
    if (m_closesAfter)
        hangUp();
    else
        QTimer::singleShot(0, this, &Connection::serveNext);
}

void Connection::sendHalf(const Reply &reply)
{
    m_socket->write(reply.head(reply.body.size() + 50) + reply.body.left(5));
    hangUp();
}

void Connection::sendHuge()
{
    Reply reply;
    m_left = hugeSize;
    m_socket->write(reply.head(hugeSize));
}

void Connection::sendPiece()
{
    if (m_left <= 0 || m_socket->bytesToWrite() > pieceSize)
        return;
    const qint64 size = std::min(m_left, pieceSize);
    m_left -= size;
    m_socket->write(QByteArray(size, ' '));
    if (m_left == 0)
        hangUp();
}

void Connection::sendDrip()
{
    Reply reply;
    m_socket->write(reply.head(dripSize));
    m_drip.start(dripMs);
}

void Connection::hangUp() { m_socket->disconnectFromHost(); }

void Connection::reset()
{
    const linger now{1, 0};
    ::setsockopt(static_cast<int>(m_socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &now,
                 sizeof now);
    m_socket->abort();
}

} // namespace holdfast::sandbox
