// Values that look like secrets by their name are not shown. What is stored stays as it was sent;
// this is for views and exports only.
#pragma once

#include <QJsonObject>
#include <QJsonValue>

namespace holdfast::model
{

// However its words are joined: client_secret, clientSecret, Client-Secret.
bool isSecretName(const QString &name);

// Objects by member name, [name, value] pairs of a header list, and inside of strings JSON, forms
// and the queries of addresses.
QJsonValue masked(const QJsonValue &value);
QJsonObject masked(const QJsonObject &object);
// Of a definition file: a literal value beside such a name. A reference is no secret and stays, and
// so does every line break.
QString maskedSource(const QString &yaml);

} // namespace holdfast::model
