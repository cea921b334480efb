#include "actions/http_transfer.h"

#include "actions/retry_after.h"

#include <QFile>
#include <algorithm>
#include <cerrno>
#include <sys/socket.h>

namespace holdfast::actions
{

namespace
{

constexpr model::Millis timeoutMax = model::day;

// Whatever may change the outside: also an undoing, and a question that is asked by other means
// than GET.
bool isWrite(const model::Call &call)
{
    if (call.direction == model::Direction::compensate)
        return true;
    const bool isQuestion =
        call.direction == model::Direction::verify || call.direction == model::Direction::snapshot;
    if (isQuestion)
        return call.request.method != u"GET" && call.request.method != u"HEAD";
    return call.effect != model::Effect::read;
}

bool isCertificateError(CURLcode code)
{
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_ISSUER_ERROR ||
           code == CURLE_SSL_INVALIDCERTSTATUS || code == CURLE_SSL_PINNEDPUBKEYNOTMATCH;
}

bool isTlsError(CURLcode code)
{
    // While nothing was sent, reading and writing can only have been the handshake.
    return code == CURLE_SSL_CONNECT_ERROR || code == CURLE_SSL_CIPHER ||
           code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CACERT_BADFILE ||
           code == CURLE_SSL_ENGINE_INITFAILED || code == CURLE_SSL_CRL_BADFILE ||
           code == CURLE_USE_SSL_FAILED || code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR;
}

} // namespace

HttpTransfer::HttpTransfer(const model::Call &call, Outgoing outgoing, const ports::Clock &clock)
    : m_call(call), m_outgoing(std::move(outgoing)), m_clock(clock)
{
}

HttpTransfer::~HttpTransfer() { curl_slist_free_all(m_lines); }

void HttpTransfer::configure(CURL *handle, const HttpOptions &options, model::Millis remaining)
{
    const model::Millis total = std::clamp<model::Millis>(remaining, 1, timeoutMax);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(total));
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS,
                     static_cast<long>(std::min(total, options.connectTimeout)));
    configureSafety(handle, options);
    configureMessage(handle);
    configureCallbacks(handle);
}

void HttpTransfer::configureSafety(CURL *handle, const HttpOptions &options)
{
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    // A resolver that hangs must not hold up the thread when its call has timed out.
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!options.authorityFile.isEmpty()) {
        const QByteArray file = QFile::encodeName(options.authorityFile);
        curl_easy_setopt(handle, CURLOPT_CAINFO, file.constData());
        curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);
    }
    if (isWrite(m_call)) {
        // On a connection used before, libcurl would repeat a request that died without an answer.
        curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
    }
}

void HttpTransfer::configureMessage(CURL *handle)
{
    const QByteArray &body = m_call.request.body;
    const QByteArray &method = m_outgoing.method;
    curl_easy_setopt(handle, CURLOPT_URL, m_outgoing.url.constData());
    if (method == "HEAD" && body.isEmpty()) {
        curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    } else if (body.isEmpty() && method != "POST" && method != "PUT" && method != "PATCH") {
        curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
    } else {
        curl_easy_setopt(handle, CURLOPT_POST, 1L);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.isNull() ? "" : body.constData());
    }
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method.constData());
    bool hasContentType = false;
    for (const HeaderLine &line : m_outgoing.headers) {
        hasContentType |= line.name.compare("Content-Type", Qt::CaseInsensitive) == 0;
        // "Name:" would remove the header; "Name;" sends it empty.
        const QByteArray text =
            line.value.trimmed().isEmpty() ? line.name + ';' : line.name + ": " + line.value;
        m_lines = curl_slist_append(m_lines, text.constData());
    }
    if (!hasContentType)
        m_lines = curl_slist_append(m_lines, "Content-Type:");
    m_lines = curl_slist_append(m_lines, "Expect:");
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, m_lines);
}

void HttpTransfer::configureCallbacks(CURL *handle)
{
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, m_errorText.data());
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, &HttpTransfer::onPrerequest);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, this);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, &HttpTransfer::onOpenSocket);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, this);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &HttpTransfer::onHeader);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, this);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &HttpTransfer::onBody);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, this);
}

model::CallResult HttpTransfer::result(CURL *handle, CURLcode code, const Redactor &redactor)
{
    model::CallResult result = resultFor(m_call);
    result.sent = m_isSent;
    result.status = -1;
    const char *text = m_errorText[0] != '\0' ? m_errorText.data() : curl_easy_strerror(code);
    if (!m_isSent) {
        result.error = errorBeforeSending(handle, code);
        result.detail = redactor.redacted(personLine(text));
        return result;
    }
    result.error = errorAfterSending(code);
    // A status counts only with whole headers: half of a head is no answer.
    if (m_areHeadersComplete) {
        result.status = m_status;
        result.bodyComplete = code == CURLE_OK;
        fillResponse(result, redactor);
    }
    if (!result.error.isEmpty() && code != CURLE_OK)
        result.detail = redactor.redacted(personLine(text));
    else if (!result.error.isEmpty())
        result.detail = QStringLiteral("The reply ended before its headers did.");
    return result;
}

void HttpTransfer::fillResponse(model::CallResult &result, const Redactor &redactor) const
{
    if (redactor.isEmpty()) {
        result.headers = m_headers;
        result.body = m_body;
    } else {
        result.body = redactor.redacted(m_body, !result.bodyComplete);
        for (const auto &[name, value] : m_headers)
            result.headers.append({redactor.redacted(name), redactor.redacted(value)});
    }
    for (const auto &[name, value] : m_headers) {
        if (name.compare(QLatin1String("Retry-After"), Qt::CaseInsensitive) == 0) {
            result.retryAfter = parseRetryAfter(value.toLatin1(), m_clock.now());
            break;
        }
    }
}

QString HttpTransfer::errorBeforeSending(CURL *handle, CURLcode code) const
{
    if (m_isTooLate)
        return QStringLiteral("too_late");
    if (m_isPeerRefused || (m_addressesRefused > 0 && m_addressesRefused == m_addressesTried))
        return QStringLiteral("address_forbidden");
    if (code == CURLE_COULDNT_RESOLVE_HOST)
        return QStringLiteral("dns_failure");
    if (code == CURLE_OPERATION_TIMEDOUT)
        return QStringLiteral("connect_timeout");
    if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT)
        return QStringLiteral("address_forbidden");
    if (isCertificateError(code))
        return QStringLiteral("certificate_invalid");
    if (isTlsError(code))
        return QStringLiteral("tls_failed");
    long systemError = 0;
    curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &systemError);
    if (code == CURLE_COULDNT_CONNECT && systemError == ECONNREFUSED)
        return QStringLiteral("connect_refused");
    if (code == CURLE_COULDNT_CONNECT && systemError == ETIMEDOUT)
        return QStringLiteral("connect_timeout");
    return QStringLiteral("connect_failed");
}

QString HttpTransfer::errorAfterSending(CURLcode code) const
{
    if (m_isTooLarge)
        return QStringLiteral("too_large");
    if (code == CURLE_OK)
        return m_areHeadersComplete ? QString() : QStringLiteral("bad_reply");
    if (code == CURLE_OPERATION_TIMEDOUT)
        return QStringLiteral("timeout");
    if (code == CURLE_GOT_NOTHING || m_isSecondSend)
        return QStringLiteral("empty_reply");
    if (code == CURLE_OUT_OF_MEMORY)
        return QStringLiteral("too_large"); // one header line beyond what libcurl itself keeps
    const bool isBroken = code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR;
    if (m_areHeadersComplete && (isBroken || code == CURLE_PARTIAL_FILE))
        return QStringLiteral("truncated");
    return isBroken ? QStringLiteral("reset") : QStringLiteral("bad_reply");
}

// The last gate: the lease may have run out while the connection was made. A second visit means
// that the request was on the wire already and would be repeated.
bool HttpTransfer::mayLeave(const char *peer)
{
    if (m_isSent) {
        m_isSecondSend = true;
        return false;
    }
    if (m_call.sendBeforeMonotonic != 0 && m_clock.monotonic() > m_call.sendBeforeMonotonic) {
        m_isTooLate = true;
        return false;
    }
    // A reused connection was opened under the rule of another call.
    if (!m_outgoing.addresses.allows(addressKind(QByteArray(peer)))) {
        m_isPeerRefused = true;
        return false;
    }
    m_isSent = true;
    return true;
}

bool HttpTransfer::takeHeader(const char *data, size_t size)
{
    m_headerBytes += static_cast<qsizetype>(size);
    if (m_headerBytes > responseHeadersMax) {
        m_isTooLarge = true;
        return false;
    }
    if (m_areHeadersComplete)
        return true; // trailers say nothing that we use
    const QByteArray line(data, static_cast<qsizetype>(size));
    if (line.startsWith("HTTP/")) {
        m_headers.clear();
        m_status = line.mid(line.indexOf(' ') + 1, 3).toInt();
        return true;
    }
    if (line == "\r\n" || line == "\n") {
        m_areHeadersComplete = m_status >= 200;
        return true;
    }
    takeHeaderField(line);
    return true;
}

void HttpTransfer::takeHeaderField(const QByteArray &line)
{
    const bool isFolded = line.startsWith(' ') || line.startsWith('\t');
    if (isFolded && !m_headers.isEmpty()) {
        m_headers.last().second += u' ' + QString::fromUtf8(line.trimmed());
        return;
    }
    const qsizetype colon = line.indexOf(':');
    if (colon > 0) {
        m_headers.append({QString::fromUtf8(line.left(colon).trimmed()),
                          QString::fromUtf8(line.mid(colon + 1).trimmed())});
    }
}

bool HttpTransfer::takeBody(const char *data, size_t size)
{
    if (m_body.size() + static_cast<qsizetype>(size) > responseBodyMax) {
        m_isTooLarge = true;
        m_body.truncate(oversizeKept);
        return false;
    }
    m_body.append(data, static_cast<qsizetype>(size));
    return true;
}

int HttpTransfer::onPrerequest(void *self, char *peer, char *, int, int)
{
    return static_cast<HttpTransfer *>(self)->mayLeave(peer) ? CURL_PREREQFUNC_OK
                                                             : CURL_PREREQFUNC_ABORT;
}

curl_socket_t HttpTransfer::onOpenSocket(void *self, curlsocktype, curl_sockaddr *address)
{
    auto *transfer = static_cast<HttpTransfer *>(self);
    ++transfer->m_addressesTried;
    if (!transfer->m_outgoing.addresses.allows(addressKind(&address->addr))) {
        ++transfer->m_addressesRefused;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

size_t HttpTransfer::onHeader(char *data, size_t size, size_t count, void *self)
{
    return static_cast<HttpTransfer *>(self)->takeHeader(data, size * count) ? size * count : 0;
}

size_t HttpTransfer::onBody(char *data, size_t size, size_t count, void *self)
{
    return static_cast<HttpTransfer *>(self)->takeBody(data, size * count) ? size * count : 0;
}

model::CallResult resultFor(const model::Call &call)
{
    model::CallResult result;
    result.runId = call.runId;
    result.step = call.step;
    result.direction = call.direction;
    result.attempt = call.attempt;
    result.fence = call.fence;
    return result;
}

model::CallResult notSent(const model::Call &call, const QString &error, const QString &detail)
{
    model::CallResult result = resultFor(call);
    result.sent = false;
    result.status = -1;
    result.error = error;
    result.detail = detail;
    return result;
}

QString personLine(const QByteArray &text)
{
    constexpr qsizetype lengthMax = 500;
    QString line = QString::fromUtf8(text.trimmed());
    for (QChar &c : line) {
        if (c.category() == QChar::Other_Control || c.category() == QChar::Other_Format)
            c = u' ';
    }
    return line.size() <= lengthMax ? line : line.right(lengthMax);
}

} // namespace holdfast::actions
