// What tests of the HTTP sender share: a call, a sender for one dependency, and a look at request
// bytes.
#pragma once

#include "actions/http_sender.h"
#include "actions/inbox.h"
#include "actions/raw_server.h"

#include <memory>

namespace holdfast::test
{

inline model::Call callOf(const char *method, const QString &path = QStringLiteral("/t"))
{
    model::Call call;
    call.runId = QStringLiteral("run-1");
    call.step = QStringLiteral("make");
    call.attempt = 2;
    call.fence = 7;
    call.dependency = QStringLiteral("crm");
    call.key = QStringLiteral("make:a1");
    const QByteArray name(method);
    call.effect = name == "GET" ? model::Effect::read : model::Effect::write;
    call.request.method = QString::fromLatin1(name);
    call.request.path = path;
    if (name == "POST" || name == "PUT") {
        call.request.body = R"({"a":1})";
        call.request.contentType = QStringLiteral("application/json");
    }
    call.timeout = 10 * model::second;
    return call;
}

inline contract::TextTemplate text(std::initializer_list<contract::TextTemplate::Part> parts)
{
    contract::TextTemplate result;
    result.parts = QVector<contract::TextTemplate::Part>(parts);
    return result;
}

// A sender for one dependency, with everything a test may want to bend.
struct Bench {
    explicit Bench(const QString &url, actions::HttpOptions options = {})
        : dependency(std::make_shared<contract::Dependency>()),
          secrets(std::make_shared<actions::Secrets>(QStringLiteral("/nonexistent/secrets")))
    {
        dependency->name = QStringLiteral("crm");
        dependency->url = url;
        sender = std::make_unique<actions::HttpSender>(
            clock, [this](const QString &, int) { return dependency; }, secrets, options);
        inbox = std::make_unique<Inbox>(*sender);
    }
    model::CallResult result(const model::Call &call)
    {
        sender->send(call);
        return inbox->next();
    }

    HandClock clock;
    std::shared_ptr<contract::Dependency> dependency;
    std::shared_ptr<actions::Secrets> secrets;
    std::unique_ptr<Inbox> inbox;
    std::unique_ptr<actions::HttpSender> sender;
};

inline RawServer::Handler answering(const QByteArray &bytes)
{
    return [bytes](const RawClient &client, const QByteArray &) { client.write(bytes); };
}

inline QByteArray headerOf(const QByteArray &request, const QByteArray &name)
{
    for (const QByteArray &line : request.left(request.indexOf("\r\n\r\n")).split('\n')) {
        if (line.left(name.size() + 1).toLower() == name.toLower() + ':')
            return line.mid(name.size() + 1).trimmed();
    }
    return "(absent)";
}

} // namespace holdfast::test
