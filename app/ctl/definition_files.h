// Definition files from disk, as the door's "check" and "deploy" take them.
#pragma once

#include "model/result.h"

#include <QJsonObject>
#include <QStringList>

namespace holdfast::ctl
{

// Files as given, and every *.yaml and *.yml below a folder. Reads from disk, so never on a
// window's thread.
model::Result<QJsonObject> readDefinitionFiles(const QStringList &paths);

} // namespace holdfast::ctl
