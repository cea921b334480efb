// What can happen to a run, as far as the engine is concerned. Three families: commands of people,
// reports of effects, and ticks. Whatever needed an expression, a database or the network is
// already in the event.
#pragma once

#include "model/run.h"

#include <QJsonObject>
#include <QVector>
#include <variant>

namespace holdfast::engine
{

using namespace model;

// Reports.

// The answer to Prepare: expressions were evaluated for the next operation of a step.
struct Prepared {
    enum class Outcome {
        operation, // key, hash, request are set
        snapshot,  // the snapshot has to be read first
        skipped,   // `when` is false
        checkTrue,
        checkFalse,
        waitUntil, // `until` is set
        nothing,   // approval and wait steps have nothing to prepare
        failed,    // `message` says why
    };
    QString step;
    Direction direction = Direction::forward; // forward or compensate
    Outcome outcome = Outcome::operation;
    QString operation;
    QString key;
    QString hash;
    Request request;
    Instant until = never;
    QString message;
};

// The answer to ClaimKey.
struct LedgerAnswered {
    enum class Outcome { mine, succeeded, processing, failed, compensated, expired, otherRequest };
    QString step;
    Direction direction = Direction::forward;
    Outcome outcome = Outcome::mine;
    QString ownerRunId;
    QJsonObject result;   // of a succeeded one
    QJsonObject evidence; // both payloads, for a person
};

// The answer to Send: an attempt ended, or its outcome is unknown.
struct AttemptEnded {
    enum class Verdict {
        none,
        happened,
        absent,
        unknown
    }; // of a verify whose answer could be read
    QString step;
    Direction direction = Direction::forward;
    int attempt = 0;
    bool sent = true;
    QString error;
    int status = 0;
    Millis retryAfter = -1;
    QVector<bool> classifyWhen;
    bool readable = false; // a 2xx whose receipt (or verdict) could be made
    QJsonObject receipt;   // or the snapshot
    Verdict verdict = Verdict::none;
    QJsonObject evidence; // what a person would want to see: response, detail
};

// This run was taken over from a worker whose lease ran out.
struct TakenOver {
};

// The answer to Collect.
struct Collected {
    QJsonObject outputs;
    QString message; // not empty: they could not be evaluated
};

// Ticks.

// The run is due, or may be: everything that waits looks again.
struct Tick {
};

// Commands.

struct Cancel {
    QString actor;
    QString reason;
};

struct Retry {
    QString actor;
    QString reason;
};

struct Compensate {
    QString actor;
    QString reason;
    QStringList steps; // empty: all
};

struct Resolve {
    enum class Verdict { happened, absent, retry, waive, dismiss, verify };
    QString actor;
    QString reason;
    QString reviewId;
    Verdict verdict = Verdict::happened;
    QJsonObject receipt;
};

struct Approve {
    QString actor;
    QString reason;
    QString reviewId;
    QString hash; // of the request the person saw; empty where the step has none
};

struct Reject {
    QString actor;
    QString reason;
    QString reviewId;
};

struct Signal {
    QString actor;
    QString event;
    QJsonObject data;
};

struct Note {
    QString actor;
    QString text;
};

// A fenced worker learnt how its attempt ended, too late to write it down itself.
struct LateReport {
    QString step;
    Direction direction = Direction::forward;
    int attempt = 0;
    FailureClass failureClass = FailureClass::none; // none: it worked
    bool happened = false;                          // a 2xx whose result could not be read
    QJsonObject receipt;
    QJsonObject evidence;
};

using Event =
    std::variant<Prepared, LedgerAnswered, AttemptEnded, TakenOver, Collected, Tick, Cancel, Retry,
                 Compensate, Resolve, Approve, Reject, Signal, Note, LateReport>;

QString eventName(const Event &event);

} // namespace holdfast::engine
