// YAML text as a bounded tree with places. The strict subset we accept: no tags, no merge keys, no
// duplicate keys, no tabs in the indentation, a cap on depth, size and on what aliases add.
#pragma once

#include "contract/report.h"

#include <QByteArray>
#include <QJsonValue>
#include <QString>
#include <QVector>
#include <memory>

namespace holdfast::contract
{

struct YamlNode {
    enum class Kind { null, boolean, number, text, list, map };
    struct Member;

    Kind kind = Kind::null;
    QString text;       // a scalar as written
    QJsonValue literal; // of null, boolean and number
    Place place;
    QVector<std::shared_ptr<const YamlNode>> items;
    QVector<Member> members;
    int nodes = 1;  // of this tree with its aliases expanded
    int height = 1; // levels of this tree

    bool isScalar() const { return kind != Kind::list && kind != Kind::map; }
    const YamlNode *member(const QString &name) const;
    QJsonValue toJson() const;
};

struct YamlNode::Member {
    QString name;
    Place place;
    std::shared_ptr<const YamlNode> value;
};

struct YamlDocument {
    std::shared_ptr<const YamlNode> root;
    QString source; // the document's text as it was written
};

struct YamlLimits {
    static constexpr qsizetype bytesMax = 1 << 20;
    static constexpr int depthMax = 64;
    static constexpr int aliasedNodesMax = 10000;
    static constexpr int documentsMax = 1000;
};

// Documents that could not be read are left out; the report says why. Never throws.
QVector<YamlDocument> readYaml(const QByteArray &text, Report &report);

} // namespace holdfast::contract
