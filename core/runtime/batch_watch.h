// Carries out the batches that people started: takes the next items as fast as each batch may go,
// and records for each what its person decided. It decides nothing: a command it records is folded
// by a turn, which asks the engine. Any worker may look at any time; one look is one transaction,
// so a crash leaves every item either pending or recorded.
#pragma once

#include "engine/batch.h"
#include "ports/store.h"

namespace holdfast::runtime
{

using model::Result;

class BatchWatch
{
public:
    explicit BatchWatch(ports::Store &store) : m_store(store) {}

    // Whether any batch goes on, and so has to be looked at again soon.
    Result<bool> look();

private:
    Result<void> lookAtAll();
    Result<void> lookAt(const ports::BatchRow &batch, model::Instant now);
    Result<engine::BatchSeen> seen(const ports::BatchRow &batch);
    Result<void> take(const ports::BatchRow &batch, int count, model::Instant now);
    // What becomes of an item whose turn it is.
    Result<ports::BatchItemRow> judged(const ports::BatchRow &batch, ports::BatchItemRow item);
    Result<void> keep(ports::BatchRow batch, const engine::BatchStep &step, model::Instant now);

    ports::Store &m_store;
};

} // namespace holdfast::runtime
