// Why an attempt counts as what it counts: the failure map of the engine, said in one sentence for
// the person who looks at it.
#pragma once

#include "model/entry.h"
#include "model/policy.h"

namespace holdfast::control
{

// `ended` is the entry that ended the attempt, `policy` that of its operation; null: not known any
// more.
QString whyText(const model::Entry &ended, const model::OperationPolicy *policy);

} // namespace holdfast::control
