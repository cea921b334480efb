#include "model/call.h"

#include "model/json.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace holdfast::model
{

namespace
{
void appendStrings(QByteArray &out, const QStringList &list)
{
    out += '[';
    for (const QString &item : list) {
        if (out.back() != '[')
            out += ',';
        appendJsonString(out, item);
    }
    out += ']';
}
} // namespace

// A body that is not UTF-8 is kept as base64, so that the journal holds the exact bytes either way.
void Request::appendTo(QByteArray &out) const
{
    const qsizetype start = out.size();
    const auto name = [&](const char *text) {
        out += out.size() == start ? "{\"" : ",\"";
        out += text;
        out += "\":";
    };
    const auto put = [&](const char *text, const QString &value) {
        name(text);
        appendJsonString(out, value);
    };
    if (!argv.isEmpty()) {
        name("argv");
        appendStrings(out, argv);
    }
    if (!body.isEmpty()) {
        const QString text = QString::fromUtf8(body);
        if (text.toUtf8() == body)
            put("body", text);
        else
            put("body_base64", QString::fromLatin1(body.toBase64()));
    }
    if (!contentType.isEmpty())
        put("content_type", contentType);
    if (!headers.isEmpty()) {
        name("headers");
        out += '[';
        for (const auto &[header, value] : headers) {
            if (out.back() != '[')
                out += ',';
            appendStrings(out, {header, value});
        }
        out += ']';
    }
    if (!method.isEmpty())
        put("method", method);
    if (!path.isEmpty())
        put("path", path);
    out += out.size() == start ? "{}" : "}";
}

QJsonObject Request::toJson() const
{
    QByteArray text;
    appendTo(text);
    return QJsonDocument::fromJson(text).object();
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
