// The sample definitions as they are shipped, pointed at a sandbox.
#pragma once

#include "model/result.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

namespace holdfast::console
{

// Beside the program when it is installed, else in the source tree above it; empty: neither.
QString samplesFolder();
// The files as the door's "deploy" takes them, with the samples' origin replaced.
model::Result<QJsonArray> sampleFiles(const QString &origin);

// Inputs of the samples, by a running number: the same number is the same business object.
QJsonObject orderInput(int number);
// Every twenty-third does not add up: it must fail before any call is made.
QJsonObject invoiceInput(int number);

} // namespace holdfast::console
