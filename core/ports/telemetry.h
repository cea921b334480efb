// Who is told of what a turn committed, so that logs, metrics and traces can say it elsewhere. Best
// effort: what is told may be lost with the process, and the journal is what counts.
#pragma once

#include "model/call.h"
#include "model/entry.h"

namespace holdfast::ports
{

// One run's share of a turn that stands.
struct Committed {
    const model::Run &run; // as it is now
    const model::Entries &entries;
    const model::Policy &policy;
};

class Telemetry
{
public:
    virtual ~Telemetry() = default;
    // Both on the engine's thread, after the commit; whatever takes long is done elsewhere. An
    // attempt is told of before it leaves, and its end comes in a later commit.
    virtual void sending(const model::Call &call) = 0;
    virtual void committed(const Committed &committed) = 0;
};

} // namespace holdfast::ports
