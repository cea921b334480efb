// Two past weeks for the demo: the real engine on a clock moved by hand, runs started, failed,
// verified, compensated, some decided by people, one incident with a pause. Nothing in it is
// written by hand, so every figure of it adds up.
#pragma once

#include "app/sandbox/sandbox.h"
#include "model/result.h"
#include "model/time.h"

#include <functional>

namespace holdfast::console
{

struct HistoryPlan {
    QString path; // of a database that does not exist yet
    quint64 seed = 7;
    model::Instant until = model::never;
    int days = 14;
};

// `progress` gets per cent and says whether to go on. Takes seconds; belongs on a thread of its
// own.
model::Result<void> writeHistory(const HistoryPlan &plan, sandbox::SandboxThread &world,
                                 const std::function<bool(int percent)> &progress);

} // namespace holdfast::console
