#include "contract/source_edit.h"

#include "contract/yaml_reader.h"

#include <algorithm>

namespace holdfast::contract
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype contextLines = 2;

// A member of a map, or the item of a list that names itself so.
const YamlNode *childOf(const YamlNode &node, const QString &name)
{
    if (node.kind == YamlNode::Kind::map)
        return node.member(name);
    for (const auto &item : node.items) {
        const YamlNode *step = item->member(u"step"_s);
        if (step && step->text == name)
            return item.get();
    }
    return nullptr;
}

// How often a node stands in a tree: what an alias repeats cannot be changed in one place alone.
int timesIn(const YamlNode &tree, const YamlNode *node)
{
    int times = &tree == node ? 1 : 0;
    for (const auto &item : tree.items)
        times += timesIn(*item, node);
    for (const YamlNode::Member &member : tree.members)
        times += timesIn(*member.value, node);
    return times;
}

// a, b, c: value becomes "a: {b: {c: value}}".
QString nested(const QStringList &path, const QString &value)
{
    QString text = value;
    for (qsizetype i = path.size() - 1; i >= 0; --i) {
        const bool isInner = i + 1 < path.size();
        text = path.at(i) + u": "_s + (isInner ? u'{' + text + u'}' : text);
    }
    return text;
}

bool replaceScalar(QStringList &lines, const YamlNode &scalar, const QString &value)
{
    if (scalar.place.line < 1 || scalar.place.line > lines.size())
        return false;
    QString &line = lines[scalar.place.line - 1];
    const qsizetype at = scalar.place.column - 1;
    for (const QString &written :
         {scalar.text, u'"' + scalar.text + u'"', u'\'' + scalar.text + u'\''}) {
        if (scalar.text.isEmpty() || line.mid(at, written.size()) != written)
            continue;
        line.replace(at, written.size(), value);
        return true;
    }
    return false;
}

bool addToFlow(QStringList &lines, const YamlNode &map, const QString &text)
{
    QString &line = lines[map.place.line - 1];
    const bool isEmpty = map.members.isEmpty();
    line.insert(map.place.column, isEmpty ? text : text + u", "_s);
    return true;
}

bool isOneLine(const QStringList &lines, const YamlNode::Member &member)
{
    const YamlNode &value = *member.value;
    return value.isScalar() && value.place.line == member.place.line &&
           !value.text.contains(u'\n') &&
           lines.value(member.place.line - 1).contains(value.text.trimmed());
}

// Below the last member whose value ends on its own line, as far in as its neighbours; where there
// is none, above the first.
bool addToBlock(QStringList &lines, const YamlNode &map, const QString &text)
{
    for (auto member = map.members.crbegin(); member != map.members.crend(); ++member) {
        if (!isOneLine(lines, *member))
            continue;
        lines.insert(member->place.line, QString(member->place.column - 1, u' ') + text);
        return true;
    }
    if (map.members.isEmpty())
        return false;
    const Place place = map.members.first().place;
    const QString before = lines.value(place.line - 1).left(place.column - 1);
    if (!before.trimmed().isEmpty())
        return false;
    lines.insert(place.line - 1, before + text);
    return true;
}

bool addTo(QStringList &lines, const YamlNode &map, const QString &text)
{
    if (map.kind != YamlNode::Kind::map || map.place.line < 1 || map.place.line > lines.size())
        return false;
    const QString rest = lines.at(map.place.line - 1).mid(map.place.column - 1);
    return rest.startsWith(u'{') ? addToFlow(lines, map, text) : addToBlock(lines, map, text);
}

// One line of a diff, with the number it has in the new text.
struct DiffLine {
    QChar sign;
    QString text;
    qsizetype before = 0;
    qsizetype after = 0;
};

// What ends the last line begins no other.
QStringList linesOf(const QString &text)
{
    QStringList lines = text.split(u'\n');
    if (lines.last().isEmpty())
        lines.removeLast();
    return lines;
}

QVector<DiffLine> compared(const QStringList &before, const QStringList &after)
{
    QVector<DiffLine> lines;
    qsizetype i = 0;
    qsizetype j = 0;
    const auto add = [&](QChar sign, const QString &text) {
        lines.append({sign, text, i + 1, j + 1});
    };
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before.at(i) == after.at(j)) {
            add(u' ', before.at(i));
            ++i;
            ++j;
            continue;
        }
        const bool isAdded =
            j < after.size() &&
            (i == before.size() || (j + 1 < after.size() && after.at(j + 1) == before.at(i)));
        if (!isAdded && i < before.size()) {
            add(u'-', before.at(i));
            ++i;
        }
        if (j < after.size()) {
            add(u'+', after.at(j));
            ++j;
        }
    }
    return lines;
}
} // namespace

std::optional<QString> withValue(const QString &source, const QStringList &path,
                                 const QString &value)
{
    Report report{QString()};
    const QVector<YamlDocument> documents = readYaml(source.toUtf8(), report);
    if (documents.size() != 1 || !documents.first().root)
        return std::nullopt;
    const YamlNode &root = *documents.first().root;
    const YamlNode *node = &root;
    QStringList lines = source.split(u'\n');
    for (qsizetype i = 0; i < path.size(); ++i) {
        const YamlNode *child = childOf(*node, path.at(i));
        if (!child) {
            if (!addTo(lines, *node, nested(path.mid(i), value)))
                return std::nullopt;
            return lines.join(u'\n');
        }
        if (timesIn(root, child) > 1)
            return std::nullopt;
        node = child;
    }
    if (!node->isScalar() || !replaceScalar(lines, *node, value))
        return std::nullopt;
    return lines.join(u'\n');
}

QString lineDiff(const QString &file, const QString &before, const QString &after)
{
    const QVector<DiffLine> lines = compared(linesOf(before), linesOf(after));
    const auto isChange = [&](qsizetype at) { return lines.at(at).sign != u' '; };
    QString text;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        if (!isChange(at))
            continue;
        const qsizetype from = std::max<qsizetype>(0, at - contextLines);
        qsizetype to = at;
        for (qsizetype next = at; next < lines.size() && next <= to + 2 * contextLines; ++next) {
            if (isChange(next))
                to = next;
        }
        const qsizetype end = std::min(lines.size(), to + contextLines + 1);
        QString hunk;
        qsizetype removed = 0;
        qsizetype added = 0;
        for (qsizetype i = from; i < end; ++i) {
            const DiffLine &line = lines.at(i);
            removed += line.sign != u'+';
            added += line.sign != u'-';
            hunk += line.sign + line.text + u'\n';
        }
        text += u"@@ -%1,%2 +%3,%4 @@\n"_s.arg(lines.at(from).before)
                    .arg(removed)
                    .arg(lines.at(from).after)
                    .arg(added) +
                hunk;
        at = end - 1;
    }
    return text.isEmpty() ? text : u"--- %1\n+++ %1\n"_s.arg(file) + text;
}

} // namespace holdfast::contract
