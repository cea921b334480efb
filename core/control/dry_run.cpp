#include "control/dry_run.h"

#include "control/describe.h"
#include "control/outcome_text.h"

namespace holdfast::control
{

Result<DryRun> DryRun::on(Context &context, const LoadedRun &loaded)
{
    const auto gates = readGates(context);
    if (!gates)
        return gates.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    return DryRun(loaded, *gates, *now);
}

engine::Outcome DryRun::decide(const engine::Event &event) const
{
    return engine::decide(m_loaded->run, event, m_loaded->definition->policy,
                          {m_now, m_loaded->row.fence, m_gates});
}

QString DryRun::thenText(const engine::Outcome &outcome) const
{
    return OutcomeText(*m_loaded, outcome, m_now).sentence();
}

} // namespace holdfast::control
