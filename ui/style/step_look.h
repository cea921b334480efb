// How a step looks: shape, word and colour, like the status of a run.
#pragma once

#include "ui/style/status_look.h"

namespace holdfast::style
{

// Of a step's status as the door writes it; unknown ones are shown as they are.
StatusLook stepLook(const QString &status);

} // namespace holdfast::style
