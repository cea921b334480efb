#include "app/ctl/apply.h"

#include "model/ids.h"
#include "runtime/turn.h"

namespace holdfast::ctl
{

namespace
{
constexpr int turnsMax = 100;

// A turn that may not send never asks for it; if it did, nothing would leave.
class RefusingSender : public ports::Sender
{
public:
    void setReport(Report report) override { m_report = std::move(report); }
    void send(const model::Call &call) override
    {
        model::CallResult result;
        result.runId = call.runId;
        result.step = call.step;
        result.direction = call.direction;
        result.attempt = call.attempt;
        result.fence = call.fence;
        result.sent = false;
        result.error = QStringLiteral("cancelled");
        if (m_report)
            m_report(result);
    }
    void drain() override {}

private:
    Report m_report;
};
} // namespace

model::Result<void> applyCommands(ports::Store &store, const ports::Clock &clock)
{
    RefusingSender sender;
    runtime::Catalog catalog;
    runtime::TurnOptions options;
    options.worker = model::newId(clock.now());
    options.maySend = false;
    options.onlyCommanded = true;
    runtime::Turn turn(store, catalog, sender, clock, options);
    for (int i = 0; i < turnsMax; ++i) {
        const auto pending = store.pendingCommands(1);
        if (!pending)
            return pending.error();
        if (pending->isEmpty())
            return {};
        const auto report = turn.turn({});
        if (!report)
            return report.error();
        // What is left belongs to runs whose attempts are still another worker's.
        if (report->claimed == 0)
            return {};
    }
    return {};
}

} // namespace holdfast::ctl
