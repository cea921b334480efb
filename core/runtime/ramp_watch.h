// Looks after the ramps of pauses: counts how the runs that were let through fare, lets more
// through, or stops. Any worker may look at any time; one look is one transaction that keeps turns
// out, so two workers never raise the same stage twice and a crash leaves the ramp where it was.
#pragma once

#include "engine/gates.h"
#include "engine/ramp.h"
#include "runtime/catalog.h"

namespace holdfast::runtime
{

class RampWatch
{
public:
    RampWatch(ports::Store &store, Catalog &catalog) : m_store(store), m_catalog(catalog) {}

    Result<void> look();

private:
    Result<void> lookAt(const ports::PauseRow &row, model::Instant now);
    Result<engine::RampLook> seenSince(const engine::Pause &pause, const engine::Ramp &ramp);
    Result<void> count(const engine::Pause &pause, const ports::JournalRow &row,
                       engine::RampLook &look);
    Result<bool> anyMoves(const QString &admits);
    Result<QString> openBreaker(const engine::Pause &pause, model::Instant now);
    Result<void> keep(ports::PauseRow row, const engine::Ramp &before, const engine::Ramp &after,
                      model::Instant now);

    ports::Store &m_store;
    Catalog &m_catalog;
};

} // namespace holdfast::runtime
