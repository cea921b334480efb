// A workflow version as its operators see it: each step's contract in force, at its line.
#pragma once

#include "control/definitions.h"

#include <QJsonArray>

namespace holdfast::control
{

QJsonArray stepsJson(const Definition &definition);
QJsonArray findingsJson(const contract::Findings &findings);

// What a workflow should have before it is trusted with real effects: [{"check", "ok", "why"}].
QJsonArray readinessJson(const Definition &definition);

// The same, step by step, and what else a contract leaves open.
struct ContractGap {
    QString step; // empty: of the workflow as a whole
    QString gap;  // in a few words
    QString why;  // what it leads to
};
QVector<ContractGap> contractGaps(const Definition &definition);

} // namespace holdfast::control
