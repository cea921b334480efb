// Workflows and dependencies as their files say it, with places for findings. Values only.
#pragma once

#include "contract/template.h"
#include "model/policy.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

namespace holdfast::contract
{

struct HttpTemplate {
    QString method;
    TextTemplate path; // expression values are percent-encoded
    QVector<QPair<QString, TextTemplate>> headers;
    ValueTemplate body;
    Place place;
};

struct CommandTemplate {
    QVector<TextTemplate> argv; // argv[0] is a literal
    ValueTemplate input;        // becomes JSON on stdin
    Place place;
};

struct LlmTemplate {
    QString model;
    TextTemplate prompt;
    QString promptVersion;
    QJsonObject schema;
    QJsonObject canary;
    Place place;
};

struct VerifyTemplate {
    std::optional<HttpTemplate> http;
    std::optional<CommandTemplate> command;
    TextTemplate happened;
    TextTemplate absent;
    ValueTemplate receipt;
    model::Millis settleAfter = 0;
};

// A step's own operation or its compensation.
struct OperationTemplate {
    std::optional<HttpTemplate> http;
    std::optional<CommandTemplate> command;
    std::optional<LlmTemplate> llm;
    TextTemplate key;
    ValueTemplate receipt;
    std::optional<VerifyTemplate> verify;
    QVector<TextTemplate> classifyWhen; // parallel to policy.classify; empty where a rule has none
    // Filled from this file alone; protection is optional because the dependency's is the default.
    model::OperationPolicy policy;
    std::optional<model::Protection> protection;
    std::optional<model::RetryPolicy> retry;
};

struct StepDefinition {
    QString step;
    QString owner; // whom to tell; empty: the workflow's
    model::StepKind kind = model::StepKind::http;
    OperationTemplate forward;
    std::optional<OperationTemplate> undo;
    bool compensateDeclared = false; // `compensate` was written, be it `none`
    QString correction;
    TextTemplate when;
    TextTemplate check;
    TextTemplate waitUntil;
    std::optional<HttpTemplate> snapshot;
    ValueTemplate
        snapshotReceipt;      // which fields of the response are kept as `before`; absent: the body
    model::StepPolicy policy; // everything but what a dependency decides
    Place place;
};

struct Workflow {
    QString name;
    int version = 0;
    QString owner;
    model::Millis deadline = 0;
    TextTemplate eventId;
    QJsonObject inputSchema;
    QVector<QPair<QString, ValueTemplate>> outputs;
    QVector<StepDefinition> steps;
    QString file;
    QString source; // this document's text, as it was written
    QString hash;   // SHA-256 of its canonical form: comments and layout change nothing
    Place place;
};

struct Dependency {
    QString name;
    QString owner;
    QString url; // exact origin, no path; empty: only commands use it
    QVector<QPair<QString, TextTemplate>> headers; // the only place where `secret` exists
    QString keyHeader = QStringLiteral("Idempotency-Key");
    model::Protection protection = model::Protection::none;
    model::Millis retention = 0;
    bool allowPrivate = false;
    QVector<model::ClassifyRule> classify;
    QVector<TextTemplate> classifyWhen;
    model::BreakerPolicy breaker;
    model::LimitPolicy limit;
    int revision = 0; // set by whoever loads it from the store
    QString file;
    QString source;
    QString hash;
    Place place;
};

} // namespace holdfast::contract
