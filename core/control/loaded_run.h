// A run as it stands in the database: its row, its folded state and the definition it follows.
#pragma once

#include "contract/evaluator.h"
#include "control/context.h"
#include "engine/gates.h"
#include "model/entry.h"

namespace holdfast::control
{

struct JournaledEntry {
    int seq = 0;
    model::Entry entry;
};

struct LoadedRun {
    ports::RunRow row;
    model::Run run;
    QVector<JournaledEntry> journal;
    std::shared_ptr<const Definition> definition;

    const model::StepPolicy *stepPolicy(const QString &step) const;
    int stepIndex(const QString &step) const; // -1: the workflow has none of this name
    QString startedBy() const;
};

Result<LoadedRun> loadRun(Context &context, const QString &runId);

// The gates as the database shows them now; without budgets, which belong to the workers.
Result<engine::Gates> readGates(Context &context);

// What the expressions of a step's compensation may see.
contract::Scope undoScope(const model::Run &run, const QString &step);

} // namespace holdfast::control
