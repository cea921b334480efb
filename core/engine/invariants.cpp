#include "engine/invariants.h"

#include "engine/status.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
// A compensation that a person wants again is ready until its turn comes; that is not under way.
bool isUnderWay(Phase phase)
{
    return phase != Phase::idle && phase != Phase::ready && !isSettled(phase);
}

// Collects the breaches of one run.
class Check
{
public:
    Check(const Run &run, const Policy &policy) : m_run(run), m_policy(policy) {}

    QStringList all()
    {
        checkRun();
        checkReviews();
        checkDeadline();
        checkCompensation();
        checkOrderOfSteps();
        for (const Step &step : m_run.steps) {
            checkAttempts(step);
            checkConfirmation(step);
            if (const StepPolicy *policy = policyOf(step)) {
                checkOperation(step, step.forward, policy->forward, Direction::forward);
                if (policy->undo)
                    checkOperation(step, step.undo, *policy->undo, Direction::compensate);
                else if (step.undo.phase != Phase::idle)
                    add(step, "is compensated although it declares no compensation");
            }
        }
        return m_found;
    }

private:
    void add(const QString &text) { m_found.append(text); }
    void add(const Step &step, const char *text)
    {
        add(QStringLiteral("step %1 %2").arg(step.step, QLatin1String(text)));
    }

    const StepPolicy *policyOf(const Step &step) const
    {
        const auto found =
            std::find_if(m_policy.steps.cbegin(), m_policy.steps.cend(),
                         [&](const StepPolicy &policy) { return policy.step == step.step; });
        return found == m_policy.steps.cend() ? nullptr : &*found;
    }

    // A confirmed effect of ours that can be undone and was neither undone nor waived.
    bool isOwed(const Step &step) const
    {
        const StepPolicy *policy = policyOf(step);
        return policy && policy->undo && policy->forward.effect != Effect::read &&
               step.forward.phase == Phase::succeeded && !step.forward.replayed && !step.waived &&
               step.undo.phase != Phase::succeeded;
    }

    void checkRun()
    {
        const bool final = isFinal(m_run.status);
        if (final != (m_run.finishedAt != never))
            add(QStringLiteral("a run is final exactly when it has a finishing time"));
        if (final && hasOpenAttempt(m_run))
            add(QStringLiteral("a final run has an open attempt"));
        if (statusOf(m_run) != m_run.status)
            add(QStringLiteral("the status does not follow from the phases"));
        if (m_run.status == RunStatus::compensating && !m_run.compensating)
            add(QStringLiteral("the status says compensating and the run does not"));
        if (m_run.status == RunStatus::failed && m_run.failedStep.isEmpty())
            add(QStringLiteral("a failed run names no failed step"));
        const bool succeeded = m_run.status == RunStatus::succeeded;
        for (const Step &step : m_run.steps) {
            if (final && (step.forward.ambiguous || step.undo.ambiguous))
                add(step, "is ambiguous in a final run");
            if (succeeded && step.forward.phase == Phase::failed)
                add(step, "failed in a run that succeeded whole");
        }
        if (m_run.retryCount < 0 || m_run.compensationCount < 0)
            add(QStringLiteral("a count is negative"));
    }

    void checkReviews()
    {
        QStringList ids;
        bool waits = false;
        for (const Step &step : m_run.steps) {
            for (const Operation *operation : {&step.forward, &step.undo}) {
                if (operation->reviewId.isEmpty() == operation->reviewKind.has_value())
                    add(step, "has a review kind without an id, or the other way round");
                if (!operation->reviewId.isEmpty())
                    ids.append(operation->reviewId);
                const bool asks =
                    operation->phase == Phase::review || operation->phase == Phase::asking;
                waits = waits || (asks && !operation->reviewId.isEmpty());
                // After a dismissal a failed compensation stays where it is, in a final run.
                if (asks && operation->reviewId.isEmpty() && !isFinal(m_run.status))
                    add(step, "waits for a person, but there is no item");
                if (isSettled(operation->phase) && !operation->reviewId.isEmpty())
                    add(step, "is settled and its review is still open");
            }
        }
        if (!m_run.deadLetterId.isEmpty())
            ids.append(m_run.deadLetterId);
        if (ids.removeDuplicates() > 0)
            add(QStringLiteral("two reviews share an id"));
        if (m_run.status == RunStatus::review && !waits)
            add(QStringLiteral("the run is in review without an item"));
    }

    void checkDeadline()
    {
        const bool stands = m_run.clockStoppedAt != never;
        const bool mayStand = m_run.status == RunStatus::review ||
                              m_run.status == RunStatus::held ||
                              m_run.status == RunStatus::waiting || isFinal(m_run.status);
        if (stands && !mayStand)
            add(QStringLiteral("the deadline's clock stands while the run goes on"));
        if (stands && m_run.clockStoppedAt < m_run.createdAt)
            add(QStringLiteral("the deadline's clock stopped before the run existed"));
        if (m_run.deadlineAt != never && m_run.deadlineAt <= m_run.createdAt)
            add(QStringLiteral("the deadline lies before the run"));
        if (m_policy.deadline == 0 && m_run.deadlineAt != never)
            add(QStringLiteral("the run has a deadline that its workflow does not declare"));
    }

    void checkCompensation()
    {
        int underWay = 0;
        bool unknown = false;
        bool sending = false;
        for (const Step &step : m_run.steps) {
            unknown = unknown || step.forward.ambiguous;
            sending = sending || step.undo.phase == Phase::sending;
            if (m_run.status == RunStatus::compensated && isOwed(step))
                add(step, "is owed a compensation in a run that is compensated");
            if (!isUnderWay(step.undo.phase))
                continue;
            ++underWay;
            checkReverseOrder(step);
        }
        if (unknown && sending)
            add(QStringLiteral("a compensation is sent while the outcome of a step is unknown"));
        if (underWay > 1)
            add(QStringLiteral("two compensations are under way at once"));
    }

    void checkReverseOrder(const Step &undone)
    {
        for (const Step &other : m_run.steps) {
            const bool chosen =
                m_run.chosenSteps.isEmpty() || m_run.chosenSteps.contains(other.step);
            if (chosen && isOwed(other) && other.forward.confirmedAt > undone.forward.confirmedAt)
                add(undone, "is compensated before a step that was confirmed later");
        }
        if (undone.forward.phase != Phase::succeeded)
            add(undone, "is compensated although its effect was never confirmed");
        if (undone.forward.replayed)
            add(undone, "is compensated although its effect belongs to another run");
    }

    void checkOrderOfSteps()
    {
        if (m_run.steps.size() > m_policy.steps.size())
            add(QStringLiteral("the run has more steps than its workflow"));
        for (qsizetype i = 0; i < std::min(m_run.steps.size(), m_policy.steps.size()); ++i) {
            if (m_run.steps.at(i).step != m_policy.steps.at(i).step)
                add(m_run.steps.at(i), "is not where its workflow has it");
        }
    }

    void checkAttempts(const Step &step)
    {
        int open = 0;
        int numbers[4] = {0, 0, 0, 0};
        for (const Attempt &attempt : step.attempts) {
            if (attempt.number != ++numbers[int(attempt.direction)])
                add(step, "has attempts that are not numbered in order");
            if (attempt.endedAt != never && attempt.endedAt < attempt.startedAt)
                add(step, "has an attempt that ended before it started");
            if (attempt.startedAt < m_run.createdAt)
                add(step, "has an attempt older than the run");
            open += attempt.endedAt == never ? 1 : 0;
        }
        const bool inFlight = isInFlight(step.forward.phase) || isInFlight(step.undo.phase);
        if (open > 1)
            add(step, "has two open attempts");
        if (inFlight != (open > 0))
            add(step, "has an open attempt exactly when it is sending or verifying: not so here");
    }

    static bool isInFlight(Phase phase)
    {
        return phase == Phase::sending || phase == Phase::verifying;
    }

    void checkConfirmation(const Step &step)
    {
        const bool succeeded = step.forward.phase == Phase::succeeded;
        if (succeeded != (step.forward.confirmedAt > 0))
            add(step,
                "has its place among the confirmations exactly when it succeeded: not so here");
        if (step.forward.confirmedAt > m_run.confirmations)
            add(step, "was confirmed later than the last confirmation");
        for (const Step &other : m_run.steps) {
            if (&other != &step && succeeded &&
                other.forward.confirmedAt == step.forward.confirmedAt)
                add(step, "shares its place among the confirmations");
        }
    }

    void checkOperation(const Step &step, const Operation &operation, const OperationPolicy &policy,
                        Direction direction)
    {
        const bool sent =
            std::any_of(step.attempts.cbegin(), step.attempts.cend(),
                        [&](const Attempt &attempt) { return attempt.direction == direction; });
        if (operation.tries < 0 || operation.tries > policy.retry.attempts)
            add(step, "was tried more often than its policy allows");
        if (operation.ambiguous && isSettled(operation.phase))
            add(step, "is settled and ambiguous at once");
        if (operation.ambiguous && policy.effect == Effect::read)
            add(step, "only reads and is ambiguous");
        if (isSettled(operation.phase) && (!operation.gate.isEmpty() || operation.due != never))
            add(step, "is settled and waits for something");
        if (sent && policy.effect != Effect::read && operation.key.isEmpty())
            add(step, "was sent without a key");
        if (sent && policy.approval && !operation.approved)
            add(step, "was sent without the approval it needs");
        if (sent && policy.effect == Effect::destructive && !operation.approved)
            add(step, "destroys something and was sent without a person's word");
        // A compensation that a person wants again starts over; a forward step never goes back.
        if (sent && direction == Direction::forward && operation.phase == Phase::idle)
            add(step, "was sent without being reached");
        if (operation.replayed && operation.receipt.isEmpty())
            add(step, "was answered by the ledger without a receipt");
    }

    const Run &m_run;
    const Policy &m_policy;
    QStringList m_found;
};
} // namespace

QStringList violations(const Run &run, const Policy &policy) { return Check(run, policy).all(); }

} // namespace holdfast::engine
