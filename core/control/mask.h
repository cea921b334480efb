// Values that look like secrets by their name are not shown. What is stored stays as it was sent;
// this is for views and exports only.
#pragma once

#include <QJsonObject>
#include <QJsonValue>

namespace holdfast::control
{

bool isSecretName(const QString &name);

// Objects by member name, [name, value] pairs of a header list, and JSON inside of strings.
QJsonValue masked(const QJsonValue &value);
QJsonObject masked(const QJsonObject &object);

} // namespace holdfast::control
