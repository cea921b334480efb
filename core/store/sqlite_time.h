// Database time of a run database that is one file. It follows the boot clock, not the wall: while
// somebody sets the wall clock, leases and timers count on. It never goes back; where the wall
// clock is ahead, it catches up when the file is first opened after the machine has started.
#pragma once

#include "ports/clock.h"

namespace holdfast::store
{

class SqliteTime
{
public:
    explicit SqliteTime(const ports::Clock &clock) : m_clock(clock) {}

    // `kept` is what text() gave when the file was last opened, `newest` the newest instant in it.
    void begin(const QString &kept, model::Instant newest);
    model::Instant now() const;
    QString text() const;

private:
    const ports::Clock &m_clock;
    bool m_begun = false;
    QString m_boot;
    model::Instant m_at = 0;
    model::Millis m_monotonicAt = 0;
};

} // namespace holdfast::store
