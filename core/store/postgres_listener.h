// Hears that another process added work, on a thread and a connection of its own, and reconnects by
// itself. Only a hint that saves waiting for the next poll: anyone may send it, and it may get
// lost.
#pragma once

#include "store/postgres_address.h"

#include <QThread>
#include <functional>
#include <memory>

namespace holdfast::store
{

class PostgresListener
{
public:
    // The callback runs on the listener's thread: it must only wake somebody. It is also called
    // after every connection, since what was said before was not heard.
    PostgresListener(const PostgresAddress &address, std::function<void()> callback);
    ~PostgresListener(); // stops
    Q_DISABLE_COPY_MOVE(PostgresListener)

    void start();
    void stop();

private:
    void listen();

    PostgresAddress m_address;
    std::function<void()> m_callback;
    std::unique_ptr<QThread> m_thread;
};

} // namespace holdfast::store
