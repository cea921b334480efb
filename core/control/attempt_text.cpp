#include "control/attempt_text.h"

#include "control/describe.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::Entry;
using model::FailureClass;

namespace
{
struct Phrase {
    QLatin1String reason;
    const char16_t *text;
};

// What kept the first byte from leaving.
constexpr Phrase notSent[] = {
    {"dns_failure"_L1, u"its name could not be resolved"},
    {"connect_refused"_L1, u"the connection was refused"},
    {"connect_timeout"_L1, u"no connection came about in time"},
    {"connect_failed"_L1, u"no connection came about"},
    {"tls_failed"_L1, u"the connection could not be secured"},
    {"certificate_invalid"_L1, u"its certificate is not valid"},
    {"address_forbidden"_L1, u"its address may not be called"},
    {"secret_missing"_L1, u"a secret it needs is missing"},
    {"too_late"_L1, u"the time in which it might have been sent was over"},
    {"cancelled"_L1, u"the worker was stopping"},
    {"invalid_header"_L1, u"a header of it is not valid"},
    {"invalid_request"_L1, u"the request is not valid"},
    {"prepare_failed"_L1, u"the request could not be made"},
    {"unsupported"_L1, u"this version cannot send it"},
    {"spawn_failed"_L1, u"the program could not be started"},
};

// What went wrong after it may have left.
constexpr Phrase sent[] = {
    {"timeout"_L1, u"no answer came in time"},
    {"reset"_L1, u"the connection was reset"},
    {"empty_reply"_L1, u"the connection was closed without an answer"},
    {"bad_reply"_L1, u"the answer made no sense"},
    {"truncated"_L1, u"the answer broke off"},
    {"too_large"_L1, u"the answer was larger than allowed"},
    {"killed"_L1, u"the program had to be ended"},
    {"worker_lost"_L1, u"the worker was lost while it was under way"},
};

template <std::size_t N>
QString phraseFor(const Phrase (&phrases)[N], const QString &reason)
{
    for (const Phrase &phrase : phrases) {
        if (reason == phrase.reason)
            return QString::fromUtf16(phrase.text);
    }
    return {};
}

bool isRead(const Entry &ended, const model::OperationPolicy *policy)
{
    return ended.direction == Direction::verify || ended.direction == Direction::snapshot ||
           (policy && policy->effect == model::Effect::read);
}

QString target(const model::OperationPolicy *policy)
{
    return policy && !policy->dependency.isEmpty() ? policy->dependency : u"The target"_s;
}

// A row of the dependency's own failure map, where that is what decided.
QString ruleText(const Entry &ended, const model::OperationPolicy *policy)
{
    if (!policy)
        return {};
    for (const model::ClassifyRule &rule : policy->classify) {
        const bool status = rule.statusFrom == 0 ||
                            (ended.status >= rule.statusFrom && ended.status <= rule.statusTo);
        if (!status || rule.reason != ended.reason || rule.failureClass != ended.failureClass)
            continue;
        const QString what = ended.status > 0 ? u"answered %1, which"_s.arg(ended.status)
                                              : u"did not answer, which"_s;
        return u"%1 %2 its file declares as %3 (%4)."_s.arg(
            target(policy), what, model::failureClassName(rule.failureClass),
            reasonText(rule.reason));
    }
    return {};
}

QString unsureText(const QString &what, bool read)
{
    return read ? u"%1; asking again is safe."_s.arg(what)
                : u"%1, so nobody knows whether it happened."_s.arg(what);
}

QString answeredText(const Entry &ended, const QString &who, bool read)
{
    const QString answer = u"%1 answered %2"_s.arg(who).arg(ended.status);
    const QString &reason = ended.reason;
    if (reason == "server_error"_L1 || reason == "request_timeout"_L1)
        return unsureText(answer + (read ? u""_s : u", which does not say what it did"_s), read);
    if (reason == "rate_limited"_L1)
        return answer + u": it refused for now and did nothing."_s;
    if (reason == "refused"_L1)
        return answer + u": it refused, so nothing was done."_s;
    if (reason == "redirect"_L1)
        return answer + u": a redirect is never followed, so nothing was done."_s;
    if (reason == "credentials_refused"_L1)
        return answer + u": it does not accept our credentials and did nothing."_s;
    if (reason == "key_in_use"_L1)
        return answer + u": it is still busy with this very key and is asked again."_s;
    if (reason == "result_unreadable"_L1)
        return read ? answer + u", but its answer could not be read; asking again is safe."_s
                    : answer + u", so it happened, but its answer could not be read."_s;
    if (reason == "temporary_failure"_L1)
        return u"The program ended with exit code 75: nothing was done, try again."_s;
    if (reason == "exit_code"_L1)
        return unsureText(u"The program ended with exit code %1"_s.arg(ended.status), read);
    return {};
}

QString verifiedText(const Entry &ended, const QString &who)
{
    if (ended.reason == "happened"_L1)
        return u"%1 was asked, and says that it happened."_s.arg(who);
    if (ended.reason == "absent"_L1)
        return u"%1 was asked, and knows nothing of it."_s.arg(who);
    if (ended.reason == "inconclusive"_L1)
        return u"%1 was asked, and its answer proves nothing either way."_s.arg(who);
    return {};
}

QString succeededText(const Entry &ended, const QString &who)
{
    if (ended.direction == Direction::snapshot)
        return u"%1 said how it was before."_s.arg(who);
    if (ended.status > 0)
        return u"%1 answered %2, and the receipt was read: it happened."_s.arg(who).arg(
            ended.status);
    return u"It happened, and the receipt was read."_s;
}
} // namespace

QString whyText(const Entry &ended, const model::OperationPolicy *policy)
{
    const QString who = target(policy);
    const bool read = isRead(ended, policy);
    if (ended.direction == Direction::verify) {
        if (const QString text = verifiedText(ended, who); !text.isEmpty())
            return text;
    }
    if (ended.failureClass == FailureClass::none)
        return succeededText(ended, who);
    if (const QString text = ruleText(ended, policy); !text.isEmpty())
        return text;
    if (const QString why = phraseFor(notSent, ended.reason); !why.isEmpty())
        return u"Nothing was sent, because %1: it had no effect."_s.arg(why);
    if (const QString text = answeredText(ended, who, read); !text.isEmpty())
        return text;
    if (const QString what = phraseFor(sent, ended.reason); !what.isEmpty())
        return unsureText(u"It was sent, and %1"_s.arg(what), read);
    return u"It ended as %1 (%2)."_s.arg(model::failureClassName(ended.failureClass),
                                         reasonText(ended.reason));
}

} // namespace holdfast::control
