// UUIDv7 (RFC 9562): time-ordered, monotonic within a process, unique across machines, so a run id
// can also be the correlation id the outside sees.
#pragma once

#include "model/time.h"

#include <QString>

namespace holdfast::model
{

QString newId(Instant now);

// From here on the ids of this process follow from the seed and from nothing else. For simulation:
// an id that can be foreseen is none.
void seedIds(quint64 seed);

} // namespace holdfast::model
