#include "ports/store.h"

namespace holdfast::ports
{

RollupRow startedRollup(const RunRow &run)
{
    const QString spread = QStringLiteral("intake-") + run.runId.right(1);
    return {run.createdAt - run.createdAt % model::minute, run.workflow, {}, {}, spread,
            {{QStringLiteral("runs_started"), 1}}};
}

Result<QVector<LedgerRow>> ledgerOfRun(Store &store, const model::Run &run)
{
    QVector<LedgerRow> rows;
    for (const model::Step &step : run.steps) {
        for (const model::Operation *operation : {&step.forward, &step.undo}) {
            if (operation->key.isEmpty())
                continue;
            const auto found = store.ledger(operation->key);
            if (!found)
                return found.error();
            for (const LedgerRow &row : *found) {
                if (row.operation == operation->operation && row.runId == run.runId)
                    rows.append(row);
            }
        }
    }
    return rows;
}

} // namespace holdfast::ports
