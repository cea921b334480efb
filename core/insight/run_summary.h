// A finished run in one object, for whoever counts runs elsewhere.
#pragma once

#include "model/run.h"

namespace holdfast::insight
{

QJsonObject runSummary(const model::Run &run);

} // namespace holdfast::insight
