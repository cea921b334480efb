// Time in a simulation: what is to happen, in order, on a clock that jumps from one event to the
// next. Events of the same instant happen in the order in which they were entered.
#pragma once

#include "support/store_fixture.h"

#include <functional>
#include <queue>
#include <vector>

namespace holdfast::simulation
{

using model::Instant;
using model::Millis;

class Agenda
{
public:
    const ports::Clock &clock() const { return m_clock; }
    Instant now() const { return m_clock.now(); }
    void begin(Instant at)
    {
        m_clock.set(at);
        m_events = {};
        m_count = 0;
    }
    void at(Instant when, std::function<void()> what)
    {
        m_events.push({std::max(when, now()), ++m_count, std::move(what)});
    }
    void in(Millis delay, std::function<void()> what) { at(now() + delay, std::move(what)); }

    // The next event not after `until`; false: there is none, and it is `until`.
    bool step(Instant until)
    {
        if (m_events.empty() || m_events.top().at > until) {
            m_clock.set(std::max(until, now()));
            return false;
        }
        const Event event = m_events.top();
        m_events.pop();
        m_clock.set(event.at);
        event.what();
        return true;
    }

private:
    struct Event {
        Instant at;
        quint64 number;
        std::function<void()> what;

        bool operator<(const Event &other) const // the greatest is taken first
        {
            return std::tie(other.at, other.number) < std::tie(at, number);
        }
    };

    tests::SettableClock m_clock;
    std::priority_queue<Event> m_events;
    quint64 m_count = 0;
};

} // namespace holdfast::simulation
