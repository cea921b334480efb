#include "runtime/tripwire_watch.h"

#include "model/ids.h"
#include "model/json.h"
#include "runtime/crash_point.h"

#include <algorithm>

namespace holdfast::runtime
{

using namespace Qt::StringLiterals;

namespace
{
model::Instant minuteOf(model::Instant at) { return at - at % model::minute; }

engine::TripRule ruleOf(const ports::TripwireRow &row)
{
    return {engine::tripMeasureFromName(row.measure).value_or(engine::TripMeasure::failures),
            row.threshold, row.least};
}

bool concerns(const ports::TripwireRow &row, const ports::RollupRow &sums)
{
    // A share is taken of what would be paused; failures are counted where they are said to be.
    const bool isShare = engine::isShare(ruleOf(row).measure);
    if (isShare && row.scope == "dependency"_L1 && sums.dependency != row.target)
        return false;
    return (row.workflow.isEmpty() || sums.workflow == row.workflow) &&
           (row.step.isEmpty() || sums.step == row.step);
}
} // namespace

Result<void> TripwireWatch::look()
{
    const auto rows = m_store.tripwires();
    if (!rows)
        return rows.error();
    for (const ports::TripwireRow &row : *rows) {
        if (row.state != "enabled"_L1)
            continue;
        const auto now = m_store.now();
        if (!now)
            return now.error();
        const auto step = stepOf(row, *now);
        if (!step)
            return step.error();
        if (*step == Step::none)
            continue;
        if (const auto begun = m_store.begin(); !begun)
            return begun;
        if (const auto acted = act(row.name, *now); !acted) {
            m_store.rollback();
            return acted;
        }
        pass(CrashPoint::beforeTrip);
        if (const auto committed = m_store.commit(); !committed)
            return committed;
        pass(CrashPoint::afterTrip);
    }
    return {};
}

Result<TripwireWatch::Step> TripwireWatch::stepOf(const ports::TripwireRow &row, model::Instant now)
{
    if (!row.pause.isEmpty()) {
        const auto active = m_store.pauses(true);
        if (!active)
            return active.error();
        const bool stands =
            std::any_of(active->cbegin(), active->cend(),
                        [&](const ports::PauseRow &pause) { return pause.id == row.pause; });
        return stands ? Step::none : Step::arm;
    }
    if (row.armedAt == model::never)
        return Step::arm;
    const auto figures = counted(row, now);
    if (!figures)
        return figures.error();
    return engine::trips(ruleOf(row), *figures) ? Step::fire : Step::none;
}

// Counters are kept by the minute: the one in which it was armed counts less what it had then.
Result<engine::TripFigures> TripwireWatch::counted(const ports::TripwireRow &row,
                                                   model::Instant now)
{
    const model::Instant armed = minuteOf(row.armedAt);
    const model::Instant since = std::max(minuteOf(now - row.window), armed);
    const auto figures = sum(row, since, minuteOf(now) + model::minute);
    if (!figures)
        return figures.error();
    return since == armed ? figures->less({row.baseCount, row.baseOf}) : *figures;
}

Result<engine::TripFigures> TripwireWatch::sum(const ports::TripwireRow &row, model::Instant since,
                                               model::Instant until)
{
    const auto sums = m_store.rollupSums(since, until);
    if (!sums)
        return sums.error();
    engine::TripFigures figures;
    for (const ports::RollupRow &each : *sums) {
        if (concerns(row, each))
            figures += engine::tripFigures(ruleOf(row).measure, each.counts, row.failure);
    }
    return figures;
}

Result<void> TripwireWatch::act(const QString &name, model::Instant now)
{
    const auto row = m_store.lockTripwire(name);
    if (!row || !*row)
        return row ? Result<void>() : Result<void>(row.error());
    const auto step = stepOf(**row, now);
    if (!step)
        return step.error();
    switch (*step) {
    case Step::none: return {};
    case Step::arm: return arm(**row, now);
    case Step::fire: return fire(**row, now);
    }
    Q_UNREACHABLE();
}

Result<void> TripwireWatch::arm(ports::TripwireRow row, model::Instant now)
{
    const auto before = sum(row, minuteOf(now), minuteOf(now) + model::minute);
    if (!before)
        return before.error();
    row.armedAt = now;
    row.baseCount = before->count;
    row.baseOf = before->of;
    row.pause.clear();
    return m_store.keepTripwire(row);
}

Result<void> TripwireWatch::fire(ports::TripwireRow row, model::Instant now)
{
    const auto figures = counted(row, now);
    if (!figures)
        return figures.error();
    const QString why = engine::tripText(ruleOf(row), *figures, row.window);
    ports::PauseRow pause;
    pause.id = model::newId(now);
    pause.scope = row.scope;
    pause.target = row.target;
    pause.depth = row.depth;
    pause.reason = u"tripwire %1: %2"_s.arg(row.name, why);
    pause.actor = u"engine"_s;
    const auto added = m_store.addPause(pause);
    if (!added)
        return added.error();
    ports::ReviewRow review;
    review.id = u"rv-"_s + pause.id;
    review.kind = u"tripwire"_s;
    review.step = row.step;
    review.workflow = row.workflow;
    review.dependency = row.scope == "dependency"_L1 ? row.target : QString();
    review.openedAt = added->at;
    const QJsonObject seen{{u"measure"_s, row.measure},
                           {u"count"_s, figures->count},
                           {u"of"_s, figures->of},
                           {u"threshold"_s, row.threshold},
                           {u"least"_s, row.least},
                           {u"window_ms"_s, row.window},
                           {u"counted_from"_s, model::instantText(row.armedAt)}};
    review.evidence = {{u"reason"_s, u"tripwire"_s}, {u"tripwire"_s, row.name},
                       {u"pause"_s, pause.id},       {u"why"_s, why},
                       {u"figures"_s, seen},         {u"failure"_s, row.failure}};
    if (const auto opened = m_store.addReview(review); !opened)
        return opened;
    ports::AuditRow audit;
    audit.chain = u"system"_s;
    audit.at = added->at;
    audit.actor = pause.actor;
    audit.action = u"pause"_s;
    audit.subject = pause.id;
    audit.body = QString::fromUtf8(model::canonicalJson(review.evidence));
    if (const auto audited = m_store.appendAudit(audit); !audited)
        return audited;
    row.pause = pause.id;
    row.firedAt = added->at;
    return m_store.keepTripwire(row);
}

} // namespace holdfast::runtime
