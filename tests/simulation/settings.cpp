#include "simulation/settings.h"

namespace holdfast::simulation
{

namespace
{
// Off for most seeds, mild for some, harsh for a few.
int rate(Dice &dice, int most)
{
    if (dice.percent(45))
        return 0;
    return 1 + dice.below(dice.percent(25) ? most : 1 + most / 4);
}
} // namespace

Settings settingsFor(Dice &dice, quint64 seed)
{
    Settings settings;
    settings.storm = dice.oneIn(8);
    settings.runs = 5 + dice.below(settings.storm ? 6 : 4);
    settings.workers = 3 + (dice.oneIn(5) ? 1 : 0);
    settings.faultsFor = (40 + dice.below(30)) * model::minute;
    settings.notSent = rate(dice, 250);
    settings.lostBefore = rate(dice, 200);
    settings.replyLost = rate(dice, 300);
    settings.late = rate(dice, 250);
    settings.serverError = rate(dice, 300);
    settings.overloaded = rate(dice, 300);
    settings.refused = rate(dice, 150);
    settings.half = rate(dice, 150);
    settings.unauthorised = rate(dice, 20);
    settings.inUse = rate(dice, 300);
    settings.probeDown = rate(dice, 500);
    settings.outages = dice.percent(50) ? 1 + dice.below(3) : 0;
    settings.lostAtBegin = rate(dice, 60);
    settings.lostInside = rate(dice, 40);
    settings.lostAtCommit = rate(dice, 100);
    settings.refusedCommit = rate(dice, 80);
    settings.away = dice.percent(30) ? 1 : 0;
    settings.crashAtCommit = rate(dice, 40);
    settings.crashAtSend = rate(dice, 60);
    settings.freezeAtSend = rate(dice, 60);
    settings.pastCheck = dice.oneIn(4) ? 400 : 0;
    settings.crashes = 1 + dice.below(3);
    settings.freezes = dice.below(3);
    settings.drops = 9 + dice.below(5);
    settings.acts = 4 + dice.below(16);
    settings.guesses = dice.oneIn(4) ? 20 : 0;
    settings.doubles = dice.below(40);
    settings.between = rate(dice, 80);
    settings.hintLost = dice.below(60);
    // What was added later has dice of its own, so chosen that it leaves the seeds alone that were
    // kept until then: they go on finding what they found.
    constexpr quint64 later = 564ULL << 32;
    Dice others(seed ^ later);
    settings.ramps = others.oneIn(3);
    settings.refusedInside = others.oneIn(3) ? rate(others, 40) : 0;
    constexpr quint64 laterStill = 111ULL << 32;
    settings.twins = Dice(seed ^ laterStill).oneIn(5);
    constexpr quint64 latest = 787ULL << 32;
    Dice bulk(seed ^ latest);
    settings.batches = bulk.oneIn(5) ? 1 + bulk.below(4) : 0;
    if (settings.batches > 0)
        settings.runs += bulk.below(12);
    return settings;
}

} // namespace holdfast::simulation
