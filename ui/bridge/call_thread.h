// A thread that carries calls out one after the other. Belongs to whoever posts to it.
#pragma once

#include "ui/bridge/bridge.h"

#include <QThread>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace holdfast::bridge
{

class CallThread : public QThread
{
    Q_OBJECT
public:
    explicit CallThread(Call call);
    // Waits for the call under way; what is queued is dropped.
    ~CallThread() override;

    // Takes no more; finished() follows when the call under way has ended. Does not wait.
    void end();

    // `reply` is called on this thread.
    void post(const QString &name, const QJsonObject &arguments,
              std::function<void(Result<QJsonValue>)> reply);

protected:
    void run() override;

private:
    struct Item {
        QString name;
        QJsonObject arguments;
        std::function<void(Result<QJsonValue>)> reply;
    };

    Call m_call; // moved into the thread when it starts
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Item> m_items;
    bool m_isEnding = false;
};

} // namespace holdfast::bridge
