// Whether a run may be started anew; said before it is tried, and asked again when it is.
#pragma once

#include "control/loaded_run.h"

namespace holdfast::control
{

// Confirmed: a person means to do again what stands.
Result<void> rerunIsSafe(const LoadedRun &loaded, bool isConfirmed);

} // namespace holdfast::control
