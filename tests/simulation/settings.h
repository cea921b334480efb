// The swarm: what kind of bad day a seed has. Each seed switches whole kinds of trouble on or off,
// so that rare combinations come up that an average day would never show.
#pragma once

#include "model/time.h"
#include "support/dice.h"

namespace holdfast::simulation
{

using model::Millis;
using tests::Dice;

// Per mille of calls, commits or minutes, as the name says.
struct Settings {
    int runs = 5;
    bool twins = false; // some runs mean the same as others, where no key is recognised
    bool storm = false; // one worker, many runs at once, and the service they need is away
    int workers = 3;
    Millis faultsFor = 30 * model::minute;

    // The outside, of calls.
    int notSent = 0;
    int lostBefore = 0;  // reset on the way there: no effect
    int replyLost = 0;   // the work is done, the reply is not
    int late = 0;        // time-out, and the request arrives afterwards
    int serverError = 0; // half of them after the work
    int overloaded = 0;  // 503, 429: not executed
    int refused = 0;     // 402, 422: not executed, and final
    int half = 0;        // 2xx whose body cannot be read
    int unauthorised = 0;
    int inUse = 0;
    int probeDown = 0;
    int outages = 0; // how many times a service is away for a while

    // The database, of transactions.
    int lostAtBegin = 0;
    int lostInside = 0;
    int lostAtCommit = 0; // half of them after it took
    int refusedCommit = 0;
    int refusedInside = 0; // a statement fails, and the connection stays
    int away = 0;          // how many times nobody reaches it for a while

    // Workers.
    int crashAtCommit = 0;
    int crashAtSend = 0;
    int freezeAtSend = 0;
    int pastCheck = 0; // of those frozen: between the last look at the clock and the first byte
    int crashes = 0;   // how many times one dies between turns
    int freezes = 0;
    int drops = 0; // how many times a worker's idle connection is gone

    // People.
    int acts = 0;       // how many in the time of faults
    int guesses = 0;    // percent of answers given without looking
    int doubles = 0;    // percent of acts sent twice, or by two people
    int between = 0;    // per mille of transactions before which somebody else is quicker
    int hintLost = 0;   // percent of wake-ups
    bool ramps = false; // some resume by stages
    int batches = 0;    // how many acts on many at once
};

Settings settingsFor(Dice &dice, quint64 seed);

} // namespace holdfast::simulation
