#include "ui/style/status_look.h"

#include "model/run.h"

#include <array>

namespace holdfast::style
{

namespace
{
using model::RunStatus;

struct Entry {
    RunStatus status;
    const char16_t *shape;
    const char16_t *word;
    Token token;
    bool needsPerson;
};

constexpr std::array<Entry, 12> statusLooks{{
    {RunStatus::queued, u"○", u"Queued", Token::muted, false},
    {RunStatus::running, u"▶", u"Running", Token::busy, false},
    {RunStatus::waiting, u"◔", u"Waiting", Token::busy, false},
    {RunStatus::review, u"◆", u"Review", Token::attention, true},
    {RunStatus::compensating, u"↩", u"Compensating", Token::undoing, false},
    {RunStatus::held, u"‖", u"Held", Token::attention, false},
    {RunStatus::succeeded, u"✔", u"Succeeded", Token::good, false},
    {RunStatus::succeededPartial, u"◐", u"Succeeded partial", Token::good, false},
    {RunStatus::failed, u"✖", u"Failed", Token::bad, false},
    {RunStatus::compensated, u"↺", u"Compensated", Token::undoing, false},
    {RunStatus::compensationFailed, u"▲", u"Compensation failed", Token::bad, true},
    {RunStatus::cancelled, u"⊘", u"Cancelled", Token::muted, false},
}};
} // namespace

StatusLook statusLook(const QString &status)
{
    for (const Entry &entry : statusLooks) {
        if (model::runStatusName(entry.status) == status)
            return {status, QString::fromUtf16(entry.shape), QString::fromUtf16(entry.word),
                    entry.token, entry.needsPerson};
    }
    return {status, QStringLiteral("?"), status.left(40), Token::text, false};
}

const QStringList &statusNames()
{
    static const QStringList names = [] {
        QStringList list;
        for (const Entry &entry : statusLooks)
            list << model::runStatusName(entry.status);
        return list;
    }();
    return names;
}

const QVector<ReviewLook> &reviewLooks()
{
    static const QVector<ReviewLook> looks{
        {QStringLiteral("ambiguous"), QStringLiteral("Ambiguous")},
        {QStringLiteral("approval"), QStringLiteral("Approvals")},
        {QStringLiteral("compensation_failed"), QStringLiteral("Compensation failed")},
        {QStringLiteral("conflict"), QStringLiteral("Conflicts")},
        {QStringLiteral("dead_letter"), QStringLiteral("Dead letters")},
        {QStringLiteral("tripwire"), QStringLiteral("Tripwires")},
    };
    return looks;
}

} // namespace holdfast::style
