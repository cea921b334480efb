#include "contract/renderer.h"

#include "model/json.h"

namespace holdfast::contract
{

namespace
{
constexpr int nativeMax = 16384;

model::Error missing(const QString &expression)
{
    return model::invalid(QStringLiteral("${ %1 } has no value").arg(expression.left(120)));
}

Result<QString> textOf(const QString &expression, const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::String: return value.toString();
    case QJsonValue::Bool: return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    case QJsonValue::Double: return QString::fromLatin1(model::canonicalJson(value));
    case QJsonValue::Null:
    case QJsonValue::Undefined: return missing(expression);
    case QJsonValue::Array:
    case QJsonValue::Object: break;
    }
    return model::invalid(
        QStringLiteral("${ %1 } is a list or an object and cannot be part of a text")
            .arg(expression.left(120)));
}
} // namespace

Roots Renderer::rootsOf(const Scope &scope)
{
    Roots roots;
    roots.fill(QJsonValue(QJsonValue::Undefined));
    const auto put = [&](Root root, const QJsonValue &value) { roots[size_t(root)] = value; };
    put(Root::input, scope.input);
    put(Root::steps, scope.steps);
    put(Root::run, scope.run);
    if (scope.response)
        put(Root::response, *scope.response);
    if (scope.receipt)
        put(Root::receipt, *scope.receipt);
    if (scope.before)
        put(Root::before, *scope.before);
    if (scope.key)
        put(Root::key, *scope.key);
    return roots;
}

const Renderer::Native &Renderer::nativeOf(const QString &expression)
{
    const auto found = m_native.constFind(expression);
    if (found != m_native.constEnd())
        return *found;
    if (m_native.size() >= nativeMax)
        m_native.clear();
    Native native;
    native.path = parsePath(expression);
    if (!native.path)
        native.comparison = parseComparison(expression);
    return *m_native.insert(expression, native);
}

Result<QJsonValue> Renderer::evaluate(const QString &expression, const Roots &roots)
{
    const Native &native = nativeOf(expression);
    if (native.path) {
        const QJsonValue value = native.path->resolve(roots[size_t(native.path->root)]);
        if (value.isUndefined())
            return missing(expression);
        return value;
    }
    if (native.comparison) {
        const ExpressionPath &path = native.comparison->path;
        const QJsonValue value = path.resolve(roots[size_t(path.root)]);
        // Undefined is left to the script: reading a member of nothing is an error there.
        if (!value.isUndefined())
            return QJsonValue((value == native.comparison->constant) == native.comparison->isEqual);
    }
    if (!m_script)
        m_script = std::make_unique<ScriptEngine>(m_timeLimit);
    return m_script->evaluate(expression, roots);
}

Result<QString> Renderer::text(const TextTemplate &text, const Roots &roots, Encode encode)
{
    QString out;
    for (const auto &part : text.parts) {
        if (!part.isExpression) {
            out += part.text;
            continue;
        }
        const auto value = evaluate(part.text, roots);
        if (!value)
            return value.error();
        const auto piece = textOf(part.text, *value);
        if (!piece)
            return piece;
        out += encode ? encode(*piece) : *piece;
        if (out.size() > outputMax)
            return model::invalid(QStringLiteral("the text with ${ %1 } grows larger than %2 bytes")
                                      .arg(part.text.left(120))
                                      .arg(outputMax));
    }
    return out;
}

Result<QJsonValue> Renderer::value(const TextTemplate &source, const Roots &roots)
{
    if (source.isSingleExpression())
        return evaluate(source.parts.first().text, roots);
    const auto rendered = text(source, roots);
    if (!rendered)
        return rendered.error();
    return QJsonValue(*rendered);
}

Result<QJsonValue> Renderer::value(const ValueTemplate &source, const Roots &roots)
{
    switch (source.kind) {
    case ValueTemplate::Kind::absent: return QJsonValue(QJsonValue::Null);
    case ValueTemplate::Kind::literal: return source.literal;
    case ValueTemplate::Kind::text: return value(source.text, roots);
    case ValueTemplate::Kind::list: {
        QJsonArray array;
        for (const ValueTemplate &item : source.items) {
            const auto each = value(item, roots);
            if (!each)
                return each;
            array.append(*each);
        }
        return QJsonValue(array);
    }
    case ValueTemplate::Kind::map: {
        QJsonObject object;
        for (const auto &member : source.members) {
            const auto each = value(member.second, roots);
            if (!each)
                return each;
            object.insert(member.first, *each);
        }
        return QJsonValue(object);
    }
    }
    return QJsonValue(QJsonValue::Null);
}

Result<QJsonObject> Renderer::object(const ValueTemplate &source, const Roots &roots)
{
    const auto rendered = value(source, roots);
    if (!rendered)
        return rendered.error();
    const QJsonObject object = rendered->toObject();
    if (model::compactJson(object).size() > outputMax)
        return model::invalid(
            QStringLiteral("the result grows larger than %1 bytes").arg(outputMax));
    return object;
}

Result<bool> Renderer::boolean(const TextTemplate &source, const Roots &roots)
{
    const auto rendered = value(source, roots);
    if (!rendered)
        return rendered.error();
    if (rendered->isBool())
        return rendered->toBool();
    if (rendered->toString() == QLatin1String("true"))
        return true;
    if (rendered->toString() == QLatin1String("false"))
        return false;
    return model::invalid(
        QStringLiteral("%1 is neither true nor false").arg(source.source().left(120)));
}

} // namespace holdfast::contract
