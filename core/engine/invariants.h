// What must hold for every run at every time, said a second time and dumber than the rules say it:
// nothing here is used to decide. Tests, the simulation and the doctor ask; an answer is a bug in
// the engine.
#pragma once

#include "model/run.h"

#include <QStringList>

namespace holdfast::engine
{

using namespace model;

// One sentence for each breach; empty when all is well.
QStringList violations(const Run &run, const Policy &policy);

} // namespace holdfast::engine
