#include "contract/key_rules.h"
#include "contract/parser.h"

namespace holdfast::contract
{

namespace
{
using model::Protection;

class Linter
{
public:
    Linter(Report &report, const QMap<QString, Dependency> &known)
        : m_report(report), m_known(known)
    {
    }

    void check(const StepDefinition &step)
    {
        m_step = step.step;
        const bool isOutside = step.kind == model::StepKind::http ||
                               step.kind == model::StepKind::command ||
                               step.kind == model::StepKind::llm;
        if (!isOutside)
            return;
        checkOperation(step, step.forward, QString());
        if (step.undo)
            checkOperation(step, *step.undo, QStringLiteral("the compensation of "));
        if (step.policy.detached && step.undo)
            m_report.warning(step.place, "detached_compensation",
                             QStringLiteral("step '%1' is detached: its failure never starts a "
                                            "compensation")
                                 .arg(m_step));
    }

private:
    void checkOperation(const StepDefinition &step, const OperationTemplate &operation,
                        const QString &of)
    {
        const Place place = operation.http      ? operation.http->place
                            : operation.command ? operation.command->place
                                                : step.place;
        const QString who = of + QStringLiteral("step '%1'").arg(m_step);
        const Dependency *dependency = checkDependency(operation, place, who);
        const auto &policy = operation.policy;
        if (policy.effect == model::Effect::read) {
            if (operation.http && operation.http->method == QLatin1String("POST"))
                m_report.warning(place, "read_with_post",
                                 QStringLiteral("%1 sends POST as a read and will be repeated "
                                                "freely")
                                     .arg(who));
            return;
        }
        const Protection protection =
            operation.protection.value_or(dependency ? dependency->protection : Protection::none);
        checkProtection(operation, protection, place, who);
        if (protection == Protection::native && operation.protection && dependency &&
            dependency->retention == 0)
            m_report.warning(place, "native_retention",
                             QStringLiteral("%1 relies on '%2' remembering its key, and its file "
                                            "does not say for how long; 24h is assumed")
                                 .arg(who, policy.dependency));
    }

    const Dependency *checkDependency(const OperationTemplate &operation, const Place &place,
                                      const QString &who)
    {
        const QString &name = operation.policy.dependency;
        if (name.isEmpty())
            return nullptr;
        const auto found = m_known.constFind(name);
        if (found == m_known.constEnd()) {
            m_report.error(place, "unknown_dependency",
                           QStringLiteral("%1 names the dependency '%2', which is not defined")
                               .arg(who, name));
            return nullptr;
        }
        const bool needsUrl =
            operation.http || operation.llm || (operation.verify && operation.verify->http);
        if (needsUrl && found->url.isEmpty())
            m_report.error(place, "dependency_url",
                           QStringLiteral("%1 calls '%2', which has no url").arg(who, name));
        return &*found;
    }

    void checkProtection(const OperationTemplate &operation, Protection protection,
                         const Place &place, const QString &who)
    {
        const QString method = operation.http ? operation.http->method : QString();
        switch (protection) {
        case Protection::native: return;
        case Protection::natural:
            if (method != QLatin1String("PUT") && method != QLatin1String("DELETE"))
                m_report.error(place, "natural_method",
                               QStringLiteral("%1 has protection natural, which holds for PUT and "
                                              "DELETE at an id of ours only")
                                   .arg(who));
            return;
        case Protection::probe:
            if (!operation.verify)
                m_report.warning(place, "probe_without_verify",
                                 QStringLiteral("%1 has protection probe and no verify: it acts as "
                                                "none, and an unclear outcome waits for a person")
                                     .arg(who));
            return;
        case Protection::none:
            if (operation.retry && operation.retry->attempts > 1)
                m_report.warning(place, "retry_without_protection",
                                 QStringLiteral("%1 has protection none: its retries cover only "
                                                "failures proven to have had no effect")
                                     .arg(who));
            return;
        }
    }

    Report &m_report;
    const QMap<QString, Dependency> &m_known;
    QString m_step;
};
} // namespace

Findings lint(const Workflow &workflow, const QMap<QString, Dependency> &known)
{
    Report report(workflow.file);
    checkKeys(report, workflow);
    Linter linter(report, known);
    for (const StepDefinition &step : workflow.steps)
        linter.check(step);
    if (workflow.eventId.isEmpty())
        report.warning(workflow.place, "event_id",
                       QStringLiteral("without 'event_id' every start needs one of its own"));
    return report.findings();
}

} // namespace holdfast::contract
