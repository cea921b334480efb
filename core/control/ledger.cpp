// Who used a key, for what, and what came of it.
#include "control/arguments.h"
#include "control/context.h"
#include "control/loaded_run.h"
#include "model/entry.h"
#include "model/json.h"
#include "model/mask.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 ledgerPageMax = 200;

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

QJsonObject rowJson(const ports::LedgerRow &row)
{
    return {{u"key"_s, row.key},
            {u"operation"_s, row.operation},
            {u"hash"_s, row.hash},
            {u"status"_s, row.status},
            {u"run_id"_s, row.runId},
            {u"step"_s, row.step},
            {u"direction"_s, row.direction},
            {u"result"_s, model::masked(row.result)},
            {u"created_at"_s, instantJson(row.createdAt)},
            {u"expires_at"_s, instantJson(row.expiresAt)}};
}

Result<QVector<ports::LedgerRow>> rowsOf(Context &context, const QString &runId)
{
    const auto loaded = loadRun(context, runId);
    if (!loaded)
        return loaded.error();
    return ports::ledgerOfRun(context.store, loaded->run);
}

// A cursor is the last row's place; it means nothing to whoever passes it on.
Result<void> readCursor(const QString &cursor, ports::LedgerFilter &filter)
{
    if (cursor.isEmpty())
        return {};
    const auto place = model::parseJson(cursor.toUtf8());
    if (!place || !(*place)[0].isString() || !(*place)[1].isString())
        return model::invalid(u"after is no cursor of this list"_s);
    filter.afterKey = (*place)[0].toString();
    filter.afterOperation = (*place)[1].toString();
    return {};
}

QJsonValue cursorOf(const ports::LedgerPage &page)
{
    if (!page.more)
        return {};
    return QString::fromUtf8(model::compactJson(QJsonArray{page.lastKey, page.lastOperation}));
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
        QJsonObject json = rowJson(row);
        json.insert(u"request"_s, model::masked(*request));
        list.append(json);
    }
    return QJsonValue(QJsonObject{{u"ledger"_s, list}});
}

// Without the requests: each would be read from another run's journal, and a list shows none.
Result<QJsonValue> ledgerPage(Context &context)
{
    ports::LedgerFilter filter;
    filter.status = context.arguments().value("status"_L1).toString();
    const QStringList statuses{u"processing"_s, u"succeeded"_s, u"failed"_s, u"compensated"_s,
                               u"expired"_s};
    if (!filter.status.isEmpty() && !statuses.contains(filter.status))
        return model::invalid(
            u"%1 is no status of a key; known are %2"_s.arg(filter.status, statuses.join(u", "_s)));
    const auto limit = integerOr(context.arguments(), "limit", filter.limit);
    if (!limit)
        return limit.error();
    if (*limit < 1 || *limit > ledgerPageMax)
        return model::invalid(u"limit must be between 1 and %1"_s.arg(ledgerPageMax));
    filter.limit = int(*limit);
    const QString after = context.arguments().value("after"_L1).toString();
    if (const auto read = readCursor(after, filter); !read)
        return read.error();
    const auto page = context.store.ledgerOf(filter);
    if (!page)
        return page.error();
    QJsonArray list;
    for (const ports::LedgerRow &row : page->rows)
        list.append(rowJson(row));
    return QJsonValue(QJsonObject{{u"ledger"_s, list}, {u"cursor"_s, cursorOf(*page)}});
}

} // namespace holdfast::control
