// SIGTERM and SIGINT as an event: the first asks for an orderly end, the second ends the process at
// once.
#pragma once

#include <functional>

namespace holdfast::ctl
{

// Once per process, on the thread with the event loop.
void onEndSignal(std::function<void()> callback);

} // namespace holdfast::ctl
