#include "ui/inspector/attempt_look.h"

#include "ui/inspector/run_story.h"

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using style::StatusLook;
using style::Token;

namespace
{
struct Entry {
    QLatin1String name;
    const char16_t *shape;
    const char16_t *word;
    Token token;
};

constexpr Entry classes[] = {
    {"transient"_L1, u"↻", u"Transient", Token::busy},
    {"permanent"_L1, u"✖", u"Permanent", Token::bad},
    {"ambiguous"_L1, u"◆", u"Ambiguous", Token::attention},
};

constexpr Entry ended[] = {
    {"forward"_L1, u"✔", u"Confirmed", Token::good},
    {"verify"_L1, u"◇", u"Verified", Token::good},
    {"compensate"_L1, u"↺", u"Compensated", Token::undoing},
    {"snapshot"_L1, u"○", u"Read before", Token::muted},
};

constexpr Entry verdicts[] = {
    {"will_compensate"_L1, u"↩", u"Will compensate", Token::undoing},
    {"nothing_to_do"_L1, u"○", u"Nothing to do", Token::muted},
    {"verify_first"_L1, u"◆", u"Verify first", Token::attention},
    {"cannot"_L1, u"✖", u"Cannot", Token::bad},
};

template <std::size_t N>
StatusLook find(const Entry (&entries)[N], const QString &name)
{
    for (const Entry &entry : entries) {
        if (name == entry.name)
            return {name, QString::fromUtf16(entry.shape), QString::fromUtf16(entry.word),
                    entry.token, false};
    }
    return {name, u"?"_s, name.left(40), Token::text, false};
}
} // namespace

StatusLook verdictLook(const QString &verdict) { return find(verdicts, verdict); }

StatusLook attemptLook(const AttemptStory &attempt)
{
    if (attempt.isOpen())
        return {u"open"_s, u"▶"_s, u"On the wire"_s, Token::busy, false};
    if (!attempt.failureClass.isEmpty())
        return find(classes, attempt.failureClass);
    // A verify that ended well has an answer, not yet a verdict; what it found is its reason.
    if (attempt.direction == "verify"_L1 && attempt.reason == "absent"_L1)
        return {u"absent"_s, u"◇"_s, u"Absent"_s, Token::muted, false};
    return find(ended, attempt.direction);
}

} // namespace holdfast::inspector
