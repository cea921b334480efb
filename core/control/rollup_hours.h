// Sums of the counters by whole hours, remembered: an hour that is over does not change, and a week
// of minutes is too much to add up whenever somebody looks. Forgotten from time to time, because
// rebuilding may correct the past.
#pragma once

#include "ports/store.h"

#include <QMap>

namespace holdfast::control
{

using model::Result;

class RollupHours
{
public:
    // By workflow, step and dependency; only what is set in RollupRow of rollupSums().
    Result<QVector<ports::RollupRow>> sums(ports::Store &store, model::Instant since,
                                           model::Instant until);
    // By bucket, counted from `since`. Buckets of whole hours are added up from hours.
    Result<QVector<ports::RollupRow>> series(ports::Store &store, model::Instant since,
                                             model::Instant until, model::Millis bucket);

private:
    using Rows = QVector<ports::RollupRow>;

    Result<Rows> hour(ports::Store &store, model::Instant start);
    Result<void> forgetOld(ports::Store &store);

    QMap<model::Instant, Rows> m_hours;
    model::Instant m_now = model::never;
    model::Instant m_rememberedSince = model::never;
};

void addCounts(QMap<QString, qint64> &sum, const QMap<QString, qint64> &counts);

} // namespace holdfast::control
