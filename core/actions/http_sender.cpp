#include "actions/http_sender.h"

#include <csignal>

namespace holdfast::actions
{

namespace
{

constexpr int pollMs = 1000; // only a safety net: calls, sockets and timers all wake the poll

void initialiseCurlOnce()
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

// With NOSIGNAL set libcurl leaves this to us: a peer that hangs up during TLS must not end the
// process.
void blockBrokenPipeSignal()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Outgoing missing(const model::Call &call)
{
    Outgoing outgoing;
    outgoing.error = QStringLiteral("dependency_missing");
    outgoing.detail = QStringLiteral("The dependency %1 in revision %2 is not deployed.")
                          .arg(call.dependency)
                          .arg(call.dependencyRevision);
    return outgoing;
}

} // namespace

HttpSender::HttpSender(const ports::Clock &clock, DependencyLookup lookup,
                       std::shared_ptr<Secrets> secrets, HttpOptions options)
    : HttpSender(
          clock,
          [lookup = std::move(lookup), secrets](const model::Call &call) {
              const auto dependency = lookup(call.dependency, call.dependencyRevision);
              return dependency ? prepareOutgoing(call, *dependency, *secrets) : missing(call);
          },
          secrets, std::move(options))
{
}

HttpSender::HttpSender(const ports::Clock &clock, Prepare prepare, std::shared_ptr<Secrets> secrets,
                       HttpOptions options)
    : m_clock(clock), m_prepare(std::move(prepare)), m_secrets(std::move(secrets)),
      m_options(std::move(options))
{
    initialiseCurlOnce();
    m_multi = curl_multi_init();
    curl_multi_setopt(m_multi, CURLMOPT_MAXCONNECTS,
                      static_cast<long>(m_options.idleConnectionsMax));
    m_thread = std::thread([this] { run(); });
}

HttpSender::~HttpSender()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    curl_multi_wakeup(m_multi);
    m_thread.join();
    curl_multi_cleanup(m_multi);
}

void HttpSender::setReport(Report report)
{
    const std::lock_guard lock(m_mutex);
    m_report = std::make_shared<const Report>(std::move(report));
}

void HttpSender::send(const model::Call &call)
{
    {
        const std::lock_guard lock(m_mutex);
        m_inbox.push_back({call, m_clock.monotonic(), m_isDraining});
    }
    curl_multi_wakeup(m_multi);
}

void HttpSender::drain()
{
    const std::lock_guard lock(m_mutex);
    m_isDraining = true;
}

void HttpSender::run()
{
    blockBrokenPipeSignal();
    while (takeInbox()) {
        startWaiting();
        int running = 0;
        curl_multi_perform(m_multi, &running);
        collectFinished();
        if (m_waiting.empty() || static_cast<int>(m_inFlight.size()) >= m_options.inFlightMax)
            curl_multi_poll(m_multi, nullptr, 0, pollMs, nullptr);
    }
    for (const auto &[handle, transfer] : m_inFlight) {
        curl_multi_remove_handle(m_multi, handle);
        curl_easy_cleanup(handle);
    }
    m_inFlight.clear();
    for (CURL *handle : m_idleHandles)
        curl_easy_cleanup(handle);
}

bool HttpSender::takeInbox()
{
    std::vector<Waiting> taken;
    {
        const std::lock_guard lock(m_mutex);
        if (m_isStopping)
            return false;
        taken.swap(m_inbox);
    }
    for (Waiting &waiting : taken)
        m_waiting.push_back(std::move(waiting));
    return true;
}

void HttpSender::startWaiting()
{
    while (!m_waiting.empty() && static_cast<int>(m_inFlight.size()) < m_options.inFlightMax) {
        const Waiting waiting = std::move(m_waiting.front());
        m_waiting.pop_front();
        start(waiting);
    }
}

void HttpSender::start(const Waiting &waiting)
{
    const model::Call &call = waiting.call;
    const model::Millis now = m_clock.monotonic();
    const model::Millis remaining = call.timeout - (now - waiting.since);
    if (waiting.isCancelled) {
        return report(notSent(call, QStringLiteral("cancelled"),
                              QStringLiteral("This process is shutting down; nothing was sent.")));
    }
    if (remaining <= 0 || (call.sendBeforeMonotonic != 0 && now > call.sendBeforeMonotonic)) {
        return report(
            notSent(call, QStringLiteral("too_late"),
                    QStringLiteral("Its time was over before it began; nothing was sent.")));
    }
    Outgoing outgoing = m_prepare(call);
    if (outgoing.isRefused()) {
        return report(
            notSent(call, outgoing.error, m_secrets->redactor()->redacted(outgoing.detail)));
    }
    auto transfer = std::make_unique<HttpTransfer>(call, std::move(outgoing), m_clock);
    CURL *handle = takeHandle();
    transfer->configure(handle, m_options, remaining);
    curl_multi_add_handle(m_multi, handle);
    m_inFlight.emplace(handle, std::move(transfer));
}

void HttpSender::collectFinished()
{
    int left = 0;
    while (const CURLMsg *message = curl_multi_info_read(m_multi, &left)) {
        if (message->msg == CURLMSG_DONE)
            finish(message->easy_handle, message->data.result);
    }
}

void HttpSender::finish(CURL *handle, CURLcode code)
{
    const auto found = m_inFlight.find(handle);
    Q_ASSERT(found != m_inFlight.end());
    const std::unique_ptr<HttpTransfer> transfer = std::move(found->second);
    m_inFlight.erase(found);
    model::CallResult result = transfer->result(handle, code, *m_secrets->redactor());
    curl_multi_remove_handle(m_multi, handle);
    curl_easy_reset(handle);
    m_idleHandles.push_back(handle);
    report(std::move(result));
}

CURL *HttpSender::takeHandle()
{
    if (m_idleHandles.empty())
        return curl_easy_init();
    CURL *handle = m_idleHandles.back();
    m_idleHandles.pop_back();
    return handle;
}

void HttpSender::report(model::CallResult result) const
{
    std::shared_ptr<const Report> receiver;
    {
        const std::lock_guard lock(m_mutex);
        receiver = m_report;
    }
    if (receiver && *receiver)
        (*receiver)(std::move(result));
}

} // namespace holdfast::actions
