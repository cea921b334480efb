// What follows from a run's new entries in the other tables: ledger, reviews, failures, rollups,
// outbox. A projection is a function of the journal alone, so that rebuilding gives equal rows.
#pragma once

#include "model/entry.h"
#include "ports/store.h"

namespace holdfast::runtime
{

struct Change {
    const model::Run &after;
    const model::Entries &entries;
    const model::Policy &policy;
    QString worker;
    bool wasFinal = false; // before these entries
};

// A question that goes back to its item, because a check brought no answer: nothing is new.
bool isAskedAgain(const model::Entry &entry);

// The run as its journal tells it.
model::Run runFrom(const QVector<ports::JournalRow> &journal);

// The columns lists filter by. Worker, fence and due belong to the runtime and are left as they
// are.
ports::RunRow projectRun(const model::Run &run, const model::Policy &policy, ports::RunRow row);

void projectChange(const Change &change, ports::TurnWrites &writes);

} // namespace holdfast::runtime
