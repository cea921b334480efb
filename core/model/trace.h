// The ids by which others find a run in their traces (W3C Trace Context). They follow from the run
// and from nothing else, so that a restart, a takeover and a replay send the same ones.
#pragma once

#include "model/policy.h"

namespace holdfast::model
{

struct TraceContext {
    QString traceId;  // 32 hexadecimal digits
    QString parentId; // 16 of them, the span of whoever started the run; empty: nobody's
    bool isSampled = true;
};

// Strict: lower case, no id of zeros, and of a version beyond 00 only what 00 knows.
std::optional<TraceContext> parseTraceparent(const QString &text);

// `traceparent` is what came in when the run was started, and may be empty.
TraceContext traceOf(const QString &runId, const QString &traceparent);
QString runSpanId(const QString &runId);
QString attemptSpanId(const QString &runId, const QString &step, Direction direction, int attempt);
// Of what was decided in one commit while no attempt ended.
QString decisionSpanId(const QString &runId, int seq);

// What the outside is told of one attempt.
QString traceparentFor(const TraceContext &trace, const QString &spanId);

} // namespace holdfast::model
