#include "engine/retry.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
// FNV-1a with a final mix: the same on every machine, unlike the library's hashes.
quint64 mix(quint64 hash, QByteArrayView bytes)
{
    for (const char byte : bytes) {
        hash ^= quint8(byte);
        hash *= 1099511628211ULL;
    }
    return hash;
}

Millis backoff(const RetryPolicy &policy, int attempt)
{
    Millis delay = policy.delay;
    for (int n = 1; n < attempt && delay < policy.delayMax; ++n)
        delay = std::max<Millis>(delay, 1) * policy.backoffPercent / 100;
    return std::min(delay, policy.delayMax);
}
} // namespace

quint64 jitterHash(const QString &runId, const QString &step, Direction direction, int attempt)
{
    quint64 hash = 14695981039346656037ULL;
    hash = mix(hash, runId.toUtf8());
    hash = mix(hash, step.toUtf8());
    hash = mix(hash, QByteArray::number(int(direction) * 1000 + attempt));
    hash ^= hash >> 33;
    hash *= 0xff51afd7ed558ccdULL;
    hash ^= hash >> 33;
    return hash;
}

Millis retryDelay(const RetryPolicy &policy, const RetryQuestion &question)
{
    Millis delay = backoff(policy, question.attempt);
    if (policy.jitter && delay > 0) {
        const quint64 hash =
            jitterHash(question.runId, question.step, question.direction, question.attempt);
        delay = Millis(hash % quint64(delay + 1));
    }
    return std::max(delay, question.retryAfter);
}

} // namespace holdfast::engine
