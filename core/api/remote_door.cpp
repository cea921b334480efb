#include "api/remote_door.h"

#include "api/wire.h"

#include <QElapsedTimer>

namespace holdfast::api
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
Error lost(const QString &what)
{
    return {ErrorKind::lost, u"the process that owns the database %1"_s.arg(what)};
}
} // namespace

RemoteDoor::RemoteDoor(const QString &socketPath, model::Millis timeout)
    : m_path(socketPath), m_timeout(timeout)
{
}

Result<void> RemoteDoor::connectToOwner()
{
    if (m_socket.state() == QLocalSocket::ConnectedState)
        return {};
    m_socket.abort();
    m_socket.connectToServer(m_path);
    if (!m_socket.waitForConnected(int(m_timeout)))
        return lost(u"cannot be reached: %1"_s.arg(m_socket.errorString()));
    return {};
}

Result<QJsonValue> RemoteDoor::call(const control::Request &request)
{
    const QByteArray line = requestLine(request);
    if (line.size() > lineMax)
        return model::invalid(u"the request is longer than 1 MiB"_s);
    if (const auto connected = connectToOwner(); !connected)
        return connected.error();
    m_socket.write(line);
    QElapsedTimer elapsed;
    elapsed.start();
    while (!m_socket.canReadLine()) {
        const qint64 left = m_timeout - elapsed.elapsed();
        if (left <= 0) {
            m_socket.abort();
            return Error{ErrorKind::busy,
                         u"the process that owns the database did not answer within %1; sending "
                         "the command again is safe"_s.arg(model::durationText(m_timeout))};
        }
        if (m_socket.state() != QLocalSocket::ConnectedState && !m_socket.canReadLine())
            return lost(u"went away before it answered"_s);
        if (m_socket.bytesAvailable() > answerMax) {
            m_socket.abort();
            return lost(u"gave an answer that is too long"_s);
        }
        m_socket.waitForReadyRead(int(left));
    }
    return readAnswer(m_socket.readLine(), request.id);
}

} // namespace holdfast::api
