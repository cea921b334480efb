#include "contract/finding.h"

#include <algorithm>

namespace holdfast::contract
{

QString Finding::text() const
{
    const QString name =
        severity == Severity::error ? QStringLiteral("error") : QStringLiteral("warning");
    return QStringLiteral("%1:%2:%3: %4: %5 [%6]")
        .arg(file, QString::number(line), QString::number(column), name, message, rule);
}

bool hasErrors(const Findings &findings)
{
    return std::any_of(findings.cbegin(), findings.cend(), [](const Finding &finding) {
        return finding.severity == Finding::Severity::error;
    });
}

} // namespace holdfast::contract
