#include "contract/expression_scan.h"

#include "contract/expression_tokens.h"

#include <QSet>
#include <algorithm>

namespace holdfast::contract
{

namespace
{
bool isKeyword(const QString &name)
{
    static const QSet<QString> keywords = {
        QStringLiteral("true"),     QStringLiteral("false"),  QStringLiteral("null"),
        QStringLiteral("typeof"),   QStringLiteral("in"),     QStringLiteral("of"),
        QStringLiteral("new"),      QStringLiteral("return"), QStringLiteral("instanceof"),
        QStringLiteral("if"),       QStringLiteral("else"),   QStringLiteral("for"),
        QStringLiteral("while"),    QStringLiteral("do"),     QStringLiteral("break"),
        QStringLiteral("continue"), QStringLiteral("switch"), QStringLiteral("case"),
        QStringLiteral("default"),  QStringLiteral("let"),    QStringLiteral("const"),
        QStringLiteral("var"),      QStringLiteral("void"),   QStringLiteral("function"),
        QStringLiteral("try"),      QStringLiteral("catch"),  QStringLiteral("finally"),
        QStringLiteral("throw"),    QStringLiteral("delete")};
    return keywords.contains(name);
}

class NameUses
{
public:
    explicit NameUses(const QVector<Token> &tokens) : m_tokens(tokens) {}

    QVector<ExpressionScan::Use> uses()
    {
        for (int i = 0; i < m_tokens.size(); ++i)
            collectDeclared(i);
        QVector<ExpressionScan::Use> found;
        QString brackets;
        for (int i = 0; i < m_tokens.size(); ++i) {
            trackBrackets(brackets, i);
            if (m_tokens.at(i).kind != Token::Kind::name || isKeyword(m_tokens.at(i).text) ||
                isMember(i) || isObjectKey(i, brackets) || m_declared.contains(m_tokens.at(i).text))
                continue;
            found.append(useAt(i));
        }
        return found;
    }

private:
    bool is(int index, const char *text) const
    {
        return index >= 0 && index < m_tokens.size() &&
               m_tokens.at(index).kind == Token::Kind::punctuator &&
               m_tokens.at(index).text == QLatin1String(text);
    }
    bool isName(int index) const
    {
        return index >= 0 && index < m_tokens.size() &&
               m_tokens.at(index).kind == Token::Kind::name;
    }
    bool isName(int index, const char *text) const
    {
        return isName(index) && m_tokens.at(index).text == QLatin1String(text);
    }
    bool isMember(int index) const { return is(index - 1, ".") || is(index - 1, "?."); }

    bool isObjectKey(int index, const QString &brackets) const
    {
        return brackets.endsWith(QLatin1Char('{')) && is(index + 1, ":") &&
               (is(index - 1, "{") || is(index - 1, ","));
    }

    void trackBrackets(QString &brackets, int index) const
    {
        if (is(index, "(") || is(index, "[") || is(index, "{"))
            brackets += m_tokens.at(index).text;
        else if (is(index, ")") || is(index, "]") || is(index, "}"))
            brackets.chop(1);
    }

    void collectDeclared(int index)
    {
        if (is(index, "=>")) {
            if (isName(index - 1))
                m_declared.insert(m_tokens.at(index - 1).text);
            else if (is(index - 1, ")"))
                declareWithin(openingOf(index - 1), index - 1);
        } else if (isName(index, "let") || isName(index, "const") || isName(index, "var")) {
            int end = index + 1;
            while (end < m_tokens.size() && !is(end, "=") && !is(end, ";") && !isName(end, "of") &&
                   !isName(end, "in"))
                ++end;
            declareWithin(index, end);
        } else if (isName(index, "function") || isName(index, "catch")) {
            int open = index + 1;
            while (open < m_tokens.size() && !is(open, "("))
                ++open;
            declareWithin(index, closingOf(open));
        }
    }

    void declareWithin(int from, int to)
    {
        for (int i = std::max(from, 0); i < to && i < m_tokens.size(); ++i) {
            // A default value is a use, not a declaration.
            if (isName(i) && !isKeyword(m_tokens.at(i).text) && !isMember(i) && !is(i - 1, "="))
                m_declared.insert(m_tokens.at(i).text);
        }
    }

    int openingOf(int closing) const
    {
        int depth = 0;
        for (int i = closing; i >= 0; --i) {
            if (is(i, ")"))
                ++depth;
            else if (is(i, "(") && --depth == 0)
                return i;
        }
        return 0;
    }
    int closingOf(int opening) const
    {
        int depth = 0;
        for (int i = opening; i < m_tokens.size(); ++i) {
            if (is(i, "("))
                ++depth;
            else if (is(i, ")") && --depth == 0)
                return i;
        }
        return int(m_tokens.size());
    }

    ExpressionScan::Use useAt(int index) const
    {
        ExpressionScan::Use use{{m_tokens.at(index).text}, false};
        for (int i = index + 1;;) {
            if ((is(i, ".") || is(i, "?.")) && isName(i + 1)) {
                use.path.append(m_tokens.at(i + 1).text);
                i += 2;
                continue;
            }
            const int bracket = is(i, "?.") ? i + 1 : i;
            if (!is(bracket, "["))
                return use;
            const bool isLiteral = bracket + 2 < m_tokens.size() && is(bracket + 2, "]") &&
                                   (m_tokens.at(bracket + 1).kind == Token::Kind::number ||
                                    (m_tokens.at(bracket + 1).kind == Token::Kind::string &&
                                     !m_tokens.at(bracket + 1).text.isEmpty()));
            if (!isLiteral) {
                use.endsComputed = true;
                return use;
            }
            use.path.append(m_tokens.at(bracket + 1).text);
            i = bracket + 3;
        }
    }

    const QVector<Token> &m_tokens;
    QSet<QString> m_declared;
};
} // namespace

bool ExpressionScan::usesName(const QString &name) const
{
    return std::any_of(uses.cbegin(), uses.cend(),
                       [&](const Use &use) { return use.path.first() == name; });
}

ExpressionScan scanExpression(const QString &expression)
{
    ExpressionScan scan;
    if (expression.size() > ExpressionScan::lengthMax) {
        scan.error = QStringLiteral("longer than %1 characters").arg(ExpressionScan::lengthMax);
        return scan;
    }
    const Tokens tokens = tokenize(expression, 0, false);
    scan.error = tokens.error;
    if (scan.error.isEmpty() && tokens.list.isEmpty())
        scan.error = QStringLiteral("there is nothing between ${ and }");
    for (const Token &token : tokens.list) {
        // Both would bring strict mode, in which endless recursion cannot be interrupted.
        const bool isStrict =
            token.kind == Token::Kind::string
                ? token.text == QLatin1String("use strict")
                : token.kind == Token::Kind::name && token.text == QLatin1String("class");
        if (isStrict)
            scan.error = QStringLiteral("'%1' may not stand in an expression").arg(token.text);
    }
    if (scan.error.isEmpty())
        scan.uses = NameUses(tokens.list).uses();
    return scan;
}

qsizetype expressionEnd(const QString &text, qsizetype from)
{
    const Tokens tokens = tokenize(text, from, true);
    return tokens.error.isEmpty() ? tokens.end : -1;
}

} // namespace holdfast::contract
