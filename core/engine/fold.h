// The only code that changes a run. Everything it knows comes from entries, so the journal is the
// truth.
#pragma once

#include "model/entry.h"

namespace holdfast::engine
{

using namespace model;

void fold(Run &run, const Entry &entry);
Run foldAll(const Entries &entries);

} // namespace holdfast::engine
