#include "ui/widgets/plain_text.h"

#include <QList>

namespace holdfast::widgets
{

namespace
{
// Control, format (bidi overrides, zero-width, soft hyphen), separators, private and broken code
// points.
bool isHidden(char32_t code)
{
    const QChar::Category category = QChar::category(code);
    return (category >= QChar::Other_Control && category <= QChar::Other_NotAssigned) ||
           category == QChar::Separator_Line || category == QChar::Separator_Paragraph;
}
} // namespace

QString plainText(const QString &text, qsizetype lengthMax)
{
    QString shown;
    for (const uint code : text.toUcs4()) {
        if (shown.size() >= lengthMax)
            return shown + u'…';
        if (code == U'\n' || code == U'\t')
            shown += code == U'\n' ? u'⏎' : u' ';
        else if (isHidden(code))
            shown += QStringLiteral("[U+%1]").arg(code, 4, 16, QLatin1Char('0')).toUpper();
        else
            shown += QString::fromUcs4(reinterpret_cast<const char32_t *>(&code), 1);
    }
    return shown;
}

} // namespace holdfast::widgets
