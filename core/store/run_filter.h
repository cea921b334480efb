// Whether a run is one a list asks for; the rule the SQL statements repeat.
#pragma once

#include "ports/store.h"

namespace holdfast::store
{

bool matches(const ports::RunRow &row, const ports::RunFilter &filter);

// Ids begin with their instant: no run from then on has a lower one.
QString lowestIdAt(ports::Instant instant);

} // namespace holdfast::store
