// Every HTTP call to the outside: many in flight on one thread of its own, each sent at most once.
// The report comes on that thread and must return quickly. Destroying the sender closes what is
// still open and reports nothing for it: its intents stay open, and whoever starts next treats them
// as ambiguous.
#pragma once

#include "actions/dependency_lookup.h"
#include "actions/http_transfer.h"
#include "actions/secrets.h"
#include "ports/clock.h"
#include "ports/sender.h"

#include <curl/curl.h>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace holdfast::actions
{

class HttpSender : public ports::Sender
{
public:
    // What a call becomes on the wire; asked for on the network thread, right before it leaves.
    using Prepare = std::function<Outgoing(const model::Call &)>;

    HttpSender(const ports::Clock &clock, DependencyLookup lookup, std::shared_ptr<Secrets> secrets,
               HttpOptions options = {});
    // For calls that go to no dependency.
    HttpSender(const ports::Clock &clock, Prepare prepare, std::shared_ptr<Secrets> secrets,
               HttpOptions options = {});
    ~HttpSender() override;

    void setReport(Report report) override;
    void send(const model::Call &call) override;
    void drain() override;

private:
    struct Waiting {
        model::Call call;
        model::Millis since = 0;
        bool isCancelled = false;
    };
    void run();
    bool takeInbox(); // false: the sender is going away
    void startWaiting();
    void start(const Waiting &waiting);
    void collectFinished();
    void finish(CURL *handle, CURLcode code);
    CURL *takeHandle();
    void report(model::CallResult result) const;

    const ports::Clock &m_clock;
    const Prepare m_prepare;
    const std::shared_ptr<Secrets> m_secrets;
    const HttpOptions m_options;

    mutable std::mutex m_mutex; // guards the next four
    std::vector<Waiting> m_inbox;
    std::shared_ptr<const Report> m_report;
    bool m_isDraining = false;
    bool m_isStopping = false;

    CURLM *m_multi = nullptr;
    // Touched by the network thread alone.
    std::deque<Waiting> m_waiting;
    std::unordered_map<CURL *, std::unique_ptr<HttpTransfer>> m_inFlight;
    std::vector<CURL *> m_idleHandles;

    std::thread m_thread;
};

} // namespace holdfast::actions
