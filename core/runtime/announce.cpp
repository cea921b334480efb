#include "runtime/announce.h"

#include <QJsonArray>

namespace holdfast::runtime
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::Entry;
using model::EntryKind;
using model::operationPolicy;
using model::Phase;
using model::ReviewKind;
using model::RunStatus;

namespace
{
// Successes are no news to an owner, and a person who cancels knows.
bool isNews(RunStatus status)
{
    return status == RunStatus::failed || status == RunStatus::compensated ||
           status == RunStatus::compensationFailed;
}

QString kindOf(const Entry &entry)
{
    if (entry.kind == EntryKind::reviewOpened)
        return u"review."_s + model::reviewKindName(*entry.reviewKind);
    return u"run."_s + model::runStatusName(*entry.runStatus);
}

// A question that went back to its item was told when the item was opened.
bool isTold(const Entry &entry)
{
    return entry.kind == EntryKind::reviewOpened
               ? !isAskedAgain(entry)
               : entry.kind == EntryKind::finished && isNews(*entry.runStatus);
}

struct Effects {
    QStringList standing; // confirmed, and not known to be made up for
    QStringList undone;
    QStringList unknown;     // whether it happened
    QStringList undoUnknown; // it happened; whether it was made up for

    QString any() const
    {
        if (!unknown.isEmpty())
            return u"unknown"_s;
        return standing.isEmpty() ? u"no"_s : u"yes"_s;
    }
};

bool isOpen(const model::Operation &operation)
{
    return operation.phase == Phase::sending || operation.phase == Phase::settling ||
           operation.phase == Phase::verifying;
}

Effects effectsOf(const model::Run &run, const model::Policy &policy)
{
    Effects effects;
    for (const model::Step &step : run.steps) {
        const auto *operation = operationPolicy(policy, step.step, Direction::forward);
        if (!operation || operation->effect == model::Effect::read)
            continue;
        const model::Operation &forward = step.forward;
        const bool happened = forward.phase == Phase::succeeded || forward.knownToHaveHappened;
        const bool isUndoOpen = step.undo.ambiguous || isOpen(step.undo);
        if (step.undo.phase == Phase::succeeded)
            effects.undone << step.step;
        else if (happened)
            effects.standing << step.step;
        else if (forward.ambiguous || isOpen(forward))
            effects.unknown << step.step;
        if (happened && isUndoOpen)
            effects.undoUnknown << step.step;
    }
    return effects;
}

const model::Attempt *lastFailure(const model::Step *step, Direction direction)
{
    if (!step)
        return nullptr;
    for (auto attempt = step->attempts.crbegin(); attempt != step->attempts.crend(); ++attempt) {
        if (attempt->direction == direction && attempt->failureClass != model::FailureClass::none)
            return &*attempt;
    }
    return nullptr;
}

int attemptsOf(const model::Step *step, Direction direction)
{
    int count = 0;
    for (qsizetype i = 0; step && i < step->attempts.size(); ++i)
        count += step->attempts.at(i).direction == direction ? 1 : 0;
    return count;
}

// What an alert is about: the operation that failed, or that a person is asked about.
struct Subject {
    QString step;
    Direction direction = Direction::forward;
    QString reason;
};

// A run whose compensation failed also has a step that failed before; that one needs nobody now.
Subject failedUndo(const Change &change, const Entry &end)
{
    for (auto entry = change.entries.crbegin(); entry != change.entries.crend(); ++entry) {
        if (entry->kind == EntryKind::stepFailed && entry->direction == Direction::compensate)
            return {entry->step, Direction::compensate, entry->reason};
    }
    for (const model::Step &step : change.after.steps) {
        if (step.undo.phase == Phase::review)
            return {step.step, Direction::compensate, step.undo.reason};
    }
    return {{}, Direction::compensate, end.reason};
}

Subject subjectOf(const Change &change, const Entry &entry)
{
    if (entry.kind == EntryKind::reviewOpened) {
        const bool undo = entry.direction == Direction::compensate;
        return {entry.step, undo ? Direction::compensate : Direction::forward, entry.reason};
    }
    if (*entry.runStatus == RunStatus::compensationFailed)
        return failedUndo(change, entry);
    return {change.after.failedStep, Direction::forward, change.after.reason};
}

// What failed without having been tried failed for good. An approval is no failure, nor is an end
// that people chose.
QString classOf(const Entry &entry, const Subject &subject, const model::Attempt *failure)
{
    if (failure)
        return model::failureClassName(failure->failureClass);
    if (subject.step.isEmpty() || entry.reviewKind == ReviewKind::approval)
        return {};
    const bool isSuspected =
        entry.reviewKind == ReviewKind::conflict && entry.detail.value("standalone"_L1).toBool();
    return model::failureClassName(entry.reviewKind == ReviewKind::ambiguous || isSuspected
                                       ? model::FailureClass::ambiguous
                                       : model::FailureClass::permanent);
}

QString whatIsNext(const Entry &entry)
{
    if (entry.kind == EntryKind::finished) {
        return *entry.runStatus == RunStatus::compensationFailed
                   ? u"decides what becomes of the effects that stand"_s
                   : u"finds out why"_s;
    }
    switch (*entry.reviewKind) {
    case ReviewKind::ambiguous: return u"finds out whether it happened, and says so"_s;
    case ReviewKind::approval: return u"approves or rejects"_s;
    case ReviewKind::compensationFailed: return u"makes up for the effect by hand, or retries"_s;
    case ReviewKind::conflict: return u"decides which of two requests under one key counts"_s;
    case ReviewKind::deadLetter: return u"mends the cause and retries, or dismisses"_s;
    case ReviewKind::tripwire: return u"looks at the evidence and resumes"_s;
    }
    Q_UNREACHABLE();
}

// The step's own people first where it asks for an approval, then whoever owns the system that
// refused, then whoever owns the workflow.
QJsonObject whoIsNext(const Change &change, const Entry &entry,
                      const model::OperationPolicy *operation)
{
    const bool isApproval =
        entry.kind == EntryKind::reviewOpened && *entry.reviewKind == ReviewKind::approval;
    QStringList who;
    if (isApproval && operation && operation->approval)
        who = operation->approval->who;
    const QString dependencyOwner = operation ? operation->owner : QString();
    if (who.isEmpty() && !isApproval && !dependencyOwner.isEmpty())
        who << dependencyOwner;
    if (who.isEmpty() && !change.policy.owner.isEmpty())
        who << change.policy.owner;
    return {{u"who"_s, QJsonArray::fromStringList(who)},
            {u"role"_s, isApproval ? u"approver"_s : u"operator"_s},
            {u"does"_s, whatIsNext(entry)},
            {u"workflow_owner"_s, change.policy.owner},
            {u"dependency_owner"_s, dependencyOwner}};
}

QString effectText(const Effects &effects)
{
    if (!effects.unknown.isEmpty())
        return u"nobody knows whether %1 happened"_s.arg(effects.unknown.join(u", "_s));
    if (!effects.undoUnknown.isEmpty())
        return u"%1 happened, and nobody knows whether it was made up for"_s.arg(
            effects.undoUnknown.join(u", "_s));
    if (!effects.standing.isEmpty())
        return u"the effects of %1 stand"_s.arg(effects.standing.join(u", "_s));
    return effects.undone.isEmpty() ? u"no effect happened"_s : u"every effect was made up for"_s;
}

QString summaryOf(const Change &change, const Entry &entry, const Subject &subject,
                  const Effects &effects)
{
    const QString what = kindOf(entry).section(u'.', 1).replace(u'_', u' ');
    const QString where = subject.step.isEmpty() ? QString() : u" at "_s + subject.step;
    const QString why = subject.reason.isEmpty() ? QString() : u" (%1)"_s.arg(subject.reason);
    return u"%1 v%2: %3%4%5; %6"_s.arg(change.after.workflow)
        .arg(change.after.version)
        .arg(what, where, why, effectText(effects));
}

QJsonObject payloadOf(const Change &change, const Entry &entry)
{
    const model::Run &run = change.after;
    Subject subject = subjectOf(change, entry);
    const Direction direction = subject.direction;
    const model::Step *step = run.find(subject.step);
    const auto *operation = operationPolicy(change.policy, subject.step, direction);
    const model::Attempt *failure = lastFailure(step, direction);
    const Effects effects = effectsOf(run, change.policy);
    if (subject.reason.isEmpty() && failure)
        subject.reason = failure->reason;
    const bool undo = direction == Direction::compensate;
    const QString key = !step ? QString() : undo ? step->undo.key : step->forward.key;
    return {{u"summary"_s, summaryOf(change, entry, subject, effects)},
            {u"workflow"_s, run.workflow},
            {u"version"_s, run.version},
            {u"run_id"_s, run.runId},
            {u"event_id"_s, run.eventId},
            {u"step"_s, subject.step},
            {u"direction"_s, model::directionName(direction)},
            {u"dependency"_s, operation ? operation->dependency : QString()},
            {u"class"_s, classOf(entry, subject, failure)},
            {u"reason"_s, subject.reason},
            {u"key"_s, key},
            {u"attempts"_s, attemptsOf(step, direction)},
            {u"retry_count"_s, run.retryCount},
            {u"effect"_s, effects.any()},
            {u"effects_standing"_s, QJsonArray::fromStringList(effects.standing)},
            {u"effects_unknown"_s, QJsonArray::fromStringList(effects.unknown)},
            {u"effects_undone"_s, QJsonArray::fromStringList(effects.undone)},
            {u"compensations_unknown"_s, QJsonArray::fromStringList(effects.undoUnknown)},
            {u"review"_s, entry.reviewId},
            {u"next"_s, whoIsNext(change, entry, operation)}};
}
} // namespace

QJsonObject toldOf(const Change &change, const Entry &entry)
{
    const QJsonObject payload = payloadOf(change, entry);
    QJsonObject told;
    for (const char *name : {"summary", "direction", "attempts", "retry_count", "effect", "next"})
        told.insert(QLatin1String(name), payload.value(QLatin1String(name)));
    return told;
}

void announce(const Change &change, ports::TurnWrites &writes)
{
    for (qsizetype place = 0; place < change.entries.size(); ++place) {
        const Entry &entry = change.entries.at(place);
        if (!isTold(entry))
            continue;
        ports::OutboxRow row;
        row.id = u"%1-%2-%3"_s.arg(change.after.runId).arg(change.after.seq).arg(place);
        row.at = entry.at;
        row.kind = kindOf(entry);
        row.runId = change.after.runId;
        row.payload = payloadOf(change, entry);
        writes.outbox.append(row);
    }
}

} // namespace holdfast::runtime
