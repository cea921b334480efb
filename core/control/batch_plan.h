// What an act on one run, or a decision on one item, would come to: asked of the engine for each
// before a batch is started, so that safe and unsafe are known apart and counted.
#pragma once

#include "control/loaded_run.h"
#include "engine/safety.h"

namespace holdfast::control
{

constexpr int batchItemsMax = 10'000;

// The act of a batch with what it says to every item.
struct BatchOrder {
    QString act;
    QJsonObject arguments; // reason, verdict, steps
};

// Reads and checks act, verdict, steps and reason.
Result<BatchOrder> batchOrderOf(const QJsonObject &arguments, bool needsReason);

QStringList batchActs();

} // namespace holdfast::control
