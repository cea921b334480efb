#include "actions/trace_post.h"

#include "model/json.h"

#include <array>
#include <csignal>

namespace holdfast::actions
{

namespace
{
int onProgress(void *isOver, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    return (*static_cast<const std::function<bool()> *>(isOver))() ? 1 : 0;
}

// Those that OTLP names as worth another try.
bool isPassing(int status)
{
    constexpr std::array passing{429, 502, 503, 504};
    return std::find(passing.begin(), passing.end(), status) != passing.end();
}

qint64 rejectedIn(const QByteArray &body)
{
    const auto answer = model::parseJsonObject(body);
    if (!answer)
        return 0;
    const QJsonValue count =
        (*answer)[QLatin1String("partialSuccess")].toObject()[QLatin1String("rejectedSpans")];
    return count.isString() ? count.toString().toLongLong() : count.toInteger();
}
} // namespace

model::Result<std::unique_ptr<TracePost>> TracePost::to(const QString &url, bool allowPrivate)
{
    const qsizetype authority = url.indexOf(QLatin1String("://")) + 3;
    const qsizetype slash = url.indexOf(u'/', authority);
    const auto origin = parseOrigin(slash < 0 ? url : url.left(slash));
    if (!origin)
        return origin.error();
    QString path = slash < 0 ? QString() : url.mid(slash);
    while (path.endsWith(u'/'))
        path.chop(1);
    path += QStringLiteral("/v1/traces");
    if (!isRequestPath(path) || path.contains(u'?'))
        return model::invalid(
            QStringLiteral("The address of the collector, \"%1\", has no usable path.").arg(url));
    Outgoing outgoing;
    outgoing.url = origin->url + path.toLatin1();
    outgoing.method = "POST";
    outgoing.addresses = {origin->isLoopbackLiteral, allowPrivate};
    outgoing.headers = {{"User-Agent", "holdfast/" HOLDFAST_VERSION},
                        {"Content-Type", "application/json"}};
    return std::unique_ptr<TracePost>(new TracePost(std::move(outgoing), path));
}

TracePost::TracePost(Outgoing outgoing, QString path)
    : m_outgoing(std::move(outgoing)), m_path(std::move(path))
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    m_handle = curl_easy_init();
}

TracePost::~TracePost()
{
    curl_easy_cleanup(m_handle);
    curl_global_cleanup();
}

TracePost::Answer TracePost::post(const QByteArray &body, model::Millis timeout,
                                  const std::function<bool()> &isOver)
{
    // With NOSIGNAL set libcurl leaves this to us.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    model::Call call;
    call.effect = model::Effect::read; // spans may arrive twice: a connection may be used again
    call.request.method = QStringLiteral("POST");
    call.request.path = m_path;
    call.request.body = body;
    HttpTransfer transfer(call, m_outgoing, m_clock);
    curl_easy_reset(m_handle);
    transfer.configure(m_handle, {}, timeout);
    curl_easy_setopt(m_handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(m_handle, CURLOPT_XFERINFOFUNCTION, onProgress);
    curl_easy_setopt(m_handle, CURLOPT_XFERINFODATA, &isOver);
    const CURLcode code = curl_easy_perform(m_handle);
    const model::CallResult result = transfer.result(m_handle, code, Redactor());
    Answer answer;
    answer.isTaken = result.error.isEmpty() && result.status >= 200 && result.status < 300;
    if (answer.isTaken) {
        answer.rejected = rejectedIn(result.body);
        return answer;
    }
    answer.mayRetry = result.error.isEmpty() ? isPassing(result.status)
                                             : result.error != QLatin1String("address_forbidden");
    answer.retryAfter = result.retryAfter;
    answer.problem = result.error.isEmpty()
                         ? QStringLiteral("it answered %1").arg(result.status)
                         : QStringLiteral("%1 (%2)").arg(result.error, result.detail);
    return answer;
}

} // namespace holdfast::actions
