// A run and its steps as the fold of its journal. Pure state: everything the engine needs to go on.
#pragma once

#include "model/call.h"
#include "model/policy.h"
#include "model/time.h"

#include <QJsonObject>
#include <QString>
#include <QVector>
#include <optional>

namespace holdfast::model
{

// These names are persisted and shown; never rename one.
enum class RunStatus {
    queued,
    running,
    waiting,
    review,
    compensating,
    held,
    succeeded,
    succeededPartial,
    failed,
    compensated,
    compensationFailed,
    cancelled,
};

constexpr RunStatus allRunStatuses[] = {RunStatus::queued,
                                        RunStatus::running,
                                        RunStatus::waiting,
                                        RunStatus::review,
                                        RunStatus::compensating,
                                        RunStatus::held,
                                        RunStatus::succeeded,
                                        RunStatus::succeededPartial,
                                        RunStatus::failed,
                                        RunStatus::compensated,
                                        RunStatus::compensationFailed,
                                        RunStatus::cancelled};

QString runStatusName(RunStatus status);
std::optional<RunStatus> runStatusFromName(const QString &name);
bool isFinal(RunStatus status);

// Where one operation stands. An operation rests in every phase but sending and verifying.
enum class Phase {
    idle,      // not reached
    preparing, // reached; its key and request are being computed
    ready,     // prepared; wants its intent
    gated,     // ready, but a gate is closed; looks again when due
    asking,    // waits for an approval
    waiting,   // waits to retry, or a wait step waits for its instant or event
    sending,   // intent committed, outcome open
    settling,  // ambiguous; waits until a verify can be believed
    verifying, // verify intent committed, answer open
    review,    // a person decides
    succeeded, // confirmed, receipt kept
    failed,    // proven to have had no effect, or given up on by a person
    skipped,   // `when` was false, or waived
};

QString phaseName(Phase phase);
std::optional<Phase> phaseFromName(const QString &name);
// Nothing happens to it any more by itself.
constexpr bool isSettled(Phase phase)
{
    return phase == Phase::succeeded || phase == Phase::failed || phase == Phase::skipped;
}

enum class ReviewKind { ambiguous, approval, compensationFailed, conflict, deadLetter, tripwire };
QString reviewKindName(ReviewKind kind);
std::optional<ReviewKind> reviewKindFromName(const QString &name);

struct Attempt {
    int number = 0;
    Direction direction = Direction::forward;
    Instant startedAt = never;
    Instant endedAt = never;
    FailureClass failureClass = FailureClass::none;
    QString reason; // "ok", or a reason code
    int status = 0;
    qint64 fence = 0;
    int dependencyRevision = 0;
    bool proven = false; // its own 2xx is on record, be it late
};

struct Operation {
    Phase phase = Phase::idle;
    bool ambiguous = false;           // belongs to the operation, not to one attempt
    bool knownToHaveHappened = false; // a 2xx whose result could not be read, or that came late
    bool lateEffect = false; // it happened, or may have, after it was given up: ask before a retry
    bool approved = false;
    int tries = 0;        // attempts that count against the policy
    int verifyTries = 0;  // of the verify under way
    int serverErrors = 0; // 5xx answers on this key
    QString gate;         // why gated: pause breaker budget limit ledger credentials
    Instant due = never;  // when to look again
    Instant firstIntentAt = never;
    Instant lastEndedAt = never; // end of the last forward attempt, or takeover plus time-out
    QString operation; // dependency + method + path template: half of the ledger's identity
    QString key;
    QString hash;
    Request request;
    QJsonObject receipt;
    QString reason; // of the last failure
    QString reviewId;
    std::optional<ReviewKind> reviewKind;
    Instant reviewOpenedAt = never;
    qint64 confirmedAt = 0; // order of confirmation within the run; 0: not confirmed
    bool replayed = false;  // receipt came from the ledger
};

struct Step {
    QString step;
    Operation forward;
    Operation undo;
    QJsonObject before; // the snapshot
    bool hasBefore = false;
    bool waived = false; // a person waived its compensation
    QVector<Attempt> attempts;
};

struct Run {
    QString runId;
    QString workflow;
    int version = 0;
    QString eventId;
    int generation = 1;
    QString traceparent; // what came in when it was started; empty: nothing
    QJsonObject input;
    RunStatus status = RunStatus::queued;
    int seq = 0; // journal rows folded so far; the version an operator sees
    Instant createdAt = never;
    Instant startedAt = never;
    Instant finishedAt = never;
    Instant deadlineAt = never;
    Instant clockStoppedAt =
        never;         // the deadline's clock stands while a person or a pause holds the run
    bool held = false; // accepted while intake was paused
    bool compensating = false;
    bool cancelRequested = false;
    bool partial = false;
    bool hadFailure = false; // something of it was no success, whatever came of it
    QString failedStep;
    QString reason;
    QStringList chosenSteps; // compensation by hand of these only; empty: all
    qint64 confirmations = 0;
    int retryCount = 0;
    int compensationCount = 0;
    int duplicatesPrevented = 0;
    QString deadLetterId;
    QStringList standaloneReviews; // open items that hold nothing up
    QJsonObject outputs;
    QVector<Step> steps;

    Step *find(const QString &step);
    const Step *find(const QString &step) const;
};

} // namespace holdfast::model
