// People's commands as they stand in the command table, and as the events they mean. Used by
// whoever folds them and by whoever asks beforehand whether they would be accepted, so that both
// mean the same.
#pragma once

#include "engine/event.h"

namespace holdfast::engine
{

struct CommandText {
    QString name; // cancel retry compensate resolve approve reject signal note late_report
    QString actor;
    QJsonObject arguments;
};

// Nothing: no such command, or an argument it needs is missing or wrong.
std::optional<Event> commandEvent(const CommandText &command);

std::optional<Resolve::Verdict> verdictFromName(const QString &name);

QJsonObject lateReportArguments(const LateReport &report);

} // namespace holdfast::engine
