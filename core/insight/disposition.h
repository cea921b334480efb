// What became of a fact as far as its commit knows, for whoever tells it elsewhere.
#pragma once

#include "model/entry.h"

namespace holdfast::insight
{

// The operation that an entry is about; a verify asks about whichever is under way. Null: none.
const model::Operation *operationOf(const model::Run &run, const model::Entry &entry);

// The run's status where it ended, else where the operation stands.
QString dispositionOf(const model::Run &run, const model::Operation *operation);

// Ends that somebody has to look into.
bool endsBadly(model::RunStatus status);

} // namespace holdfast::insight
