#include "engine/decide.h"

#include "engine/draft.h"
#include "engine/fold.h"

namespace holdfast::engine
{

namespace
{
void expireApproval(Draft &draft, const QString &name, Direction target)
{
    const OperationPolicy &policy = *draft.operationPolicy(name, target);
    const QString reviewId = Draft::operation(*draft.step(name), target).reviewId;
    closeReview(draft, reviewId, QStringLiteral("expired"));
    if (target == Direction::forward && policy.approval && !policy.approval->rejectOnExpiry) {
        Entry entry = draft.entry(EntryKind::stepSkipped, name);
        entry.reason = QStringLiteral("approval_expired");
        draft.add(std::move(entry));
        return;
    }
    failStep(draft, name, target, QStringLiteral("approval_expired"));
}

void endWait(Draft &draft, const QString &name)
{
    const WaitPolicy &wait = draft.stepPolicy(name)->wait;
    const bool timedOut = !wait.event.isEmpty();
    if (timedOut && wait.failOnTimeout) {
        failStep(draft, name, Direction::forward, QStringLiteral("event_timeout"));
        return;
    }
    Entry entry = draft.entry(EntryKind::confirmed, name);
    entry.reason = timedOut ? QStringLiteral("event_timeout") : QStringLiteral("ok");
    if (timedOut)
        entry.detail.insert(QStringLiteral("receipt"),
                            QJsonObject{{QStringLiteral("timed_out"), true}});
    draft.add(std::move(entry));
}

void tickWaiting(Draft &draft, const QString &name, Direction target, bool due)
{
    const bool late = target == Direction::forward && draft.deadlinePassed();
    const bool isWaitStep =
        target == Direction::forward && draft.stepPolicy(name)->forward.kind == StepKind::wait;
    if (!isWaitStep) {
        if (due || late)
            tryIntent(draft, name, target);
        return;
    }
    if (due)
        endWait(draft, name);
    else if (late)
        failStep(draft, name, target, QStringLiteral("deadline_exceeded"));
}

void tickOperation(Draft &draft, const QString &name, Direction target)
{
    const Operation operation = Draft::operation(*draft.step(name), target);
    const bool due = operation.due != never && operation.due <= draft.now();
    // However long a breaker said it would take, a person may have closed it: ask again.
    const bool asksAgain = operation.due == never || operation.gate == QLatin1String("breaker");
    switch (operation.phase) {
    case Phase::ready:
        // Which compensation is next is for advanceCompensation to say.
        if (target == Direction::forward)
            tryIntent(draft, name, target);
        return;
    case Phase::gated:
        if (due || asksAgain || (target == Direction::forward && draft.deadlinePassed()))
            tryIntent(draft, name, target);
        return;
    case Phase::waiting: tickWaiting(draft, name, target, due); return;
    case Phase::settling:
        if (due || asksAgain)
            tryVerify(draft, name);
        return;
    case Phase::asking:
        if (due)
            expireApproval(draft, name, target);
        return;
    case Phase::idle:
    case Phase::preparing:
    case Phase::sending:
    case Phase::verifying:
    case Phase::review:
    case Phase::succeeded:
    case Phase::failed:
    case Phase::skipped: return;
    }
    Q_UNREACHABLE();
}

Outcome onTick(Draft &draft)
{
    if (isFinal(draft.run().status))
        return draft.replayed();
    if (draft.run().held && isIntakePaused(draft.gates(), draft.run().workflow, draft.run().runId))
        return draft.replayed();
    const QVector<Step> steps = draft.run().steps;
    for (const Step &step : steps) {
        tickOperation(draft, step.step, Direction::forward);
        if (draft.stepPolicy(step.step)->undo)
            tickOperation(draft, step.step, Direction::compensate);
    }
    advance(draft);
    return draft.changed() ? draft.accept() : draft.replayed();
}

Outcome onCollected(Draft &draft, const Collected &event)
{
    const Run &run = draft.run();
    if (isFinal(run.status) || run.compensating || run.steps.size() < draft.policy().steps.size() ||
        !forwardSettled(run))
        return draft.replayed();
    Entry entry = draft.entry(EntryKind::finished, {});
    entry.runStatus = run.partial ? RunStatus::succeededPartial : RunStatus::succeeded;
    entry.detail.insert(QStringLiteral("outputs"), event.outputs);
    if (!event.message.isEmpty())
        entry.detail.insert(QStringLiteral("message"), event.message);
    draft.add(std::move(entry));
    return draft.accept();
}

Outcome onNote(Draft &draft, const Note &event)
{
    Entry entry = draft.entry(EntryKind::noted, {});
    entry.actor = event.actor;
    entry.detail.insert(QStringLiteral("text"), event.text);
    draft.add(std::move(entry));
    return draft.accept();
}

struct Dispatch {
    Draft &draft;

    Outcome operator()(const Prepared &event) const { return onPrepared(draft, event); }
    Outcome operator()(const LedgerAnswered &event) const { return onLedgerAnswered(draft, event); }
    Outcome operator()(const AttemptEnded &event) const { return onAttemptEnded(draft, event); }
    Outcome operator()(const TakenOver &) const { return onTakenOver(draft); }
    Outcome operator()(const Collected &event) const { return onCollected(draft, event); }
    Outcome operator()(const Tick &) const { return onTick(draft); }
    Outcome operator()(const Cancel &event) const { return onCancel(draft, event); }
    Outcome operator()(const Retry &event) const { return onRetry(draft, event); }
    Outcome operator()(const Compensate &event) const { return onCompensate(draft, event); }
    Outcome operator()(const Resolve &event) const { return onResolve(draft, event); }
    Outcome operator()(const Approve &event) const { return onApprove(draft, event); }
    Outcome operator()(const Reject &event) const { return onReject(draft, event); }
    Outcome operator()(const Signal &event) const { return onSignal(draft, event); }
    Outcome operator()(const Note &event) const { return onNote(draft, event); }
    Outcome operator()(const LateReport &event) const { return onLateReport(draft, event); }
};

struct EventName {
    const char *operator()(const Prepared &) const { return "prepared"; }
    const char *operator()(const LedgerAnswered &) const { return "ledger_answered"; }
    const char *operator()(const AttemptEnded &) const { return "attempt_ended"; }
    const char *operator()(const TakenOver &) const { return "taken_over"; }
    const char *operator()(const Collected &) const { return "collected"; }
    const char *operator()(const Tick &) const { return "tick"; }
    const char *operator()(const Cancel &) const { return "cancel"; }
    const char *operator()(const Retry &) const { return "retry"; }
    const char *operator()(const Compensate &) const { return "compensate"; }
    const char *operator()(const Resolve &) const { return "resolve"; }
    const char *operator()(const Approve &) const { return "approve"; }
    const char *operator()(const Reject &) const { return "reject"; }
    const char *operator()(const Signal &) const { return "signal"; }
    const char *operator()(const Note &) const { return "note"; }
    const char *operator()(const LateReport &) const { return "late_report"; }
};
} // namespace

QString eventName(const Event &event)
{
    return QString::fromLatin1(std::visit(EventName{}, event));
}

Outcome decide(Run run, const Event &event, const Policy &policy, const Situation &situation)
{
    Draft draft(std::move(run), policy, situation);
    return std::visit(Dispatch{draft}, event);
}

Entry acceptedEntry(const Run &run, Instant now, Millis deadline, bool held)
{
    Entry entry;
    entry.kind = EntryKind::accepted;
    entry.at = now;
    if (deadline > 0)
        entry.due = now + deadline;
    entry.detail = {
        {QStringLiteral("run_id"), run.runId},          {QStringLiteral("workflow"), run.workflow},
        {QStringLiteral("version"), run.version},       {QStringLiteral("event_id"), run.eventId},
        {QStringLiteral("generation"), run.generation}, {QStringLiteral("input"), run.input}};
    if (held)
        entry.detail.insert(QStringLiteral("held"), true);
    if (!run.traceparent.isEmpty())
        entry.detail.insert(QStringLiteral("traceparent"), run.traceparent);
    return entry;
}

} // namespace holdfast::engine
