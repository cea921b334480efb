// A committed fact as one JSON object, for whoever collects logs: every retry, conflict and
// compensation decision with its run, workflow version, step, action, retry count, reason, key and
// what became of it. Payloads and people's words are no part of it.
#pragma once

#include "ports/telemetry.h"

namespace holdfast::insight
{

// Empty for a fact that decides nothing, such as that a step was reached.
QJsonObject logLine(const ports::Committed &committed, const model::Entry &entry,
                    const QString &worker);

} // namespace holdfast::insight
