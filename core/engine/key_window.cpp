#include "engine/key_window.h"

#include <algorithm>

namespace holdfast::engine
{

Instant keyForgottenAt(const Operation &operation, const OperationPolicy &policy)
{
    if (policy.protection != Protection::native || policy.retention == 0 ||
        operation.firstIntentAt == never)
        return never;
    return operation.firstIntentAt + policy.retention;
}

Instant keyFreshUntil(const Operation &operation, const OperationPolicy &policy)
{
    const Instant forgotten = keyForgottenAt(operation, policy);
    if (forgotten == never)
        return never;
    // What leaves at the last instant has its time-out to arrive in, and may arrive later still.
    const Millis lateness = std::max({policy.timeout, policy.settleAfter, policy.retention / 100});
    return forgotten - policy.timeout - lateness;
}

} // namespace holdfast::engine
