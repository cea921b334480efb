#include "ui/dependencies/breaker_look.h"

#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QStringList>

namespace holdfast::dependencies
{

using namespace Qt::StringLiterals;
using style::Token;

QString breakerState(const QJsonObject &dependency)
{
    const QString state = dependency.value("breaker"_L1).toObject().value("state"_L1).toString();
    return state.isEmpty() ? u"closed"_s : state;
}

bool hasCalls(const QJsonObject &dependency)
{
    return dependency.value("counts"_L1).toObject().value("attempts"_L1).toDouble() > 0;
}

BreakerLook breakerLook(const QJsonObject &dependency, model::Instant now)
{
    const QString state = breakerState(dependency);
    if (state == "open"_L1) {
        const model::Instant until =
            widgets::instantOf(dependency.value("breaker"_L1).toObject().value("open_until"_L1));
        return {until > now ? u"✖ Open, tries in %1"_s.arg(widgets::durationText(until - now))
                            : u"✖ Open, tries with the next call"_s,
                Token::bad};
    }
    if (state == "half_open"_L1)
        return {u"◐ Half-open, one trial"_s, Token::attention};
    if (state != "closed"_L1)
        return {u"? "_s + widgets::plainText(state, 30), Token::muted};
    return {u"● Closed"_s, hasCalls(dependency) ? Token::good : Token::muted};
}

QString limitText(const QJsonObject &dependency)
{
    QStringList parts;
    if (const int most = dependency.value("concurrency"_L1).toInt(); most > 0)
        parts << u"%1 at once"_s.arg(most);
    if (const int rate = dependency.value("rate_per_second"_L1).toInt(); rate > 0)
        parts << u"%1/s"_s.arg(rate);
    return parts.isEmpty() ? u"none"_s : parts.join(u", "_s);
}

} // namespace holdfast::dependencies
