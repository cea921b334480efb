// What is known about a step, fact by fact in the order of the journal, in sentences.
#pragma once

#include "control/loaded_run.h"

#include <QJsonArray>

namespace holdfast::control
{

// [{"at", "text"}]: the facts of this step, and those of the run that bear on it.
QJsonArray knownFacts(const LoadedRun &loaded, const QString &step);

} // namespace holdfast::control
