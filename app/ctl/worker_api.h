// What a worker serves over HTTP: /metrics for Prometheus and /healthz for whoever watches
// processes.
#pragma once

#include "api/http_server.h"
#include "insight/metrics.h"
#include "runtime/worker.h"

namespace holdfast::ctl
{

class WorkerApi
{
public:
    // Both outlive it.
    WorkerApi(runtime::Worker &worker, const insight::Metrics &metrics);

    model::Result<void> listen(const QString &address) { return m_server.listen(address); }
    int port() const { return m_server.port(); }
    bool isLoopback() const { return m_server.isLoopback(); }

private:
    api::HttpResponse answer(const QString &path);
    api::HttpResponse health() const;
    std::optional<insight::Gauges> gauges();

    runtime::Worker &m_worker;
    const insight::Metrics &m_metrics;
    api::HttpServer m_server;
};

} // namespace holdfast::ctl
