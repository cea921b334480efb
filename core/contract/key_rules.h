// What makes an idempotency key worthless: it changes on a rerun, it names nothing, it names
// everything, or a model made it up.
#pragma once

#include "contract/definition.h"
#include "contract/report.h"

namespace holdfast::contract
{

void checkKeys(Report &report, const Workflow &workflow);

} // namespace holdfast::contract
