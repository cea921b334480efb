// A weekly report on paper: drawn from the report document and nothing else, so that page, exports
// and PDF cannot say different things. Needs fonts, so a QGuiApplication, but no GUI thread.
#pragma once

#include "model/result.h"

#include <QJsonObject>
#include <functional>

class QIODevice;

namespace holdfast::weekly
{

// Told how far it is, from 0 to 100; false stops it.
using PdfProgress = std::function<bool(int percent)>;

// What is wrong with a document that is to be drawn; an empty one would be an empty page.
model::Result<void> checkReport(const QJsonObject &report);
// The number of pages. Stopped: an error of the kind refused, and what stands in `device` is
// nothing to keep.
model::Result<int> drawReportPdf(const QJsonObject &report, QIODevice &device,
                                 const PdfProgress &progress = {});
// The file appears when it is whole.
model::Result<int> writeReportPdf(const QJsonObject &report, const QString &path,
                                  const PdfProgress &progress = {});

} // namespace holdfast::weekly
