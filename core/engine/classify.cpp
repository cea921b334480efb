#include "engine/classify.h"

namespace holdfast::engine
{

namespace
{
bool isRead(const OperationPolicy &policy, const AttemptEnded &report)
{
    return policy.effect == Effect::read || report.direction == Direction::verify ||
           report.direction == Direction::snapshot;
}

Classification as(FailureClass failureClass, const QString &reason)
{
    Classification result;
    result.failureClass = failureClass;
    result.reason = reason;
    return result;
}

bool matches(const ClassifyRule &rule, const AttemptEnded &report, bool when)
{
    if (rule.statusFrom != 0 || rule.statusTo != 0) {
        if (!report.error.isEmpty() && report.status <= 0)
            return false;
        if (report.status < rule.statusFrom || report.status > rule.statusTo)
            return false;
    }
    if (!rule.error.isEmpty() && rule.error != report.error)
        return false;
    return !rule.hasWhen || when;
}

// What never left this machine had no effect; whether trying again can help depends on why.
Classification notSent(const AttemptEnded &report)
{
    static const QStringList hopeless{
        QStringLiteral("certificate_invalid"), QStringLiteral("address_forbidden"),
        QStringLiteral("invalid_header"),      QStringLiteral("prepare_failed"),
        QStringLiteral("spawn_failed"),        QStringLiteral("unsupported"),
        QStringLiteral("invalid_request")};
    Classification result = as(FailureClass::transient, report.error);
    if (report.error == QLatin1String("secret_missing"))
        result.credentials = true;
    else if (hopeless.contains(report.error))
        result.failureClass = FailureClass::permanent;
    return result;
}

Classification byHttpStatus(const OperationPolicy &policy, const AttemptEnded &report, bool read)
{
    const int status = report.status;
    const FailureClass unsure = read ? FailureClass::transient : FailureClass::ambiguous;
    if (status == 401) {
        Classification result = as(FailureClass::transient, QStringLiteral("credentials_refused"));
        result.credentials = true;
        return result;
    }
    if (status == 409 && policy.protection == Protection::native && !read) {
        Classification result = as(FailureClass::transient, QStringLiteral("key_in_use"));
        result.inUse = true;
        return result;
    }
    if (status == 429)
        return as(FailureClass::transient, QStringLiteral("rate_limited"));
    if (status == 408)
        return as(unsure, QStringLiteral("request_timeout"));
    if (status >= 500)
        return as(unsure, QStringLiteral("server_error"));
    if (status >= 400)
        return as(FailureClass::permanent, QStringLiteral("refused"));
    if (status >= 300)
        return as(FailureClass::permanent, QStringLiteral("redirect"));
    return as(unsure, QStringLiteral("bad_reply"));
}

Classification byExitCode(const AttemptEnded &report, bool read)
{
    // 75 is what sysexits calls a temporary failure; a program that uses it says "nothing done, try
    // again".
    if (report.status == 75)
        return as(FailureClass::transient, QStringLiteral("temporary_failure"));
    return as(read ? FailureClass::transient : FailureClass::ambiguous,
              QStringLiteral("exit_code"));
}

bool isDone(const OperationPolicy &policy, const AttemptEnded &report)
{
    if (policy.kind == StepKind::command)
        return report.status == 0;
    return report.status >= 200 && report.status < 300;
}

Classification unreadable(const AttemptEnded &report, bool read)
{
    Classification result = as(read ? FailureClass::transient : FailureClass::ambiguous,
                               QStringLiteral("result_unreadable"));
    Q_UNUSED(report);
    result.happened = !read;
    return result;
}
} // namespace

Classification classify(const OperationPolicy &policy, const AttemptEnded &report)
{
    const bool read = isRead(policy, report);
    const bool done =
        report.sent && isDone(policy, report) && (report.status > 0 || report.error.isEmpty());
    for (qsizetype i = 0; i < policy.classify.size(); ++i) {
        const ClassifyRule &rule = policy.classify.at(i);
        if (!matches(rule, report, report.classifyWhen.value(i, false)))
            continue;
        if (rule.failureClass == FailureClass::none)
            break;
        // What only reads, or was never sent, cannot be in doubt, whatever a rule says.
        const bool isUnsureRead =
            (read || !report.sent) && rule.failureClass == FailureClass::ambiguous;
        return as(isUnsureRead ? FailureClass::transient : rule.failureClass, rule.reason);
    }
    if (!report.sent)
        return notSent(report);
    if (done && report.error.isEmpty())
        return report.readable ? Classification{} : unreadable(report, read);
    if (done && policy.kind != StepKind::command)
        return unreadable(report, read);
    if (!report.error.isEmpty())
        return as(read ? FailureClass::transient : FailureClass::ambiguous, report.error);
    if (policy.kind == StepKind::command)
        return byExitCode(report, read);
    if (policy.isDelete && policy.protection == Protection::natural &&
        (report.status == 404 || report.status == 410))
        return {};
    return byHttpStatus(policy, report, read);
}

LateReport lateReport(const OperationPolicy &policy, const AttemptEnded &ended)
{
    const Classification classification = classify(policy, ended);
    LateReport report;
    report.step = ended.step;
    report.direction = ended.direction;
    report.attempt = ended.attempt;
    report.failureClass = classification.failureClass;
    report.happened = classification.happened;
    report.receipt = ended.receipt;
    report.evidence = ended.evidence;
    return report;
}

const QVector<BuiltInRule> &builtInRules()
{
    static const QVector<BuiltInRule> rules{
        {"not sent: DNS, refused, connect time-out, TLS", "any", "transient", "dns_failure …"},
        {"not sent: certificate, forbidden address, bad header", "any", "permanent",
         "certificate_invalid …"},
        {"time-out, reset, empty reply after sending", "write", "ambiguous", "timeout, reset …"},
        {"time-out, reset, empty reply after sending", "read", "transient", "timeout, reset …"},
        {"2xx whose body cannot be read", "write", "ambiguous", "result_unreadable"},
        {"408, 5xx", "write", "ambiguous", "request_timeout, server_error"},
        {"408, 5xx", "read", "transient", "request_timeout, server_error"},
        {"429", "any", "transient", "rate_limited"},
        {"401, missing secret", "any", "transient; pauses the dependency", "credentials_refused"},
        {"409 at protection native", "write", "transient; asks again", "key_in_use"},
        {"404, 410 on a natural DELETE", "write", "none: it happened", "ok"},
        {"other 4xx", "any", "permanent", "refused"},
        {"3xx", "any", "permanent; never followed", "redirect"},
        {"command exit 75", "any", "transient", "temporary_failure"},
        {"other command exit", "write", "ambiguous", "exit_code"},
    };
    return rules;
}

} // namespace holdfast::engine
