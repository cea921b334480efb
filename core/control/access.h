// Which role an operation takes. A shared database refuses by itself what a login may not do;
// asking here first gives people the reason before they try, and the name of the role.
#pragma once

#include "ports/rights.h"

#include <QJsonObject>

namespace holdfast::control
{

// Why this login may not do it; empty: it may. Operations that only look need no role of their own.
QString accessProblem(const ports::Rights &rights, const QString &operation);

// Who is at the door, and what they may do there.
QJsonObject rightsJson(const ports::Rights &rights);

} // namespace holdfast::control
