// Runs as CSV or JSON for other programs. A cell of CSV that a spreadsheet would take for a formula
// is made text by an apostrophe, since names and reasons come from outside.
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>

namespace holdfast::runs
{

enum class ExportFormat { csv, json };

QByteArray csvCell(const QString &text);
QByteArray csvLine(const QJsonObject &run);

// What a file consists of: head, runs, foot. `isFirst`: nothing was written after the head yet.
QByteArray exportHead(ExportFormat format);
QByteArray exportRuns(ExportFormat format, const QJsonArray &runs, bool isFirst);
QByteArray exportFoot(ExportFormat format);

} // namespace holdfast::runs
