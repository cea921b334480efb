// Sees to it that alerts reach their targets: writes down who is to be told, hands what is due to
// the courier, and writes down what became of it. It never waits for the outside. Any worker may
// look at any time: a try is one worker's alone until its time is over, then another's.
#pragma once

#include "model/result.h"
#include "ports/courier.h"
#include "ports/store.h"

namespace holdfast::runtime
{

using model::Result;

class AlertWatch
{
public:
    AlertWatch(ports::Store &store, ports::Courier &courier) : m_store(store), m_courier(courier) {}

    // `sends`: also takes what is due; else it only writes down results.
    Result<void> look(bool sends);
    // Nothing is under way, nor due soon. What was put off for longer is nothing to wait for.
    Result<bool> isQuiet();
    Result<int> sweep(model::Instant now);

private:
    Result<void> keepResults();
    Result<void> keep(const ports::ParcelResult &result, model::Instant now);
    Result<void> handOut(model::Instant now);
    Result<void> send(model::Instant now);
    Result<void> inTransaction(const std::function<Result<void>()> &work);

    ports::Store &m_store;
    ports::Courier &m_courier;
    QVector<ports::ParcelResult> m_results; // not yet committed
    QString m_database;
};

} // namespace holdfast::runtime
