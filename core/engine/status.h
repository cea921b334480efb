// Where a run stands, derived from where its operations stand: nothing here is kept.
#pragma once

#include "model/run.h"

namespace holdfast::engine
{

using namespace model;

// The status that follows from where the operations stand; a final one stays.
RunStatus statusOf(const Run &run);

// When a run at rest has to be looked at again; never: only a person, an event or a pause's end
// moves it.
Instant nextDue(const Run &run);

// Whether anything of it waits for the end of a pause.
bool isAtPause(const Run &run);

// An attempt whose outcome is open, if there is one in this step.
const Attempt *openAttempt(const Step &step);
bool hasOpenAttempt(const Run &run);

} // namespace holdfast::engine
