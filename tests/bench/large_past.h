// A run database with a long past: the demo's two weeks, played by the real engine, copied back in
// time until there are as many runs as asked for. Every copy has an id, an event, keys, a journal
// and instants of its own; counters add up minute by minute. Nothing in it is due, so an engine
// that opens it has nothing to send.
#pragma once

#include <QString>

namespace holdfast::bench
{

struct PastPlan {
    QString url;     // of a database that does not exist, or is empty
    QString scratch; // a folder for the two weeks
    int runs = 0;
    int days = 84;
};

// Ends the process where something goes wrong.
void writeLargePast(const PastPlan &plan);

} // namespace holdfast::bench
