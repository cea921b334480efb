#include "contract/evaluator.h"
#include "model/json.h"

namespace holdfast::contract
{

namespace
{
bool claimsJson(const QString &contentType)
{
    const QString type = contentType.section(QLatin1Char(';'), 0, 0).trimmed().toLower();
    return type == QLatin1String("application/json") || type == QLatin1String("text/json") ||
           type.endsWith(QLatin1String("+json"));
}
} // namespace

Result<QJsonObject> responseOf(const model::CallResult &result)
{
    if (!result.bodyComplete)
        return model::invalid(QStringLiteral("the answer was cut short"));
    QJsonObject headers;
    QString contentType;
    for (const auto &[name, value] : result.headers) {
        const QString lower = name.toLower();
        const QString before = headers.value(lower).toString();
        headers.insert(lower, before.isEmpty() ? value : before + QStringLiteral(", ") + value);
        if (lower == QLatin1String("content-type"))
            contentType = value;
    }
    QJsonValue body(QJsonValue::Null);
    if (!result.body.isEmpty()) {
        model::JsonLimits limits;
        limits.bytes = std::max(limits.bytes, result.body.size()); // the sender has its own cap
        const auto parsed = contentType.isEmpty() || claimsJson(contentType)
                                ? model::parseJson(result.body, limits)
                                : Result<QJsonValue>(QJsonValue(QString::fromUtf8(result.body)));
        if (!parsed && claimsJson(contentType))
            return model::invalid(
                QStringLiteral("the answer claims to be JSON: %1").arg(parsed.error().message));
        body = parsed ? *parsed : QJsonValue(QString::fromUtf8(result.body));
    }
    return QJsonObject{{QStringLiteral("status"), result.status},
                       {QStringLiteral("headers"), headers},
                       {QStringLiteral("body"), body}};
}

} // namespace holdfast::contract
