// What a review item asks, and what to look at before answering it.
#pragma once

#include "control/dry_run.h"

namespace holdfast::control
{

// The run is null for an item that concerns no single one.
QString questionText(const ports::ReviewRow &review, const LoadedRun *loaded);
QStringList thingsToCheck(const ports::ReviewRow &review, const LoadedRun *loaded,
                          model::Instant now);

// The operation an item is about; null: none.
const model::Operation *operationAsked(const ports::ReviewRow &review, const LoadedRun &loaded);
const model::OperationPolicy *policyAsked(const ports::ReviewRow &review, const LoadedRun &loaded);

} // namespace holdfast::control
