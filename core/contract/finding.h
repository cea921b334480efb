// What a check of definition files found, at the line it concerns.
#pragma once

#include <QString>
#include <QVector>

namespace holdfast::contract
{

struct Finding {
    enum class Severity { error, warning };
    Severity severity = Severity::error;
    QString rule; // short stable name: unknown_key, duplicate_key, key_time, key_model_output, ...
    QString message;
    QString file;
    int line = 0; // 1-based
    int column = 0;

    QString text() const; // "file:line:column: error: message [rule]"
};

using Findings = QVector<Finding>;

bool hasErrors(const Findings &findings);

} // namespace holdfast::contract
