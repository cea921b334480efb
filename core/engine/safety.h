// Whether an act can do something a second time. Read off the run before and after `decide`, so
// that it holds for every command there is: what was in doubt before and is not any more was
// decided by whoever acts, not by the target.
#pragma once

#include "engine/decide.h"

namespace holdfast::engine
{

// These names are persisted and shown; never rename one.
enum class Safety {
    safe,       // nothing in doubt is sent again
    verify,     // an outcome is unknown, and the target can be asked
    duplicate,  // an outcome is unknown, nobody can be asked, and it would be sent again
    impossible, // the engine refuses it, whatever anybody confirms
};
QString safetyName(Safety safety);
std::optional<Safety> safetyFromName(const QString &name);

struct SafetyVerdict {
    Safety safety = Safety::safe;
    QString why;
    bool isRefused = false; // by the engine: it cannot be included whatever the verdict
};

SafetyVerdict safetyOf(const Run &before, const Outcome &outcome, const Policy &policy);

} // namespace holdfast::engine
