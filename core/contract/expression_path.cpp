#include "contract/expression_path.h"

#include "contract/expression_tokens.h"
#include "model/json.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

namespace holdfast::contract
{

namespace
{
bool isPunctuator(const QVector<Token> &tokens, qsizetype index, const char *text)
{
    return index < tokens.size() && tokens.at(index).kind == Token::Kind::punctuator &&
           tokens.at(index).text == QLatin1String(text);
}

// Members that JavaScript objects have by themselves mean something else there than in plain data.
bool isPlainMember(const QString &name)
{
    static const QStringList special = {
        QStringLiteral("constructor"),    QStringLiteral("toString"),
        QStringLiteral("valueOf"),        QStringLiteral("hasOwnProperty"),
        QStringLiteral("toLocaleString"), QStringLiteral("isPrototypeOf")};
    return !name.startsWith(QLatin1String("__")) && !special.contains(name);
}

// Reads a path from the first token on and says how many tokens it took; 0: it is not one.
qsizetype readPath(const QVector<Token> &tokens, ExpressionPath &path)
{
    if (tokens.isEmpty() || tokens.first().kind != Token::Kind::name)
        return 0;
    const auto root = rootFromName(tokens.first().text);
    if (!root)
        return 0;
    path.root = *root;
    qsizetype at = 1;
    while (at < tokens.size()) {
        if (isPunctuator(tokens, at, ".") && at + 1 < tokens.size() &&
            tokens.at(at + 1).kind == Token::Kind::name && isPlainMember(tokens.at(at + 1).text)) {
            path.segments.append({tokens.at(at + 1).text, -1});
            at += 2;
            continue;
        }
        if (!isPunctuator(tokens, at, "[") || !isPunctuator(tokens, at + 2, "]"))
            break;
        bool isIndex = false;
        const int index = tokens.at(at + 1).text.toInt(&isIndex);
        const QString canonical = QString::number(index);
        if (tokens.at(at + 1).kind != Token::Kind::number || !isIndex ||
            canonical != tokens.at(at + 1).text)
            break;
        path.segments.append({canonical, index});
        at += 3;
    }
    return at;
}

std::optional<QJsonValue> constantFrom(const Token &token)
{
    if (token.kind == Token::Kind::string && !token.text.isEmpty())
        return token.text;
    if (token.kind == Token::Kind::name &&
        (token.text == QLatin1String("true") || token.text == QLatin1String("false")))
        return token.text == QLatin1String("true");
    if (token.kind == Token::Kind::number) {
        const auto number = model::parseJson(token.text.toUtf8());
        if (number && number->isDouble())
            return *number;
    }
    return std::nullopt;
}
} // namespace

QJsonValue ExpressionPath::resolve(const QJsonValue &from) const
{
    QJsonValue value = from;
    for (const Segment &segment : segments) {
        if (value.isObject()) {
            value = value.toObject().value(segment.name);
        } else if (value.isArray()) {
            const QJsonArray array = value.toArray();
            if (segment.index >= 0)
                value = segment.index < array.size() ? array.at(segment.index)
                                                     : QJsonValue(QJsonValue::Undefined);
            else if (segment.name == QLatin1String("length"))
                value = array.size();
            else
                return QJsonValue::Undefined;
        } else if (value.isString() && segment.name == QLatin1String("length")) {
            value = value.toString().size();
        } else {
            return QJsonValue::Undefined;
        }
    }
    return value;
}

std::optional<Root> rootFromName(const QString &name)
{
    static const QStringList names = {QStringLiteral("input"),   QStringLiteral("steps"),
                                      QStringLiteral("run"),     QStringLiteral("response"),
                                      QStringLiteral("receipt"), QStringLiteral("before"),
                                      QStringLiteral("key")};
    const auto index = names.indexOf(name);
    return index < 0 ? std::nullopt : std::optional<Root>(Root(index));
}

std::optional<ExpressionPath> parsePath(const QString &expression)
{
    const Tokens tokens = tokenize(expression, 0, false);
    ExpressionPath path;
    if (!tokens.error.isEmpty() || readPath(tokens.list, path) != tokens.list.size() ||
        tokens.list.isEmpty())
        return std::nullopt;
    return path;
}

std::optional<Comparison> parseComparison(const QString &expression)
{
    const Tokens tokens = tokenize(expression, 0, false);
    Comparison comparison;
    const qsizetype at = tokens.error.isEmpty() ? readPath(tokens.list, comparison.path) : 0;
    if (at == 0 || tokens.list.size() != at + 4)
        return std::nullopt;
    comparison.isEqual = isPunctuator(tokens.list, at, "=");
    if ((!comparison.isEqual && !isPunctuator(tokens.list, at, "!")) ||
        !isPunctuator(tokens.list, at + 1, "=") || !isPunctuator(tokens.list, at + 2, "="))
        return std::nullopt;
    const auto constant = constantFrom(tokens.list.at(at + 3));
    if (!constant)
        return std::nullopt;
    comparison.constant = *constant;
    return comparison;
}

} // namespace holdfast::contract
