// `holdfastctl sandbox`: serves until SIGTERM or SIGINT. The caller has made a QCoreApplication.
#pragma once

#include <QStringList>

namespace holdfast::sandbox
{

// Arguments after the word `sandbox`: [--seed N] [--port 8460] [--chaos PERCENT] [--books FILE].
// Returns the exit code: 0 ended by a signal, 1 could not serve, 2 usage.
int sandboxMain(const QStringList &args);

} // namespace holdfast::sandbox
