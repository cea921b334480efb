// What the witnesses of a simulation saw, in one order: every call handed to a sender, every
// request that reached a service, every commit, every gate that a person moved, every act of a
// person and what it was answered. The checkers judge by this and by the committed journal; nothing
// in here comes from the engine's own tables.
#pragma once

#include "model/call.h"
#include "ports/rows.h"

#include <QSet>
#include <QStringList>
#include <QVector>

#include <functional>

namespace holdfast::simulation
{

using model::Instant;
using model::Millis;

// What a worker learnt of a call it made.
enum class Told {
    nothing, // it died, or still waits
    done,    // a readable 2xx
    refused, // a status that says "not executed"
    notSent, // no byte left
    unsure,  // anything else: it may have happened
};

struct SentCall {
    int order = 0;
    Instant at = model::never; // handed to the sender
    QString worker;
    model::Call call;
    Instant leftAt = model::never; // the first byte
    bool pastLastCheck = false;    // left although its time was over: the freeze no client can see
    Told told = Told::nothing;
    int toldOrder = 0;
    Instant toldAt = model::never;
    int status = 0;
    bool reachedTurn = false; // the worker that was told lived to commit something afterwards
};

// A request at a service. Only those with `effect` changed the world.
struct Arrival {
    int order = 0;
    Instant at = model::never;
    int sent = -1; // index of the call
    QString service;
    QString key;
    QByteArray bytes;
    bool effect = false;
    QString id; // what the service calls it
};

struct Asked {
    int order = 0;
    Instant at = model::never;
    QString service;
    QString key;
    bool found = false;
    bool answered = false; // else it was down, or its answer was lost
};

struct Committed {
    int order = 0;
    Instant at = model::never;
    QString who;
    qint64 journalFrom = 0; // ids of the rows it added: from, and up to but not with, to
    qint64 journalTo = 0;
};

struct GateMove {
    enum class Kind { paused, ramped, lifted, breaker };
    int order = 0;
    Instant at = model::never;
    Kind kind = Kind::paused;
    ports::PauseRow pause;
    ports::BreakerRow breaker;
};

// A person's act at the door.
struct Act {
    int order = 0;
    Instant at = model::never;
    QString id; // of the request; the same act sent again has the same
    QString name;
    QString actor;
    QString runId;
    QString item;
    QString step;
    model::Direction direction = model::Direction::forward; // of the item's operation
    QString verdict;
    QString hash;
    bool acknowledged = false;
    bool refused = false; // nothing was recorded; the same request may yet be sent again
};

struct Acknowledged {
    int order = 0;
    QString workflow;
    QString eventId;
    QString runId;
};

struct Figures {
    int faults = 0;
    int turns = 0;
    int turnsInASecond = 0; // the most of one worker
    int commits = 0;
    int crashes = 0;
    int freezes = 0;
    int takeovers = 0;
    int inBulk = 0; // acts of batches
    Millis simulated = 0;
};

class Record
{
public:
    using Clock = std::function<Instant()>;

    int next() { return ++m_order; }
    int order() const { return m_order; }
    void violation(const QString &promise, const QString &text)
    {
        violations.append(promise + QLatin1String(": ") + text);
    }

    // The trace costs nothing while nobody wants it.
    bool traces = false;
    QStringList trace;
    Instant began = model::never;
    void note(Instant at, const QString &who, const QString &what);

    QVector<SentCall> sent;
    QVector<Arrival> arrivals;
    QVector<Asked> asked;
    QVector<Committed> commits;
    QVector<GateMove> gates;
    QVector<Act> acts;
    QVector<Acknowledged> starts;
    QSet<QString> haltedBatches; // held, stopped or done
    QStringList violations;      // what a witness saw at once; the checkers add theirs at the end
    Figures figures;

private:
    int m_order = 0;
};

} // namespace holdfast::simulation
