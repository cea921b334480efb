#include "control/door.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

QJsonObject Request::toJson() const
{
    return {{u"id"_s, id}, {u"name"_s, name}, {u"arguments"_s, arguments}, {u"actor"_s, actor}};
}

model::Result<Request> Request::fromJson(const QJsonObject &object)
{
    Request request{object.value("id"_L1).toString(), object.value("name"_L1).toString(),
                    object.value("arguments"_L1).toObject(), object.value("actor"_L1).toString()};
    if (request.id.isEmpty() || request.name.isEmpty())
        return model::invalid(u"a request needs an id and the name of an operation"_s);
    return request;
}

} // namespace holdfast::control
