// Time as the runtime sees it. Engine code never asks: it is told.
#pragma once

#include "model/time.h"

#include <QString>

namespace holdfast::ports
{

class Clock
{
public:
    virtual ~Clock() = default;
    virtual model::Instant now() const = 0;
    // Counts through suspend and never jumps; for leases and deadlines within this process.
    virtual model::Millis monotonic() const = 0;
    // Two monotonic instants of the same boot can be compared; empty: of no two processes.
    virtual QString bootId() const { return {}; }
};

class SystemClock : public Clock
{
public:
    model::Instant now() const override;
    model::Millis monotonic() const override; // CLOCK_BOOTTIME
    QString bootId() const override;
};

} // namespace holdfast::ports
