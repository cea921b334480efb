// When to try again. Jitter is a hash of (run, step, direction, attempt), so that a replay waits
// the same.
#pragma once

#include "model/policy.h"

#include <QString>

namespace holdfast::engine
{

using namespace model;

struct RetryQuestion {
    QString runId;
    QString step;
    Direction direction = Direction::forward;
    int attempt = 1;        // the one that failed
    Millis retryAfter = -1; // what the dependency asked for; honoured when longer
};

Millis retryDelay(const RetryPolicy &policy, const RetryQuestion &question);

quint64 jitterHash(const QString &runId, const QString &step, Direction direction, int attempt);

} // namespace holdfast::engine
