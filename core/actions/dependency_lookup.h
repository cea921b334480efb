// How a sender learns where a dependency lives. The giver makes it safe to call on any thread.
#pragma once

#include "contract/definition.h"

#include <functional>
#include <memory>

namespace holdfast::actions
{

using DependencyLookup =
    std::function<std::shared_ptr<const contract::Dependency>(const QString &name, int revision)>;

} // namespace holdfast::actions
