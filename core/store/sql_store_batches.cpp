// Batches: one act on many runs. Each item is taken in one transaction with what it records.
#include "store/row_reader.h"
#include "store/sql_store.h"

namespace holdfast::store
{

using namespace ports;

Result<bool> SqlStore::startBatch(const BatchRow &batch, const QVector<BatchItemRow> &items)
{
    return atomically<bool>([&]() -> Result<bool> {
        const Result<int> inserted = change("insert_batch", valuesOf(batch));
        if (!inserted || *inserted == 0)
            return inserted ? Result<bool>(false) : Result<bool>(inserted.error());
        for (const BatchItemRow &item : items) {
            const Result<int> added = change(
                "insert_batch_item", {textValue(batch.id), item.place, optionalText(item.runId),
                                      textValue(item.review), item.version, textValue(item.verdict),
                                      textValue(item.state), textValue(item.message)});
            if (!added)
                return added.error();
        }
        return true;
    });
}

Result<bool> SqlStore::setBatchState(const BatchRow &batch, const QString &by, Instant at)
{
    return atomically<bool>([&]() -> Result<bool> {
        const Result<int> changed =
            change("set_batch_state", {textValue(batch.state), textValue(batch.note), textValue(by),
                                       at, textValue(batch.id)});
        if (!changed)
            return changed.error();
        if (*changed > 0 && batch.state == QLatin1String("stopped")) {
            const Result<int> skipped = change("skip_batch_items", {textValue(batch.id)});
            if (!skipped)
                return skipped.error();
        }
        if (*changed > 0)
            workAdded();
        return *changed > 0;
    });
}

Result<bool> SqlStore::anyBatchGoes()
{
    const Result<qint64> any = number("any_batch_goes");
    return any ? Result<bool>(*any != 0) : Result<bool>(any.error());
}

Result<QVector<BatchRow>> SqlStore::lockBatches() { return list("lock_batches", {}, readBatch); }

Result<void> SqlStore::settleBatchItems()
{
    const Result<int> settled = change("settle_batch_items");
    return settled ? Result<void>() : Result<void>(settled.error());
}

Result<bool> SqlStore::takeBatchItem(const BatchRow &batch, const BatchItemRow &item, Instant at)
{
    const Error notNow{
        ErrorKind::conflict,
        QStringLiteral("item %1 of batch %2 is not to be taken").arg(item.place).arg(batch.id)};
    const Result<int> taken = change("take_batch_item", {item.place, at, textValue(batch.id)});
    if (!taken || *taken == 0)
        return taken ? notNow : taken.error();
    const bool records = item.state == QLatin1String("recorded");
    const CommandRow command = commandOf(batch, item, at);
    const Result<int> marked = change(
        "set_batch_item", {textValue(item.state), textValue(records ? command.id : QString()),
                           textValue(item.message), textValue(batch.id), item.place});
    if (!marked || *marked == 0)
        return marked ? notNow : marked.error();
    if (!records)
        return true;
    if (const auto decision = decisionOf(batch, item, at)) {
        const Result<bool> decided = decideReview(*decision);
        if (!decided || !*decided)
            return decided ? notNow : decided.error();
    }
    const Result<bool> commanded = addCommand(command);
    if (!commanded || !*commanded)
        return commanded ? notNow : commanded.error();
    const Result<void> audited = appendAudit(auditRowOf(batch, item, at));
    return audited ? Result<bool>(true) : Result<bool>(audited.error());
}

Result<QVector<BatchRow>> SqlStore::batches(int limit)
{
    return list("batches", {limit}, readBatch);
}

Result<std::optional<BatchRow>> SqlStore::batch(const QString &id)
{
    return one("batch_by_id", {textValue(id)}, readBatch);
}

Result<QVector<BatchItemRow>> SqlStore::batchItems(const BatchItemFilter &filter)
{
    if (filter.state.isEmpty())
        return list("batch_items", {textValue(filter.batch), filter.after, filter.limit},
                    readBatchItem);
    return list("batch_items_of_state",
                {textValue(filter.batch), filter.after, textValue(filter.state), filter.limit},
                readBatchItem);
}

Result<QVector<BatchCount>> SqlStore::batchCounts(const QString &id, int after)
{
    return list("batch_counts", {textValue(id), after}, readBatchCount);
}

} // namespace holdfast::store
