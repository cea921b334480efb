// The failure map: what an ended attempt means. A failure is permanent or without effect only on
// proof.
#pragma once

#include "engine/event.h"

namespace holdfast::engine
{

struct Classification {
    FailureClass failureClass = FailureClass::none; // none: it worked
    QString reason = QStringLiteral("ok");
    bool credentials = false; // about the dependency's credentials, not about this run
    bool happened = false;    // a 2xx whose result could not be read
    bool inUse = false;       // the destination is still busy with our own key

    bool ok() const { return failureClass == FailureClass::none; }
};

Classification classify(const OperationPolicy &policy, const AttemptEnded &report);

// The same for an attempt whose run has been taken over by another worker.
LateReport lateReport(const OperationPolicy &policy, const AttemptEnded &ended);

// The built-in map as rows for people: {match, effect, class, reason}.
struct BuiltInRule {
    const char *match;
    const char *applies;
    const char *failureClass;
    const char *reason;
};
const QVector<BuiltInRule> &builtInRules();

} // namespace holdfast::engine
