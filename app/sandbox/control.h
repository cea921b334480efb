// The control API under /_sandbox/: faults, books, settings, reset. It is not written into the
// books.
#pragma once

#include "app/sandbox/message.h"
#include "app/sandbox/world.h"

namespace holdfast::sandbox
{

Reply control(World &world, const Incoming &incoming);

} // namespace holdfast::sandbox
