#include "api/wire.h"

#include "model/json.h"

#include <QJsonDocument>

namespace holdfast::api
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
constexpr ErrorKind allKinds[] = {
    ErrorKind::invalid, ErrorKind::notFound,    ErrorKind::conflict,       ErrorKind::refused,
    ErrorKind::busy,    ErrorKind::lost,        ErrorKind::unknownOutcome, ErrorKind::full,
    ErrorKind::corrupt, ErrorKind::unsupported,
};

ErrorKind kindFromName(const QString &name)
{
    for (const ErrorKind kind : allKinds) {
        if (model::errorKindName(kind) == name)
            return kind;
    }
    return ErrorKind::unsupported;
}
} // namespace

QByteArray requestLine(const control::Request &request)
{
    return model::compactJson(request.toJson()) + '\n';
}

Result<control::Request> readRequest(const QByteArray &line)
{
    model::JsonLimits limits;
    limits.bytes = lineMax;
    const auto object = model::parseJsonObject(line, limits);
    if (!object)
        return object.error();
    return control::Request::fromJson(*object);
}

QByteArray answerLine(const QString &id, const Result<QJsonValue> &answer)
{
    QJsonObject object{{u"id"_s, id}};
    if (answer)
        object.insert(u"value"_s, *answer);
    else
        object.insert(u"error"_s,
                      QJsonObject{{u"kind"_s, model::errorKindName(answer.error().kind)},
                                  {u"message"_s, answer.error().message}});
    return model::compactJson(object) + '\n';
}

Result<QJsonValue> readAnswer(const QByteArray &line, const QString &id)
{
    // The owner is this same program under the same login; its answer is bounded by answerMax only.
    const QJsonDocument document = QJsonDocument::fromJson(line);
    if (!document.isObject() || document["id"_L1].toString() != id)
        return Error{ErrorKind::lost,
                     u"the process that owns the database gave no readable answer"_s};
    const QJsonValue error = document["error"_L1];
    if (error.isObject())
        return Error{kindFromName(error["kind"_L1].toString()), error["message"_L1].toString()};
    return document["value"_L1];
}

} // namespace holdfast::api
