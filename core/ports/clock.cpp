#include "ports/clock.h"

#include <chrono>
#include <ctime>

namespace holdfast::ports
{

model::Instant SystemClock::now() const
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

model::Millis SystemClock::monotonic() const
{
    timespec moment{};
    clock_gettime(CLOCK_BOOTTIME, &moment);
    return model::Millis(moment.tv_sec) * 1000 + moment.tv_nsec / 1'000'000;
}

} // namespace holdfast::ports
