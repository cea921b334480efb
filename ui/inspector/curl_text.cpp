#include "ui/inspector/curl_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;

namespace
{
using Header = QPair<QString, QString>;

bool isSecretName(const QString &name)
{
    static const QRegularExpression secret(
        u"authorization|password|secret|api[-_]?key|cookie|token$"_s,
        QRegularExpression::CaseInsensitiveOption);
    return secret.match(name).hasMatch();
}

// Later ones win, as they do when the request is sent.
void put(QVector<Header> &headers, const QString &name, const QString &value)
{
    for (Header &header : headers) {
        if (header.first.compare(name, Qt::CaseInsensitive) == 0) {
            header.second = value;
            return;
        }
    }
    headers.append({name, value});
}

QVector<Header> headersOf(const QJsonObject &request, const Outgoing &outgoing, const QString &key)
{
    QVector<Header> headers = outgoing.headers;
    const QJsonArray own = request["headers"_L1].toArray();
    for (const QJsonValue &header : own)
        put(headers, header[0].toString(), header[1].toString());
    if (const QString type = request["content_type"_L1].toString(); !type.isEmpty())
        put(headers, u"Content-Type"_s, type);
    const bool reads = request["method"_L1].toString() == "GET"_L1;
    if (!key.isEmpty() && !reads)
        put(headers, outgoing.keyHeader, key);
    for (Header &header : headers) {
        if (isSecretName(header.first) && !header.second.contains("***"_L1))
            header.second = u"***"_s;
    }
    return headers;
}

QString commandText(const QJsonObject &request)
{
    QStringList words;
    const QJsonArray argv = request["argv"_L1].toArray();
    for (const QJsonValue &word : argv)
        words << shellQuoted(word.toString());
    const QString body = request["body"_L1].toString();
    return body.isEmpty() ? words.join(u' ')
                          : u"printf %s %1 | %2"_s.arg(shellQuoted(body), words.join(u' '));
}

// The lines of the block under `name:`, by their indentation.
QStringList blockUnder(const QString &yaml, const QString &name)
{
    QStringList block;
    bool isInside = false;
    for (const QString &line : yaml.split(u'\n')) {
        if (isInside && !line.isEmpty() && !line.front().isSpace() && line.front() != u'#')
            break;
        if (isInside)
            block << line;
        else
            isInside = line.startsWith(name + u':');
    }
    return block;
}
} // namespace

Outgoing Outgoing::of(const QJsonObject &dependency)
{
    static const QRegularExpression pair(u"^\\s+\"?([A-Za-z0-9-]+)\"?:\\s*(.+?)\\s*$"_s);
    static const QRegularExpression expression(u"\\$\\{[^}]*\\}"_s);
    Outgoing outgoing;
    outgoing.url = dependency["url"_L1].toString();
    QString source = dependency["source"_L1].toString();
    const QString name = u"dependency: "_s + dependency["dependency"_L1].toString();
    for (const QString &document : source.split(u"\n---"_s)) {
        if (document.split(u'\n').contains(name))
            source = document;
    }
    for (const QString &line : blockUnder(source, u"headers"_s)) {
        if (const auto match = pair.match(line); match.hasMatch())
            outgoing.headers.append(
                {match.captured(1), match.captured(2).replace(expression, u"***"_s)});
    }
    for (const QString &line : blockUnder(source, u"idempotency"_s)) {
        const auto match = pair.match(line);
        if (match.hasMatch() && match.captured(1) == "header"_L1)
            outgoing.keyHeader = match.captured(2);
    }
    return outgoing;
}

QString shellQuoted(const QString &text)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_./:@%+=-]+$"_s);
    if (plain.match(text).hasMatch())
        return text;
    return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\'';
}

QString curlText(const QJsonObject &request, const Outgoing &outgoing, const QString &key)
{
    if (request.contains("argv"_L1))
        return commandText(request);
    QStringList parts;
    const QString method = request["method"_L1].toString(u"GET"_s);
    const QString origin = outgoing.url.isEmpty() ? u"https://UNKNOWN"_s : outgoing.url;
    QString head = u"curl"_s;
    if (method != "GET"_L1)
        head += u" -X "_s + shellQuoted(method);
    const QString url = origin + request["path"_L1].toString();
    static const QRegularExpression globs(u"[\\[\\]{}]"_s);
    if (url.contains(globs))
        head += u" --globoff"_s; // or curl takes brackets for a list of addresses
    parts << head + u' ' + shellQuoted(url);
    for (const Header &header : headersOf(request, outgoing, key))
        parts << u"-H "_s + shellQuoted(header.first + u": "_s + header.second);
    QString pipe;
    if (request.contains("body_base64"_L1)) {
        pipe =
            u"printf %s %1 | base64 -d | "_s.arg(shellQuoted(request["body_base64"_L1].toString()));
        parts << u"--data-binary @-"_s;
    } else if (const QString body = request["body"_L1].toString(); !body.isEmpty()) {
        parts << u"--data-raw "_s + shellQuoted(body); // an @ in front names no file here
    }
    return pipe + parts.join(u" \\\n  "_s);
}

QString requestText(const QJsonObject &request, const Outgoing &outgoing, const QString &key)
{
    if (request.isEmpty())
        return {};
    if (request.contains("argv"_L1))
        return commandText(request);
    QStringList lines{request["method"_L1].toString() + u' ' + outgoing.url +
                      request["path"_L1].toString()};
    for (const Header &header : headersOf(request, outgoing, key))
        lines << header.first + u": "_s + header.second;
    if (request.contains("body_base64"_L1))
        lines << QString() << u"(bytes as base64) "_s + request["body_base64"_L1].toString();
    else if (const QString body = request["body"_L1].toString(); !body.isEmpty())
        lines << QString() << prettyText(body);
    return lines.join(u'\n');
}

QString prettyText(const QString &text)
{
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8());
    return document.isNull() ? text : QString::fromUtf8(document.toJson()).trimmed();
}

} // namespace holdfast::inspector
