// How a step and an attempt look: shape, word and colour, like the status of a run.
#pragma once

#include "ui/style/status_look.h"

namespace holdfast::inspector
{

struct AttemptStory;

// Of a step's status as the door writes it; unknown ones are shown as they are.
style::StatusLook stepLook(const QString &status);
style::StatusLook attemptLook(const AttemptStory &attempt);
// Of a verdict in a plan of compensation: will_compensate, nothing_to_do, verify_first, cannot.
style::StatusLook verdictLook(const QString &verdict);

} // namespace holdfast::inspector
