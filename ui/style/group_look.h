// How the status of a failure group and the kind of a review look: a shape, a word and a colour, as
// a run's status does.
#pragma once

#include "ui/style/status_look.h"

namespace holdfast::style
{

// An unknown name is shown as it is, with a question mark for a shape.
StatusLook groupLook(const QString &status);
StatusLook reviewLook(const QString &kind);

} // namespace holdfast::style
