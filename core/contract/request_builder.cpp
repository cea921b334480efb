#include "contract/request_builder.h"

#include "model/json.h"

#include <QJsonArray>
#include <QUrl>

namespace holdfast::contract
{

namespace
{
QString percentEncoded(const QString &text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text));
}

bool hasControl(const QString &text)
{
    for (const QChar character : text) {
        const char16_t code = character.unicode();
        if ((code < 0x20 && code != u'\t') || code == 0x7F || code == 0x85 || code == 0x2028)
            return true;
    }
    return false;
}

bool isJson(const QString &contentType)
{
    return contentType.contains(QLatin1String("json"), Qt::CaseInsensitive);
}

Result<void> checkSegments(const QString &path)
{
    if (!path.contains(QLatin1String("/.")) && !path.contains(QLatin1Char('%')))
        return {};
    const QString way = path.section(QLatin1Char('?'), 0, 0);
    const QStringList segments = way.split(QLatin1Char('/'));
    for (const QString &segment : segments) {
        QString plain = segment;
        plain.replace(QLatin1String("%2e"), QLatin1String("."), Qt::CaseInsensitive);
        if (plain == QLatin1String(".") || plain == QLatin1String(".."))
            return model::invalid(
                QStringLiteral("the path '%1' leads upwards").arg(path.left(200)));
    }
    return {};
}

model::Error tooLarge()
{
    return model::invalid(
        QStringLiteral("the request grows larger than %1 bytes").arg(Renderer::outputMax));
}
} // namespace

Result<QString> RequestBuilder::path(const TextTemplate &text)
{
    bool isQuery = false;
    for (const auto &part : text.parts) {
        isQuery = isQuery || (!part.isExpression && part.text.contains(QLatin1Char('?')));
        if (!part.isExpression || isQuery)
            continue;
        // Without its id a path names something else, often the whole collection.
        const auto value = m_renderer.evaluate(part.text, m_roots);
        if (value && value->isString() && value->toString().isEmpty())
            return model::invalid(
                QStringLiteral("${ %1 } is empty and would change the path").arg(part.text));
    }
    const auto rendered = m_renderer.text(text, m_roots, percentEncoded);
    if (!rendered)
        return rendered;
    if (!rendered->startsWith(QLatin1Char('/')) || hasControl(*rendered))
        return model::invalid(
            QStringLiteral("'%1' is not a path").arg(rendered->left(200).toHtmlEscaped()));
    if (const auto good = checkSegments(*rendered); !good)
        return good.error();
    return rendered;
}

Result<void> RequestBuilder::headers(const HttpTemplate &http, model::Request &request)
{
    for (const auto &[name, text] : http.headers) {
        const auto value = m_renderer.text(text, m_roots);
        if (!value)
            return value.error();
        if (hasControl(*value))
            return model::invalid(
                QStringLiteral("the value of the header '%1' holds CR, LF, NUL or another control "
                               "character")
                    .arg(name));
        if (name.compare(QLatin1String("content-type"), Qt::CaseInsensitive) == 0)
            request.contentType = *value;
        else
            request.headers.append({name, *value});
    }
    return {};
}

Result<BuiltRequest> RequestBuilder::http(const HttpTemplate &http)
{
    BuiltRequest built;
    built.request.method = http.method;
    const auto where = path(http.path);
    if (!where)
        return where.error();
    built.request.path = *where;
    if (const auto good = headers(http, built.request); !good)
        return good.error();
    built.body = QJsonValue(QJsonValue::Null);
    if (http.body.isAbsent())
        return built;
    const auto body = m_renderer.value(http.body, m_roots);
    if (!body)
        return body.error();
    built.body = *body;
    const bool isText = body->isString() && !built.request.contentType.isEmpty() &&
                        !isJson(built.request.contentType);
    built.request.body = isText ? body->toString().toUtf8() : model::compactJson(*body);
    if (built.request.contentType.isEmpty())
        built.request.contentType = QStringLiteral("application/json");
    if (built.request.body.size() > Renderer::outputMax)
        return tooLarge();
    return built;
}

Result<BuiltRequest> RequestBuilder::command(const CommandTemplate &command)
{
    BuiltRequest built;
    for (const TextTemplate &argument : command.argv) {
        const auto text = m_renderer.text(argument, m_roots);
        if (!text)
            return text.error();
        if (text->contains(QChar(0)))
            return model::invalid(
                QStringLiteral("an argument of '%1' holds NUL").arg(command.argv.first().source()));
        built.request.argv.append(*text);
    }
    built.body = QJsonObject();
    if (!command.input.isAbsent()) {
        const auto input = m_renderer.value(command.input, m_roots);
        if (!input)
            return input.error();
        built.body = *input;
    }
    built.request.body = model::compactJson(built.body);
    built.request.contentType = QStringLiteral("application/json");
    if (built.request.body.size() > Renderer::outputMax)
        return tooLarge();
    return built;
}

LlmChoice chooseLlm(const LlmTemplate &llm, const QString &subject)
{
    LlmChoice choice{llm.model, llm.promptVersion};
    const int share = llm.canary.value(QLatin1String("share")).toInt();
    const int draw = int(model::sha256Hex(subject.toUtf8()).left(8).toULongLong(nullptr, 16) % 100);
    if (draw >= share)
        return choice;
    choice.model = llm.canary.value(QLatin1String("model")).toString(choice.model);
    const QJsonValue version = llm.canary.value(QLatin1String("prompt_version"));
    if (!version.isUndefined())
        choice.promptVersion = version.toVariant().toString();
    return choice;
}

Result<BuiltRequest> RequestBuilder::llm(const LlmTemplate &llm, const QString &step,
                                         const QString &subject)
{
    const auto prompt = m_renderer.text(llm.prompt, m_roots);
    if (!prompt)
        return prompt.error();
    const LlmChoice choice = chooseLlm(llm, subject);
    QJsonObject body{{QStringLiteral("model"), choice.model},
                     {QStringLiteral("messages"),
                      QJsonArray{QJsonObject{{QStringLiteral("role"), QStringLiteral("user")},
                                             {QStringLiteral("content"), *prompt}}}}};
    if (!llm.schema.isEmpty())
        body.insert(QStringLiteral("response_format"),
                    QJsonObject{{QStringLiteral("type"), QStringLiteral("json_schema")},
                                {QStringLiteral("json_schema"),
                                 QJsonObject{{QStringLiteral("name"), step},
                                             {QStringLiteral("schema"), llm.schema},
                                             {QStringLiteral("strict"), true}}}});
    BuiltRequest built;
    built.body = body;
    built.request.method = QStringLiteral("POST");
    built.request.path = QStringLiteral("/v1/chat/completions");
    built.request.contentType = QStringLiteral("application/json");
    built.request.body = model::compactJson(body);
    if (built.request.body.size() > Renderer::outputMax)
        return tooLarge();
    return built;
}

} // namespace holdfast::contract
