// Definition files in, definitions and findings out. Every mistake is reported, not just the first.
#pragma once

#include "contract/definition.h"
#include "contract/finding.h"
#include "model/result.h"

#include <QByteArray>
#include <QMap>
#include <QVector>

namespace holdfast::contract
{

struct Parsed {
    QVector<Workflow> workflows;
    QVector<Dependency> dependencies;
    Findings findings; // syntax, structure and whatever can be judged within one document
};

// `file` may hold several documents separated by `---`.
Parsed parse(const QString &file, const QByteArray &text);

// Rules that need more than one document: a named dependency must exist in `known` or beside it,
// keys obey B6, protections fit retries, natural needs PUT or DELETE, and so on.
Findings lint(const Workflow &workflow, const QMap<QString, Dependency> &known);

// What the engine needs to know. Dependencies that are missing leave their fields at the safe
// default.
model::Policy policyOf(const Workflow &workflow, const QMap<QString, Dependency> &known);
model::DependencyPolicy policyOf(const Dependency &dependency);

// Draft-07 validation of a run's input; the error names the JSON pointer and what was expected.
model::Result<void> validateInput(const Workflow &workflow, const QJsonObject &input);

} // namespace holdfast::contract
