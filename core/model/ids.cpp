#include "model/ids.h"

#include <QRandomGenerator>
#include <QUuid>
#include <mutex>

namespace holdfast::model
{

QString newId(Instant now)
{
    static std::mutex mutex;
    static qint64 lastMillis = 0;
    static quint16 counter = 0;
    const std::lock_guard lock(mutex);
    // Within one millisecond the 12-bit counter keeps order; when it is spent, or the clock steps
    // back, the time field runs ahead rather than repeat.
    if (now > lastMillis) {
        lastMillis = now;
        counter = quint16(QRandomGenerator::system()->bounded(0x400));
    } else if (++counter > 0xfff) {
        ++lastMillis;
        counter = 0;
    }
    const quint64 random = QRandomGenerator::system()->generate64();
    const uint high = uint(quint64(lastMillis) >> 16);
    const ushort middle = ushort(lastMillis & 0xffff);
    return QUuid(high, middle, ushort(0x7000 | counter), uchar(0x80 | ((random >> 56) & 0x3f)),
                 uchar(random >> 48), uchar(random >> 40), uchar(random >> 32), uchar(random >> 24),
                 uchar(random >> 16), uchar(random >> 8), uchar(random))
        .toString(QUuid::WithoutBraces);
}

} // namespace holdfast::model
