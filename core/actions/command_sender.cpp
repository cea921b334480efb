#include "actions/command_sender.h"

#include "actions/http_transfer.h"

#include <algorithm>
#include <csignal>
#include <sys/eventfd.h>
#include <unistd.h>

namespace holdfast::actions
{

CommandSender::CommandSender(const ports::Clock &clock, std::shared_ptr<Secrets> secrets,
                             int atOnceMax)
    : m_clock(clock), m_secrets(std::move(secrets)), m_atOnceMax(atOnceMax),
      m_wakeup(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    m_thread = std::thread([this] { run(); });
}

CommandSender::~CommandSender()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    wake();
    m_thread.join();
    ::close(m_wakeup);
}

void CommandSender::setReport(Report report)
{
    const std::lock_guard lock(m_mutex);
    m_report = std::make_shared<const Report>(std::move(report));
}

void CommandSender::send(const model::Call &call)
{
    {
        const std::lock_guard lock(m_mutex);
        m_inbox.push_back({call, m_isDraining});
    }
    wake();
}

void CommandSender::drain()
{
    const std::lock_guard lock(m_mutex);
    m_isDraining = true;
}

void CommandSender::run()
{
    // A program that closes its input early must not end this process.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    while (takeInbox()) {
        startWaiting();
        waitForSomething();
        advanceAll();
    }
    for (const auto &process : m_running)
        process->kill();
}

bool CommandSender::takeInbox()
{
    const std::lock_guard lock(m_mutex);
    if (m_isStopping)
        return false;
    std::move(m_inbox.begin(), m_inbox.end(), std::back_inserter(m_waiting));
    m_inbox.clear();
    return true;
}

void CommandSender::startWaiting()
{
    while (!m_waiting.empty() && static_cast<int>(m_running.size()) < m_atOnceMax) {
        const Waiting waiting = std::move(m_waiting.front());
        m_waiting.pop_front();
        start(waiting);
    }
}

void CommandSender::start(const Waiting &waiting)
{
    const model::Call &call = waiting.call;
    if (waiting.isCancelled) {
        return report(
            notSent(call, QStringLiteral("cancelled"),
                    QStringLiteral("This process is shutting down; nothing was started.")));
    }
    auto process = std::make_unique<CommandProcess>(call);
    if (call.sendBeforeMonotonic != 0 && m_clock.monotonic() > call.sendBeforeMonotonic) {
        return report(
            notSent(call, QStringLiteral("too_late"),
                    QStringLiteral("Its time was over before it began; nothing was started.")));
    }
    if (const QString problem = process->start(); !problem.isEmpty())
        return report(notSent(call, QStringLiteral("spawn_failed"), problem));
    m_running.push_back(std::move(process));
}

void CommandSender::advanceAll()
{
    std::vector<std::unique_ptr<CommandProcess>> ended;
    for (auto &process : m_running) {
        if (process->advance())
            ended.push_back(std::move(process));
    }
    std::erase(m_running, nullptr);
    for (const auto &process : ended)
        report(process->result(*m_secrets->redactor()));
}

void CommandSender::waitForSomething()
{
    using Steady = CommandProcess::Steady;
    std::vector<pollfd> polled{{m_wakeup, POLLIN, 0}};
    Steady::time_point due = Steady::now() + std::chrono::seconds(60);
    for (const auto &process : m_running) {
        process->addTo(polled);
        due = std::min(due, process->due());
    }
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(due - Steady::now()).count();
    ::poll(polled.data(), polled.size(), static_cast<int>(std::max<long>(0, wait)));
    quint64 count = 0;
    [[maybe_unused]] const ssize_t read = ::read(m_wakeup, &count, sizeof count);
}

void CommandSender::wake() const
{
    const quint64 one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wakeup, &one, sizeof one);
}

void CommandSender::report(model::CallResult result) const
{
    std::shared_ptr<const Report> receiver;
    {
        const std::lock_guard lock(m_mutex);
        receiver = m_report;
    }
    if (receiver && *receiver)
        (*receiver)(std::move(result));
}

} // namespace holdfast::actions
