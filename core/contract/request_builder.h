// From a template and values to the exact bytes of a request. Everything that could change whom or
// what a request reaches is refused here, before an intent exists.
#pragma once

#include "contract/renderer.h"

namespace holdfast::contract
{

struct BuiltRequest {
    model::Request request;
    QJsonValue body; // what the bytes mean, for the hash
};

class RequestBuilder
{
public:
    RequestBuilder(Renderer &renderer, const Roots &roots) : m_renderer(renderer), m_roots(roots) {}

    Result<BuiltRequest> http(const HttpTemplate &http);
    Result<BuiltRequest> command(const CommandTemplate &command);
    // `subject` decides, always in the same way, who takes part in a canary.
    Result<BuiltRequest> llm(const LlmTemplate &llm, const QString &step, const QString &subject);

private:
    Result<QString> path(const TextTemplate &text);
    Result<void> headers(const HttpTemplate &http, model::Request &request);

    Renderer &m_renderer;
    const Roots &m_roots;
};

struct LlmChoice {
    QString model;
    QString promptVersion;
};
LlmChoice chooseLlm(const LlmTemplate &llm, const QString &subject);

} // namespace holdfast::contract
