// How long a key protects at a destination that dedups on it.
#pragma once

#include "model/policy.h"
#include "model/run.h"

namespace holdfast::engine
{

using namespace model;

// When the destination forgets the key of an operation that was sent; never: it does not say, or
// nothing was sent.
Instant keyForgottenAt(const Operation &operation, const OperationPolicy &policy);

// Until when the key may be sent again. The margin covers the time-out, a network that delivers
// late, and clocks that differ.
Instant keyFreshUntil(const Operation &operation, const OperationPolicy &policy);

} // namespace holdfast::engine
