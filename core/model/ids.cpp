#include "model/ids.h"

#include <QRandomGenerator>
#include <QUuid>
#include <mutex>
#include <optional>

namespace holdfast::model
{

namespace
{
struct Sequence {
    std::mutex mutex;
    qint64 lastMillis = 0;
    quint16 counter = 0;
    std::optional<quint64> seeded; // the state of the simulation's numbers

    // SplitMix64 where seeded: every state is a good one.
    quint64 random()
    {
        if (!seeded)
            return QRandomGenerator::system()->generate64();
        quint64 mixed = *seeded += 0x9e3779b97f4a7c15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
        return mixed ^ (mixed >> 31);
    }
};

Sequence &sequence()
{
    static Sequence one;
    return one;
}
} // namespace

void seedIds(quint64 seed)
{
    Sequence &ids = sequence();
    const std::lock_guard lock(ids.mutex);
    ids.seeded = seed;
    ids.lastMillis = 0;
    ids.counter = 0;
}

QString newId(Instant now)
{
    Sequence &ids = sequence();
    const std::lock_guard lock(ids.mutex);
    // Within one millisecond the 12-bit counter keeps order; when it is spent, or the clock steps
    // back, the time field runs ahead rather than repeat.
    if (now > ids.lastMillis) {
        ids.lastMillis = now;
        ids.counter = quint16(ids.random() % 0x400);
    } else if (++ids.counter > 0xfff) {
        ++ids.lastMillis;
        ids.counter = 0;
    }
    const quint64 random = ids.random();
    const uint high = uint(quint64(ids.lastMillis) >> 16);
    const ushort middle = ushort(ids.lastMillis & 0xffff);
    return QUuid(high, middle, ushort(0x7000 | ids.counter), uchar(0x80 | ((random >> 56) & 0x3f)),
                 uchar(random >> 48), uchar(random >> 40), uchar(random >> 32), uchar(random >> 24),
                 uchar(random >> 16), uchar(random >> 8), uchar(random))
        .toString(QUuid::WithoutBraces);
}

} // namespace holdfast::model
