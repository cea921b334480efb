// Interrupts scripts that run too long. One thread for the whole process looks at all engines;
// arming and disarming cost a lock that nobody else holds.
#pragma once

#include "model/time.h"

#include <mutex>

class QJSEngine;

namespace holdfast::contract
{

// Lives as long as its engine and is used from the engine's thread.
class Watch
{
public:
    explicit Watch(QJSEngine &engine);
    ~Watch();
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    void arm(model::Millis limit);
    // True: the limit was reached, and the engine is usable again.
    bool disarm();

private:
    friend class Watchdog;
    void lookAt(qint64 now);

    QJSEngine &m_engine;
    std::mutex m_mutex;
    qint64 m_deadline = 0; // monotonic nanoseconds; 0: not armed
    bool m_fired = false;
};

} // namespace holdfast::contract
