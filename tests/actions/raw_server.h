// A server of plain sockets for tests of the sender: it counts what arrives, byte by byte, and
// answers as it is told. No HTTP library stands between the sender and what is asserted.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <arpa/inet.h>
#include <atomic>
#include <functional>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace holdfast::test
{

// One accepted connection with one whole request read from it.
class RawClient
{
public:
    explicit RawClient(int descriptor, const std::atomic_bool &isStopping)
        : m_descriptor(descriptor), m_isStopping(isStopping)
    {
    }

    bool write(const QByteArray &bytes) const
    {
        return ::send(m_descriptor, bytes.constData(), static_cast<size_t>(bytes.size()),
                      MSG_NOSIGNAL) == bytes.size();
    }
    // Returns when the other side closes or the server goes away.
    void waitForClose() const { (void)readable(-1, true); }
    // Whether the other side has closed within this time; a pause that ends early when it has.
    bool closesWithin(int ms) const { return readable(ms, true); }
    void reset() const
    {
        const linger now{1, 0};
        ::setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    void shut() const { ::shutdown(m_descriptor, SHUT_RDWR); }
    // Empty: the connection ended without a whole request.
    QByteArray readRequest() const
    {
        QByteArray bytes;
        while (readable(-1, false)) {
            char piece[16384];
            const ssize_t count = ::recv(m_descriptor, piece, sizeof piece, 0);
            if (count <= 0)
                return {};
            bytes.append(piece, count);
            const qsizetype end = bytes.indexOf("\r\n\r\n");
            if (end < 0)
                continue;
            const qsizetype at = bytes.toLower().indexOf("content-length:");
            const qsizetype line = bytes.indexOf('\r', at);
            const qsizetype size =
                at < 0 || at > end ? 0 : bytes.mid(at + 15, line - at - 15).trimmed().toLongLong();
            if (bytes.size() >= end + 4 + size)
                return bytes;
        }
        return {};
    }

private:
    bool readable(int ms, bool untilClosed) const
    {
        for (int waited = 0; !m_isStopping && (ms < 0 || waited < ms); waited += 20) {
            pollfd polled{m_descriptor, POLLIN, 0};
            if (::poll(&polled, 1, 20) <= 0)
                continue;
            char byte = 0;
            if (!untilClosed || ::recv(m_descriptor, &byte, 1, MSG_PEEK) <= 0)
                return true;
            return false;
        }
        return false;
    }

    const int m_descriptor;
    const std::atomic_bool &m_isStopping;
};

class RawServer
{
public:
    using Handler = std::function<void(const RawClient &, const QByteArray &request)>;

    explicit RawServer(Handler handler, bool keepsAlive = false)
        : m_handler(std::move(handler)), m_keepsAlive(keepsAlive)
    {
        m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        ::bind(m_listener, reinterpret_cast<sockaddr *>(&address), size);
        ::listen(m_listener, 512);
        ::getsockname(m_listener, reinterpret_cast<sockaddr *>(&address), &size);
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { accept(); });
    }
    ~RawServer()
    {
        m_isStopping = true;
        m_thread.join();
        for (std::thread &thread : m_clients)
            thread.join();
        ::close(m_listener);
    }

    int port() const { return m_port; }
    QString origin() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }
    int connections() const { return m_connections; }
    QVector<QByteArray> requests() const
    {
        const std::lock_guard lock(m_mutex);
        return m_requests;
    }
    int requestCount() const { return static_cast<int>(requests().size()); }

private:
    void accept()
    {
        while (!m_isStopping) {
            pollfd polled{m_listener, POLLIN, 0};
            if (::poll(&polled, 1, 20) <= 0)
                continue;
            const int descriptor = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (descriptor < 0)
                continue;
            ++m_connections;
            m_clients.emplace_back([this, descriptor] { serve(descriptor); });
        }
    }
    void serve(int descriptor)
    {
        const RawClient client(descriptor, m_isStopping);
        do {
            const QByteArray request = client.readRequest();
            if (request.isEmpty())
                break;
            {
                const std::lock_guard lock(m_mutex);
                m_requests.append(request);
            }
            m_handler(client, request);
        } while (m_keepsAlive);
        ::close(descriptor);
    }

    const Handler m_handler;
    const bool m_keepsAlive;
    int m_listener = -1;
    int m_port = 0;
    std::atomic_bool m_isStopping = false;
    std::atomic_int m_connections = 0;
    mutable std::mutex m_mutex;
    QVector<QByteArray> m_requests;
    std::thread m_thread;
    std::vector<std::thread> m_clients;
};

inline QByteArray answer(const QByteArray &statusLine, const QByteArray &body,
                         const QByteArray &headers = {})
{
    return "HTTP/1.1 " + statusLine + "\r\n" + headers +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

} // namespace holdfast::test
