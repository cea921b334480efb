#include "contract/fields.h"

#include <cmath>

namespace holdfast::contract
{

Fields::Fields(Report &report, const YamlNode &node, const QString &what)
    : m_report(report), m_node(node), m_what(what)
{
    if (!isMap())
        m_report.error(node.place, "not_a_map", QStringLiteral("%1 must be a map").arg(what));
}

bool Fields::has(const char *name) const
{
    return isMap() && m_node.member(QString::fromLatin1(name));
}

const YamlNode *Fields::find(const char *name)
{
    const QString key = QString::fromLatin1(name);
    m_known.insert(key);
    return isMap() ? m_node.member(key) : nullptr;
}

const YamlNode *Fields::require(const char *name)
{
    const YamlNode *node = find(name);
    if (!node && isMap())
        m_report.error(m_node.place, "missing_key",
                       QStringLiteral("%1 needs '%2'").arg(m_what, QLatin1String(name)));
    return node;
}

QString Fields::text(const char *name, const QString &otherwise)
{
    const YamlNode *node = find(name);
    if (!node)
        return otherwise;
    if (node->kind != YamlNode::Kind::text || node->text.isEmpty()) {
        m_report.error(node->place, "wrong_type",
                       QStringLiteral("'%1' must be text").arg(QLatin1String(name)));
        return otherwise;
    }
    return node->text;
}

std::optional<bool> Fields::boolean(const char *name)
{
    const YamlNode *node = find(name);
    if (!node)
        return std::nullopt;
    if (node->kind != YamlNode::Kind::boolean) {
        m_report.error(node->place, "wrong_type",
                       QStringLiteral("'%1' must be true or false").arg(QLatin1String(name)));
        return std::nullopt;
    }
    return node->literal.toBool();
}

std::optional<int> Fields::integer(const char *name, int least, int most)
{
    const YamlNode *node = find(name);
    if (!node)
        return std::nullopt;
    const double number = node->literal.toDouble(least - 1.0);
    if (node->kind != YamlNode::Kind::number || number != std::trunc(number) || number < least ||
        number > most) {
        m_report.error(node->place, "wrong_type",
                       QStringLiteral("'%1' must be a whole number from %2 to %3")
                           .arg(QLatin1String(name))
                           .arg(least)
                           .arg(most));
        return std::nullopt;
    }
    return int(number);
}

std::optional<model::Millis> Fields::duration(const char *name)
{
    const YamlNode *node = find(name);
    if (!node)
        return std::nullopt;
    const auto duration =
        node->kind == YamlNode::Kind::text ? model::parseDuration(node->text) : std::nullopt;
    if (!duration)
        m_report.error(node->place, "duration",
                       QStringLiteral("'%1' must be a duration such as 500ms, 30s, 15m, 24h or 7d")
                           .arg(QLatin1String(name)));
    return duration;
}

std::optional<QString> Fields::word(const char *name, const QStringList &words)
{
    const YamlNode *node = find(name);
    if (!node)
        return std::nullopt;
    if (!node->isScalar() || !words.contains(node->text)) {
        m_report.error(node->place, "wrong_word",
                       QStringLiteral("'%1' must be one of: %2")
                           .arg(QLatin1String(name), words.join(QLatin1String(", "))));
        return std::nullopt;
    }
    return node->text;
}

void Fields::refuseUnknown()
{
    for (const auto &member : m_node.members) {
        if (!m_known.contains(member.name))
            m_report.error(member.place, "unknown_key",
                           QStringLiteral("%1 has no key '%2'").arg(m_what, member.name.left(80)));
    }
}

namespace
{
bool matches(const QString &text, bool dashAllowed)
{
    if (text.isEmpty() || text.size() > 63 || text.at(0) < QLatin1Char('a') ||
        text.at(0) > QLatin1Char('z'))
        return false;
    for (const QChar character : text) {
        const bool good = (character >= QLatin1Char('a') && character <= QLatin1Char('z')) ||
                          (character >= QLatin1Char('0') && character <= QLatin1Char('9')) ||
                          character == QLatin1Char('_') ||
                          (dashAllowed && character == QLatin1Char('-'));
        if (!good)
            return false;
    }
    return true;
}
} // namespace

bool isName(const QString &text) { return matches(text, true); }

bool isStepName(const QString &text) { return matches(text, false); }

} // namespace holdfast::contract
