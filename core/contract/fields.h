// Typed access to the members of one YAML map. Whatever was not asked for by the end is an unknown
// key.
#pragma once

#include "contract/yaml_reader.h"
#include "model/time.h"

#include <QSet>
#include <QStringList>
#include <optional>

namespace holdfast::contract
{

class Fields
{
public:
    // `what` names the map for a person: "a step", "retry".
    Fields(Report &report, const YamlNode &node, const QString &what);

    // False: not a map; that has been reported and nothing will be found.
    bool isMap() const { return m_node.kind == YamlNode::Kind::map; }
    const Place &place() const { return m_node.place; }
    bool has(const char *name) const;
    const YamlNode *find(const char *name);
    const YamlNode *require(const char *name);

    QString text(const char *name, const QString &otherwise = QString());
    std::optional<bool> boolean(const char *name);
    std::optional<int> integer(const char *name, int least, int most);
    std::optional<model::Millis> duration(const char *name);
    // One of the words, or nothing.
    std::optional<QString> word(const char *name, const QStringList &words);

    void refuseUnknown();

private:
    Report &m_report;
    const YamlNode &m_node;
    QString m_what;
    QSet<QString> m_known;
};

// [a-z][a-z0-9_-]{0,62}
bool isName(const QString &text);
// The same without '-', because it must also be a name in an expression.
bool isStepName(const QString &text);

} // namespace holdfast::contract
