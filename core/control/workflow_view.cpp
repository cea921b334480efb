#include "control/workflow_view.h"

#include "model/time.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
QString retryText(const model::OperationPolicy &policy)
{
    const model::RetryPolicy &retry = policy.retry;
    if (retry.attempts <= 1)
        return u"one attempt"_s;
    return u"%1 attempts, %2 apart, growing to %3"_s.arg(retry.attempts)
        .arg(model::durationText(retry.delay), model::durationText(retry.delayMax));
}

QString compensateText(const contract::StepDefinition &step)
{
    if (step.undo && step.undo->http)
        return step.undo->http->method + u' ' + step.undo->http->path.source();
    if (step.undo && step.undo->command && !step.undo->command->argv.isEmpty())
        return step.undo->command->argv.first().source();
    if (!step.correction.isEmpty())
        return u"none: "_s + step.correction;
    return step.policy.irreversible ? u"none"_s : QString();
}

bool callsOutside(const model::OperationPolicy &policy)
{
    return policy.kind == model::StepKind::http || policy.kind == model::StepKind::command ||
           policy.kind == model::StepKind::llm;
}

QJsonObject stepJson(const contract::StepDefinition &step, const model::StepPolicy &policy)
{
    const model::OperationPolicy &forward = policy.forward;
    const bool outside = callsOutside(forward);
    const auto textOrNull = [](const QString &text) {
        return text.isEmpty() ? QJsonValue() : QJsonValue(text);
    };
    return {{u"step"_s, step.step},
            {u"kind"_s, model::stepKindName(step.kind)},
            {u"effect"_s, model::effectName(forward.effect)},
            {u"dependency"_s, textOrNull(forward.dependency)},
            {u"key"_s, textOrNull(step.forward.key.source())},
            {u"protection"_s,
             outside ? QJsonValue(model::protectionName(forward.protection)) : QJsonValue()},
            {u"retry"_s, outside ? QJsonValue(retryText(forward)) : QJsonValue()},
            {u"timeout_ms"_s, outside ? QJsonValue(forward.timeout) : QJsonValue()},
            {u"verify"_s, forward.hasVerify},
            {u"compensate"_s, textOrNull(compensateText(step))},
            {u"on_failure"_s, model::onFailureName(policy.onFailure)},
            {u"when"_s, policy.hasWhen},
            {u"approval"_s, forward.approval.has_value()},
            {u"detached"_s, policy.detached},
            {u"line"_s, step.place.line}};
}

// One check over all steps it concerns: who breaks it is named.
class Check
{
public:
    explicit Check(const QString &name) : m_name(name) {}

    void step(const QString &name, bool isOk)
    {
        ++m_steps;
        if (!isOk)
            m_broken.append(name);
    }
    QJsonObject json(const QString &problem) const
    {
        const QString why =
            m_steps == 0 ? u"No step needs it."_s
            : m_broken.isEmpty()
                ? u"All %1 do."_s.arg(m_steps == 1 ? u"that need it"_s : u"%1 steps"_s.arg(m_steps))
                : problem.arg(m_broken.join(u", "_s));
        return {{u"check"_s, m_name}, {u"ok"_s, m_broken.isEmpty()}, {u"why"_s, why}};
    }

private:
    const QString m_name;
    int m_steps = 0;
    QStringList m_broken;
};

bool isProtected(const model::OperationPolicy &policy)
{
    return policy.protection == model::Protection::native ||
           policy.protection == model::Protection::natural ||
           (policy.protection == model::Protection::probe && policy.hasVerify);
}

// What can fail after a write leaves it standing, so it needs a way back; the last one does not.
QSet<QString> writesBeforeMore(const model::Policy &policy)
{
    QSet<QString> writes;
    bool more = false;
    for (auto step = policy.steps.crbegin(); step != policy.steps.crend(); ++step) {
        if (more && step->forward.effect != model::Effect::read)
            writes.insert(step->step);
        more = more || (callsOutside(step->forward) && !step->detached &&
                        step->onFailure == model::OnFailure::compensate);
    }
    return writes;
}
} // namespace

QVector<ContractGap> contractGaps(const Definition &definition)
{
    QVector<ContractGap> gaps;
    if (definition.workflow.owner.isEmpty())
        gaps.append({{}, u"no owner"_s, u"Nobody is named who would be asked."_s});
    const QSet<QString> needsWayBack = writesBeforeMore(definition.policy);
    const model::Millis deadline = definition.policy.deadline;
    for (qsizetype i = 0; i < definition.workflow.steps.size(); ++i) {
        const contract::StepDefinition &step = definition.workflow.steps.at(i);
        const model::OperationPolicy &policy = definition.policy.steps.at(i).forward;
        if (!callsOutside(policy))
            continue;
        if (deadline > 0 && policy.timeout > deadline)
            gaps.append({step.step, u"time-out above the deadline"_s,
                         u"One attempt may take %1, the whole run has %2."_s.arg(
                             model::durationText(policy.timeout), model::durationText(deadline))});
        if (policy.effect == model::Effect::read)
            continue;
        if (step.forward.key.isEmpty())
            gaps.append({step.step, u"no key"_s, u"A repeated write cannot be recognised."_s});
        if (policy.protection == model::Protection::probe && !policy.hasVerify)
            gaps.append({step.step, u"no verify"_s,
                         u"The target could be asked, and nothing asks it: a lost answer waits for "
                         "a person."_s});
        else if (!isProtected(policy))
            gaps.append({step.step, u"no protection"_s, u"A lost answer waits for a person."_s});
        if (needsWayBack.contains(step.step) && !step.undo)
            gaps.append({step.step, u"no compensation"_s,
                         u"What fails after it leaves its effect standing."_s});
        if (policy.effect == model::Effect::destructive && !policy.approval)
            gaps.append({step.step, u"no approval"_s, u"Nobody is asked before it destroys."_s});
    }
    return gaps;
}

QJsonArray stepsJson(const Definition &definition)
{
    QJsonArray list;
    for (qsizetype i = 0; i < definition.workflow.steps.size(); ++i)
        list.append(stepJson(definition.workflow.steps.at(i), definition.policy.steps.at(i)));
    return list;
}

QJsonArray findingsJson(const contract::Findings &findings)
{
    QJsonArray list;
    for (const contract::Finding &finding : findings) {
        const bool isError = finding.severity == contract::Finding::Severity::error;
        list.append(QJsonObject{{u"severity"_s, isError ? u"error"_s : u"warning"_s},
                                {u"rule"_s, finding.rule},
                                {u"message"_s, finding.message},
                                {u"file"_s, finding.file},
                                {u"line"_s, finding.line},
                                {u"column"_s, finding.column},
                                {u"text"_s, finding.text()}});
    }
    return list;
}

QJsonArray readinessJson(const Definition &definition)
{
    Check keys(u"Every write has a key"_s);
    Check retries(u"Every call says how it is retried"_s);
    Check compensations(u"Every write that more can fail after can be compensated"_s);
    Check protections(u"Every write is safe against a lost answer"_s);
    Check approvals(u"Every destructive step needs an approval"_s);
    const QSet<QString> needsWayBack = writesBeforeMore(definition.policy);
    for (qsizetype i = 0; i < definition.workflow.steps.size(); ++i) {
        const contract::StepDefinition &step = definition.workflow.steps.at(i);
        const model::OperationPolicy &policy = definition.policy.steps.at(i).forward;
        if (!callsOutside(policy))
            continue;
        retries.step(step.step, step.forward.retry.has_value());
        if (policy.effect == model::Effect::read)
            continue;
        keys.step(step.step, !step.forward.key.isEmpty());
        protections.step(step.step, isProtected(policy));
        if (needsWayBack.contains(step.step))
            compensations.step(step.step, step.undo.has_value());
        if (policy.effect == model::Effect::destructive)
            approvals.step(step.step, policy.approval.has_value());
    }
    const QString &owner = definition.workflow.owner;
    return {keys.json(u"Without one: %1."_s),
            retries.json(u"The default holds for %1."_s),
            compensations.json(u"No way back from %1."_s),
            protections.json(u"A lost answer of %1 waits for a person."_s),
            approvals.json(u"Without one: %1."_s),
            QJsonObject{{u"check"_s, u"It has an owner"_s},
                        {u"ok"_s, !owner.isEmpty()},
                        {u"why"_s, owner.isEmpty() ? u"Nobody is named."_s : owner + u'.'}}};
}

} // namespace holdfast::control
