// The outside as the demo's two past weeks met it: the sandbox's own services, called without a
// network on a clock that is moved by hand, with faults drawn from a seed. What it did stands in
// the sandbox's books, so the past can be verified and compensated like the present.
#pragma once

#include "app/sandbox/services.h"
#include "ports/clock.h"
#include "ports/sender.h"

namespace holdfast::console
{

class MovedClock : public ports::Clock
{
public:
    explicit MovedClock(model::Instant start) : m_now(start), m_start(start) {}
    model::Instant now() const override { return m_now; }
    model::Millis monotonic() const override { return m_now - m_start; }
    void moveTo(model::Instant instant) { m_now = std::max(m_now, instant); }

private:
    model::Instant m_now;
    const model::Instant m_start;
};

class DemoWorld : public ports::Sender
{
public:
    DemoWorld(sandbox::Services &services, quint64 seed) : m_services(services), m_seed(seed) {}

    void setReport(Report) override {}
    void send(const model::Call &call) override;
    void drain() override {}

    bool hasResults() const { return !m_results.isEmpty(); }
    // How long the slowest of them took.
    model::Millis latency() const { return m_latency; }
    QVector<model::CallResult> takeResults();

private:
    enum class Luck { good, lostReply, lostRequest, busy, refused, tooMany };
    Luck luckOf(const model::Call &call, int draw) const;
    void answer(const model::Call &call, model::CallResult &result);
    int draw(const model::Call &call) const;

    sandbox::Services &m_services;
    const quint64 m_seed;
    QVector<model::CallResult> m_results;
    model::Millis m_latency = 0;
};

} // namespace holdfast::console
