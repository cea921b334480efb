#include "runtime/worker.h"

#include "model/ids.h"

#include <QSysInfo>

#include <algorithm>
#include <chrono>
#include <unistd.h>

namespace holdfast::runtime
{

namespace
{
constexpr model::Millis reopenMax = 5 * model::second;
constexpr model::Millis reopenFirst = 100;
constexpr model::Millis sweepEvery = model::minute;
constexpr int sweepMax = 1000;
constexpr model::Millis hourSettledAfter = 5 * model::minute; // a slow writer is late by less
constexpr int hoursAtOnce = 6;

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
    case WorkerState::draining: return QStringLiteral("draining");
    case WorkerState::databaseAway: return QStringLiteral("database_away");
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
    m_turn = std::make_unique<Turn>(
        *m_store, m_catalog, m_sender, m_clock,
        TurnOptions{.worker = m_options.id, .concurrency = m_options.concurrency});
    while (true) {
        bool draining = false;
        {
            const std::lock_guard lock(m_mutex);
            draining = m_draining;
            m_results += std::exchange(m_inbox, {});
            m_woken = false;
        }
        if (draining) {
            m_turn->setClaiming(false);
            m_turn->setMaySend(false);
        }
        const bool ready = openStore() && renewLease();
        if (m_failed)
            break;
        if (ready) {
            setState(draining ? WorkerState::draining : WorkerState::running);
            runPosted();
            if (oneTurn() && isIdle())
                break;
            sweep();
        } else {
            failPosted(status().message);
            if (draining && m_turn->owned() == 0)
                break;
        }
        if (m_failed)
            break;
        waitForNews();
    }
    if (m_store->isOpen()) {
        const auto gone = m_store->renewLease(m_options.id, 0, QStringLiteral("gone"));
        Q_UNUSED(gone);
    }
    m_turn.reset();
    stopPosted();
    m_store.reset();
    if (m_stopped)
        m_stopped();
}

bool Worker::openStore()
{
    if (m_store->isOpen())
        return true;
    const auto opened = m_store->open();
    if (!opened) {
        handle(opened.error());
        return false;
    }
    m_registered = false;
    m_pauseBeforeOpen = 0;
    return true;
}

bool Worker::renewLease()
{
    // Counted from before the request left: whatever the round trip took is not ours.
    const model::Millis before = m_clock.monotonic();
    if (m_registered && before - m_renewedAt < m_options.renewEvery)
        return true;
    if (!m_registered) {
        ports::WorkerRow row;
        row.id = m_options.id;
        row.host = QSysInfo::machineHostName();
        row.pid = getpid();
        row.programVersion = m_options.programVersion;
        row.state = QStringLiteral("running");
        const auto registered = m_store->registerWorker(row, m_options.lease);
        if (!registered) {
            handle(registered.error());
            return false;
        }
        m_registered = true;
    } else {
        const auto renewed =
            m_store->renewLease(m_options.id, m_options.lease, QStringLiteral("running"));
        if (!renewed) {
            handle(renewed.error());
            return false;
        }
    }
    m_renewedAt = before;
    m_leaseUntil = before + m_options.lease;
    m_turn->setLease(m_leaseUntil);
    return true;
}

bool Worker::oneTurn()
{
    const auto report = m_turn->turn(m_results);
    if (!report) {
        handle(report.error());
        return false;
    }
    m_results = m_turn->takeRefused();
    m_moreIsDue = report->moreIsDue || !m_results.isEmpty();
    m_pauseBeforeOpen = 0;
    const std::lock_guard lock(m_mutex);
    m_status.inFlight = m_turn->owned();
    ++m_status.turns;
    m_status.sent += report->sent;
    m_idle = report->claimed == 0 && report->decided == 0 && m_results.isEmpty();
    return true;
}

// Nothing is sent while the database is away: there is no turn without it. What comes in meanwhile
// waits.
void Worker::handle(const model::Error &error)
{
    if (endsTheWorker(error.kind)) {
        m_failed = true;
        setState(WorkerState::stopped, error.message);
        return;
    }
    setState(WorkerState::databaseAway, error.message);
    m_pauseBeforeOpen =
        m_pauseBeforeOpen == 0 ? reopenFirst : std::min(2 * m_pauseBeforeOpen, reopenMax);
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

// The janitor: keys past their time become tombstones, a few at a time, when nothing else is
// pressing, and hours that are over are added up.
void Worker::sweep()
{
    const model::Millis moment = m_clock.monotonic();
    const bool isTime = m_sweptAt == 0 || moment - m_sweptAt >= sweepEvery;
    // An hour that is over is added up even where it is never quiet: it takes milliseconds.
    const bool isTimeToSum = m_summedAt == 0 || moment - m_summedAt >= sweepEvery;
    if (!(m_idle && isTime) && !isTimeToSum)
        return;
    const auto now = m_store->now();
    if (!now)
        return;
    // A full batch means that more is waiting; the next quiet moment goes on.
    if (isTimeToSum) {
        const auto summed = m_store->sumHours(*now - hourSettledAfter, hoursAtOnce);
        m_summedAt = m_idle && summed && *summed == hoursAtOnce ? 0 : moment;
    }
    if (m_idle && isTime) {
        const auto swept = m_store->sweepLedger(*now, sweepMax);
        m_sweptAt = swept && *swept == sweepMax ? 0 : moment;
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
    if (m_turn->owned() > 0 || !m_results.isEmpty())
        return false;
    if (draining)
        return true;
    if (!m_options.untilIdle || !m_idle || m_moreIsDue)
        return false;
    const auto unsettled = m_store->unsettledRuns();
    if (!unsettled || *unsettled > 0)
        return false;
    const auto due = m_store->nextDue();
    const auto now = m_store->now();
    return due && now && (*due == model::never || *due > *now);
}

void Worker::waitForNews()
{
    if (m_pauseBeforeOpen == 0) {
        const std::lock_guard lock(m_mutex);
        if (m_moreIsDue || m_woken || !m_inbox.isEmpty() || !m_posted.empty())
            return;
    }
    model::Millis wait = m_pauseBeforeOpen > 0 ? m_pauseBeforeOpen : m_options.pollEvery;
    if (m_pauseBeforeOpen == 0) {
        const auto due = m_store->nextDue();
        const auto now = m_store->now();
        if (due && now && *due != model::never)
            wait = std::clamp<model::Millis>(*due - *now, 0, wait);
        wait = std::min(wait, std::max<model::Millis>(0, m_renewedAt + m_options.renewEvery -
                                                             m_clock.monotonic()));
    }
    std::unique_lock lock(m_mutex);
    const auto news = [&] {
        // While the database is away, results wait with us: they are no reason to spin.
        if (m_pauseBeforeOpen > 0)
            return m_draining && m_turn->owned() == 0;
        const bool drained = m_draining && m_status.state != WorkerState::draining;
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
