// Collects findings for one file. Readers and rules write through it, so a place is never
// forgotten.
#pragma once

#include "contract/finding.h"
#include "contract/template.h"

namespace holdfast::contract
{

class Report
{
public:
    // One broken file must not fill a screen, or memory.
    static constexpr int findingsMax = 1000;

    explicit Report(const QString &file) : m_file(file) {}

    void error(const Place &place, const char *rule, const QString &message)
    {
        add(Finding::Severity::error, place, rule, message);
    }
    void warning(const Place &place, const char *rule, const QString &message)
    {
        add(Finding::Severity::warning, place, rule, message);
    }
    const QString &file() const { return m_file; }
    const Findings &findings() const { return m_findings; }
    bool hasErrorsSince(int count) const { return hasErrors(m_findings.mid(count)); }

private:
    void add(Finding::Severity severity, const Place &place, const char *rule,
             const QString &message)
    {
        if (m_findings.size() < findingsMax)
            m_findings.append(
                {severity, QString::fromLatin1(rule), message, m_file, place.line, place.column});
    }

    QString m_file;
    Findings m_findings;
};

} // namespace holdfast::contract
