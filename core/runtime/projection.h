// What follows from a run's new entries in the other tables: ledger, reviews, rollups, outbox. A
// projection is a function of the journal alone, so that rebuilding gives equal rows.
#pragma once

#include "model/entry.h"
#include "ports/store.h"

#include <tuple>

namespace holdfast::runtime
{

struct Change {
    const model::Run &after;
    const model::Entries &entries;
    const model::Policy &policy;
    QString worker;
};

// The run as its journal tells it.
model::Run runFrom(const QVector<ports::JournalRow> &journal);

// The columns lists filter by. Worker, fence and due belong to the runtime and are left as they
// are.
ports::RunRow projectRun(const model::Run &run, const model::Policy &policy, ports::RunRow row);

void projectChange(const Change &change, ports::TurnWrites &writes);

// Adds up rollups that share a key, so that a turn writes each once.
class RollupSum
{
public:
    void add(const model::Run &run, const model::Policy &policy, const model::Entry &entry,
             const QString &worker);
    QVector<ports::RollupRow> rows() const { return m_rows.values(); }

private:
    ports::RollupRow &row(model::Instant at, const QString &workflow, const QString &step,
                          const QString &dependency, const QString &worker);
    // By minute, workflow, step and dependency.
    using Key = std::tuple<model::Instant, QString, QString, QString>;
    QMap<Key, ports::RollupRow> m_rows;
};

} // namespace holdfast::runtime
