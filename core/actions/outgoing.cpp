#include "actions/outgoing.h"

#include <QUrl>
#include <algorithm>
#include <array>
#include <cstring>

namespace holdfast::actions
{

namespace
{

// These decide how a message is framed and where it goes, which is nobody's business but ours.
constexpr std::array reservedNames{"host",       "content-length", "transfer-encoding", "te",
                                   "connection", "keep-alive",     "upgrade",           "trailer",
                                   "expect",     "cookie",         "accept-encoding"};

bool isReserved(const QByteArray &name)
{
    const QByteArray lower = name.toLower();
    return lower.startsWith("proxy-") ||
           std::any_of(reservedNames.begin(), reservedNames.end(),
                       [&lower](const char *reserved) { return lower == reserved; });
}

struct Assembly {
    Outgoing &out;

    void refuse(const QString &detail, const QString &error = QStringLiteral("invalid_header"))
    {
        if (!out.isRefused()) {
            out.error = error;
            out.detail = detail;
        }
    }

    // The later writer of a name wins, so the order of the calls is the order of authority.
    void set(const QByteArray &name, const QByteArray &value)
    {
        if (!isHeaderName(name))
            return refuse(QStringLiteral("A header name is not a token; nothing was sent."));
        if (!isHeaderValue(value)) {
            return refuse(
                QStringLiteral("The value of header %1 holds a control character or is too "
                               "long; nothing was sent.")
                    .arg(QString::fromLatin1(name)));
        }
        for (HeaderLine &line : out.headers) {
            if (line.name.compare(name, Qt::CaseInsensitive) == 0) {
                line = {name, value};
                return;
            }
        }
        if (out.headers.size() >= headerCountMax)
            return refuse(QStringLiteral("The request has too many headers; nothing was sent."));
        out.headers.append({name, value});
    }

    void setForeign(const QString &name, const QByteArray &value)
    {
        const QByteArray bytes = name.toUtf8();
        if (isReserved(bytes))
            return refuse(
                QStringLiteral("The header %1 may not be set; nothing was sent.").arg(name));
        set(bytes, value);
    }
};

// "secret.NAME" and nothing else; an empty answer is no such form.
QString secretName(const QString &expression)
{
    const QString text = expression.trimmed();
    const QString prefix = QStringLiteral("secret.");
    const QString name = text.mid(prefix.size());
    const bool isPlain = std::all_of(name.begin(), name.end(), [](QChar c) {
        return c.unicode() < 128 && (c.isLetterOrNumber() || c == u'_');
    });
    return text.startsWith(prefix) && isPlain ? name : QString();
}

QByteArray resolved(const contract::TextTemplate &text, Secrets &secrets, Assembly &assembly)
{
    QByteArray value;
    for (const contract::TextTemplate::Part &part : text.parts) {
        if (!part.isExpression) {
            value += part.text.toUtf8();
            continue;
        }
        const QString name = secretName(part.text);
        if (name.isEmpty()) {
            assembly.refuse(QStringLiteral("A dependency header holds an expression other than "
                                           "secret.NAME; nothing was sent."));
            return {};
        }
        const auto secret = secrets.resolve(name);
        if (!secret) {
            assembly.refuse(secret.error().message, QStringLiteral("secret_missing"));
            return {};
        }
        value += *secret;
    }
    return value;
}

// What every call to the outside carries, whatever the files say.
void setContext(const model::Call &call, const contract::Dependency &dependency, Assembly &assembly)
{
    if (!call.key.isEmpty())
        assembly.set(dependency.keyHeader.toUtf8(), call.key.toUtf8());
    assembly.set("X-Correlation-Id", call.runId.toUtf8());
    assembly.set("Holdfast-Run-Id", call.runId.toUtf8());
    assembly.set("Holdfast-Step", call.step.toUtf8());
    assembly.set("Holdfast-Attempt", QByteArray::number(call.attempt));
    assembly.set("Holdfast-Deadline-Ms", QByteArray::number(call.timeout));
    assembly.set("Holdfast-Effect", model::effectName(call.effect).toLatin1());
    if (!call.traceparent.isEmpty())
        assembly.set("traceparent", call.traceparent.toLatin1());
    assembly.set("Accept-Encoding", "identity");
    if (!call.request.contentType.isEmpty())
        assembly.set("Content-Type", call.request.contentType.toUtf8());
}

bool isMethod(const QString &method)
{
    return !method.isEmpty() && method.size() <= 16 && method != u"CONNECT" && method != u"TRACE" &&
           std::all_of(method.begin(), method.end(),
                       [](QChar c) { return c >= u'A' && c <= u'Z'; });
}

bool isHex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool hasDotSegment(const QByteArray &path)
{
    const qsizetype query = path.indexOf('?');
    const QByteArrayList segments = (query < 0 ? path : path.left(query)).split('/');
    return std::any_of(segments.begin(), segments.end(), [](const QByteArray &segment) {
        const QByteArray plain = QByteArray::fromPercentEncoding(segment);
        return plain == "." || plain == "..";
    });
}

} // namespace

Outgoing prepareOutgoing(const model::Call &call, const contract::Dependency &dependency,
                         Secrets &secrets)
{
    Outgoing out;
    Assembly assembly{out};
    const auto origin = parseOrigin(dependency.url);
    if (!origin) {
        assembly.refuse(origin.error().message, QStringLiteral("address_forbidden"));
        return out;
    }
    if (!isMethod(call.request.method) || !isRequestPath(call.request.path)) {
        assembly.refuse(
            QStringLiteral("The method or path of the request is not one; nothing was sent."),
            QStringLiteral("invalid_request"));
        return out;
    }
    out.url = origin->url + call.request.path.toLatin1();
    out.method = call.request.method.toLatin1();
    out.addresses = {origin->isLoopbackLiteral, dependency.allowPrivate};
    assembly.set("User-Agent", "holdfast/" HOLDFAST_VERSION);
    assembly.set("Accept", "application/json, */*;q=0.5");
    for (const auto &[name, value] : call.request.headers)
        assembly.setForeign(name, value.toUtf8());
    for (const auto &[name, value] : dependency.headers) {
        const QByteArray bytes = resolved(value, secrets, assembly);
        if (out.isRefused())
            return out;
        assembly.setForeign(name, bytes);
    }
    setContext(call, dependency, assembly);
    return out;
}

bool isHeaderName(const QByteArray &name)
{
    return !name.isEmpty() && name.size() <= 128 &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      (c != '\0' && std::strchr("!#$%&'*+-.^_`|~", c) != nullptr);
           });
}

bool isHeaderValue(const QByteArray &value)
{
    if (value.size() > headerValueSizeMax)
        return false;
    const QString text = QString::fromUtf8(value);
    return std::none_of(text.begin(), text.end(), [](QChar c) {
        return c.unicode() < 0x20 || (c.unicode() >= 0x7f && c.unicode() < 0xa0);
    });
}

bool isRequestPath(const QString &path)
{
    const QByteArray bytes = path.toUtf8();
    if (!bytes.startsWith('/') || bytes.size() > pathSizeMax || hasDotSegment(bytes))
        return false;
    for (qsizetype i = 0; i < bytes.size(); ++i) {
        const auto c = static_cast<unsigned char>(bytes.at(i));
        if (c <= 0x20 || c >= 0x7f || c == '#' || c == '\\')
            return false;
        if (c == '%' &&
            (i + 2 >= bytes.size() || !isHex(bytes.at(i + 1)) || !isHex(bytes.at(i + 2))))
            return false;
    }
    return true;
}

} // namespace holdfast::actions
