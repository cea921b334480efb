// What the parts of one simulation share: the time, the dice, the settings of this seed, the
// record, and the parts that outlive a seed.
#pragma once

#include "simulation/agenda.h"
#include "simulation/record.h"
#include "simulation/settings.h"

#include <memory>

namespace holdfast::store
{
struct MemoryDatabase;
}

namespace holdfast::simulation
{

class Outside;
class Stage;
struct NotedTransaction;

struct Scene {
    Stage &stage;
    Agenda &agenda;
    Record &record;
    Settings settings;
    Dice dice;
    Outside *outside = nullptr;
    bool calm = false;                              // the faults have stopped
    std::vector<NotedTransaction> *notes = nullptr; // of every change, where somebody wants them
    // Somebody else is quicker: called where a transaction is about to begin.
    std::function<void(const QString &who)> between;
    // News for the workers, as a shared database would send it: it may get lost.
    std::function<void()> hint;

    Instant now() const { return agenda.now(); }
    void note(const QString &who, const QString &what) { record.note(now(), who, what); }
    bool strikes(int perMille)
    {
        if (calm || perMille == 0 || !dice.permille(perMille))
            return false;
        ++record.figures.faults;
        return true;
    }
};

// Thrown where a process dies: everything it held in memory is gone.
struct Died {
};

} // namespace holdfast::simulation
