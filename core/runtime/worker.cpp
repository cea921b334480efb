#include "runtime/worker.h"

#include "model/ids.h"

#include <chrono>

namespace holdfast::runtime
{

namespace
{
bool endsTheWorker(model::ErrorKind kind)
{
    switch (kind) {
    case model::ErrorKind::corrupt:
    case model::ErrorKind::unsupported:
    case model::ErrorKind::refused: return true;
    case model::ErrorKind::invalid:
    case model::ErrorKind::notFound:
    case model::ErrorKind::conflict:
    case model::ErrorKind::busy:
    case model::ErrorKind::lost:
    case model::ErrorKind::unknownOutcome:
    case model::ErrorKind::full: return false;
    }
    Q_UNREACHABLE();
}
} // namespace

QString workerStateName(WorkerState state)
{
    switch (state) {
    case WorkerState::starting: return QStringLiteral("starting");
    case WorkerState::running: return QStringLiteral("running");
    case WorkerState::watching: return QStringLiteral("watching");
    case WorkerState::draining: return QStringLiteral("draining");
    case WorkerState::databaseAway: return QStringLiteral("database_away");
    case WorkerState::diskFull: return QStringLiteral("disk_full");
    case WorkerState::stopped: return QStringLiteral("stopped");
    }
    Q_UNREACHABLE();
}

Worker::Worker(std::unique_ptr<ports::Store> store, Catalog &catalog, ports::Sender &sender,
               const ports::Clock &clock, WorkerOptions options)
    : m_store(std::move(store)), m_catalog(catalog), m_sender(sender), m_clock(clock),
      m_options(std::move(options))
{
    if (m_options.id.isEmpty())
        m_options.id = model::newId(m_clock.now());
}

Worker::~Worker()
{
    drain();
    join();
}

void Worker::start()
{
    m_sender.setReport([this](model::CallResult result) {
        {
            const std::lock_guard lock(m_mutex);
            m_inbox.append(std::move(result));
        }
        m_news.notify_one();
    });
    m_thread = std::thread([this] { run(); });
}

void Worker::wake()
{
    {
        const std::lock_guard lock(m_mutex);
        m_woken = true;
    }
    m_news.notify_one();
}

void Worker::drain()
{
    {
        const std::lock_guard lock(m_mutex);
        m_draining = true;
    }
    m_news.notify_one();
}

bool Worker::join()
{
    if (m_thread.joinable())
        m_thread.join();
    return !m_failed;
}

WorkerStatus Worker::status() const
{
    const std::lock_guard lock(m_mutex);
    return m_status;
}

void Worker::setState(WorkerState state, const QString &message)
{
    const std::lock_guard lock(m_mutex);
    m_status.state = state;
    m_status.message = message;
}

void Worker::post(Posted work)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_status.state != WorkerState::stopped) {
            m_posted.push_back(std::move(work));
            work = nullptr;
        }
    }
    if (work)
        work(model::Error{model::ErrorKind::lost, QStringLiteral("the engine has stopped")});
    else
        m_news.notify_one();
}

void Worker::run()
{
    m_routine = std::make_unique<Routine>(*m_store, m_catalog, m_sender, m_clock, m_options);
    while (true) {
        bool draining = false;
        QVector<model::CallResult> results;
        {
            const std::lock_guard lock(m_mutex);
            draining = m_draining;
            results = std::exchange(m_inbox, {});
            m_woken = false;
        }
        m_routine->add(results);
        if (draining)
            m_routine->drain();
        const bool ready = isReady();
        if (m_failed)
            break;
        if (ready) {
            showState(draining);
            runPosted();
            if (oneTurn() && isIdle())
                break;
            m_routine->sweep();
        } else {
            failPosted(status().message);
            if (draining && m_routine->owned() == 0)
                break;
        }
        if (m_failed)
            break;
        waitForNews();
    }
    if (!m_failed && !m_routine->misfit().isEmpty())
        handle({model::ErrorKind::unsupported, m_routine->misfit()});
    m_routine->leave();
    m_routine.reset();
    stopPosted();
    m_store.reset();
    if (m_stopped)
        m_stopped();
}

void Worker::showState(bool draining)
{
    if (m_routine->isShortOfSpace())
        setState(WorkerState::diskFull,
                 QStringLiteral("the disk of the run database is full: what is under way is "
                                "written down, nothing new is sent until there is space again"));
    else if (!m_routine->misfit().isEmpty())
        setState(WorkerState::draining, m_routine->misfit());
    else if (m_routine->onlyWatches() && !draining)
        setState(WorkerState::watching);
    else
        setState(draining ? WorkerState::draining : WorkerState::running);
}

bool Worker::isReady()
{
    const auto ready = m_routine->getReady();
    if (!ready)
        handle(ready.error());
    return ready.ok();
}

bool Worker::oneTurn()
{
    const auto report = m_routine->turn();
    if (!report) {
        handle(report.error());
        return false;
    }
    const std::lock_guard lock(m_mutex);
    m_status.inFlight = m_routine->owned();
    ++m_status.turns;
    m_status.sent += report->sent;
    return true;
}

void Worker::handle(const model::Error &error)
{
    m_failed = endsTheWorker(error.kind);
    setState(m_failed ? WorkerState::stopped : WorkerState::databaseAway, error.message);
}

void Worker::runPosted()
{
    while (true) {
        Posted work;
        {
            const std::lock_guard lock(m_mutex);
            if (m_posted.empty())
                return;
            work = std::move(m_posted.front());
            m_posted.pop_front();
        }
        work(m_store.get());
    }
}

bool Worker::isIdle()
{
    bool draining = false;
    {
        const std::lock_guard lock(m_mutex);
        draining = m_draining;
        if (!m_inbox.isEmpty() || !m_posted.empty())
            return false;
    }
    if (m_routine->owned() > 0 || m_routine->hasResults() || m_routine->hasAlertsUnderWay())
        return false;
    return draining || !m_routine->misfit().isEmpty() ||
           (m_options.untilIdle && m_routine->isSettled());
}

void Worker::waitForNews()
{
    const bool away = m_routine->isAway();
    if (!away) {
        const std::lock_guard lock(m_mutex);
        if (m_woken || !m_inbox.isEmpty() || !m_posted.empty())
            return;
    }
    const model::Millis wait = m_routine->wait();
    std::unique_lock lock(m_mutex);
    const auto news = [&] {
        // While the database is away, results wait with us: they are no reason to spin.
        if (away)
            return m_draining && m_routine->owned() == 0;
        const bool drained = m_draining && (m_status.state == WorkerState::running ||
                                            m_status.state == WorkerState::watching);
        return m_woken || drained || !m_inbox.isEmpty() || !m_posted.empty();
    };
    if (wait > 0)
        m_news.wait_for(lock, std::chrono::milliseconds(wait), news);
}

void Worker::stopPosted()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_status.state != WorkerState::stopped) {
            m_status.state = WorkerState::stopped;
            m_status.message.clear();
        }
    }
    failPosted(QStringLiteral("the engine has stopped"));
}

void Worker::failPosted(const QString &why)
{
    std::deque<Posted> left;
    {
        const std::lock_guard lock(m_mutex);
        left.swap(m_posted);
    }
    for (const Posted &work : left)
        work(model::Error{model::ErrorKind::lost, why});
}

} // namespace holdfast::runtime
