// Outside systems as they are deployed, with where their breaker stands.
#include "control/arguments.h"
#include "control/context.h"
#include "engine/classify.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
QJsonObject breakerJson(const ports::BreakerRow &row)
{
    return {{u"state"_s, row.state.isEmpty() ? u"closed"_s : row.state},
            {u"failures"_s, row.failures.size()},
            {u"open_until"_s, instantJson(row.openUntil)},
            {u"reason"_s, row.reason}};
}

QJsonArray classifyJson(const contract::Dependency &dependency)
{
    QJsonArray list;
    for (const model::ClassifyRule &rule : dependency.classify) {
        list.append(QJsonObject{{u"status_from"_s, rule.statusFrom},
                                {u"status_to"_s, rule.statusTo},
                                {u"error"_s, rule.error},
                                {u"when"_s, rule.hasWhen},
                                {u"class"_s, model::failureClassName(rule.failureClass)},
                                {u"reason"_s, rule.reason}});
    }
    return list;
}

// What holds where a dependency says nothing of its own.
QJsonArray builtInJson()
{
    QJsonArray list;
    for (const engine::BuiltInRule &rule : engine::builtInRules()) {
        list.append(QJsonObject{{u"when"_s, QString::fromUtf8(rule.match)},
                                {u"effect"_s, QString::fromUtf8(rule.applies)},
                                {u"class"_s, QString::fromUtf8(rule.failureClass)},
                                {u"reason"_s, QString::fromUtf8(rule.reason)}});
    }
    return list;
}
} // namespace

Result<QJsonValue> dependencies(Context &context)
{
    const auto rows = context.store.dependencies();
    if (!rows)
        return rows.error();
    const auto known = context.definitions.dependencies(context.store);
    if (!known)
        return known.error();
    const auto breakers = context.store.breakers();
    if (!breakers)
        return breakers.error();
    QMap<QString, ports::BreakerRow> byName;
    for (const ports::BreakerRow &row : *breakers)
        byName.insert(row.dependency, row);
    QJsonArray list;
    for (const ports::DependencyRow &row : *rows) {
        const contract::Dependency definition = known->value(row.name);
        QJsonObject json{{u"dependency"_s, row.name},
                         {u"revision"_s, row.revision},
                         {u"owner"_s, row.owner},
                         {u"url"_s, definition.url},
                         {u"protection"_s, model::protectionName(definition.protection)},
                         {u"retention_ms"_s, definition.retention},
                         {u"classify"_s, classifyJson(definition)},
                         {u"concurrency"_s, definition.limit.concurrency},
                         {u"rate_per_second"_s, definition.limit.ratePerSecond},
                         {u"breaker"_s, breakerJson(byName.value(row.name))},
                         {u"deployed_at"_s, instantJson(row.deployedAt)},
                         {u"deployed_by"_s, row.deployedBy}};
        if (context.arguments().value("source"_L1).toBool())
            json.insert(u"source"_s, row.source);
        list.append(json);
    }
    return QJsonValue(QJsonObject{{u"dependencies"_s, list}, {u"built_in"_s, builtInJson()}});
}

} // namespace holdfast::control
