#include "control/outcome_text.h"

#include "control/describe.h"
#include "engine/key_window.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::Entry;
using model::EntryKind;

namespace
{
QString who(const model::OperationPolicy *policy)
{
    return policy && !policy->dependency.isEmpty() ? policy->dependency : u"the target"_s;
}

QString statusText(model::RunStatus status)
{
    return model::runStatusName(status).replace(u'_', u' ');
}
} // namespace

OutcomeText::OutcomeText(const LoadedRun &before, const engine::Outcome &outcome,
                         model::Instant now)
    : m_before(before), m_outcome(outcome), m_now(now)
{
    for (const Entry &entry : outcome.entries)
        addEntry(entry);
    addEffects();
}

const model::OperationPolicy *OutcomeText::policyOf(const QString &step, Direction direction) const
{
    const model::StepPolicy *policy = m_before.stepPolicy(step);
    if (!policy)
        return nullptr;
    return direction == Direction::compensate && policy->undo ? &*policy->undo : &policy->forward;
}

void OutcomeText::add(const QString &clause)
{
    if (!clause.isEmpty() && !m_clauses.contains(clause))
        m_clauses.append(clause);
}

// What was sent before goes out as the same bytes under the same key; whether that is safe is the
// destination's doing, and is said.
QString OutcomeText::sendClause(const QString &step, Direction direction) const
{
    const model::Step *before = m_before.run.find(step);
    const model::OperationPolicy *policy = policyOf(step, direction);
    const bool undo = direction == Direction::compensate;
    const QString what = undo ? u"the compensation of %1"_s.arg(step) : u"step %1"_s.arg(step);
    const model::Operation *operation = !before ? nullptr : undo ? &before->undo : &before->forward;
    if (!operation || operation->lastEndedAt == model::never || !policy)
        return u"sends %1 to %2"_s.arg(what, who(policy));
    if (policy->effect == model::Effect::read)
        return u"asks %1 again"_s.arg(who(policy));
    const QString same = u"sends the same request again under the same key"_s;
    const model::Instant until = engine::keyForgottenAt(*operation, *policy);
    if (until > m_now)
        return u"%1, which %2 remembers until %3"_s.arg(same, who(policy),
                                                        momentText(until, m_now));
    if (policy->protection == model::Protection::natural)
        return same + u", which is safe to repeat"_s;
    return same;
}

QString OutcomeText::gateClause(const Entry &entry) const
{
    const model::OperationPolicy *policy = policyOf(entry.step, entry.direction);
    if (entry.reason == "pause"_L1)
        return u"waits until the pause is lifted, and then goes on with %1"_s.arg(entry.step);
    if (entry.reason == "breaker"_L1)
        return u"waits until the breaker of %1 closes, and then goes on with %2"_s.arg(who(policy),
                                                                                       entry.step);
    return u"waits for %1, and then goes on with %2"_s.arg(reasonText(entry.reason), entry.step);
}

void OutcomeText::addCompensation()
{
    m_compensates = true;
    QStringList steps;
    const model::Run &next = m_outcome.next;
    for (const engine::PlannedStep &planned :
         engine::planCompensation(next, m_before.definition->policy, next.chosenSteps)) {
        if (planned.verdict == engine::PlannedStep::Verdict::willCompensate)
            steps.append(planned.step);
    }
    if (!steps.isEmpty())
        add(u"compensates %1"_s.arg(steps.join(u", then "_s)));
}

void OutcomeText::addEntry(const Entry &entry)
{
    const bool undo = entry.direction == Direction::compensate;
    switch (entry.kind) {
    case EntryKind::confirmed:
        if (entry.reason == "approved"_L1)
            return;
        add(undo ? u"counts the compensation of %1 as done"_s.arg(entry.step)
                 : u"stores the receipt"_s);
        return;
    case EntryKind::intent:
        add(entry.direction == Direction::verify
                ? u"asks %1 whether it happened"_s.arg(who(policyOf(entry.step, entry.direction)))
                : sendClause(entry.step, entry.direction));
        return;
    case EntryKind::gated: add(gateClause(entry)); return;
    case EntryKind::retryScheduled:
        add(u"tries %1 again at %2"_s.arg(entry.step, momentText(entry.due, m_now)));
        return;
    case EntryKind::verifyScheduled:
        add(u"verifies %1 at %2"_s.arg(entry.step, momentText(entry.due, m_now)));
        return;
    case EntryKind::stepFailed:
        if (entry.reason != "not_started"_L1)
            add(u"counts %1 as failed"_s.arg(entry.step));
        return;
    case EntryKind::stepSkipped: add(u"leaves out %1"_s.arg(entry.step)); return;
    case EntryKind::compensationBegan: addCompensation(); return;
    case EntryKind::compensationWaived:
        add(u"leaves the effect of %1 as it is"_s.arg(entry.step));
        return;
    case EntryKind::cancelAsked: add(u"stops the run"_s); return;
    case EntryKind::reopened:
        add(undo ? u"takes up the compensation of %1 again"_s.arg(entry.step)
                 : u"takes the run up again at %1"_s.arg(entry.step));
        return;
    case EntryKind::reviewOpened:
        add(u"puts a question of kind %1 before a person"_s.arg(
            reasonText(model::reviewKindName(*entry.reviewKind))));
        return;
    case EntryKind::finished:
        add(u"ends the run as %1"_s.arg(statusText(*entry.runStatus)));
        return;
    case EntryKind::accepted:
    case EntryKind::stepStarted:
    case EntryKind::prepared:
    case EntryKind::attemptEnded:
    case EntryKind::snapshotKept:
    case EntryKind::clearedAbsent:
    case EntryKind::replayed:
    case EntryKind::reviewClosed:
    case EntryKind::approved:
    case EntryKind::waiting:
    case EntryKind::lateReport:
    case EntryKind::noted: return;
    }
    Q_UNREACHABLE();
}

void OutcomeText::addEffects()
{
    for (const auto &effect : m_outcome.effects) {
        if (const auto *claim = std::get_if<engine::ClaimKey>(&effect))
            add(sendClause(claim->step, claim->direction));
        if (const auto *prepare = std::get_if<engine::Prepare>(&effect)) {
            if (prepare->direction == Direction::forward)
                add(u"goes on with %1"_s.arg(prepare->step));
            else if (!m_compensates)
                add(u"goes on with the compensation of %1"_s.arg(prepare->step));
        }
        if (std::holds_alternative<engine::Collect>(effect))
            add(u"ends the run, because no step is left"_s);
    }
}

QString OutcomeText::sentence() const
{
    if (m_clauses.isEmpty())
        return u"Takes the item off the list; nothing else changes."_s;
    QString text = m_clauses.first();
    for (qsizetype i = 1; i < m_clauses.size(); ++i)
        text += (i + 1 == m_clauses.size() ? u" and "_s : u", "_s) + m_clauses.at(i);
    text[0] = text.at(0).toUpper();
    return text + u'.';
}

} // namespace holdfast::control
