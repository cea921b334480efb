// A figure of an answer in words.
#pragma once

#include <QJsonValue>
#include <QString>

namespace holdfast::widgets
{

// `unit` is count, percent or ms; null is a dash, never zero.
QString figureText(const QJsonValue &value, const QString &unit);

} // namespace holdfast::widgets
