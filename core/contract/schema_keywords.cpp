#include "contract/schema_keywords.h"

#include <QHash>
#include <QSet>

namespace holdfast::contract
{

namespace
{
enum class Shape { plain, schema, schemaMap, schemaList, schemaOrList, dependencies, reference };

const QHash<QString, Shape> &keywords()
{
    static const QHash<QString, Shape> known = [] {
        QHash<QString, Shape> map;
        for (const char *name : {"$schema",
                                 "$id",
                                 "$comment",
                                 "title",
                                 "description",
                                 "default",
                                 "examples",
                                 "type",
                                 "enum",
                                 "const",
                                 "multipleOf",
                                 "maximum",
                                 "exclusiveMaximum",
                                 "minimum",
                                 "exclusiveMinimum",
                                 "maxLength",
                                 "minLength",
                                 "pattern",
                                 "maxItems",
                                 "minItems",
                                 "uniqueItems",
                                 "maxProperties",
                                 "minProperties",
                                 "required",
                                 "format"})
            map.insert(QString::fromLatin1(name), Shape::plain);
        for (const char *name : {"additionalItems", "additionalProperties", "contains",
                                 "propertyNames", "not", "if", "then", "else"})
            map.insert(QString::fromLatin1(name), Shape::schema);
        for (const char *name : {"properties", "patternProperties", "definitions"})
            map.insert(QString::fromLatin1(name), Shape::schemaMap);
        for (const char *name : {"allOf", "anyOf", "oneOf"})
            map.insert(QString::fromLatin1(name), Shape::schemaList);
        map.insert(QStringLiteral("items"), Shape::schemaOrList);
        map.insert(QStringLiteral("dependencies"), Shape::dependencies);
        map.insert(QStringLiteral("$ref"), Shape::reference);
        return map;
    }();
    return known;
}

class Checker
{
public:
    Checker(Report &report, const YamlNode &root)
        : m_report(report), m_definitions(root.member(QStringLiteral("definitions")))
    {
    }

    void check(const YamlNode &schema)
    {
        if (schema.kind == YamlNode::Kind::boolean)
            return;
        if (schema.kind != YamlNode::Kind::map) {
            error(schema.place, QStringLiteral("a schema must be a map"));
            return;
        }
        for (const auto &member : schema.members) {
            const auto shape = keywords().constFind(member.name);
            if (shape == keywords().constEnd())
                m_report.error(member.place, "schema_keyword",
                               QStringLiteral("'%1' is not a keyword of JSON Schema draft-07 that "
                                              "Holdfast checks")
                                   .arg(member.name.left(80)));
            else
                checkMember(member, *shape);
        }
    }

private:
    void error(const Place &place, const QString &message)
    {
        m_report.error(place, "schema", message);
    }

    void checkMember(const YamlNode::Member &member, Shape shape)
    {
        const YamlNode &value = *member.value;
        switch (shape) {
        case Shape::plain: checkPlain(member); return;
        case Shape::schema: check(value); return;
        case Shape::schemaMap:
            if (value.kind != YamlNode::Kind::map)
                error(value.place, QStringLiteral("'%1' must be a map").arg(member.name));
            for (const auto &each : value.members)
                check(*each.value);
            return;
        case Shape::schemaList: checkList(member); return;
        case Shape::schemaOrList:
            if (value.kind == YamlNode::Kind::list)
                checkList(member);
            else
                check(value);
            return;
        case Shape::dependencies:
            for (const auto &each : value.members) {
                if (each.value->kind == YamlNode::Kind::map)
                    check(*each.value);
            }
            return;
        case Shape::reference: checkReference(value); return;
        }
    }

    void checkList(const YamlNode::Member &member)
    {
        if (member.value->kind != YamlNode::Kind::list || member.value->items.isEmpty())
            error(member.value->place,
                  QStringLiteral("'%1' must be a list of schemas").arg(member.name));
        for (const auto &item : member.value->items)
            check(*item);
    }

    void checkPlain(const YamlNode::Member &member)
    {
        static const QSet<QString> types = {QStringLiteral("null"),    QStringLiteral("boolean"),
                                            QStringLiteral("integer"), QStringLiteral("number"),
                                            QStringLiteral("string"),  QStringLiteral("array"),
                                            QStringLiteral("object")};
        static const QSet<QString> formats = {QStringLiteral("date"), QStringLiteral("time"),
                                              QStringLiteral("date-time")};
        const YamlNode &value = *member.value;
        if (member.name == QLatin1String("format") && !formats.contains(value.text))
            error(value.place, QStringLiteral("'format' must be date, time or date-time"));
        if (member.name != QLatin1String("type"))
            return;
        const auto isType = [&](const YamlNode &node) {
            // A plain `null` here is the name of the type.
            return node.kind == YamlNode::Kind::null || types.contains(node.text);
        };
        bool good = value.isScalar() ? isType(value) : value.kind == YamlNode::Kind::list;
        for (const auto &item : value.items)
            good = good && item->isScalar() && isType(*item);
        if (!good)
            error(value.place, QStringLiteral("'type' must be one of null, boolean, integer, "
                                              "number, string, array, object, or a list of them"));
    }

    // Following a definition that leads back to itself would never end.
    void checkReference(const YamlNode &value)
    {
        const QString prefix = QStringLiteral("#/definitions/");
        const YamlNode *target = nullptr;
        if (m_definitions && value.text.startsWith(prefix))
            target = m_definitions->member(value.text.mid(prefix.size()));
        if (!target) {
            error(value.place, QStringLiteral("'$ref' must name one of this schema's definitions, "
                                              "as #/definitions/NAME"));
            return;
        }
        if (m_path.contains(target)) {
            error(value.place, QStringLiteral("a definition may not contain itself"));
            return;
        }
        if (m_done.contains(target))
            return;
        m_path.insert(target);
        check(*target);
        m_path.remove(target);
        m_done.insert(target);
    }

    Report &m_report;
    const YamlNode *m_definitions;
    QSet<const YamlNode *> m_path;
    QSet<const YamlNode *> m_done;
};
} // namespace

void checkSchema(Report &report, const YamlNode &schema) { Checker(report, schema).check(schema); }

} // namespace holdfast::contract
