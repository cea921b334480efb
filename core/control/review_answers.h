// What a person may answer to a review item, what each answer would do, and why some are not
// possible now.
#pragma once

#include "control/dry_run.h"

#include <QJsonArray>

namespace holdfast::control
{

// Why this person may not approve; empty: they may.
QString approvalProblem(const LoadedRun &loaded, const ports::ReviewRow &review,
                        const QString &actor);

QJsonArray answersJson(const Context &context, const LoadedRun &loaded, const DryRun &dry,
                       const ports::ReviewRow &review);
// For an item that concerns no single run.
QJsonArray standaloneAnswers(const Context &context, const ports::ReviewRow &review);

} // namespace holdfast::control
