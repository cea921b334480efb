#include "ports/rows.h"

#include "model/json.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace holdfast::ports
{

// Written with every run that goes on, so straight into bytes.
QByteArray openToJson(const QVector<OpenAttempt> &open)
{
    QByteArray out("[");
    const auto put = [&out](const char *name, const QString &value) {
        out += name;
        model::appendJsonString(out, value);
    };
    for (const OpenAttempt &attempt : open) {
        out += out.size() == 1 ? "{\"attempt\":" : ",{\"attempt\":";
        out += QByteArray::number(attempt.attempt);
        put(",\"dependency\":", attempt.dependency);
        put(",\"direction\":", model::directionName(attempt.direction));
        put(",\"effect\":", model::effectName(attempt.effect));
        out += ",\"since\":";
        out += QByteArray::number(attempt.since);
        put(",\"step\":", attempt.step);
        out += '}';
    }
    out += ']';
    return out;
}

QVector<OpenAttempt> openFromJson(const QByteArray &text)
{
    QVector<OpenAttempt> open;
    if (text.size() <= 2)
        return open;
    const QJsonArray list = QJsonDocument::fromJson(text).array();
    for (const QJsonValue &value : list) {
        open.append({value[QLatin1String("step")].toString(),
                     model::directionFromName(value[QLatin1String("direction")].toString())
                         .value_or(model::Direction::forward),
                     value[QLatin1String("attempt")].toInt(),
                     value[QLatin1String("dependency")].toString(),
                     model::effectFromName(value[QLatin1String("effect")].toString())
                         .value_or(model::Effect::write),
                     value[QLatin1String("since")].toInteger()});
    }
    return open;
}

QJsonObject OpenAttempt::toJson() const
{
    return QJsonDocument::fromJson(openToJson({*this})).array().first().toObject();
}

} // namespace holdfast::ports
