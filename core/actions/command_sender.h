// Runs local programs as steps: so many at once, the rest in line, on one thread of its own that
// reports. Not on QProcess: a plain thread needs no event loop, and the group of a program can be
// ended before its leader is reaped. Destroying the sender kills what still runs and reports
// nothing for it: those intents stay open and are ambiguous for whoever starts next.
#pragma once

#include "actions/command_process.h"
#include "actions/secrets.h"
#include "ports/clock.h"
#include "ports/sender.h"

#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace holdfast::actions
{

class CommandSender : public ports::Sender
{
public:
    static constexpr int atOnceDefault = 64;

    CommandSender(const ports::Clock &clock, std::shared_ptr<Secrets> secrets,
                  int atOnceMax = atOnceDefault);
    ~CommandSender() override;

    void setReport(Report report) override;
    void send(const model::Call &call) override;
    void drain() override;

private:
    struct Waiting {
        model::Call call;
        bool isCancelled = false;
    };
    void run();
    bool takeInbox();
    void startWaiting();
    void start(const Waiting &waiting);
    void advanceAll();
    void waitForSomething();
    void wake() const;
    void report(model::CallResult result) const;

    const ports::Clock &m_clock;
    const std::shared_ptr<Secrets> m_secrets;
    const int m_atOnceMax;
    const int m_wakeup; // an eventfd

    mutable std::mutex m_mutex; // guards the next four
    std::vector<Waiting> m_inbox;
    std::shared_ptr<const Report> m_report;
    bool m_isDraining = false;
    bool m_isStopping = false;

    // Touched by the thread alone.
    std::deque<Waiting> m_waiting;
    std::vector<std::unique_ptr<CommandProcess>> m_running;

    std::thread m_thread;
};

} // namespace holdfast::actions
