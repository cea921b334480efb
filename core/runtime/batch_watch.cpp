#include "runtime/batch_watch.h"

#include "model/json.h"
#include "runtime/crash_point.h"

#include <algorithm>

namespace holdfast::runtime
{

using namespace Qt::StringLiterals;
using engine::BatchState;
using model::ErrorKind;

Result<bool> BatchWatch::look()
{
    const auto goes = m_store.anyBatchGoes();
    if (!goes || !*goes)
        return goes;
    if (const auto begun = m_store.begin(); !begun)
        return begun.error();
    if (const auto looked = lookAtAll(); !looked) {
        m_store.rollback();
        // Somebody moved a run, decided an item or stopped the batch meanwhile; the next look sees
        // that.
        return looked.error().kind == ErrorKind::conflict ? Result<bool>(true) : looked.error();
    }
    pass(CrashPoint::beforeItems);
    if (const auto committed = m_store.commit(); !committed)
        return committed.error();
    pass(CrashPoint::afterItems);
    return true;
}

Result<void> BatchWatch::lookAtAll()
{
    const auto rows = m_store.lockBatches();
    if (!rows)
        return rows.error();
    if (const auto settled = m_store.settleBatchItems(); !settled)
        return settled;
    const auto now = m_store.now();
    if (!now)
        return now.error();
    for (const ports::BatchRow &row : *rows) {
        if (const auto done = lookAt(row, *now); !done)
            return done;
    }
    return {};
}

Result<void> BatchWatch::lookAt(const ports::BatchRow &batch, model::Instant now)
{
    const auto fares = seen(batch);
    if (!fares)
        return fares.error();
    const engine::BatchStep step = engine::afterLook(
        {batch.rate, batch.chosen, batch.taken, batch.base, batch.takenAt}, *fares, now);
    return step.state == BatchState::running ? take(batch, step.take, now) : keep(batch, step, now);
}

Result<engine::BatchSeen> BatchWatch::seen(const ports::BatchRow &batch)
{
    const bool isAllTaken = batch.taken == batch.chosen;
    const int after = isAllTaken ? 0 : std::max(batch.base, batch.taken - engine::batchWindow);
    const auto counts = m_store.batchCounts(batch.id, after);
    if (!counts)
        return counts.error();
    const QString verdict = batch.arguments.value("verdict"_L1).toString();
    engine::BatchSeen seen;
    for (const ports::BatchCount &each : *counts) {
        const int count = int(each.count);
        if (each.state == "recorded"_L1) {
            seen.recorded += count;
        } else if (each.state == "refused"_L1) {
            seen.ended += count;
            seen.troubled += count;
            seen.trouble = u"the engine refused it"_s;
        } else if (each.state == "applied"_L1) {
            const auto status = model::runStatusFromName(each.runStatus);
            seen.ended += count;
            if (status && engine::isMoving(*status))
                seen.moving += count;
            if (status && engine::isTrouble(batch.act, verdict, *status)) {
                seen.troubled += count;
                seen.trouble = u"the run is %1 again"_s.arg(each.runStatus);
            }
        }
    }
    return seen;
}

Result<void> BatchWatch::take(const ports::BatchRow &batch, int count, model::Instant now)
{
    if (count == 0)
        return {};
    const auto items = m_store.batchItems({batch.id, {}, batch.taken, count});
    if (!items)
        return items.error();
    for (const ports::BatchItemRow &item : *items) {
        const auto next = judged(batch, item);
        if (!next)
            return next.error();
        const auto taken = m_store.takeBatchItem(batch, *next, now);
        if (!taken)
            return taken.error();
        if (!*taken)
            return {};
    }
    return {};
}

Result<ports::BatchItemRow> BatchWatch::judged(const ports::BatchRow &batch,
                                               ports::BatchItemRow item)
{
    const auto run = m_store.run(item.runId);
    if (!run)
        return run.error();
    item.state = u"skipped"_s;
    if (!*run || (*run)->seq != item.version) {
        item.message =
            *run ? u"the run moved from version %1 to %2 since it was planned"_s.arg(item.version)
                       .arg((*run)->seq)
                 : u"the run is not there any more"_s;
        return item;
    }
    if (batch.act == "resolve"_L1) {
        ports::ReviewFilter filter;
        filter.id = item.review;
        filter.onlyOpen = false;
        const auto reviews = m_store.reviews(filter);
        if (!reviews)
            return reviews.error();
        if (reviews->isEmpty() || reviews->first().decidedAt != model::never) {
            item.message = reviews->isEmpty()
                               ? u"the item is not there any more"_s
                               : u"%1 decided it as %2 before"_s.arg(reviews->first().decidedBy,
                                                                     reviews->first().decision);
            return item;
        }
    }
    item.state = u"recorded"_s;
    return item;
}

Result<void> BatchWatch::keep(ports::BatchRow batch, const engine::BatchStep &step,
                              model::Instant now)
{
    batch.state = engine::batchStateName(step.state);
    batch.note = step.note;
    const auto changed = m_store.setBatchState(batch, u"engine"_s, now);
    if (!changed)
        return changed.error();
    if (!*changed)
        return {};
    ports::AuditRow audit;
    audit.chain = u"system"_s;
    audit.at = now;
    audit.actor = u"engine"_s;
    audit.action = u"batch"_s;
    audit.subject = batch.id;
    audit.body = QString::fromUtf8(
        model::canonicalJson(QJsonObject{{u"state"_s, batch.state}, {u"note"_s, batch.note}}));
    return m_store.appendAudit(audit);
}

} // namespace holdfast::runtime
