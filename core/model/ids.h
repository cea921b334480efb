// UUIDv7 (RFC 9562): time-ordered, monotonic within a process, unique across machines, so a run id
// can also be the correlation id the outside sees.
#pragma once

#include "model/time.h"

#include <QString>

namespace holdfast::model
{

QString newId(Instant now);

} // namespace holdfast::model
