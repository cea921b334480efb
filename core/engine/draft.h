// A decision in the making: entries are folded as they are added, so every rule sees the state as
// it will be.
#pragma once

#include "engine/classify.h"
#include "engine/decide.h"

namespace holdfast::engine
{

class Draft
{
public:
    Draft(Run run, const Policy &policy, const Situation &situation);

    const Run &run() const { return m_outcome.next; }
    const Policy &policy() const { return m_policy; }
    Instant now() const { return m_situation.now; }
    qint64 fence() const { return m_situation.fence; }
    const Gates &gates() const { return m_situation.gates; }

    const StepPolicy *stepPolicy(const QString &step) const;
    // The policy of a step's operation in this direction; verify and snapshot belong to what they
    // serve.
    const OperationPolicy *operationPolicy(const QString &step, Direction target) const;
    const Step *step(const QString &name) const { return run().find(name); }
    // The operation that `direction` concerns: a verify concerns the compensation once that has
    // begun.
    static const Operation &operation(const Step &step, Direction direction);
    static Direction target(const Step &step, Direction direction);

    void add(Entry entry);
    void effect(const Effects::value_type &effect) { m_outcome.effects.append(effect); }
    Entry entry(EntryKind kind, const QString &step,
                Direction direction = Direction::forward) const;
    QString newReviewId(const QString &step, ReviewKind kind) const;

    // Whether the ledger is already being asked for this operation's key.
    bool asksFor(const QString &step, Direction direction) const;
    bool deadlinePassed() const;
    // Sends decided so far in this very decision count against the limits too.
    GateAnswer askGate(const GateQuestion &question) const;

    // A gate that was found closed again is in no entry; this says when it is worth another look.
    void lookAgain(Instant due);
    void limitedBy(const QString &dependency);

    bool changed() const { return !m_outcome.entries.isEmpty() || !m_outcome.effects.isEmpty(); }
    Outcome accept();
    // Nothing may have been added before either of these: the run goes back as it came.
    Outcome replayed();
    Outcome reject(const QString &reason);

private:
    const Policy &m_policy;
    const Situation &m_situation;
    Outcome m_outcome;
};

// The rules, by theme. Each takes the draft on and may call the others.
bool forwardSettled(const Run &run);                                 // advance.cpp
void advance(Draft &draft);                                          // advance.cpp
void tryIntent(Draft &draft, const QString &step, Direction target); // intent_rules.cpp
// The ledger gave us the key: the gates were open in this very turn, so the intent follows.
void intendClaimed(Draft &draft, const Step &step, const OperationPolicy &policy,
                   Direction target);              // intent_rules.cpp
void tryVerify(Draft &draft, const QString &step); // intent_rules.cpp
// Whether the destination still knows the key, if it dedups on it at all.
bool keyIsFresh(const Draft &draft, const Operation &operation,
                const OperationPolicy &policy); // intent_rules.cpp
void openReview(Draft &draft, const QString &step, Direction target, ReviewKind kind,
                const QString &reason, const QJsonObject &evidence = {}); // intent_rules.cpp
void closeReview(Draft &draft, const QString &reviewId, const QString &decision,
                 const QString &actor = {}, const QString &reason = {}); // intent_rules.cpp
Outcome onPrepared(Draft &draft, const Prepared &event);                 // preparing_rules.cpp
Outcome onLedgerAnswered(Draft &draft, const LedgerAnswered &event);     // preparing_rules.cpp
Outcome onAttemptEnded(Draft &draft, const AttemptEnded &event);         // attempt_rules.cpp
Outcome onTakenOver(Draft &draft);                                       // attempt_rules.cpp
Outcome onLateReport(Draft &draft, const LateReport &event);             // late_rules.cpp
// Whether an action ends later than anything can that left while its key was fresh, with an earlier
// try of it still in doubt: a worker stood still between its last look and its first byte, nobody
// took the run from it, and a destination that has forgotten the key may have acted again.
bool mayRepeatForgotten(const Draft &draft, const AttemptEnded &event); // late_rules.cpp
void suspectForgotten(Draft &draft, const AttemptEnded &event);         // late_rules.cpp
void resolveAmbiguity(Draft &draft, const QString &step, Direction target, bool mayResend,
                      Millis retryAfter = -1); // attempt_rules.cpp
void failStep(Draft &draft, const QString &step, Direction target, const QString &reason,
              const QJsonObject &detail = {}); // saga.cpp
void beginCompensation(Draft &draft, const QString &reason, const QString &actor = {},
                       const QStringList &steps = {});       // saga.cpp
void advanceCompensation(Draft &draft);                      // saga.cpp
Outcome onCancel(Draft &draft, const Cancel &event);         // command_rules.cpp
Outcome onRetry(Draft &draft, const Retry &event);           // command_rules.cpp
Outcome onCompensate(Draft &draft, const Compensate &event); // command_rules.cpp
Outcome onResolve(Draft &draft, const Resolve &event);       // review_rules.cpp
Outcome onApprove(Draft &draft, const Approve &event);       // review_rules.cpp
Outcome onReject(Draft &draft, const Reject &event);         // review_rules.cpp
Outcome onSignal(Draft &draft, const Signal &event);         // command_rules.cpp

} // namespace holdfast::engine
