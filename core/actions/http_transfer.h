// One HTTP call from configuring its handle to its result. It knows exactly whether the request may
// have left: libcurl asks `mayLeave` after connecting and before the first byte, and that is the
// only door. Lives on the sender's network thread.
#pragma once

#include "actions/outgoing.h"
#include "model/call.h"
#include "ports/clock.h"

#include <array>
#include <curl/curl.h>
#include <memory>

namespace holdfast::actions
{

constexpr qsizetype responseBodyMax = 1 << 20;
constexpr qsizetype responseHeadersMax = 64 * 1024;
constexpr qsizetype oversizeKept = 4 * 1024; // of a body beyond the maximum, as evidence

struct HttpOptions {
    int inFlightMax = 512;
    int idleConnectionsMax = 64;
    model::Millis connectTimeout = 10 * model::second; // never beyond the call's own time
    QString authorityFile; // trusted certificates instead of the system's, for a private authority
};

class HttpTransfer
{
public:
    HttpTransfer(const model::Call &call, Outgoing outgoing, const ports::Clock &clock);
    ~HttpTransfer();
    HttpTransfer(const HttpTransfer &) = delete;
    HttpTransfer &operator=(const HttpTransfer &) = delete;

    // The handle is fresh or reset. `remaining` is what is left of the call's time.
    void configure(CURL *handle, const HttpOptions &options, model::Millis remaining);
    model::CallResult result(CURL *handle, CURLcode code, const Redactor &redactor);

private:
    void configureSafety(CURL *handle, const HttpOptions &options);
    void configureMessage(CURL *handle);
    void configureCallbacks(CURL *handle);
    bool mayLeave(const char *peer);
    bool takeHeader(const char *data, size_t size);
    void takeHeaderField(const QByteArray &line);
    bool takeBody(const char *data, size_t size);
    QString errorBeforeSending(CURL *handle, CURLcode code) const;
    QString errorAfterSending(CURLcode code) const;
    void fillResponse(model::CallResult &result, const Redactor &redactor) const;

    static int onPrerequest(void *self, char *peer, char *local, int peerPort, int localPort);
    static curl_socket_t onOpenSocket(void *self, curlsocktype purpose, curl_sockaddr *address);
    static size_t onHeader(char *data, size_t size, size_t count, void *self);
    static size_t onBody(char *data, size_t size, size_t count, void *self);

    const model::Call m_call;
    const Outgoing m_outgoing;
    const ports::Clock &m_clock;
    curl_slist *m_lines = nullptr;
    std::array<char, CURL_ERROR_SIZE> m_errorText{};

    bool m_isSent = false;
    bool m_isSecondSend = false; // libcurl wanted to repeat the request and was stopped
    bool m_isTooLate = false;
    int m_addressesTried = 0;
    int m_addressesRefused = 0;
    bool m_isPeerRefused = false;

    int m_status = -1;
    bool m_areHeadersComplete = false;
    bool m_isTooLarge = false;
    qsizetype m_headerBytes = 0;
    QVector<QPair<QString, QString>> m_headers;
    QByteArray m_body;
};

// A result that carries the call's identity and nothing else yet.
model::CallResult resultFor(const model::Call &call);
model::CallResult notSent(const model::Call &call, const QString &error, const QString &detail);
// One line without control characters, of a length a person reads.
QString personLine(const QByteArray &text);

} // namespace holdfast::actions
