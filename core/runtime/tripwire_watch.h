// Looks at the counters every few seconds and pauses where a tripwire says so. Whichever worker
// gets its row pulls it; pause, item, audit and alert are one transaction, so that a crash leaves
// all of it or nothing. It never resumes: after a person did, it counts anew.
#pragma once

#include "engine/tripwire.h"
#include "ports/store.h"

namespace holdfast::runtime
{

using model::Result;

class TripwireWatch
{
public:
    explicit TripwireWatch(ports::Store &store) : m_store(store) {}

    Result<void> look();

private:
    enum class Step { none, arm, fire };
    Result<Step> stepOf(const ports::TripwireRow &row, model::Instant now);
    Result<engine::TripFigures> counted(const ports::TripwireRow &row, model::Instant now);
    Result<engine::TripFigures> sum(const ports::TripwireRow &row, model::Instant since,
                                    model::Instant until);
    // Under the lock, and asked again there.
    Result<void> act(const QString &name, model::Instant now);
    Result<void> arm(ports::TripwireRow row, model::Instant now);
    Result<void> fire(ports::TripwireRow row, model::Instant now);

    ports::Store &m_store;
};

} // namespace holdfast::runtime
