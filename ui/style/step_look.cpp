#include "ui/style/step_look.h"

namespace holdfast::style
{

using namespace Qt::StringLiterals;

namespace
{
struct StepEntry {
    QLatin1String name;
    const char16_t *shape;
    const char16_t *word;
    Token token;
};

constexpr StepEntry stepLooks[] = {
    {"pending"_L1, u"·", u"Not started", Token::muted},
    {"running"_L1, u"▶", u"Running", Token::busy},
    {"held"_L1, u"‖", u"Held", Token::attention},
    {"waiting"_L1, u"◔", u"Waiting", Token::busy},
    {"approval"_L1, u"◆", u"Needs approval", Token::attention},
    {"ambiguous"_L1, u"◆", u"Ambiguous", Token::attention},
    {"verifying"_L1, u"◇", u"Verifying", Token::busy},
    {"review"_L1, u"◆", u"Review", Token::attention},
    {"succeeded"_L1, u"✔", u"Succeeded", Token::good},
    {"replayed"_L1, u"↻", u"Replayed", Token::good},
    {"pending_enrichment"_L1, u"◐", u"Pending", Token::attention},
    {"skipped"_L1, u"○", u"Skipped", Token::muted},
    {"failed"_L1, u"✖", u"Failed", Token::bad},
    {"compensating"_L1, u"↩", u"Compensating", Token::undoing},
    {"compensated"_L1, u"↺", u"Compensated", Token::undoing},
    {"compensation_failed"_L1, u"▲", u"Compensation failed", Token::bad},
    {"waived"_L1, u"○", u"Waived", Token::muted},
};

} // namespace

StatusLook stepLook(const QString &status)
{
    for (const StepEntry &entry : stepLooks) {
        if (status == entry.name)
            return {status, QString::fromUtf16(entry.shape), QString::fromUtf16(entry.word),
                    entry.token, false};
    }
    return {status, u"?"_s, status.left(40), Token::text, false};
}

} // namespace holdfast::style
