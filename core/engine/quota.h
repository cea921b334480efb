// What all workers together may still ask of a dependency within its limits: who holds how many of
// its places, the calls of the last second, and the retries that are left. A value that a store
// keeps; whoever wants something of it computes the next one here and swaps it for what it read.
#pragma once

#include "model/policy.h"

#include <QMap>
#include <QString>
#include <QVector>

namespace holdfast::engine
{

using namespace model;

struct Quota {
    // Calls of one instant together.
    struct Calls {
        Instant at = never;
        int count = 0;
        bool operator==(const Calls &) const = default;
    };
    QMap<QString, int> places; // by worker; who holds none is not in it
    QVector<Calls> calls;      // of the last second, oldest first
    qint64 retries = 0;        // thousandths, as they were then
    Instant filledAt = never;  // never: nobody has taken any, and all are there
    Instant wantedAt = never;  // when somebody last found every place taken

    bool operator==(const Quota &) const = default;

    int placesOf(const QString &worker) const { return places.value(worker); }
    int placesElsewhere(const QString &worker) const;
    int callsWithinASecond(Instant now) const;
    Instant oldestCall(Instant now) const; // of those; never: there are none
    qint64 retriesLeft(const LimitPolicy &limit, Instant now) const; // thousandths
    // Somebody waits for a place: whoever has one to spare gives it back.
    bool isWanted(Instant now) const;

    QString toText() const;
    static Quota fromText(const QString &text);
};

// What the intents of one turn use.
struct QuotaNeed {
    int places = 0; // in flight in all once they are committed
    int calls = 0;
    int retries = 0;
    qint64 earned = 0; // thousandths of a retry that first tries of earlier turns have added

    bool operator==(const QuotaNeed &) const = default;
};

// Takes all of it or nothing; false: there was not enough.
bool take(Quota &quota, const QString &worker, const QuotaNeed &need, const LimitPolicy &limit,
          Instant now);
// Keeps that many places at most.
void giveBack(Quota &quota, const QString &worker, int keep);

} // namespace holdfast::engine
