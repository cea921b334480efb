// A run in one sentence for a person: what happened, what is known, who is next.
#pragma once

#include "control/loaded_run.h"

namespace holdfast::control
{

// Words for a sentence: a reason code without its underscores, an instant as a clock shows it, and
// a request by its method and path.
QString reasonText(const QString &reason);
QString momentText(model::Instant instant, model::Instant now);
QString requestText(const model::Request &request);

QString describe(const LoadedRun &loaded);
// The newest fact of a run and whose act it was.
QString describeLast(const LoadedRun &loaded);
// The names of steps whose confirmed effects still stand in the outside.
QStringList standingEffects(const LoadedRun &loaded);
// An operation whose outcome nobody knows; empty: none.
QString unknownStep(const model::Run &run);

} // namespace holdfast::control
