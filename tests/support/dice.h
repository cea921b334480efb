// Chance from a seed, the same on every machine and library.
#pragma once

#include <QtGlobal>

namespace holdfast::tests
{

// xorshift64*
class Dice
{
public:
    explicit Dice(quint64 seed) : m_state(seed * 0x9e3779b97f4a7c15ULL + 1) {}

    quint64 next()
    {
        m_state ^= m_state >> 12;
        m_state ^= m_state << 25;
        m_state ^= m_state >> 27;
        return m_state * 0x2545f4914f6cdd1dULL;
    }
    int below(int bound) { return int((next() >> 33) % quint64(bound)); }
    bool oneIn(int chances) { return below(chances) == 0; }
    bool percent(int share) { return below(100) < share; }
    bool permille(int share) { return below(1000) < share; }
    qint64 between(qint64 least, qint64 most)
    {
        return least + qint64((next() >> 1) % quint64(most - least + 1));
    }

private:
    quint64 m_state;
};

} // namespace holdfast::tests
