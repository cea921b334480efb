#include "contract/expression_tokens.h"

#include "contract/expression_scan.h"

namespace holdfast::contract
{

namespace
{
bool beginsName(QChar character)
{
    return character.isLetter() || character == QLatin1Char('_') || character == QLatin1Char('$');
}

bool continuesName(QChar character) { return beginsName(character) || character.isDigit(); }

class Tokenizer
{
public:
    Tokenizer(const QString &text, qsizetype from) : m_text(text), m_at(from) {}

    Tokens run(bool toClosingBrace)
    {
        while (m_tokens.error.isEmpty() && m_at < m_text.size()) {
            const QChar character = m_text.at(m_at);
            if (toClosingBrace && character == QLatin1Char('}') && m_brackets.isEmpty())
                break;
            step(character);
        }
        m_tokens.end = m_at;
        const bool isClosed = !toClosingBrace || m_at < m_text.size();
        if (m_tokens.error.isEmpty() && (!m_brackets.isEmpty() || !isClosed))
            m_tokens.error = QStringLiteral("a bracket is not closed");
        return m_tokens;
    }

private:
    void step(QChar character)
    {
        if (character.isSpace())
            ++m_at;
        else if (beginsName(character))
            add(Token::Kind::name, [](QChar each) { return continuesName(each); });
        else if (character.isDigit())
            add(Token::Kind::number,
                [](QChar each) { return continuesName(each) || each == QLatin1Char('.'); });
        else if (character == QLatin1Char('"') || character == QLatin1Char('\''))
            readString(character);
        else if (character == QLatin1Char('`'))
            readLiteral();
        else if (character == QLatin1Char('/'))
            readSlash();
        else
            readPunctuator(character);
    }

    template <typename Predicate>
    void add(Token::Kind kind, Predicate belongs)
    {
        const qsizetype start = m_at;
        while (m_at < m_text.size() && belongs(m_text.at(m_at)))
            ++m_at;
        m_tokens.list.append({kind, m_text.mid(start, m_at - start)});
    }

    void readString(QChar quote)
    {
        const qsizetype start = ++m_at;
        bool hasEscape = false;
        for (; m_at < m_text.size() && m_text.at(m_at) != quote; ++m_at) {
            if (m_text.at(m_at) == QLatin1Char('\\')) {
                hasEscape = true;
                ++m_at;
            }
        }
        if (m_at >= m_text.size()) {
            m_tokens.error = QStringLiteral("a string is not closed");
            return;
        }
        m_tokens.list.append(
            {Token::Kind::string, hasEscape ? QString() : m_text.mid(start, m_at - start)});
        ++m_at;
    }

    // The text between substitutions is a string; the substitutions are read as tokens in brackets.
    void readLiteral()
    {
        ++m_at;
        m_tokens.list.append({Token::Kind::string, QString()});
        while (m_at < m_text.size() && m_text.at(m_at) != QLatin1Char('`')) {
            if (m_text.at(m_at) == QLatin1Char('\\')) {
                m_at += 2;
            } else if (m_text.mid(m_at, 2) == QLatin1String("${")) {
                if (!readSubstitution())
                    return;
            } else {
                ++m_at;
            }
        }
        if (m_at >= m_text.size())
            m_tokens.error = QStringLiteral("a template literal is not closed");
        ++m_at;
    }

    bool readSubstitution()
    {
        if (m_nesting >= ExpressionScan::depthMax) {
            m_tokens.error = QStringLiteral("nested too deeply");
            return false;
        }
        Tokenizer inner(m_text, m_at + 2);
        inner.m_nesting = m_nesting + 1;
        const Tokens tokens = inner.run(true);
        if (!tokens.error.isEmpty()) {
            m_tokens.error = tokens.error;
            return false;
        }
        m_tokens.list.append({Token::Kind::punctuator, QStringLiteral("(")});
        m_tokens.list += tokens.list;
        m_tokens.list.append({Token::Kind::punctuator, QStringLiteral(")")});
        m_at = tokens.end + 1;
        return true;
    }

    bool regexMayBegin() const
    {
        if (m_tokens.list.isEmpty())
            return true;
        const Token &last = m_tokens.list.last();
        if (last.kind == Token::Kind::punctuator)
            return last.text != QLatin1String(")") && last.text != QLatin1String("]") &&
                   last.text != QLatin1String("}");
        return last.kind == Token::Kind::name &&
               (last.text == QLatin1String("return") || last.text == QLatin1String("typeof"));
    }

    void readSlash()
    {
        const QString two = m_text.mid(m_at, 2);
        if (two == QLatin1String("//") || two == QLatin1String("/*")) {
            m_tokens.error = QStringLiteral("a comment may not stand in an expression");
            return;
        }
        if (!regexMayBegin()) {
            readPunctuator(QLatin1Char('/'));
            return;
        }
        bool isInClass = false;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            const QChar character = m_text.at(m_at);
            if (character == QLatin1Char('\\'))
                ++m_at;
            else if (character == QLatin1Char('['))
                isInClass = true;
            else if (character == QLatin1Char(']'))
                isInClass = false;
            else if (character == QLatin1Char('/') && !isInClass)
                break;
        }
        if (m_at >= m_text.size()) {
            m_tokens.error = QStringLiteral("a regular expression is not closed");
            return;
        }
        ++m_at;
        while (m_at < m_text.size() && m_text.at(m_at).isLetter())
            ++m_at;
        m_tokens.list.append({Token::Kind::regex, QString()});
    }

    void readPunctuator(QChar character)
    {
        static const QString opening = QStringLiteral("([{");
        static const QString closing = QStringLiteral(")]}");
        if (opening.contains(character)) {
            m_brackets += closing.at(opening.indexOf(character));
            if (m_brackets.size() > ExpressionScan::depthMax)
                m_tokens.error = QStringLiteral("nested too deeply");
        } else if (closing.contains(character)) {
            if (!m_brackets.endsWith(character)) {
                m_tokens.error = QStringLiteral("a bracket is closed that was not opened");
                return;
            }
            m_brackets.chop(1);
        }
        for (const char *longer : {"...", "?.", "=>"}) {
            if (QStringView(m_text).mid(m_at).startsWith(QLatin1String(longer))) {
                m_tokens.list.append({Token::Kind::punctuator, QString::fromLatin1(longer)});
                m_at += m_tokens.list.last().text.size();
                return;
            }
        }
        m_tokens.list.append({Token::Kind::punctuator, QString(character)});
        ++m_at;
    }

    const QString &m_text;
    qsizetype m_at;
    int m_nesting = 0;
    QString m_brackets; // the closing ones that are owed
    Tokens m_tokens;
};
} // namespace

Tokens tokenize(const QString &text, qsizetype from, bool toClosingBrace)
{
    return Tokenizer(text, from).run(toClosingBrace);
}

} // namespace holdfast::contract
