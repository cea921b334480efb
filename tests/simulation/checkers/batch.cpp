// H7: what many were told at once comes to an end, and of every item one can say what became of it.
// That nothing is done to a run which moved since it was planned is witnessed where it is done.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
void checkItem(Evidence &evidence, const ports::BatchRow &batch, const ports::BatchItemRow &item)
{
    const QString name = u"item %1 of batch %2"_s.arg(item.place).arg(batch.id);
    if (item.verdict != "safe"_L1 && !batch.includesUnsafe && item.state != "apart"_L1)
        evidence.add("H7", name + u" is not safe, and is not set apart"_s);
    const auto command = evidence.database.commands.find(u"%1:%2"_s.arg(batch.id).arg(item.place));
    const bool isTold = command != evidence.database.commands.end();
    const bool wasApplied = isTold && command->second.result == "applied"_L1;
    if (item.state == "applied"_L1 || item.state == "refused"_L1) {
        if (!isTold || wasApplied != (item.state == "applied"_L1) ||
            command->second.runId != item.runId)
            evidence.add("H7", name + u" says %1, and the run was not told so"_s.arg(item.state));
    } else if (item.state == "skipped"_L1 || item.state == "apart"_L1) {
        if (isTold)
            evidence.add("H7", name + u" says %1, and the run was told"_s.arg(item.state));
    } else {
        evidence.add("H7", name + u" is left as "_s + item.state);
    }
}
} // namespace

void checkBatch(Evidence &evidence)
{
    for (const Act &act : evidence.record.acts) {
        if (act.acknowledged && act.name == "batch_start"_L1 &&
            !evidence.database.batches.count(act.id))
            evidence.add("H7", u"the batch of %1 was accepted and is gone"_s.arg(act.actor));
    }
    for (const auto &[id, batch] : evidence.database.batches) {
        if (batch.state != "done"_L1 && batch.state != "stopped"_L1)
            evidence.add("H7", u"batch %1 is left as %2"_s.arg(id, batch.state));
    }
    for (const auto &[key, item] : evidence.database.batchItems)
        checkItem(evidence, evidence.database.batches.at(key.first), item);
}

} // namespace holdfast::simulation
