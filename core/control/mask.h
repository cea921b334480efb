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
// Of a definition file: a literal value beside such a name. A reference is no secret and stays, and
// so does every line break.
QString maskedSource(const QString &yaml);

} // namespace holdfast::control
