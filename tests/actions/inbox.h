// Where a test receives what a sender reports: waits for the cause, never for the clock.
#pragma once

#include "model/call.h"
#include "ports/clock.h"
#include "ports/sender.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace holdfast::test
{

class Inbox
{
public:
    explicit Inbox(ports::Sender &sender)
    {
        sender.setReport([this](model::CallResult result) {
            const std::lock_guard lock(m_mutex);
            m_results.append(std::move(result));
            m_changed.notify_all();
        });
    }
    // An answer with the error "nothing_reported" stands for none within the time.
    model::CallResult next(int seconds = 20)
    {
        if (!waitFor(1, seconds)) {
            model::CallResult none;
            none.error = QStringLiteral("nothing_reported");
            return none;
        }
        const std::lock_guard lock(m_mutex);
        return m_results.takeFirst();
    }
    bool waitFor(int count, int seconds = 30)
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::seconds(seconds),
                                  [&] { return m_results.size() >= count; });
    }
    QVector<model::CallResult> all() const
    {
        const std::lock_guard lock(m_mutex);
        return m_results;
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    QVector<model::CallResult> m_results;
};

// Time that a test moves by hand.
class HandClock : public ports::Clock
{
public:
    model::Instant now() const override { return wall; }
    model::Millis monotonic() const override { return steady; }
    std::atomic<model::Instant> wall = 1'700'000'000'000;
    std::atomic<model::Millis> steady = 1'000'000;
};

} // namespace holdfast::test
