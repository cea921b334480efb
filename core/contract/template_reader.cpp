#include "contract/template_reader.h"

namespace holdfast::contract
{

namespace
{
bool isHeaderName(const QString &name)
{
    static const QString others = QStringLiteral("!#$%&'*+-.^_`|~");
    for (const QChar character : name) {
        if (character.unicode() > 0x7E ||
            (!character.isLetterOrNumber() && !others.contains(character)))
            return false;
    }
    return !name.isEmpty();
}

// These decide how the message is framed or whom it reaches; they are ours.
bool isReservedHeader(const QString &name)
{
    static const QStringList reserved = {
        QStringLiteral("host"),    QStringLiteral("content-length"),
        QStringLiteral("te"),      QStringLiteral("transfer-encoding"),
        QStringLiteral("upgrade"), QStringLiteral("connection"),
        QStringLiteral("trailer"), QStringLiteral("proxy-authorization"),
        QStringLiteral("expect")};
    return reserved.contains(name.toLower());
}

bool looksLikeSecret(const TextTemplate &text)
{
    static const char *const beginnings[] = {"sk_", "rk_", "whsec_", "ghp_", "xoxb-", "AKIA"};
    for (int i = 0; i < text.parts.size(); ++i) {
        const auto &part = text.parts.at(i);
        if (part.isExpression)
            continue;
        for (const char *beginning : beginnings) {
            if (part.text.contains(QLatin1String(beginning)))
                return true;
        }
        for (const char *scheme : {"bearer ", "basic "}) {
            const QString lower = part.text.toLower();
            const auto at = lower.indexOf(QLatin1String(scheme));
            if (at >= 0 && !lower.mid(at + qsizetype(qstrlen(scheme))).trimmed().isEmpty())
                return true;
        }
    }
    return false;
}

bool hasControlCharacter(const TextTemplate &text)
{
    for (const auto &part : text.parts) {
        for (const QChar character : part.text) {
            if (!part.isExpression && (character.unicode() < 0x20 || character.unicode() == 0x7F))
                return true;
        }
    }
    return false;
}

bool isCredentialHeader(const QString &name)
{
    const QString lower = name.toLower();
    return lower == QLatin1String("authorization") || lower == QLatin1String("x-api-key") ||
           lower == QLatin1String("api-key") || lower == QLatin1String("cookie");
}

void checkHeader(const ReadContext &context, const YamlNode::Member &member,
                 const TextTemplate &value)
{
    Report &report = context.report;
    if (!isHeaderName(member.name))
        report.error(member.place, "header_name",
                     QStringLiteral("'%1' is not a header's name").arg(member.name.left(80)));
    if (isReservedHeader(member.name))
        report.error(member.place, "header_name",
                     QStringLiteral("the header '%1' is set by Holdfast").arg(member.name));
    if (hasControlCharacter(value))
        report.error(value.place, "header_value",
                     QStringLiteral("a header's value may not hold CR, LF or NUL"));
    const bool isLiteral = value.parts.size() == 1 && !value.parts.first().isExpression;
    if (looksLikeSecret(value) || (isCredentialHeader(member.name) && isLiteral))
        report.error(value.place, "plain_secret",
                     QStringLiteral("a secret in plain text; write ${ secret.NAME } instead"));
}
} // namespace

TextTemplate splitTemplate(Report &report, const QString &text, const Place &place)
{
    TextTemplate result;
    result.place = place;
    qsizetype at = 0;
    while (at < text.size()) {
        const qsizetype begin = text.indexOf(QLatin1String("${"), at);
        if (begin != at)
            result.parts.append({false, text.mid(at, begin < 0 ? -1 : begin - at)});
        if (begin < 0)
            break;
        const qsizetype end = expressionEnd(text, begin + 2);
        if (end < 0) {
            report.error(place, "expression",
                         QStringLiteral("an expression is not closed, or cannot be read: '%1'")
                             .arg(text.mid(begin, 80)));
            break;
        }
        result.parts.append({true, text.mid(begin + 2, end - begin - 2).trimmed()});
        at = end + 1;
    }
    return result;
}

TextTemplate readTextTemplate(const ReadContext &context, const YamlNode &node, Names allowed)
{
    if (!node.isScalar() || node.kind == YamlNode::Kind::null) {
        context.report.error(node.place, "wrong_type", QStringLiteral("text is expected here"));
        return {};
    }
    const TextTemplate text = splitTemplate(context.report, node.text, node.place);
    context.expressions.check(text, allowed);
    return text;
}

ValueTemplate readValueTemplate(const ReadContext &context, const YamlNode &node, Names allowed)
{
    ValueTemplate value;
    value.place = node.place;
    switch (node.kind) {
    case YamlNode::Kind::null:
    case YamlNode::Kind::boolean:
    case YamlNode::Kind::number:
        value.kind = ValueTemplate::Kind::literal;
        value.literal = node.literal;
        break;
    case YamlNode::Kind::text:
        value.kind = ValueTemplate::Kind::text;
        value.text = readTextTemplate(context, node, allowed);
        break;
    case YamlNode::Kind::list:
        value.kind = ValueTemplate::Kind::list;
        for (const auto &item : node.items)
            value.items.append(readValueTemplate(context, *item, allowed));
        break;
    case YamlNode::Kind::map:
        value.kind = ValueTemplate::Kind::map;
        for (const auto &member : node.members)
            value.members.append({member.name, readValueTemplate(context, *member.value, allowed)});
        break;
    }
    return value;
}

QVector<QPair<QString, TextTemplate>> readHeaders(const ReadContext &context, const YamlNode &node,
                                                  Names allowed)
{
    QVector<QPair<QString, TextTemplate>> headers;
    if (node.kind != YamlNode::Kind::map) {
        context.report.error(node.place, "not_a_map", QStringLiteral("headers must be a map"));
        return headers;
    }
    for (const auto &member : node.members) {
        const TextTemplate value = readTextTemplate(context, *member.value, allowed);
        checkHeader(context, member, value);
        headers.append({member.name, value});
    }
    return headers;
}

} // namespace holdfast::contract
