// Batches on PostgreSQL. Differs because the rights live there: what is written in a person's name
// is written by the database, from rows that this person wrote.
#include "store/postgres_array.h"
#include "store/postgres_store.h"
#include "store/row_reader.h"

namespace holdfast::store
{

using namespace ports;

Result<bool> PostgresStore::startBatch(const BatchRow &batch, const QVector<BatchItemRow> &items)
{
    PostgresColumns columns(6);
    for (const BatchItemRow &item : items) {
        columns.addRow({optionalText(item.runId), textValue(item.review), item.version,
                        textValue(item.verdict), textValue(item.state), textValue(item.message)});
    }
    const QVariantList head{textValue(batch.id),
                            textValue(batch.act),
                            jsonValue(batch.arguments),
                            textValue(batch.reason),
                            textValue(batch.actor),
                            textValue(batch.filter),
                            batch.rate,
                            int(batch.includesUnsafe),
                            batch.startedAt};
    const Result<int> started = change("start_batch", head + columns.values());
    if (!started)
        return started.error();
    if (*started > 0)
        workAdded();
    return *started > 0;
}

Result<bool> PostgresStore::takeBatchItem(const BatchRow &batch, const BatchItemRow &item,
                                          Instant at)
{
    const Result<int> taken =
        change("take_batch_item", {textValue(batch.id), item.place, textValue(item.state),
                                   textValue(item.message), at});
    if (!taken)
        return taken.error();
    workAdded();
    return *taken > 0;
}

} // namespace holdfast::store
