// The report as one CSV file (RFC 4180), to be added up: numbers are plain, and every line names
// its section. A cell that a spreadsheet would take for a formula begins with an apostrophe.
#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace holdfast::insight
{

QByteArray reportCsv(const QJsonObject &report);

// One cell, quoted where it has to be.
QByteArray csvCell(const QString &text);

} // namespace holdfast::insight
