#include "control/arguments.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Result;

Result<QString> requiredText(const QJsonObject &arguments, const char *name)
{
    const QString text = arguments.value(QLatin1String(name)).toString();
    if (text.trimmed().isEmpty())
        return model::invalid(u"%1 is missing"_s.arg(QLatin1String(name)));
    return text;
}

Result<QString> reasonOf(const QJsonObject &arguments, bool isRequired)
{
    const QString reason = arguments.value("reason"_L1).toString().trimmed();
    if (isRequired && reason.isEmpty())
        return model::invalid(u"a reason is required: it goes into the audit"_s);
    if (reason.size() > reasonMax)
        return model::invalid(u"the reason is longer than %1 characters"_s.arg(reasonMax));
    return reason;
}

Result<qint64> integerOr(const QJsonObject &arguments, const char *name, qint64 fallback)
{
    const QJsonValue value = arguments.value(QLatin1String(name));
    if (value.isUndefined() || value.isNull())
        return fallback;
    if (!value.isDouble() || double(value.toInteger()) != value.toDouble())
        return model::invalid(u"%1 must be an integer"_s.arg(QLatin1String(name)));
    return value.toInteger();
}

Result<QStringList> listOf(const QJsonObject &arguments, const char *name)
{
    const QJsonValue value = arguments.value(QLatin1String(name));
    if (value.isUndefined() || value.isNull())
        return QStringList();
    const model::Error wrong =
        model::invalid(u"%1 must be a list of names"_s.arg(QLatin1String(name)));
    if (!value.isArray())
        return wrong;
    QStringList list;
    const QJsonArray items = value.toArray();
    for (const QJsonValue &item : items) {
        if (item.toString().isEmpty())
            return wrong;
        list.append(item.toString());
    }
    return list;
}

Result<model::Instant> instantOf(const QJsonObject &arguments, const char *name)
{
    const QJsonValue value = arguments.value(QLatin1String(name));
    if (value.isUndefined() || value.isNull())
        return model::never;
    const auto instant = model::parseInstant(value.toString());
    if (!instant)
        return model::invalid(u"%1 must be an instant such as 2026-11-16T08:00:00Z or a date"_s.arg(
            QLatin1String(name)));
    return *instant;
}

QJsonValue instantJson(model::Instant instant)
{
    return instant == model::never ? QJsonValue() : QJsonValue(model::instantText(instant));
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

} // namespace holdfast::control
