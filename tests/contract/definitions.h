// Definition texts for tests, small enough to read and valid until a test breaks them on purpose.
#pragma once

#include "contract/evaluator.h"
#include "contract/parser.h"
#include "model/json.h"

#include <QByteArray>
#include <QDebug>
#include <QTest>

namespace holdfast::tests
{

inline QByteArray dependencyText(const QByteArray &protection = "native",
                                 const QByteArray &extra = {})
{
    return "holdfast: 1\n"
           "dependency: payments\n"
           "owner: payments@example.com\n"
           "url: https://api.payments.example\n"
           "idempotency: {protection: " +
           protection + ", retention: 24h}\n" + extra;
}

inline QByteArray workflowText(const QByteArray &steps, const QByteArray &head = {})
{
    return "holdfast: 1\n"
           "workflow: billing\n"
           "version: 1\n"
           "owner: billing@example.com\n"
           "event_id: ${ input.id }\n" +
           head + "steps:\n" + steps;
}

// A step called `charge`; `key` and what follows replace the defaults.
inline QByteArray chargeText(const QByteArray &key = "charge:${ input.id }",
                             const QByteArray &extra = {})
{
    return "  - step: charge\n"
           "    dependency: payments\n"
           "    effect: write\n"
           "    key: \"" +
           key +
           "\"\n"
           "    http: {method: POST, path: /v1/charges, body: {amount: \"${ input.amount }\"}}\n"
           "    compensate: none\n" +
           extra;
}

inline bool hasFinding(const contract::Findings &findings, const QString &rule, int line = 0,
                       int column = 0)
{
    for (const auto &finding : findings) {
        if (finding.rule == rule && (line == 0 || finding.line == line) &&
            (column == 0 || finding.column == column))
            return true;
    }
    for (const auto &finding : findings)
        qInfo().noquote() << finding.text();
    return false;
}

inline contract::Findings checkAll(const QByteArray &text)
{
    const contract::Parsed parsed = contract::parse(QStringLiteral("test.yaml"), text);
    QMap<QString, contract::Dependency> known;
    for (const auto &dependency : parsed.dependencies)
        known.insert(dependency.name, dependency);
    contract::Findings findings = parsed.findings;
    for (const auto &workflow : parsed.workflows)
        findings += contract::lint(workflow, known);
    return findings;
}

inline contract::Workflow workflowFrom(const QByteArray &text)
{
    const contract::Parsed parsed = contract::parse(QStringLiteral("test.yaml"), text);
    for (const auto &finding : parsed.findings)
        qInfo().noquote() << finding.text();
    return parsed.workflows.isEmpty() ? contract::Workflow() : parsed.workflows.first();
}

// A run of that input, before its first step.
inline contract::Scope scopeOf(const QByteArray &input)
{
    contract::Scope scope;
    scope.input = model::parseJsonObject(input).value();
    scope.run = QJsonObject{{QStringLiteral("run_id"), QStringLiteral("r1")},
                            {QStringLiteral("event_id"), QStringLiteral("e1")},
                            {QStringLiteral("generation"), 1}};
    return scope;
}

} // namespace holdfast::tests
