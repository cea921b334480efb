#include "ui/style/group_look.h"

#include <array>

namespace holdfast::style
{

namespace
{
struct LookEntry {
    const char16_t *name;
    const char16_t *shape;
    const char16_t *word;
    Token token;
    bool needsPerson;
};

constexpr std::array<LookEntry, 6> groupLooks{{
    {u"new", u"●", u"New", Token::attention, true},
    {u"escalating", u"▲", u"Escalating", Token::bad, true},
    {u"regressed", u"↻", u"Regressed", Token::bad, true},
    {u"ongoing", u"○", u"Ongoing", Token::text, true},
    {u"archived", u"▽", u"Archived", Token::muted, false},
    {u"resolved", u"✔", u"Resolved", Token::good, false},
}};

constexpr std::array<LookEntry, 6> kindLooks{{
    {u"ambiguous", u"◆", u"Ambiguous", Token::attention, true},
    {u"approval", u"☑", u"Approval", Token::busy, true},
    {u"compensation_failed", u"▲", u"Compensation failed", Token::bad, true},
    {u"conflict", u"≠", u"Conflict", Token::undoing, true},
    {u"dead_letter", u"✖", u"Dead letter", Token::bad, true},
    {u"tripwire", u"⚑", u"Tripwire", Token::attention, true},
}};

StatusLook lookIn(const std::array<LookEntry, 6> &looks, const QString &name)
{
    for (const LookEntry &entry : looks) {
        if (name == QString::fromUtf16(entry.name))
            return {name, QString::fromUtf16(entry.shape), QString::fromUtf16(entry.word),
                    entry.token, entry.needsPerson};
    }
    return {name, QStringLiteral("?"), name.left(40), Token::text, true};
}
} // namespace

StatusLook groupLook(const QString &status) { return lookIn(groupLooks, status); }

StatusLook reviewLook(const QString &kind) { return lookIn(kindLooks, kind); }

} // namespace holdfast::style
