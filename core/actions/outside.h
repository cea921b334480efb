// The one sender the runtime talks to: HTTP calls and local commands behind one door. drain() waits
// for nothing; a call sent after it is reported as cancelled with nothing sent. Destroying it drops
// what is still open without a report: an open intent is ambiguous on the next start, which is the
// truth.
#pragma once

#include "actions/command_sender.h"
#include "actions/http_sender.h"
#include "ports/sender.h"

namespace holdfast::actions
{

class Outside : public ports::Sender
{
public:
    Outside(const ports::Clock &clock, DependencyLookup lookup, std::shared_ptr<Secrets> secrets,
            HttpOptions options = {});

    void setReport(Report report) override;
    void send(const model::Call &call) override;
    void drain() override;

private:
    HttpSender m_http;
    CommandSender m_commands;
};

} // namespace holdfast::actions
