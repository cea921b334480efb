// What one turn reads under its locks, claims and writes.
#pragma once

#include "ports/failures.h"
#include "ports/rows.h"

#include <QStringList>

namespace holdfast::ports
{

// The gates a turn must know, read under a lock that a pause has to wait for.
struct GateRows {
    Instant now = model::never; // database time, taken after the lock
    QVector<PauseRow> pauses;   // those not lifted
    QVector<BreakerRow> breakers;
    QVector<QuotaRow> quotas;
};

struct ClaimRequest {
    QString worker;
    int limit = 0;
    Instant now = model::never;
    bool onlyCommanded =
        false; // just runs with a pending command (applying a decision without a worker)
};

struct ClaimedRun {
    RunRow run; // with the new fence
    QVector<JournalRow> journal;
    bool takenOver = false; // its last worker's lease had run out with an attempt open
};

struct KeyClaim {
    LedgerRow row; // as it is to be inserted, status processing
};

struct KeyAnswer {
    bool inserted = false; // else `row` is what stood there
    LedgerRow row;
};

struct LedgerUpdate {
    QString operation;
    QString key;
    QString runId; // owner expected; with takeFrom set, the new owner
    QString status;
    QJsonObject result;
    Instant expiresAt = model::never;
    bool takeOver =
        false; // a failed row passes to this run: runId, step, hash and request are set anew
    LedgerRow taken;
};

struct ReviewDecision {
    QString id;
    QString decision;
    QString by;
    QString reason;
    Instant at = model::never;
};

// A claimed run for which nothing changed goes back as it was, but for when to look again.
struct Release {
    QString runId;
    qint64 fence = 0;
    Instant due = model::never;
};

// A run that was decided on and stays as it is.
struct Unchanged {
    QString runId;
    qint64 fence = 0;
    int seq = 0;
};

struct RunWrite {
    RunRow row;
    qint64 fenceExpected = 0;
    // Status, worker, due, reason and end are as they were: no list it stands in changes, and a
    // store may leave its indexes alone.
    bool keepsPlace = false;
};

// Stands only over the state on which it was decided: a breaker that a person or another worker has
// moved meanwhile stays where it is.
struct BreakerWrite {
    BreakerRow row;
    QString stateBefore;
};

// Everything one turn writes, in one go per kind of statement.
struct TurnWrites {
    // Conditional on fence and on seq == row.seq - 1: a row that does not match is left out, with
    // all that hangs on it, and reported back.
    QVector<RunWrite> runs;
    // Conditional like `runs`, on the seq that was seen: what was decided on a run that somebody
    // else has by now means nothing.
    QVector<Unchanged> unchanged;
    QVector<Release> releases; // conditional on the fence alone; no journal row
    QVector<JournalRow> journal;
    QVector<LedgerUpdate> ledger;
    QVector<ReviewRow> reviewsOpened;
    // A decision on these was rejected when it came to be applied: they wait for a person again.
    // Not conditional: a turn of which a run was reported back is rolled back as a whole.
    QStringList reviewsReopened;
    QVector<ReviewDecision>
        reviewsClosed; // closes what is still open; an already decided one stays as it is
    QVector<CommandRow> commandsApplied;
    QVector<CommandRow> commandsAdded; // late reports addressed to the run's new owner
    QVector<BreakerWrite> breakers;
    QVector<RollupRow> rollups;    // added to what is there
    QVector<FailureSeen> failures; // added to what is there
    QVector<RunOutcome> outcomes;  // of runs that have failures, these among them
    QVector<OutboxRow> outbox;
};

} // namespace holdfast::ports
