#include "runtime/rollup_sum.h"

#include "engine/failure.h"

namespace holdfast::runtime
{

using model::Direction;
using model::Entry;
using model::EntryKind;
using model::operationPolicy;

namespace
{
QString decisionOf(const Entry &closed)
{
    return closed.detail.value(QLatin1String("decision")).toString();
}

// An approval asks for consent, not for knowledge. Entries of older journals do not name the kind.
bool isApproval(const Entry &closed)
{
    if (closed.reviewKind)
        return *closed.reviewKind == model::ReviewKind::approval;
    const QString decision = decisionOf(closed);
    return decision == QLatin1String("approve") || decision == QLatin1String("reject") ||
           decision == QLatin1String("expired");
}

bool hasEffect(const model::Policy &policy, const Entry &entry)
{
    const Direction target =
        entry.direction == Direction::compensate ? Direction::compensate : Direction::forward;
    const auto *operation = operationPolicy(policy, entry.step, target);
    return operation && operation->effect != model::Effect::read;
}

// What the engine closed itself it could reach itself; what was dismissed asked for nothing.
bool neededAPerson(const Entry &closed)
{
    return !closed.actor.isEmpty() && decisionOf(closed) != QLatin1String("dismiss");
}
} // namespace

ports::RollupRow &RollupSum::row(model::Instant at, const QString &workflow, const QString &step,
                                 const QString &dependency, const QString &worker)
{
    const model::Instant minute = at - at % model::minute;
    const Key key{minute, workflow, step, dependency};
    auto found = m_rows.find(key);
    if (found == m_rows.end())
        found = m_rows.insert(key, {minute, workflow, step, dependency, worker, {}});
    return *found;
}

// An end is taken back once, however many entries it takes.
void RollupSum::add(const Change &change)
{
    bool isOver = change.wasFinal;
    for (const Entry &entry : change.entries) {
        const bool reopens =
            entry.kind == EntryKind::reopened || entry.kind == EntryKind::compensationBegan;
        if (isOver && reopens)
            count(change, entry, QStringLiteral("runs_reopened"));
        isOver = entry.kind == EntryKind::finished || (isOver && !reopens);
        addEntry(change, entry);
    }
}

void RollupSum::count(const Change &change, const Entry &entry, const QString &counter, qint64 by)
{
    const Direction target =
        entry.direction == Direction::compensate ? Direction::compensate : Direction::forward;
    const auto *operation = operationPolicy(change.policy, entry.step, target);
    row(entry.at, change.after.workflow, entry.step, operation ? operation->dependency : QString(),
        change.worker)
        .counts[counter] += by;
}

void RollupSum::addEntry(const Change &change, const Entry &entry)
{
    const bool undoes = entry.direction == Direction::compensate;
    const auto count = [&](const QString &counter) { this->count(change, entry, counter); };
    switch (entry.kind) {
    case EntryKind::intent:
        count(QStringLiteral("attempts"));
        // As a run counts its own: questions that are asked again are no retries.
        if (entry.attempt > 1 && (undoes || entry.direction == Direction::forward))
            count(QStringLiteral("retries"));
        return;
    case EntryKind::attemptEnded:
        if (entry.failureClass != model::FailureClass::none)
            count(model::failureClassName(entry.failureClass));
        return;
    case EntryKind::confirmed: return addConfirmed(change, entry);
    case EntryKind::replayed:
        count(QStringLiteral("duplicates_prevented"));
        if (undoes)
            count(QStringLiteral("compensated"));
        return;
    case EntryKind::stepFailed: return addFailed(change, entry);
    case EntryKind::reviewOpened:
        if (isAskedAgain(entry))
            return;
        count(QStringLiteral("reviews"));
        if (entry.reason == QLatin1String("late_effect_suspected"))
            count(QStringLiteral("late_effects"));
        return;
    case EntryKind::reviewClosed: return addClosed(change, entry);
    case EntryKind::accepted: count(QStringLiteral("runs_started")); return;
    case EntryKind::finished: return addFinished(change, entry);
    case EntryKind::stepStarted:
    case EntryKind::stepSkipped:
    case EntryKind::prepared:
    case EntryKind::gated:
    case EntryKind::snapshotKept:
    case EntryKind::retryScheduled:
    case EntryKind::verifyScheduled:
    case EntryKind::clearedAbsent:
    case EntryKind::approved:
    case EntryKind::waiting:
    case EntryKind::compensationBegan:
    case EntryKind::compensationWaived:
    case EntryKind::reopened:
    case EntryKind::cancelAsked:
    case EntryKind::lateReport:
    case EntryKind::noted: return;
    }
    Q_UNREACHABLE();
}

void RollupSum::addConfirmed(const Change &change, const Entry &entry)
{
    count(change, entry,
          entry.direction == Direction::compensate ? QStringLiteral("compensated")
                                                   : QStringLiteral("confirmed"));
    if (entry.detail.contains(QLatin1String("by")))
        count(change, entry, QStringLiteral("duplicates_prevented"));
    if (hasEffect(change.policy, entry))
        count(change, entry, QStringLiteral("effects"));
}

void RollupSum::addFailed(const Change &change, const Entry &entry)
{
    if (entry.direction == Direction::compensate) {
        count(change, entry, QStringLiteral("compensation_failed"));
        return;
    }
    // What people ended on purpose must not pull a tripwire.
    if (engine::isDecided(entry))
        return;
    count(change, entry, QStringLiteral("failed"));
    // By reason as well, for tripwires that wait for one.
    if (!entry.reason.isEmpty())
        count(change, entry, QStringLiteral("failed:") + entry.reason);
}

void RollupSum::addClosed(const Change &change, const Entry &entry)
{
    if (isApproval(entry))
        return;
    count(change, entry, QStringLiteral("reviews_closed"));
    if (neededAPerson(entry))
        count(change, entry, QStringLiteral("reviews_needed"));
}

void RollupSum::addFinished(const Change &change, const Entry &entry)
{
    const model::Run &run = change.after;
    count(change, entry, QStringLiteral("runs_") + model::runStatusName(*entry.runStatus));
    count(change, entry, QStringLiteral("duration_ms"), entry.at - run.createdAt);
    if (run.retryCount >= ports::stormRetries)
        count(change, entry, QStringLiteral("runs_stormy"));
}

} // namespace holdfast::runtime
