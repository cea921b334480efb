// A report on its way into a file: drawn by the console program where it is a PDF, and written
// whole or not at all.
#pragma once

#include "model/result.h"

#include <QJsonObject>

namespace holdfast::ctl
{

// Whether a file may be written there, as far as can be told beforehand.
model::Result<void> mayWrite(const QString &path, bool mayReplace);
model::Result<void> writeFile(const QString &path, const QByteArray &bytes, bool mayReplace);

// What draws a PDF: `holdfast`, beside this program or on the path.
model::Result<QString> consoleProgram();
model::Result<QByteArray> drawnPdf(const QString &program, const QJsonObject &report);

} // namespace holdfast::ctl
