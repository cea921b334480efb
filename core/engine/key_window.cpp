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
    return forgotten - std::max(policy.timeout, policy.retention / 100);
}

} // namespace holdfast::engine
