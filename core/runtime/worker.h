// Drives turns on a thread of its own: waits for results, due runs, commands and wake-ups, renews
// the lease, survives the loss of the database, drains on request. Everything that writes to an
// embedded database goes through here, because only one connection may: see post().
#pragma once

#include "runtime/routine.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace holdfast::runtime
{

enum class WorkerState { starting, running, watching, draining, databaseAway, diskFull, stopped };
QString workerStateName(WorkerState state);

struct WorkerStatus {
    WorkerState state = WorkerState::starting;
    QString message; // why it is away or stopped, for a person
    int inFlight = 0;
    qint64 turns = 0;
    qint64 sent = 0;
};

class Worker
{
public:
    // The store is opened and used on the worker's thread only.
    Worker(std::unique_ptr<ports::Store> store, Catalog &catalog, ports::Sender &sender,
           const ports::Clock &clock, WorkerOptions options);
    ~Worker();
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;

    void start();
    // News may be there: looks at once. Any thread.
    void wake();
    // Stops claiming, lets open attempts end, then stops. Any thread, also from a signal's
    // self-pipe.
    void drain();
    // Waits until the thread has ended; true when it stopped by itself without an error.
    bool join();
    WorkerStatus status() const;
    // Runs on the worker's thread with its store, between turns. Any thread. After the worker
    // stopped, or while the database is away, `work` is called with an error instead of a store.
    using Posted = std::function<void(model::Result<ports::Store *>)>;
    void post(Posted work);
    // Called on the worker's thread when it has stopped.
    void onStopped(std::function<void()> callback) { m_stopped = std::move(callback); }

private:
    void run();
    bool isReady();
    bool oneTurn();
    void handle(const model::Error &error);
    void showState(bool draining);
    void runPosted();
    bool isIdle();
    void waitForNews();
    void setState(WorkerState state, const QString &message = {});
    void stopPosted();
    void failPosted(const QString &why);

    std::unique_ptr<ports::Store> m_store;
    Catalog &m_catalog;
    ports::Sender &m_sender;
    const ports::Clock &m_clock;
    WorkerOptions m_options;
    std::function<void()> m_stopped;

    mutable std::mutex m_mutex;
    std::condition_variable m_news;
    std::deque<Posted> m_posted;
    QVector<model::CallResult> m_inbox;
    bool m_woken = false;
    bool m_draining = false;
    WorkerStatus m_status;

    // The thread's own.
    std::unique_ptr<Routine> m_routine;
    bool m_failed = false;

    std::thread m_thread;
};

} // namespace holdfast::runtime
