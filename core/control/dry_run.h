// Asks the engine what a command would do, without doing it. What is allowed, and what happens
// then, so has one source: buttons are enabled, answers are explained and commands are refused by
// the same rules.
#pragma once

#include "control/loaded_run.h"
#include "engine/decide.h"

namespace holdfast::control
{

class DryRun
{
public:
    static Result<DryRun> on(Context &context, const LoadedRun &loaded);

    // With gates that were read for several runs at once.
    static DryRun with(const LoadedRun &loaded, const engine::Gates &gates, model::Instant now)
    {
        return DryRun(loaded, gates, now);
    }

    engine::Outcome decide(const engine::Event &event) const;
    // What Holdfast will do, in one sentence: "Stores the receipt and goes on with send_email."
    QString thenText(const engine::Outcome &outcome) const;
    model::Instant now() const { return m_now; }

private:
    DryRun(const LoadedRun &loaded, engine::Gates gates, model::Instant now)
        : m_loaded(&loaded), m_gates(std::move(gates)), m_now(now)
    {
    }

    const LoadedRun *m_loaded;
    engine::Gates m_gates;
    model::Instant m_now;
};

} // namespace holdfast::control
