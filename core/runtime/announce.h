// What owners hear of a run: an alert for each item that waits for a person and each end that was
// not a success. A function of the journal and of what is deployed, like every projection.
#pragma once

#include "runtime/projection.h"

namespace holdfast::runtime
{

// Adds what the change announces. An alert's id is made of run, version and place, so that it is
// the same whoever writes it.
void announce(const Change &change, ports::TurnWrites &writes);

// The same facts for the item itself, so that whoever sees it reads what the alert said.
QJsonObject toldOf(const Change &change, const model::Entry &entry);

} // namespace holdfast::runtime
