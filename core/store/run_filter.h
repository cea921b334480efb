// What belongs to a list of runs, for the places where no index can say it.
#pragma once

#include "ports/store.h"

namespace holdfast::store
{

bool matches(const ports::RunRow &row, const ports::RunFilter &filter);

} // namespace holdfast::store
