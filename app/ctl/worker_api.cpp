#include "app/ctl/worker_api.h"

#include <chrono>
#include <future>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
// Shorter than a scrape waits by default: the counters are told even where the database is slow.
constexpr std::chrono::seconds gaugesWithin{3};
} // namespace

WorkerApi::WorkerApi(runtime::Worker &worker, const insight::Metrics &metrics)
    : m_worker(worker), m_metrics(metrics),
      m_server([this](const QString &path) { return answer(path); })
{
}

api::HttpResponse WorkerApi::answer(const QString &path)
{
    if (path == "/metrics"_L1)
        return {200, "text/plain; version=0.0.4; charset=utf-8", m_metrics.text(gauges())};
    if (path == "/healthz"_L1)
        return health();
    return {404, "text/plain; charset=utf-8", "there are /metrics and /healthz\n"};
}

api::HttpResponse WorkerApi::health() const
{
    const runtime::WorkerStatus status = m_worker.status();
    const bool works = status.state == runtime::WorkerState::running ||
                       status.state == runtime::WorkerState::draining;
    QString text = runtime::workerStateName(status.state);
    if (!status.message.isEmpty())
        text += u": "_s + status.message;
    return {works ? 200 : 503, "text/plain; charset=utf-8", text.toUtf8() + '\n'};
}

// Read on the worker's thread, whose store it is; an answer that comes too late finds nobody.
std::optional<insight::Gauges> WorkerApi::gauges()
{
    const auto promise = std::make_shared<std::promise<std::optional<insight::Gauges>>>();
    auto future = promise->get_future();
    m_worker.post([promise](const Result<ports::Store *> &store) {
        std::optional<insight::Gauges> read;
        if (store) {
            if (const auto gauges = insight::readGauges(**store))
                read = *gauges;
        }
        promise->set_value(read);
    });
    return future.wait_for(gaugesWithin) == std::future_status::ready ? future.get() : std::nullopt;
}

} // namespace holdfast::ctl
