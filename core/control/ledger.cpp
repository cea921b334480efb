// Who used a key, for what, and what came of it.
#include "control/arguments.h"
#include "control/context.h"
#include "control/mask.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

Result<QJsonValue> ledger(Context &context)
{
    const QString key = context.arguments().value("key"_L1).toString();
    const QString runId = context.arguments().value("run"_L1).toString();
    if (key.isEmpty() == runId.isEmpty())
        return model::invalid(u"give a key or a run"_s);
    const auto rows = key.isEmpty() ? context.store.ledgerOfRun(runId) : context.store.ledger(key);
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::LedgerRow &row : *rows) {
        list.append(QJsonObject{{u"key"_s, row.key},
                                {u"operation"_s, row.operation},
                                {u"hash"_s, row.hash},
                                {u"status"_s, row.status},
                                {u"run_id"_s, row.runId},
                                {u"step"_s, row.step},
                                {u"direction"_s, row.direction},
                                {u"request"_s, masked(row.request)},
                                {u"result"_s, masked(row.result)},
                                {u"created_at"_s, instantJson(row.createdAt)},
                                {u"expires_at"_s, instantJson(row.expiresAt)}});
    }
    return QJsonValue(QJsonObject{{u"ledger"_s, list}});
}

} // namespace holdfast::control
