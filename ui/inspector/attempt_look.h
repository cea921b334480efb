// How an attempt looks: shape, word and colour, like the status of a run.
#pragma once

#include "ui/style/status_look.h"

namespace holdfast::inspector
{

struct AttemptStory;

style::StatusLook attemptLook(const AttemptStory &attempt);
// Of a verdict in a plan of compensation: will_compensate, nothing_to_do, verify_first, cannot.
style::StatusLook verdictLook(const QString &verdict);

} // namespace holdfast::inspector
