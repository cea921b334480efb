#include "ui/ledger/key_look.h"

#include "ui/widgets/plain_text.h"

#include <array>

namespace holdfast::ledger
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
struct Entry {
    const char *status;
    const char16_t *text;
    Token token;
};

constexpr std::array<Entry, 5> table{{{"processing", u"▶ Processing", Token::busy},
                                      {"succeeded", u"✔ Succeeded", Token::good},
                                      {"failed", u"✖ Failed", Token::bad},
                                      {"compensated", u"↺ Compensated", Token::undoing},
                                      {"expired", u"○ Expired", Token::muted}}};
} // namespace

KeyLook keyLook(const QString &status)
{
    for (const Entry &entry : table) {
        if (status == QLatin1String(entry.status))
            return {QString::fromUtf16(entry.text), entry.token};
    }
    return {u"? "_s + widgets::plainText(status, 40), Token::text};
}

const QStringList &keyStatuses()
{
    static const QStringList names = [] {
        QStringList list;
        for (const Entry &entry : table)
            list << QLatin1String(entry.status);
        return list;
    }();
    return names;
}

} // namespace holdfast::ledger
