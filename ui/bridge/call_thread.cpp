#include "ui/bridge/call_thread.h"

namespace holdfast::bridge
{

CallThread::CallThread(Call call) : m_call(std::move(call)) { start(); }

CallThread::~CallThread()
{
    end();
    wait();
}

void CallThread::end()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        m_items.clear();
    }
    m_wake.notify_one();
}

void CallThread::post(const QString &name, const QJsonObject &arguments,
                      std::function<void(Result<QJsonValue>)> reply)
{
    {
        const std::lock_guard lock(m_mutex);
        m_items.push_back({name, arguments, std::move(reply)});
    }
    m_wake.notify_one();
}

void CallThread::run()
{
    const Call call = std::move(m_call);
    while (true) {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [this] { return m_isEnding || !m_items.empty(); });
        if (m_isEnding)
            return;
        const Item item = std::move(m_items.front());
        m_items.pop_front();
        lock.unlock();
        item.reply(call(item.name, item.arguments));
    }
}

} // namespace holdfast::bridge
