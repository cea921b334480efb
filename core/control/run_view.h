// A run as JSON for people and programs; the field names are part of the interface.
#pragma once

#include "control/loaded_run.h"

namespace holdfast::control
{

// One line of a list.
QJsonObject runJson(const ports::RunRow &row);
// The whole: steps, attempts, receipts, open reviews, journal, verdict.
QJsonObject wholeRunJson(const LoadedRun &loaded, const QVector<ports::ReviewRow> &reviews);
QJsonObject reviewJson(const ports::ReviewRow &row);
QString stepStatus(const model::Step &step, const model::StepPolicy *policy);

} // namespace holdfast::control
