#include "engine/safety.h"

#include "model/names.h"

namespace holdfast::engine
{

namespace
{
constexpr std::array<Name<Safety>, 4> safeties{{{Safety::safe, u"safe"},
                                                {Safety::verify, u"verify"},
                                                {Safety::duplicate, u"duplicate"},
                                                {Safety::impossible, u"impossible"}}};

const OperationPolicy *policyOf(const Policy &policy, const QString &name, Direction direction)
{
    for (const StepPolicy &step : policy.steps) {
        if (step.step == name)
            return direction == Direction::compensate && step.undo ? &*step.undo : &step.forward;
    }
    return nullptr;
}

// What an answer to an operation in doubt means, seen from how the operation stands afterwards.
SafetyVerdict doubtTaken(const QString &step, const Operation &after, const OperationPolicy &policy)
{
    if (policy.hasVerify) {
        return {Safety::verify,
                QStringLiteral("nobody knows whether step %1 happened; its target can be asked")
                    .arg(step)};
    }
    const bool takenForDone = after.phase == Phase::succeeded;
    const bool isSettled = after.phase == Phase::failed || after.phase == Phase::skipped;
    // At our own id a second time is the same as once. A native key that reached a person is past
    // its freshness, or the target answered 5xx to it twice: it protects nothing any more.
    if (takenForDone || isSettled || policy.protection == Protection::natural)
        return {};
    return {Safety::duplicate,
            QStringLiteral("step %1 would be sent again; if it did happen, it happens twice")
                .arg(step)};
}

// A step that was given up on may have had its effect after all: somebody should look first.
bool mayHaveHappenedLate(const Run &before, const Operation &was, const Operation &after)
{
    return !before.standaloneReviews.isEmpty() && was.phase == Phase::failed &&
           after.phase != Phase::failed;
}

SafetyVerdict refusal(const Run &before, const Outcome &outcome, const Policy &policy)
{
    for (const Step &step : before.steps) {
        for (const Direction direction : {Direction::forward, Direction::compensate}) {
            const Operation &operation =
                direction == Direction::compensate ? step.undo : step.forward;
            const OperationPolicy *rules = policyOf(policy, step.step, direction);
            if (!operation.ambiguous || !rules)
                continue;
            return {rules->hasVerify ? Safety::verify : Safety::duplicate, outcome.reason, true};
        }
    }
    return {Safety::impossible, outcome.reason, true};
}
} // namespace

QString safetyName(Safety safety) { return nameOf(safeties, safety); }
std::optional<Safety> safetyFromName(const QString &name) { return valueOf(safeties, name); }

SafetyVerdict safetyOf(const Run &before, const Outcome &outcome, const Policy &policy)
{
    if (outcome.kind == Outcome::Kind::rejected)
        return refusal(before, outcome, policy);
    for (const Step &step : before.steps) {
        const Step *next = outcome.next.find(step.step);
        for (const Direction direction : {Direction::forward, Direction::compensate}) {
            const bool isUndo = direction == Direction::compensate;
            const OperationPolicy *rules = policyOf(policy, step.step, direction);
            if (!rules || !next)
                continue;
            const Operation &was = isUndo ? step.undo : step.forward;
            const Operation &after = isUndo ? next->undo : next->forward;
            if (mayHaveHappenedLate(before, was, after)) {
                return {Safety::duplicate, QStringLiteral("a late effect of this run is suspected; "
                                                          "look at review %1 first")
                                               .arg(before.standaloneReviews.first())};
            }
            if (!was.ambiguous || after.ambiguous)
                continue;
            const SafetyVerdict verdict = doubtTaken(step.step, after, *rules);
            if (verdict.safety != Safety::safe)
                return verdict;
        }
    }
    return {};
}

} // namespace holdfast::engine
