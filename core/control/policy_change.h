// What a failure group suggests to change in a definition: a sentence for people, and where one
// line says it, that line. It follows from the group and the definition alone; nobody guesses.
#pragma once

#include "control/definitions.h"
#include "control/group_view.h"

#include <QJsonArray>
#include <QJsonObject>

namespace holdfast::control
{

// Empty where no change of policy follows from such failures. `runs` are those of the group that
// are listed. `diff` is empty where the change is more than a value, or cannot be made in one line.
QJsonObject suggestedChange(const SeenGroup &group, const QJsonArray &runs,
                            const Definition &definition,
                            const QMap<QString, contract::Dependency> &dependencies);

} // namespace holdfast::control
