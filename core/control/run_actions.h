// What may be done to a run now, and why not: a dry run of every command.
#pragma once

#include "control/dry_run.h"

namespace holdfast::control
{

QJsonObject actionsJson(const Context &context, const LoadedRun &loaded, const DryRun &dry);

} // namespace holdfast::control
