// Serves HTTP on one address, with limits on clients, time and size. Requests with a body are
// refused: what it serves is read only. It answers only those who call it by its address, a
// loopback name or the name of its host, so that a page in a browser cannot reach it by a name of
// its own; bound to every address of the machine, it cannot know what it is called. It answers on a
// thread of its own, one request a connection.
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QHostAddress>
#include <QString>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

struct MHD_Connection;
struct MHD_Daemon;

namespace holdfast::api
{

struct HttpResponse {
    int status = 200;
    QByteArray contentType = "text/plain; charset=utf-8";
    QByteArray body;
};

struct HttpLimits {
    unsigned clients = 64;
    unsigned idleSeconds = 10;  // without a byte
    unsigned wholeSeconds = 30; // for a client that sends its bytes one by one
};

// What is known of a request when its headers are there.
struct HttpHead {
    QByteArray method;
    QByteArray host;
    bool hasBody = false;
};

class HttpServer
{
public:
    // Asked for a path, without its query; on the server's thread.
    using Answer = std::function<HttpResponse(const QString &path)>;

    explicit HttpServer(Answer answer, HttpLimits limits = {});
    ~HttpServer();
    Q_DISABLE_COPY_MOVE(HttpServer)

    // HOST:PORT, where the host is an address of this machine or `localhost`, and port 0 is any
    // that is free.
    model::Result<void> listen(const QString &address);
    void close(); // waits for answers under way
    int port() const { return m_port; }
    bool isLoopback() const { return m_address.isLoopback(); } // nobody else's machine reaches it

    // For the library below.
    HttpResponse answer(const HttpHead &head, const QString &path) const;
    void opened(MHD_Connection *connection, int descriptor);
    void closed(MHD_Connection *connection);

private:
    struct Client {
        int descriptor = -1;
        std::chrono::steady_clock::time_point since;
    };
    bool isOwnName(const QByteArray &host) const;
    void watch();

    const Answer m_answer;
    const HttpLimits m_limits;
    QHostAddress m_address;
    MHD_Daemon *m_daemon = nullptr;
    std::atomic_int m_port = 0; // read by the server's thread

    std::mutex m_mutex; // guards the next two
    std::map<MHD_Connection *, Client> m_clients;
    bool m_isClosing = false;
    std::condition_variable m_closing;
    std::thread m_watcher;
};

} // namespace holdfast::api
