// Runs expressions that are more than a path, in a scope without clock, chance, globals of Qt or a
// way to leave anything behind for the next one. Arguments are fresh copies for each evaluation and
// the built-in objects are frozen, so expressions cannot influence each other.
#pragma once

#include "contract/expression_path.h"
#include "contract/watchdog.h"
#include "model/result.h"

#include <QHash>
#include <QJSEngine>
#include <QJSValue>
#include <array>

namespace holdfast::contract
{

// The values of the names, by Root; undefined where a name does not exist.
using Roots = std::array<QJsonValue, rootCount>;

class ScriptEngine
{
public:
    explicit ScriptEngine(model::Millis timeLimit);

    model::Result<QJsonValue> evaluate(const QString &expression, const Roots &roots);

private:
    struct Compiled {
        QJSValue function;
        std::array<bool, rootCount> uses{};
        QString error;
    };

    const Compiled &compile(const QString &expression);
    void freeze();

    QJSEngine m_engine;
    Watch m_watch;
    model::Millis m_timeLimit;
    QHash<QString, Compiled> m_compiled;
};

} // namespace holdfast::contract
