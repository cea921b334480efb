// Draws a report document that somebody else made: `holdfastctl report --format pdf` has no fonts.
#pragma once

#include "model/result.h"

#include <QString>

class QIODevice;

namespace holdfast::console
{

// The number of pages.
model::Result<int> drawReportFile(QIODevice &input, const QString &path);

} // namespace holdfast::console
