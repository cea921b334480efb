// What the engine must know of a workflow version and its dependencies to decide: plain values,
// made by contract from the definition files. No expression and no address is in here.
#pragma once

#include "model/time.h"

#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

namespace holdfast::model
{

enum class Effect { read, write, destructive };
enum class Protection { native, natural, probe, none };
enum class StepKind { http, command, llm, check, approval, wait };
enum class OnFailure { compensate, continueRun, review };
enum class FailureClass { none, transient, permanent, ambiguous };
enum class Direction { forward, verify, compensate, snapshot };

QString effectName(Effect effect);
QString protectionName(Protection protection);
QString stepKindName(StepKind kind);
QString onFailureName(OnFailure onFailure); // compensate | continue | review
QString failureClassName(FailureClass failureClass);
QString directionName(Direction direction);
std::optional<Effect> effectFromName(const QString &name);
std::optional<Protection> protectionFromName(const QString &name);
std::optional<OnFailure> onFailureFromName(const QString &name);
std::optional<FailureClass> failureClassFromName(const QString &name);
std::optional<Direction> directionFromName(const QString &name);

struct RetryPolicy {
    int attempts = 4; // counts the first try
    Millis delay = 2 * second;
    int backoffPercent = 200; // the engine knows no floating point: 2 is 200
    Millis delayMax = minute;
    bool jitter = true; // full jitter; false: none
};

// One row of a dependency's failure map. It matches when every part it names matches.
struct ClassifyRule {
    int statusFrom = 0; // 0: any status; an exit code for commands
    int statusTo = 0;
    QString error;        // empty: any; else a CallResult error name
    bool hasWhen = false; // an expression over the response, evaluated by the runtime
    FailureClass failureClass = FailureClass::transient;
    QString reason;
};

struct ApprovalPolicy {
    QStringList who; // e-mail addresses or role names; empty: any approver
    Millis expires = day;
    bool rejectOnExpiry = true; // then: reject (default) or skip
    bool fourEyes = false;
};

// How one operation, forward or compensating, is to be carried out.
struct OperationPolicy {
    StepKind kind = StepKind::http;
    Effect effect = Effect::read;
    Protection protection = Protection::none;
    QString dependency; // empty for check, approval, wait and for a command without one
    Millis timeout = 30 * second;
    Millis ttl = 30 * day;
    Millis retention = 0; // what the destination remembers of a key; 0: not stated
    Millis settleAfter = 0;
    RetryPolicy retry;
    bool hasVerify = false;
    bool isDelete = false; // a natural DELETE: 404 and 410 mean that it happened
    std::optional<ApprovalPolicy> approval;
    QVector<ClassifyRule> classify;
    QString owner{}; // of the dependency; whom to tell
};

struct WaitPolicy {
    Millis duration = 0;   // wait for this long
    bool hasUntil = false; // or until an instant that an expression gives
    QString event;         // or for this event
    Millis timeout = 0;    // with event: 0 waits for ever
    bool failOnTimeout = true;
};

struct StepPolicy {
    QString step;
    OperationPolicy forward;
    std::optional<OperationPolicy> undo; // absent: nothing to undo, or it cannot be undone
    bool irreversible = false;           // compensate: none
    QString correction;                  // what follows instead, in words
    OnFailure onFailure = OnFailure::compensate;
    bool hasWhen = false;
    bool hasSnapshot = false;
    bool detached = false;
    bool shadow = false;
    WaitPolicy wait;
};

struct Policy {
    QString workflow;
    int version = 0;
    Millis deadline = 0; // 0: none
    bool hasOutputs = false;
    QVector<StepPolicy> steps;
    QString owner{}; // whom to tell
};

const StepPolicy *stepPolicy(const Policy &policy, const QString &step);
// Of the action itself, or of what undoes it.
const OperationPolicy *operationPolicy(const Policy &policy, const QString &step, Direction target);

struct BreakerPolicy {
    int failures = 5;
    Millis within = 60 * second;
    Millis openFor = 30 * second;
};

struct LimitPolicy {
    int concurrency = 0; // 0: not limited
    int ratePerSecond = 0;
    int retryRatioPercent = 20;
    int retryFloorPerSecond = 10;
};

struct DependencyPolicy {
    QString dependency;
    int revision = 0;
    QString origin; // for comparing revisions only
    Protection protection = Protection::none;
    BreakerPolicy breaker;
    LimitPolicy limit;
};

} // namespace holdfast::model
