// What the faulty store sees of batches: what they do, in whose name, and whether they may (H7).
#include "simulation/faulty_store.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using namespace ports;
using model::Result;

// A batch acts in the name of whoever started it.
void FaultyStore::witnessActs()
{
    Record &record = m_scene->record;
    for (Act &act : m_acts) {
        act.order = record.next();
        act.at = m_scene->now();
        record.acts.append(act);
        if (record.traces)
            m_scene->note(m_who, u"%1 %2 %3 %4 for %5, in bulk"_s.arg(act.name, act.step, act.item,
                                                                      act.verdict, act.actor));
    }
    m_acts.clear();
    for (auto moved = m_batchesMoved.cbegin(); moved != m_batchesMoved.cend(); ++moved) {
        if (*moved == "running"_L1)
            record.haltedBatches.remove(moved.key());
        else
            record.haltedBatches.insert(moved.key());
    }
    m_batchesMoved.clear();
}

Result<bool> FaultyStore::startBatch(const BatchRow &batch, const QVector<BatchItemRow> &items)
{
    if (const auto failed = failure())
        return *failed;
    return NotingStore::startBatch(batch, items);
}

Result<bool> FaultyStore::setBatchState(const BatchRow &batch, const QString &by, Instant at)
{
    if (const auto failed = failure())
        return *failed;
    const auto changed = NotingStore::setBatchState(batch, by, at);
    if (changed && *changed)
        m_batchesMoved.insert(batch.id, batch.state);
    return changed;
}

Result<QVector<BatchRow>> FaultyStore::lockBatches()
{
    if (const auto failed = failure())
        return *failed;
    return NotingStore::lockBatches();
}

Result<void> FaultyStore::settleBatchItems()
{
    if (const auto failed = failure())
        return *failed;
    return NotingStore::settleBatchItems();
}

// H7: nothing is done to a run that is not what the person saw when they planned, nor once they
// have said halt, and nothing is left out that still is.
Result<bool> FaultyStore::takeBatchItem(const BatchRow &batch, const BatchItemRow &item, Instant at)
{
    if (const auto failed = failure())
        return *failed;
    const auto taken = NotingStore::takeBatchItem(batch, item, at);
    if (!m_scene || !taken || !*taken)
        return taken;
    const auto broken = [&](const QString &what) {
        m_scene->record.violation(u"H7"_s,
                                  u"item %1 of batch %2 %3"_s.arg(item.place).arg(batch.id, what));
    };
    const RunRow &run = database()->runs.at(item.runId);
    const auto review = database()->reviews.find(item.review);
    const bool isDecided =
        review != database()->reviews.end() && review->second.decidedAt != model::never;
    if (m_scene->record.haltedBatches.contains(batch.id))
        broken(u"is taken although the batch was told to halt"_s);
    if (item.state != "recorded"_L1) {
        if (run.seq == item.version && !isDecided)
            broken(u"is left out, and its run is as it was"_s);
        return taken;
    }
    ++m_scene->record.figures.inBulk;
    if (run.seq != item.version)
        broken(u"acts on version %1, planned was %2"_s.arg(run.seq).arg(item.version));
    Act act;
    act.id = commandOf(batch, item, at).id;
    act.name = batch.act;
    act.actor = batch.actor;
    act.runId = item.runId;
    act.item = item.review;
    act.verdict = batch.arguments.value("verdict"_L1).toString();
    if (review != database()->reviews.end()) {
        act.step = review->second.step;
        act.direction =
            model::directionFromName(review->second.direction).value_or(model::Direction::forward);
    }
    act.acknowledged = true;
    m_acts.append(act);
    return taken;
}

Result<std::optional<BatchRow>> FaultyStore::batch(const QString &id)
{
    return isOpen() ? NotingStore::batch(id) : Result<std::optional<BatchRow>>(gone());
}

} // namespace holdfast::simulation
