#include "engine/draft.h"
#include "engine/fold.h"

namespace holdfast::engine
{

namespace
{
constexpr Millis ledgerPoll = 2 * second;

// True when `event` answers a question that is still open.
bool isExpected(const Draft &draft, const Prepared &event)
{
    const Run &run = draft.run();
    const Step *step = draft.step(event.step);
    if (isFinal(run.status))
        return false;
    if (event.direction == Direction::compensate)
        return run.compensating && step && step->undo.phase == Phase::idle;
    if (run.compensating)
        return false;
    if (step)
        return step->forward.phase == Phase::preparing;
    return run.steps.size() < draft.policy().steps.size() &&
           draft.policy().steps.at(run.steps.size()).step == event.step;
}

void confirmWithout(Draft &draft, const QString &step, const QJsonObject &receipt)
{
    Entry entry = draft.entry(EntryKind::confirmed, step);
    entry.reason = QStringLiteral("ok");
    entry.detail.insert(QStringLiteral("receipt"), receipt);
    draft.add(std::move(entry));
}

void prepareOperation(Draft &draft, const Prepared &event)
{
    Entry entry = draft.entry(EntryKind::prepared, event.step, event.direction);
    entry.operation = event.operation;
    entry.key = event.key;
    entry.hash = event.hash;
    entry.request = event.request;
    draft.add(entry);
    if (draft.stepPolicy(event.step)->shadow) {
        Entry skipped = draft.entry(EntryKind::stepSkipped, event.step, event.direction);
        skipped.reason = QStringLiteral("shadow");
        draft.add(std::move(skipped));
        return;
    }
    tryIntent(draft, event.step, event.direction);
}

void startWaiting(Draft &draft, const Prepared &event, const WaitPolicy &wait)
{
    Entry entry = draft.entry(EntryKind::waiting, event.step);
    if (event.outcome == Prepared::Outcome::waitUntil)
        entry.due = std::max(event.until, draft.now());
    else if (!wait.event.isEmpty())
        entry.due = wait.timeout > 0 ? draft.now() + wait.timeout : never;
    else
        entry.due = draft.now() + wait.duration;
    entry.reason = wait.event.isEmpty() ? QStringLiteral("until") : QStringLiteral("event");
    draft.add(std::move(entry));
}

void startWithoutOperation(Draft &draft, const Prepared &event)
{
    const StepPolicy &policy = *draft.stepPolicy(event.step);
    switch (policy.forward.kind) {
    case StepKind::approval:
        openReview(draft, event.step, Direction::forward, ReviewKind::approval,
                   QStringLiteral("approval_needed"));
        return;
    case StepKind::wait: startWaiting(draft, event, policy.wait); return;
    case StepKind::llm:
        failStep(draft, event.step, Direction::forward, QStringLiteral("unsupported"),
                 {{QStringLiteral("message"),
                   QStringLiteral("llm steps are not supported yet by this version")}});
        return;
    case StepKind::http:
    case StepKind::command:
    case StepKind::check:
        failStep(draft, event.step, Direction::forward, QStringLiteral("nothing_prepared"));
        return;
    }
    Q_UNREACHABLE();
}

void failPreparing(Draft &draft, const Prepared &event)
{
    const QJsonObject detail{{QStringLiteral("message"), event.message}};
    failStep(draft, event.step, event.direction, QStringLiteral("prepare_failed"), detail);
}
} // namespace

Outcome onPrepared(Draft &draft, const Prepared &event)
{
    if (!isExpected(draft, event))
        return draft.replayed();
    switch (event.outcome) {
    case Prepared::Outcome::operation: prepareOperation(draft, event); break;
    case Prepared::Outcome::snapshot:
        if (!draft.step(event.step))
            draft.add(draft.entry(EntryKind::stepStarted, event.step));
        tryIntent(draft, event.step, Direction::forward);
        break;
    case Prepared::Outcome::skipped: {
        Entry entry = draft.entry(EntryKind::stepSkipped, event.step);
        entry.reason = QStringLiteral("when");
        draft.add(std::move(entry));
        break;
    }
    case Prepared::Outcome::checkTrue: confirmWithout(draft, event.step, {}); break;
    case Prepared::Outcome::checkFalse:
        failStep(draft, event.step, Direction::forward, QStringLiteral("check_failed"));
        break;
    case Prepared::Outcome::waitUntil:
    case Prepared::Outcome::nothing: startWithoutOperation(draft, event); break;
    case Prepared::Outcome::failed: failPreparing(draft, event); break;
    }
    // A snapshot that waits at a gate, or an operation that asks the ledger, goes on later.
    const Step *step = draft.step(event.step);
    const bool underWay = step && step->forward.phase == Phase::preparing;
    if (!underWay)
        advance(draft);
    return draft.accept();
}

Outcome onLedgerAnswered(Draft &draft, const LedgerAnswered &event)
{
    const Step *step = draft.step(event.step);
    if (!step)
        return draft.replayed();
    const Operation &operation = Draft::operation(*step, event.direction);
    const bool isAsking = operation.phase == Phase::ready || operation.phase == Phase::gated ||
                          operation.phase == Phase::waiting;
    if (!isAsking || operation.firstIntentAt != never)
        return draft.replayed();
    switch (event.outcome) {
    case LedgerAnswered::Outcome::mine:
    case LedgerAnswered::Outcome::failed: {
        const OperationPolicy &policy = *draft.operationPolicy(event.step, event.direction);
        intendClaimed(draft, *step, policy, event.direction);
        break;
    }
    case LedgerAnswered::Outcome::succeeded: {
        Entry entry = draft.entry(EntryKind::replayed, event.step, event.direction);
        entry.key = operation.key;
        entry.reason = QStringLiteral("ledger");
        entry.detail.insert(QStringLiteral("receipt"), event.result);
        entry.detail.insert(QStringLiteral("owner_run"), event.ownerRunId);
        draft.add(std::move(entry));
        break;
    }
    case LedgerAnswered::Outcome::processing: {
        draft.lookAgain(draft.now() + ledgerPoll);
        if (operation.gate != QLatin1String("ledger")) {
            Entry entry = draft.entry(EntryKind::gated, event.step, event.direction);
            entry.reason = QStringLiteral("ledger");
            entry.due = draft.now() + ledgerPoll;
            entry.key = operation.key;
            entry.detail.insert(QStringLiteral("owner_run"), event.ownerRunId);
            draft.add(std::move(entry));
        }
        break;
    }
    case LedgerAnswered::Outcome::compensated:
        openReview(draft, event.step, event.direction, ReviewKind::conflict,
                   QStringLiteral("key_compensated"), event.evidence);
        break;
    case LedgerAnswered::Outcome::expired:
        openReview(draft, event.step, event.direction, ReviewKind::conflict,
                   QStringLiteral("key_expired"), event.evidence);
        break;
    case LedgerAnswered::Outcome::otherRequest:
        openReview(draft, event.step, event.direction, ReviewKind::conflict,
                   QStringLiteral("semantic_conflict"), event.evidence);
        break;
    }
    advance(draft);
    return draft.changed() ? draft.accept() : draft.replayed();
}

} // namespace holdfast::engine
