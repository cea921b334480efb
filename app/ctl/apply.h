// Applies recorded decisions where no worker lives, in turns that send nothing.
#pragma once

#include "ports/clock.h"
#include "ports/store.h"

namespace holdfast::ctl
{

model::Result<void> applyCommands(ports::Store &store, const ports::Clock &clock);

} // namespace holdfast::ctl
