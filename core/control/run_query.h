// What the words of a filter mean to the database: keys become the runs that used them, and a
// dependency becomes the steps that call it.
#pragma once

#include "control/context.h"
#include "control/run_filter.h"

namespace holdfast::control
{

Result<ports::RunFilter> runFilterOf(Context &context, const QString &text);

// Of a request: a filter as people type it, or one argument for each part, as the command line
// gives them; not both.
Result<ports::RunFilter> runFilterOfArguments(Context &context);

// The steps of all deployed versions that call a dependency, forward or to compensate.
Result<QVector<ports::WorkflowStep>> stepsCalling(Context &context, const QString &dependency);

} // namespace holdfast::control
