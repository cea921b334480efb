// The tokens of a JavaScript expression, as far as finding names needs them.
#pragma once

#include <QString>
#include <QVector>

namespace holdfast::contract
{

struct Token {
    enum class Kind { name, number, string, regex, punctuator };
    Kind kind = Kind::punctuator;
    QString text; // of a string: its value where it has no escapes
};

struct Tokens {
    QVector<Token> list;
    QString error;
    qsizetype end = 0; // where reading stopped: the closing brace, or the end of the text
};

// Reads to the end of the text, or, when asked, to the brace that closes the enclosing `${`. What
// stands in a template literal's `${ }` joins the same list, in brackets.
Tokens tokenize(const QString &text, qsizetype from, bool toClosingBrace);

} // namespace holdfast::contract
