#include "ui/widgets/code_highlighter.h"

#include "ui/style/theme.h"

#include <QRegularExpression>

namespace holdfast::widgets
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
QTextCharFormat inked(Token token)
{
    QTextCharFormat format;
    format.setForeground(style::colour(token));
    return format;
}
} // namespace

void CodeHighlighter::highlightBlock(const QString &text)
{
    static const QRegularExpression key(u"(?:^|[{,])\\s*(?:- )?(\"?[\\w.$-]+\"?)\\s*:(?=\\s|$)"_s);
    static const QRegularExpression expression(u"\\$\\{[^}]*\\}?"_s);
    static const QRegularExpression comment(u"(?:^|\\s)#.*$"_s);
    auto keys = key.globalMatch(text);
    while (keys.hasNext()) {
        const auto match = keys.next();
        setFormat(int(match.capturedStart(1)), int(match.capturedLength(1)), inked(Token::busy));
    }
    auto expressions = expression.globalMatch(text);
    while (expressions.hasNext()) {
        const auto match = expressions.next();
        setFormat(int(match.capturedStart()), int(match.capturedLength()), inked(Token::undoing));
    }
    const auto remark = comment.match(text);
    if (remark.hasMatch())
        setFormat(int(remark.capturedStart()), int(remark.capturedLength()), inked(Token::muted));
}

} // namespace holdfast::widgets
