// Who used a key, for what, and what came of it.
#include "control/arguments.h"
#include "control/context.h"
#include "control/loaded_run.h"
#include "control/mask.h"
#include "model/entry.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
// A ledger row keeps the hash; the request itself stands in the run's journal, where it was written
// before the first byte left.
Result<QJsonObject> requestOf(Context &context, const ports::LedgerRow &row)
{
    const auto journal = context.store.journal(row.runId);
    if (!journal)
        return journal.error();
    for (const ports::JournalRow &written : *journal) {
        for (const model::Entry &entry : model::entriesFromJson(written.entries)) {
            if (entry.request && entry.key == row.key && entry.operation == row.operation)
                return entry.request->toJson();
        }
    }
    return QJsonObject();
}

Result<QVector<ports::LedgerRow>> rowsOf(Context &context, const QString &runId)
{
    const auto loaded = loadRun(context, runId);
    if (!loaded)
        return loaded.error();
    return ports::ledgerOfRun(context.store, loaded->run);
}
} // namespace

Result<QJsonValue> ledger(Context &context)
{
    const QString key = context.arguments().value("key"_L1).toString();
    const QString runId = context.arguments().value("run"_L1).toString();
    if (key.isEmpty() == runId.isEmpty())
        return model::invalid(u"give a key or a run"_s);
    const auto rows = key.isEmpty() ? rowsOf(context, runId) : context.store.ledger(key);
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::LedgerRow &row : *rows) {
        const auto request = requestOf(context, row);
        if (!request)
            return request.error();
        list.append(QJsonObject{{u"key"_s, row.key},
                                {u"operation"_s, row.operation},
                                {u"hash"_s, row.hash},
                                {u"status"_s, row.status},
                                {u"run_id"_s, row.runId},
                                {u"step"_s, row.step},
                                {u"direction"_s, row.direction},
                                {u"request"_s, masked(*request)},
                                {u"result"_s, masked(row.result)},
                                {u"created_at"_s, instantJson(row.createdAt)},
                                {u"expires_at"_s, instantJson(row.expiresAt)}});
    }
    return QJsonValue(QJsonObject{{u"ledger"_s, list}});
}

} // namespace holdfast::control
