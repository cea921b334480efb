#include "api/http_server.h"

#include <QSysInfo>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace holdfast::api
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr size_t memoryOfClient = 32 * 1024;
constexpr std::chrono::milliseconds watchEvery{500};
constexpr const char *plainText = "text/plain; charset=utf-8";

struct Address {
    QHostAddress host;
    quint16 port = 0;
};

Result<Address> parse(const QString &text)
{
    const qsizetype colon = text.lastIndexOf(u':');
    QString host = text.left(std::max<qsizetype>(0, colon));
    if (host.startsWith(u'[') && host.endsWith(u']'))
        host = host.mid(1, host.size() - 2);
    bool isNumber = false;
    const ushort port = text.mid(colon + 1).toUShort(&isNumber);
    Address address{
        host == "localhost"_L1 ? QHostAddress(QHostAddress::LocalHost) : QHostAddress(host), port};
    if (colon < 0 || !isNumber || address.host.isNull())
        return model::invalid(u"%1 is not HOST:PORT with an address of this machine, such as "
                              "127.0.0.1:9464 or [::1]:9464"_s.arg(text));
    return address;
}

sockaddr_storage nativeOf(const Address &address)
{
    sockaddr_storage storage;
    std::memset(&storage, 0, sizeof storage);
    if (address.host.protocol() == QHostAddress::IPv6Protocol) {
        auto *native = reinterpret_cast<sockaddr_in6 *>(&storage);
        native->sin6_family = AF_INET6;
        native->sin6_port = htons(address.port);
        const Q_IPV6ADDR bytes = address.host.toIPv6Address();
        std::memcpy(&native->sin6_addr, &bytes, sizeof native->sin6_addr);
    } else {
        auto *native = reinterpret_cast<sockaddr_in *>(&storage);
        native->sin_family = AF_INET;
        native->sin_port = htons(address.port);
        native->sin_addr.s_addr = htonl(address.host.toIPv4Address());
    }
    return storage;
}

QByteArray headerOf(MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// Called once when the headers are there, and once more when the request is whole. What has a body
// is answered at once; the connection ends with the answer, and the body is never read.
MHD_Result onRequest(void *self, MHD_Connection *connection, const char *url, const char *method,
                     const char *, const char *, size_t *, void **state)
{
    HttpHead head{method, headerOf(connection, MHD_HTTP_HEADER_HOST), false};
    const QByteArray length = headerOf(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    head.hasBody = (!length.isNull() && length != "0") ||
                   !headerOf(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING).isNull();
    static int isSeen = 0;
    if (!*state && !head.hasBody) {
        *state = &isSeen;
        return MHD_YES;
    }
    const HttpResponse answer =
        static_cast<const HttpServer *>(self)->answer(head, QString::fromUtf8(url));
    MHD_Response *response = MHD_create_response_from_buffer(
        size_t(answer.body.size()), const_cast<char *>(answer.body.constData()),
        MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer.contentType.constData());
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    if (answer.status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    const MHD_Result queued = MHD_queue_response(connection, unsigned(answer.status), response);
    MHD_destroy_response(response);
    return queued;
}

void onConnection(void *self, MHD_Connection *connection, void **,
                  MHD_ConnectionNotificationCode code)
{
    auto *server = static_cast<HttpServer *>(self);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED)
        server->closed(connection);
    else
        server->opened(
            connection,
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
}
} // namespace

HttpServer::HttpServer(Answer answer, HttpLimits limits)
    : m_answer(std::move(answer)), m_limits(limits)
{
}

HttpServer::~HttpServer() { close(); }

Result<void> HttpServer::listen(const QString &address)
{
    const auto parsed = parse(address);
    if (!parsed)
        return parsed.error();
    const sockaddr_storage native = nativeOf(*parsed);
    const bool isSix = parsed->host.protocol() == QHostAddress::IPv6Protocol;
    const unsigned flags = unsigned(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD) |
                           (isSix ? unsigned(MHD_USE_IPv6) : 0u);
    m_address = parsed->host;
    m_port = parsed->port; // the first request may come before the port is asked for
    errno = 0;
    m_daemon = MHD_start_daemon(
        flags, 0, nullptr, nullptr, onRequest, this, MHD_OPTION_SOCK_ADDR,
        reinterpret_cast<const sockaddr *>(&native), MHD_OPTION_CONNECTION_LIMIT, m_limits.clients,
        MHD_OPTION_CONNECTION_TIMEOUT, m_limits.idleSeconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        memoryOfClient, MHD_OPTION_NOTIFY_CONNECTION, onConnection, this, MHD_OPTION_END);
    if (!m_daemon)
        return model::Error{model::ErrorKind::refused,
                            u"cannot listen on %1: %2"_s.arg(
                                address, errno != 0 ? QString::fromLocal8Bit(std::strerror(errno))
                                                    : u"the address is not of this machine"_s)};
    m_port = MHD_get_daemon_info(m_daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    m_watcher = std::thread([this] { watch(); });
    return {};
}

void HttpServer::close()
{
    if (!m_daemon)
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_isClosing = true;
    }
    m_closing.notify_all();
    m_watcher.join();
    MHD_stop_daemon(std::exchange(m_daemon, nullptr));
}

void HttpServer::opened(MHD_Connection *connection, int descriptor)
{
    const std::lock_guard lock(m_mutex);
    m_clients[connection] = {descriptor, std::chrono::steady_clock::now()};
}

// Before the descriptor is closed, so that nobody else's is ever shut down.
void HttpServer::closed(MHD_Connection *connection)
{
    const std::lock_guard lock(m_mutex);
    m_clients.erase(connection);
}

// The library forgives a client that sends a byte now and then; such clients could take all places.
void HttpServer::watch()
{
    std::unique_lock lock(m_mutex);
    while (!m_closing.wait_for(lock, watchEvery, [this] { return m_isClosing; })) {
        const auto oldest =
            std::chrono::steady_clock::now() - std::chrono::seconds(m_limits.wholeSeconds);
        for (const auto &[connection, client] : m_clients) {
            if (client.since < oldest)
                ::shutdown(client.descriptor, SHUT_RDWR);
        }
    }
}

bool HttpServer::isOwnName(const QByteArray &host) const
{
    const bool isAny = m_address == QHostAddress(QHostAddress::AnyIPv4) ||
                       m_address == QHostAddress(QHostAddress::AnyIPv6);
    if (isAny)
        return true;
    QByteArray name = host.toLower();
    const QByteArray port = ':' + QByteArray::number(m_port);
    if (name.endsWith(port))
        name.chop(port.size());
    const QByteArray address = m_address.toString().toLatin1().toLower();
    const bool isSix = m_address.protocol() == QHostAddress::IPv6Protocol;
    return name == "localhost" || name == "127.0.0.1" || name == "[::1]" ||
           name == (isSix ? '[' + address + ']' : address) ||
           (!isLoopback() && !name.isEmpty() &&
            name == QSysInfo::machineHostName().toLower().toUtf8());
}

HttpResponse HttpServer::answer(const HttpHead &head, const QString &path) const
{
    if (!isOwnName(head.host))
        return {403, plainText,
                isLoopback() ? "this is served to those who ask for a loopback address\n"
                             : "this is served to those who ask for its address, or for its host "
                               "by name\n"};
    if (head.method != "GET" && head.method != "HEAD")
        return {405, plainText, "only GET is served here\n"};
    if (head.hasBody)
        return {400, plainText, "a request has no body here\n"};
    return m_answer(path);
}

} // namespace holdfast::api
