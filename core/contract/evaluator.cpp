#include "contract/evaluator.h"

#include "contract/input_schema.h"
#include "contract/request_builder.h"
#include "model/json.h"

#include <QJsonArray>

namespace holdfast::contract
{

namespace
{
constexpr qsizetype keyMax = 255;

const OperationTemplate *operationOf(const Workflow &workflow, int step, Target target)
{
    if (step < 0 || step >= workflow.steps.size())
        return nullptr;
    const StepDefinition &definition = workflow.steps.at(step);
    if (target == Target::forward)
        return &definition.forward;
    return definition.undo ? &*definition.undo : nullptr;
}

model::Error noOperation()
{
    return model::notFound(QStringLiteral("the workflow has no such operation"));
}

Result<QString> checkedKey(const QString &key)
{
    if (key.isEmpty())
        return model::invalid(QStringLiteral("the key is empty"));
    if (key.size() > keyMax)
        return model::invalid(QStringLiteral("the key has %1 characters; at most %2 are allowed")
                                  .arg(key.size())
                                  .arg(keyMax));
    for (const QChar character : key) {
        if (character.unicode() < 0x21 || character.unicode() > 0x7E)
            return model::invalid(
                QStringLiteral("the key holds the character U+%1; only printable ASCII without "
                               "spaces is allowed")
                    .arg(uint(character.unicode()), 4, 16, QLatin1Char('0')));
    }
    return key;
}

QString generationSuffix(const Scope &scope)
{
    const int generation = scope.run.value(QLatin1String("generation")).toInt(1);
    return generation > 1 ? QStringLiteral("~%1").arg(generation) : QString();
}

// SHA-256 over the canonical JSON of [operation, method, path, body], written without building it.
QString hashOf(const QString &operation, const QString &method, const QString &path,
               const QJsonValue &body)
{
    QByteArray text("[");
    for (const QString &part : {operation, method, path}) {
        model::appendJsonString(text, part);
        text += ',';
    }
    text += model::canonicalJson(body);
    text += ']';
    return model::sha256Hex(text);
}

QString operationName(const OperationTemplate &operation)
{
    const QString &dependency = operation.policy.dependency;
    if (operation.command)
        return (dependency.isEmpty() ? QStringLiteral("local") : dependency) +
               QStringLiteral(" command ") + operation.command->argv.first().source();
    if (operation.llm)
        return dependency + QStringLiteral(" llm ") + operation.llm->model;
    return dependency + QLatin1Char(' ') + operation.http->method + QLatin1Char(' ') +
           operation.http->path.source();
}

QString subjectOf(const Scope &scope)
{
    const QString eventId = scope.run.value(QLatin1String("event_id")).toString();
    return eventId.isEmpty() ? scope.run.value(QLatin1String("run_id")).toString() : eventId;
}

Result<QJsonValue> answerOf(const LlmTemplate &llm, const QJsonObject &response)
{
    const QJsonValue content = response.value(QLatin1String("body"))
                                   .toObject()
                                   .value(QLatin1String("choices"))
                                   .toArray()
                                   .at(0)
                                   .toObject()
                                   .value(QLatin1String("message"))
                                   .toObject()
                                   .value(QLatin1String("content"));
    if (!content.isString())
        return model::invalid(QStringLiteral("the model's answer has no content"));
    if (llm.schema.isEmpty())
        return content;
    const auto parsed = model::parseJson(content.toString().toUtf8());
    if (!parsed)
        return model::invalid(QStringLiteral("the model's answer: %1").arg(parsed.error().message));
    const QString name = model::sha256Hex(model::canonicalJson(llm.schema));
    auto schema = InputSchema::cached(name, llm.schema);
    if (!schema)
        return schema.error();
    if (const auto valid = (*schema)->validate(*parsed); !valid)
        return model::invalid(QStringLiteral("the model's answer does not fit its schema: %1")
                                  .arg(valid.error().message));
    return *parsed;
}

// A proposal is kept with what made it, so that results can be compared by version.
Result<QJsonObject> proposalOf(const LlmTemplate &llm, const Scope &scope)
{
    const QJsonObject response = scope.response.value_or(QJsonObject());
    const auto answer = answerOf(llm, response);
    if (!answer)
        return answer.error();
    const LlmChoice choice = chooseLlm(llm, subjectOf(scope));
    return QJsonObject{{QStringLiteral("output"), *answer},
                       {QStringLiteral("model"), choice.model},
                       {QStringLiteral("prompt_version"), choice.promptVersion},
                       {QStringLiteral("status"), response.value(QLatin1String("status"))}};
}
} // namespace

struct Evaluator::Private {
    explicit Private(model::Millis timeLimit) : renderer(timeLimit) {}

    Result<QString> keyOf(const OperationTemplate &operation, Target target, const Scope &scope);
    Result<BuiltRequest> build(const OperationTemplate &operation, const QString &step,
                               const Scope &scope);

    Renderer renderer;
};

// For a compensation `scope.key` is the key of what it makes up for.
Result<QString> Evaluator::Private::keyOf(const OperationTemplate &operation, Target target,
                                          const Scope &scope)
{
    if (operation.key.isEmpty()) {
        if (target == Target::forward)
            return QString();
        if (!scope.key || scope.key->isEmpty())
            return model::invalid(QStringLiteral("the step to compensate has no key"));
        return checkedKey(QStringLiteral("undo:") + *scope.key);
    }
    const auto key = renderer.text(operation.key, Renderer::rootsOf(scope));
    if (!key)
        return key;
    if (key->isEmpty())
        return checkedKey(*key);
    const QString suffix = generationSuffix(scope);
    return checkedKey(target == Target::undo && key->endsWith(suffix) ? *key : *key + suffix);
}

Result<BuiltRequest> Evaluator::Private::build(const OperationTemplate &operation,
                                               const QString &step, const Scope &scope)
{
    const Roots roots = Renderer::rootsOf(scope);
    RequestBuilder builder(renderer, roots);
    if (operation.http)
        return builder.http(*operation.http);
    if (operation.command)
        return builder.command(*operation.command);
    if (operation.llm)
        return builder.llm(*operation.llm, step, subjectOf(scope));
    return noOperation();
}

Evaluator::Evaluator(model::Millis timeLimit) : d(std::make_unique<Private>(timeLimit)) {}
Evaluator::~Evaluator() = default;

Result<QString> Evaluator::eventId(const Workflow &workflow, const QJsonObject &input)
{
    if (workflow.eventId.isEmpty())
        return model::notFound(QStringLiteral("'%1' has no event_id; name one").arg(workflow.name));
    Scope scope;
    scope.input = input;
    const auto text = d->renderer.text(workflow.eventId, Renderer::rootsOf(scope));
    if (!text)
        return text;
    if (text->isEmpty() || text->size() > keyMax)
        return model::invalid(QStringLiteral("an event id has 1 to %1 characters").arg(keyMax));
    for (const QChar character : *text) {
        if (character.category() == QChar::Other_Control)
            return model::invalid(QStringLiteral("the event id holds a control character"));
    }
    return text;
}

Result<QJsonObject> Evaluator::outputs(const Workflow &workflow, const Scope &scope)
{
    const Roots roots = Renderer::rootsOf(scope);
    QJsonObject outputs;
    for (const auto &[name, source] : workflow.outputs) {
        const auto value = d->renderer.value(source, roots);
        if (!value)
            return value.error();
        outputs.insert(name, *value);
    }
    return outputs;
}

Result<bool> Evaluator::when(const Workflow &workflow, int step, const Scope &scope)
{
    if (!operationOf(workflow, step, Target::forward))
        return noOperation();
    const TextTemplate &when = workflow.steps.at(step).when;
    return when.isEmpty() ? Result<bool>(true)
                          : d->renderer.boolean(when, Renderer::rootsOf(scope));
}

Result<bool> Evaluator::check(const Workflow &workflow, int step, const Scope &scope)
{
    if (!operationOf(workflow, step, Target::forward))
        return noOperation();
    return d->renderer.boolean(workflow.steps.at(step).check, Renderer::rootsOf(scope));
}

Result<model::Instant> Evaluator::waitUntil(const Workflow &workflow, int step, const Scope &scope)
{
    if (!operationOf(workflow, step, Target::forward))
        return noOperation();
    const TextTemplate &until = workflow.steps.at(step).waitUntil;
    const auto value = d->renderer.value(until, Renderer::rootsOf(scope));
    if (!value)
        return value.error();
    if (value->isDouble() && value->toDouble() > 0)
        return model::Instant(value->toDouble());
    const auto instant = model::parseInstant(value->toString());
    if (!instant)
        return model::invalid(QStringLiteral("%1 is not an instant").arg(until.source().left(120)));
    return *instant;
}

Result<PreparedOperation> Evaluator::prepare(const Workflow &workflow, int step, Target target,
                                             const Scope &scope)
{
    const OperationTemplate *operation = operationOf(workflow, step, target);
    if (!operation || (!operation->http && !operation->command && !operation->llm))
        return noOperation();
    const auto key = d->keyOf(*operation, target, scope);
    if (!key)
        return key.error();
    Scope inner = scope;
    if (key->isEmpty())
        inner.key.reset();
    else
        inner.key = *key;
    const auto built = d->build(*operation, workflow.steps.at(step).step, inner);
    if (!built)
        return built.error();
    PreparedOperation prepared;
    prepared.operation = operationName(*operation);
    prepared.key = *key;
    prepared.request = built->request;
    const QString method =
        prepared.request.isCommand() ? QStringLiteral("command") : prepared.request.method;
    const QString path =
        prepared.request.isCommand() ? prepared.request.argv.join(QChar(0)) : prepared.request.path;
    prepared.hash = hashOf(prepared.operation, method, path, built->body);
    return prepared;
}

Result<model::Request> Evaluator::verifyRequest(const Workflow &workflow, int step, Target target,
                                                const Scope &scope)
{
    const OperationTemplate *operation = operationOf(workflow, step, target);
    if (!operation || !operation->verify)
        return noOperation();
    const Roots roots = Renderer::rootsOf(scope);
    RequestBuilder builder(d->renderer, roots);
    const auto built = operation->verify->http      ? builder.http(*operation->verify->http)
                       : operation->verify->command ? builder.command(*operation->verify->command)
                                                    : Result<BuiltRequest>(noOperation());
    if (!built)
        return built.error();
    return built->request;
}

Result<model::Request> Evaluator::snapshotRequest(const Workflow &workflow, int step,
                                                  const Scope &scope)
{
    if (!operationOf(workflow, step, Target::forward) || !workflow.steps.at(step).snapshot)
        return noOperation();
    const Roots roots = Renderer::rootsOf(scope);
    const auto built = RequestBuilder(d->renderer, roots).http(*workflow.steps.at(step).snapshot);
    if (!built)
        return built.error();
    return built->request;
}

Result<QJsonObject> Evaluator::snapshotReceipt(const Workflow &workflow, int step,
                                               const Scope &scope)
{
    if (!operationOf(workflow, step, Target::forward) || !scope.response)
        return noOperation();
    const ValueTemplate &keep = workflow.steps.at(step).snapshotReceipt;
    if (!keep.isAbsent())
        return d->renderer.object(keep, Renderer::rootsOf(scope));
    const QJsonValue body = scope.response->value(QLatin1String("body"));
    if (!body.isObject())
        return model::invalid(QStringLiteral("the snapshot is not an object; name what to 'keep'"));
    return body.toObject();
}

Result<QJsonObject> Evaluator::receipt(const Workflow &workflow, int step, Target target,
                                       const Scope &scope)
{
    const OperationTemplate *operation = operationOf(workflow, step, target);
    if (!operation || !scope.response)
        return noOperation();
    if (operation->llm) {
        // Even where fields are chosen, an answer that does not fit its schema is none.
        auto proposal = proposalOf(*operation->llm, scope);
        if (!proposal || operation->receipt.isAbsent())
            return proposal;
    }
    if (!operation->receipt.isAbsent())
        return d->renderer.object(operation->receipt, Renderer::rootsOf(scope));
    return QJsonObject{{QStringLiteral("status"), scope.response->value(QLatin1String("status"))},
                       {QStringLiteral("body"), scope.response->value(QLatin1String("body"))}};
}

Result<QJsonObject> Evaluator::verifyReceipt(const Workflow &workflow, int step, Target target,
                                             const Scope &scope)
{
    const OperationTemplate *operation = operationOf(workflow, step, target);
    if (!operation || !operation->verify || !scope.response)
        return noOperation();
    if (!operation->verify->receipt.isAbsent())
        return d->renderer.object(operation->verify->receipt, Renderer::rootsOf(scope));
    return QJsonObject{{QStringLiteral("status"), scope.response->value(QLatin1String("status"))},
                       {QStringLiteral("body"), scope.response->value(QLatin1String("body"))}};
}

Result<Verdict> Evaluator::verdict(const Workflow &workflow, int step, Target target,
                                   const Scope &scope)
{
    const OperationTemplate *operation = operationOf(workflow, step, target);
    if (!operation || !operation->verify)
        return noOperation();
    const Roots roots = Renderer::rootsOf(scope);
    const auto happened = d->renderer.boolean(operation->verify->happened, roots);
    if (!happened)
        return happened.error();
    if (operation->verify->absent.isEmpty())
        return *happened ? Verdict::happened : Verdict::unknown;
    const auto absent = d->renderer.boolean(operation->verify->absent, roots);
    if (!absent)
        return absent.error();
    if (*happened == *absent)
        return Verdict::unknown;
    return *happened ? Verdict::happened : Verdict::absent;
}

QVector<bool> Evaluator::classifyWhen(const Workflow &workflow, const Dependency *dependency,
                                      int step, Target target, const Scope &scope)
{
    QVector<bool> holds;
    const Roots roots = Renderer::rootsOf(scope);
    const auto add = [&](const QVector<TextTemplate> &rules) {
        for (const TextTemplate &when : rules) {
            if (when.isEmpty()) {
                holds.append(true);
                continue;
            }
            const auto value = d->renderer.boolean(when, roots);
            holds.append(value && *value);
        }
    };
    if (const OperationTemplate *operation = operationOf(workflow, step, target))
        add(operation->classifyWhen);
    if (dependency)
        add(dependency->classifyWhen);
    return holds;
}

} // namespace holdfast::contract
