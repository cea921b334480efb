// A person overrules a breaker: held open for a while, or closed at once.
#include "control/arguments.h"
#include "control/record.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 openForMax = 7 * model::day;
}

Result<QJsonValue> breaker(Context &context)
{
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known)
        return **known;
    const QJsonObject &arguments = context.arguments();
    const auto name = requiredText(arguments, "dependency");
    if (!name)
        return name.error();
    const auto state = requiredText(arguments, "state");
    if (!state)
        return state.error();
    if (*state != "open"_L1 && *state != "closed"_L1)
        return model::invalid(u"a breaker is forced open or closed"_s);
    const auto reason = reasonOf(arguments, true);
    if (!reason)
        return reason.error();
    const auto openFor = integerOr(arguments, "for_ms", model::hour);
    if (!openFor)
        return openFor.error();
    if (*openFor < 1 || *openFor > openForMax)
        return model::invalid(u"a breaker is forced open for at most 7d; use a pause for longer"_s);
    const auto found = context.store.dependency(*name, 0);
    if (!found)
        return found.error();
    if (!*found)
        return model::notFound(u"no dependency named %1 is deployed"_s.arg(*name));
    const auto now = context.store.now();
    if (!now)
        return now.error();
    ports::BreakerRow row;
    row.dependency = *name;
    row.state = *state;
    row.reason = *reason;
    if (*state == "open"_L1)
        row.openUntil = *now + *openFor;
    const QJsonObject answer{{u"dependency"_s, *name},
                             {u"state"_s, *state},
                             {u"open_until"_s, instantJson(row.openUntil)}};
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        if (const auto set = context.store.setBreaker(row); !set)
            return set;
        if (const auto kept = rememberAnswer(context, answer, *now); !kept)
            return kept;
        return context.store.appendAudit(auditRow(
            context, u"system"_s, *name, {{u"state"_s, *state}, {u"reason"_s, *reason}}, *now));
    });
    return written ? Result<QJsonValue>(QJsonValue(answer)) : Result<QJsonValue>(written.error());
}

} // namespace holdfast::control
