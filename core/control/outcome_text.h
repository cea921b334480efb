// What an outcome of the engine means, told to a person: its entries and effects as one sentence.
// It reads what was decided and decides nothing itself.
#pragma once

#include "control/loaded_run.h"
#include "engine/decide.h"

namespace holdfast::control
{

class OutcomeText
{
public:
    OutcomeText(const LoadedRun &before, const engine::Outcome &outcome, model::Instant now);

    QString sentence() const;

private:
    void add(const QString &clause);
    void addEntry(const model::Entry &entry);
    void addEffects();
    void addCompensation();
    QString sendClause(const QString &step, model::Direction direction) const;
    QString gateClause(const model::Entry &entry) const;
    const model::OperationPolicy *policyOf(const QString &step, model::Direction direction) const;

    const LoadedRun &m_before;
    const engine::Outcome &m_outcome;
    const model::Instant m_now;
    QStringList m_clauses;
    bool m_compensates = false;
};

} // namespace holdfast::control
