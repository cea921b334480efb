#include "contract/watchdog.h"

#include <QJSEngine>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <thread>
#include <vector>

namespace holdfast::contract
{

namespace
{
constexpr auto interval = std::chrono::milliseconds(10);
constexpr int idleRounds =
    100; // looks without work after which the thread sleeps until it is called

qint64 monotonicNow() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
} // namespace

class Watchdog
{
public:
    static Watchdog &instance()
    {
        static Watchdog watchdog;
        return watchdog;
    }

    ~Watchdog()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
        }
        m_wake.notify_all();
        m_thread.join();
    }

    void add(Watch *watch)
    {
        const std::lock_guard lock(m_mutex);
        m_watches.push_back(watch);
    }
    void remove(Watch *watch)
    {
        const std::lock_guard lock(m_mutex);
        m_watches.erase(std::find(m_watches.begin(), m_watches.end(), watch));
    }

    // Called at each arming; a busy process pays one atomic read.
    void wake()
    {
        m_used.store(true, std::memory_order_relaxed);
        if (!m_idle.load())
            return;
        {
            const std::lock_guard lock(m_mutex);
            m_idle = false;
        }
        m_wake.notify_all();
    }

private:
    Watchdog() : m_thread([this] { loop(); }) {}

    void loop()
    {
        std::unique_lock lock(m_mutex);
        int quiet = 0;
        while (!m_stop) {
            if (quiet >= idleRounds) {
                m_idle = true;
                // A script may have been armed just before it could see that we sleep.
                if (!m_used.exchange(false))
                    m_wake.wait(lock, [this] { return m_stop || !m_idle; });
                m_idle = false;
                quiet = 0;
                continue;
            }
            m_wake.wait_for(lock, interval, [this] { return m_stop; });
            const qint64 now = monotonicNow();
            for (Watch *watch : m_watches)
                watch->lookAt(now);
            quiet = m_used.exchange(false) ? 0 : quiet + 1;
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<Watch *> m_watches;
    std::atomic<bool> m_idle = false;
    std::atomic<bool> m_used = false;
    bool m_stop = false;
    std::thread m_thread; // last: it uses all of the above
};

Watch::Watch(QJSEngine &engine) : m_engine(engine) { Watchdog::instance().add(this); }
Watch::~Watch() { Watchdog::instance().remove(this); }

void Watch::arm(model::Millis limit)
{
    {
        const std::lock_guard lock(m_mutex);
        m_deadline = monotonicNow() + limit * 1000000;
        m_fired = false;
    }
    Watchdog::instance().wake();
}

bool Watch::disarm()
{
    const std::lock_guard lock(m_mutex);
    m_deadline = 0;
    if (m_fired)
        m_engine.setInterrupted(false);
    return m_fired;
}

void Watch::lookAt(qint64 now)
{
    const std::lock_guard lock(m_mutex);
    if (m_deadline == 0 || now < m_deadline)
        return;
    m_fired = true;
    m_engine.setInterrupted(true);
}

} // namespace holdfast::contract
