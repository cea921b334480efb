// What a change adds to the counters that dashboards, reports and tripwires read.
#pragma once

#include "runtime/projection.h"

#include <QMap>
#include <tuple>

namespace holdfast::runtime
{

// Adds up rollups that share a key, so that a turn writes each once.
class RollupSum
{
public:
    void add(const Change &change);
    QVector<ports::RollupRow> rows() const { return m_rows.values(); }

private:
    void addEntry(const Change &change, const model::Entry &entry);
    void addConfirmed(const Change &change, const model::Entry &entry);
    void addFailed(const Change &change, const model::Entry &entry);
    void addClosed(const Change &change, const model::Entry &entry);
    void addFinished(const Change &change, const model::Entry &entry);
    // Of the entry's step and its dependency; without a step, of the whole workflow.
    void count(const Change &change, const model::Entry &entry, const QString &counter,
               qint64 by = 1);
    ports::RollupRow &row(model::Instant at, const QString &workflow, const QString &step,
                          const QString &dependency, const QString &worker);
    // By minute, workflow, step and dependency.
    using Key = std::tuple<model::Instant, QString, QString, QString>;
    QMap<Key, ports::RollupRow> m_rows;
};

} // namespace holdfast::runtime
