#include "model/call.h"

#include <QJsonArray>

namespace holdfast::model
{

namespace
{
// A body that is not UTF-8 is kept as base64, so that the journal holds the exact bytes either way.
void putBody(QJsonObject &object, const QByteArray &body)
{
    const QString text = QString::fromUtf8(body);
    if (text.toUtf8() == body)
        object.insert(QStringLiteral("body"), text);
    else
        object.insert(QStringLiteral("body_base64"), QString::fromLatin1(body.toBase64()));
}
} // namespace

QJsonObject Request::toJson() const
{
    QJsonObject object;
    if (!method.isEmpty())
        object.insert(QStringLiteral("method"), method);
    if (!path.isEmpty())
        object.insert(QStringLiteral("path"), path);
    if (!headers.isEmpty()) {
        QJsonArray list;
        for (const auto &[name, value] : headers)
            list.append(QJsonArray{name, value});
        object.insert(QStringLiteral("headers"), list);
    }
    if (!contentType.isEmpty())
        object.insert(QStringLiteral("content_type"), contentType);
    if (!argv.isEmpty())
        object.insert(QStringLiteral("argv"), QJsonArray::fromStringList(argv));
    if (!body.isEmpty())
        putBody(object, body);
    return object;
}

Request Request::fromJson(const QJsonObject &object)
{
    Request request;
    request.method = object.value(QStringLiteral("method")).toString();
    request.path = object.value(QStringLiteral("path")).toString();
    const QJsonArray headers = object.value(QStringLiteral("headers")).toArray();
    for (const QJsonValue &header : headers)
        request.headers.append({header[0].toString(), header[1].toString()});
    request.contentType = object.value(QStringLiteral("content_type")).toString();
    const QJsonArray argv = object.value(QStringLiteral("argv")).toArray();
    for (const QJsonValue &argument : argv)
        request.argv.append(argument.toString());
    if (object.contains(QStringLiteral("body_base64")))
        request.body = QByteArray::fromBase64(
            object.value(QStringLiteral("body_base64")).toString().toLatin1());
    else
        request.body = object.value(QStringLiteral("body")).toString().toUtf8();
    return request;
}

} // namespace holdfast::model
