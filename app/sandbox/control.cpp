#include "app/sandbox/control.h"

#include <QJsonDocument>

namespace holdfast::sandbox
{

namespace
{

Reply controlFaults(World &world, const Incoming &incoming)
{
    if (incoming.method == u"GET")
        return Reply::json(200, world.faults.toJson());
    const QJsonDocument document = QJsonDocument::fromJson(incoming.body);
    if (!document.isObject())
        return Reply::problem(400, QStringLiteral("The body is not a JSON object."));
    // PUT replaces what was scripted, POST adds to it.
    if (incoming.method == u"PUT")
        world.faults.clear();
    if (const auto applied = world.faults.apply(document.object()); !applied)
        return Reply::problem(400, applied.error().message);
    return Reply::json(200, world.faults.toJson());
}

Reply controlSettings(World &world, const Incoming &incoming)
{
    const QJsonValue retention =
        QJsonDocument::fromJson(incoming.body).object().value(QLatin1String("retention_ms"));
    if (!retention.isDouble() || retention.toInteger() < 0)
        return Reply::problem(400,
                              QStringLiteral("retention_ms must be a number of milliseconds."));
    world.services.setRetention(retention.toInteger());
    return Reply::json(200, {{"retention_ms", retention}});
}

} // namespace

Reply control(World &world, const Incoming &incoming)
{
    const bool isGet = incoming.method == u"GET";
    const bool isPost = incoming.method == u"POST";
    const bool isPut = incoming.method == u"PUT";
    if (incoming.path == u"/_sandbox/faults" && (isGet || isPost || isPut))
        return controlFaults(world, incoming);
    if (incoming.path == u"/_sandbox/books" && isGet)
        return Reply::json(200, world.books.toJson());
    if (incoming.path == u"/_sandbox/settings" && isPut)
        return controlSettings(world, incoming);
    if (incoming.path == u"/_sandbox/reset" && isPost) {
        world.reset();
        return Reply::json(200, {{"reset", true}});
    }
    return Reply::problem(404,
                          QStringLiteral("The sandbox has faults, books, settings and reset."));
}

} // namespace holdfast::sandbox
