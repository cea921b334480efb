#include "ui/batch/batch_look.h"

namespace holdfast::batch
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
struct NamedLook {
    QLatin1String name;
    const char16_t *text;
    Token token;
};

template <std::size_t N>
Look lookOf(const NamedLook (&looks)[N], const QString &name)
{
    for (const NamedLook &look : looks) {
        if (look.name == name)
            return {QString::fromUtf16(look.text), look.token};
    }
    return {u"? "_s + name, Token::text};
}

constexpr NamedLook verdictLooks[] = {
    {"safe"_L1, u"✔ Safe", Token::good},
    {"verify"_L1, u"◆ Needs verify", Token::attention},
    {"duplicate"_L1, u"▲ Would duplicate", Token::bad},
    {"impossible"_L1, u"– Not possible", Token::muted},
};

constexpr NamedLook itemLooks[] = {
    {"pending"_L1, u"○ Pending", Token::text},  {"recorded"_L1, u"● Recorded", Token::busy},
    {"applied"_L1, u"✔ Applied", Token::good},  {"refused"_L1, u"▲ Refused", Token::bad},
    {"skipped"_L1, u"– Skipped", Token::muted}, {"apart"_L1, u"◆ Set apart", Token::attention},
};

constexpr NamedLook batchLooks[] = {
    {"running"_L1, u"▶ Running", Token::busy},
    {"held"_L1, u"‖ Held", Token::attention},
    {"done"_L1, u"✔ Done", Token::good},
    {"stopped"_L1, u"■ Stopped", Token::muted},
};
} // namespace

Look verdictLook(const QString &verdict) { return lookOf(verdictLooks, verdict); }
Look itemLook(const QString &state) { return lookOf(itemLooks, state); }
Look batchLook(const QString &state) { return lookOf(batchLooks, state); }

QString actText(const QString &act, const QString &verdict)
{
    const QString word = act.isEmpty() ? QString() : act.at(0).toUpper() + act.mid(1);
    return verdict.isEmpty() ? word : u"%1 as %2"_s.arg(word, verdict);
}

} // namespace holdfast::batch
