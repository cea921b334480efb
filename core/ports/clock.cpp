#include "ports/clock.h"

#include <QFile>
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

QString SystemClock::bootId() const
{
    QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromLatin1(file.readAll().trimmed());
}

} // namespace holdfast::ports
