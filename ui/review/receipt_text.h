// What a person types as evidence that something happened: a JSON object, or just the id they
// found.
#pragma once

#include "model/result.h"

#include <QJsonObject>
#include <QString>

namespace holdfast::review
{

// The error is a sentence for the field. Empty text is an error: {} says that there is nothing.
model::Result<QJsonObject> receiptFrom(const QString &text);

} // namespace holdfast::review
