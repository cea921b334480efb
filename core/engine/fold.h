// The only code that changes a run. Everything it knows comes from entries, so the journal is the
// truth.
#pragma once

#include "model/entry.h"

namespace holdfast::engine
{

using namespace model;

void fold(Run &run, const Entry &entry);
Run foldAll(const Entries &entries);

// The status that follows from where the operations stand; a final one stays.
RunStatus statusOf(const Run &run);

// When a run at rest has to be looked at again; never: only a person, an event or a pause's end
// moves it.
Instant nextDue(const Run &run);

// An attempt whose outcome is open, if there is one in this step.
const Attempt *openAttempt(const Step &step);
bool hasOpenAttempt(const Run &run);

} // namespace holdfast::engine
