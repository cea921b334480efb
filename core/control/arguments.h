// Reading an operation's arguments: what is missing or of the wrong kind is said, never guessed.
#pragma once

#include "model/result.h"
#include "model/time.h"

#include <QJsonObject>
#include <QStringList>

namespace holdfast::control
{

constexpr qsizetype reasonMax = 2000; // characters

model::Result<QString> requiredText(const QJsonObject &arguments, const char *name);
// A sentence for the audit, at most reasonMax characters; required where the act needs a why.
model::Result<QString> reasonOf(const QJsonObject &arguments, bool isRequired);
// Absent: the fallback.
model::Result<qint64> integerOr(const QJsonObject &arguments, const char *name, qint64 fallback);
model::Result<QStringList> listOf(const QJsonObject &arguments, const char *name);
// ISO 8601; absent: never.
model::Result<model::Instant> instantOf(const QJsonObject &arguments, const char *name);

// For answers: ISO 8601 in UTC with milliseconds, or null.
QJsonValue instantJson(model::Instant instant);
QJsonValue textOrNull(const QString &text);

} // namespace holdfast::control
