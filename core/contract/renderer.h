// Puts values into templates, once: what was inserted is never looked at again.
#pragma once

#include "contract/evaluator.h"
#include "contract/script_engine.h"

#include <QHash>
#include <optional>

namespace holdfast::contract
{

class Renderer
{
public:
    static constexpr qsizetype outputMax = 256 * 1024;

    explicit Renderer(model::Millis timeLimit) : m_timeLimit(timeLimit) {}

    // The value of one expression; undefined is an error.
    Result<QJsonValue> evaluate(const QString &expression, const Roots &roots);
    // Text in which values were inserted; each passes through `encode` first.
    using Encode = QString (*)(const QString &);
    Result<QString> text(const TextTemplate &text, const Roots &roots, Encode encode = nullptr);
    // A template that is one expression keeps the type of its value.
    Result<QJsonValue> value(const TextTemplate &text, const Roots &roots);
    Result<QJsonValue> value(const ValueTemplate &value, const Roots &roots);
    Result<QJsonObject> object(const ValueTemplate &value, const Roots &roots);
    Result<bool> boolean(const TextTemplate &text, const Roots &roots);

    static Roots rootsOf(const Scope &scope);

private:
    struct Native {
        std::optional<ExpressionPath> path;
        std::optional<Comparison> comparison;
    };
    const Native &nativeOf(const QString &expression);

    model::Millis m_timeLimit;
    QHash<QString, Native> m_native;
    // Made when the first expression needs it; most workers' expressions are paths.
    std::unique_ptr<ScriptEngine> m_script;
};

} // namespace holdfast::contract
