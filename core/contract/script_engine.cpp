#include "contract/script_engine.h"

#include "contract/expression_check.h"

#include <QJSValueIterator>
#include <QJsonArray>
#include <QJsonObject>
#include <cmath>

namespace holdfast::contract
{

namespace
{
constexpr int compiledMax = 4096;
constexpr int resultDepthMax = 64;
constexpr int resultNodesMax = 100000;

// What is not on the list is removed rather than the other way round: a newer Qt may add globals.
// Functions that turn text into code or a small number into much memory are taken out or capped
// before all is frozen.
const char *const freezeSource = R"js((function(global, keep) {
    "use strict";
    const textMax = 262144;
    const itemsMax = 100000;
    const apply = Reflect.apply;
    const ownKeys = Reflect.ownKeys;
    const seen = new Set();
    const string = String.prototype;
    for (const name of ["repeat", "padStart", "padEnd"]) {
        const original = string[name];
        Object.defineProperty(string, name, {
            value: function(count, filler) {
                const size = name === "repeat" ? this.length * count : count;
                if (size > textMax)
                    throw new RangeError("too long");
                return apply(original, this, filler === undefined ? [count] : [count, filler]);
            },
            writable: true, configurable: true
        });
    }
    // The engine's own loops cannot be interrupted, so what they walk must be small.
    const guard = function(object, name, lengthOf) {
        const original = object[name];
        Object.defineProperty(object, name, {
            value: function(...values) {
                if (lengthOf(this, values) > itemsMax)
                    throw new RangeError("too long");
                return apply(original, this, values);
            },
            writable: true, configurable: true
        });
    };
    for (const name of Object.getOwnPropertyNames(Array.prototype)) {
        if (name !== "constructor" && typeof Array.prototype[name] === "function")
            guard(Array.prototype, name, (self) => self ? self.length : 0);
    }
    guard(Array, "from", (self, values) => values[0] ? values[0].length : 0);
    const generator = Object.getPrototypeOf(function*() {});
    for (const object of [Function.prototype, generator]) {
        if (Object.prototype.hasOwnProperty.call(object, "constructor"))
            Object.defineProperty(object, "constructor", {value: undefined});
    }
    delete Math.random;
    const roots = [generator, Object.getPrototypeOf([][Symbol.iterator]()),
                   Object.getPrototypeOf(""[Symbol.iterator]()), RegExp.prototype];
    const names = Object.getOwnPropertyNames(global);
    for (const name of names) {
        if (keep.indexOf(name) < 0)
            delete global[name];
        else
            roots.push(global[name]);
    }
    const visit = function(value) {
        if ((typeof value !== "object" && typeof value !== "function") || value === null ||
            value === global || seen.has(value))
            return;
        seen.add(value);
        for (const key of ownKeys(value)) {
            const property = Object.getOwnPropertyDescriptor(value, key);
            if (!property)
                continue;
            visit(property.value);
            visit(property.get);
            visit(property.set);
        }
        visit(Object.getPrototypeOf(value));
        Object.freeze(value);
    };
    roots.forEach(visit);
    Object.freeze(global);
}))js";

class ResultReader
{
public:
    QString error;

    QJsonValue read(const QJSValue &value, int depth = 0)
    {
        if (depth > resultDepthMax || ++m_nodes > resultNodesMax)
            return fail("is too large or refers to itself");
        if (value.isUndefined())
            return fail("has no value");
        if (value.isNull())
            return QJsonValue(QJsonValue::Null);
        if (value.isBool())
            return value.toBool();
        if (value.isNumber()) {
            if (!std::isfinite(value.toNumber()))
                return fail("is not a finite number");
            return value.toNumber();
        }
        if (value.isString())
            return value.toString();
        if (value.isCallable() || !value.isObject() || value.isRegExp() || value.isDate())
            return fail("is not plain data");
        return value.isArray() ? readArray(value, depth) : readObject(value, depth);
    }

private:
    QJsonValue fail(const char *why)
    {
        if (error.isEmpty())
            error = QString::fromLatin1(why);
        return QJsonValue(QJsonValue::Undefined);
    }

    QJsonValue readArray(const QJSValue &value, int depth)
    {
        QJsonArray array;
        const quint32 length = value.property(QStringLiteral("length")).toUInt();
        for (quint32 i = 0; i < length && error.isEmpty(); ++i)
            array.append(read(value.property(i), depth + 1));
        return array;
    }

    QJsonValue readObject(const QJSValue &value, int depth)
    {
        QJsonObject object;
        QJSValueIterator iterator(value);
        while (error.isEmpty() && iterator.next())
            object.insert(iterator.name(), read(iterator.value(), depth + 1));
        return object;
    }

    int m_nodes = 0;
};

model::Error failed(const QString &expression, const QString &why)
{
    return model::invalid(QStringLiteral("${ %1 } %2").arg(expression.left(120), why));
}
} // namespace

ScriptEngine::ScriptEngine(model::Millis timeLimit) : m_watch(m_engine), m_timeLimit(timeLimit)
{
    freeze();
}

void ScriptEngine::freeze()
{
    QJSValue keep = m_engine.newArray();
    quint32 count = 0;
    const QJSValue global = m_engine.globalObject();
    const QJSValue names =
        m_engine.evaluate(QStringLiteral("(function(g){return Object.getOwnPropertyNames(g)})"))
            .call({global});
    const quint32 length = names.property(QStringLiteral("length")).toUInt();
    for (quint32 i = 0; i < length; ++i) {
        const QString name = names.property(i).toString();
        if (isBuiltin(name))
            keep.setProperty(count++, name);
    }
    const QJSValue frozen =
        m_engine.evaluate(QString::fromLatin1(freezeSource)).call({global, keep});
    if (frozen.isError())
        qFatal("the scope of expressions cannot be frozen: %s", qPrintable(frozen.toString()));
}

const ScriptEngine::Compiled &ScriptEngine::compile(const QString &expression)
{
    const auto found = m_compiled.constFind(expression);
    if (found != m_compiled.constEnd())
        return *found;
    if (m_compiled.size() >= compiledMax)
        m_compiled.clear();
    Compiled compiled;
    const ExpressionScan scan = scanExpression(expression);
    compiled.error = scan.error;
    for (const auto &use : scan.uses) {
        if (const auto root = rootFromName(use.path.first()))
            compiled.uses[size_t(*root)] = true;
    }
    if (compiled.error.isEmpty()) {
        compiled.function = m_engine.evaluate(functionSource(expression));
        if (!compiled.function.isCallable())
            compiled.error = compiled.function.toString();
    }
    return *m_compiled.insert(expression, compiled);
}

model::Result<QJsonValue> ScriptEngine::evaluate(const QString &expression, const Roots &roots)
{
    const Compiled &compiled = compile(expression);
    if (!compiled.error.isEmpty())
        return failed(expression, compiled.error);
    QJSValueList arguments;
    for (int root = 0; root < rootCount; ++root) {
        const QJsonValue &value = roots[size_t(root)];
        arguments.append(compiled.uses[size_t(root)] && !value.isUndefined()
                             ? m_engine.toScriptValue(value)
                             : QJSValue(QJSValue::UndefinedValue));
    }
    ResultReader reader;
    m_watch.arm(m_timeLimit);
    const QJSValue result = compiled.function.call(arguments);
    const bool isError = result.isError();
    // Reading the result may run getters, so the limit holds for it too.
    const QJsonValue value = isError ? QJsonValue() : reader.read(result);
    const QString message = isError ? result.toString() : reader.error;
    if (m_watch.disarm())
        return failed(expression, QStringLiteral("took longer than %1 ms").arg(m_timeLimit));
    if (m_engine.hasError())
        m_engine.catchError();
    if (!message.isEmpty())
        return failed(expression, message);
    return value;
}

} // namespace holdfast::contract
