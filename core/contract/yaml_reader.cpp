#include "contract/yaml_reader.h"

#include "model/json.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QStringDecoder>
#include <sstream>
#include <stdexcept>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace holdfast::contract
{

namespace
{
using NodePointer = std::shared_ptr<YamlNode>;

// Leaves yaml-cpp's recursion at once; the report already says why.
struct Stop : std::runtime_error {
    Stop() : std::runtime_error("stop") {}
};

bool looksLikeNumber(const QString &text)
{
    return !text.isEmpty() && (text.at(0).isDigit() || text.at(0) == QLatin1Char('-'));
}

// Only true, false, null and what JSON calls a number have a type; `yes`, `0o7` and `1_000` are
// strings.
void typeScalar(YamlNode &node)
{
    node.kind = YamlNode::Kind::text;
    if (node.text == QLatin1String("true") || node.text == QLatin1String("false")) {
        node.kind = YamlNode::Kind::boolean;
        node.literal = node.text == QLatin1String("true");
    } else if (looksLikeNumber(node.text)) {
        const auto number = model::parseJson(node.text.toUtf8());
        if (number && number->isDouble()) {
            node.kind = YamlNode::Kind::number;
            node.literal = *number;
        }
    }
}

class Builder : public YAML::EventHandler
{
public:
    Builder(Report &report, const QList<QByteArray> &lines, int firstLine)
        : m_report(report), m_lines(lines), m_firstLine(firstLine)
    {
    }

    std::shared_ptr<const YamlNode> root() const { return m_root; }

    void OnDocumentStart(const YAML::Mark &) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        auto node = make(mark, "?", anchor);
        node->literal = QJsonValue(QJsonValue::Null);
        // yaml-cpp also takes these for null; to us they are words.
        for (const char *word : {"~", "Null", "NULL"}) {
            if (lineAt(mark).mid(mark.column).startsWith(word)) {
                node->kind = YamlNode::Kind::text;
                node->text = QString::fromLatin1(word);
            }
        }
        place(node);
    }

    void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        const auto found = m_anchors.constFind(anchor);
        if (found == m_anchors.constEnd() || m_open.contains(found->get()))
            stop(mark, "alias", QStringLiteral("an alias may not stand inside its own anchor"));
        m_aliased += (*found)->nodes;
        if (m_aliased > YamlLimits::aliasedNodesMax)
            stop(mark, "alias_bomb",
                 QStringLiteral("aliases expand to more than %1 nodes")
                     .arg(YamlLimits::aliasedNodesMax));
        if (m_stack.size() + (*found)->height > YamlLimits::depthMax)
            stop(mark, "too_deep", tooDeep());
        if (keyExpected())
            stop(mark, "key_not_text", QStringLiteral("a key must be plain text"));
        attach(*found);
    }

    void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  const std::string &value) override
    {
        auto node = make(mark, tag, anchor);
        node->text = QString::fromUtf8(value.data(), qsizetype(value.size()));
        node->kind = YamlNode::Kind::text;
        if (tag == "?")
            typeScalar(*node);
        if (keyExpected() && tag == "?" && node->text == QLatin1String("<<"))
            m_report.error(node->place, "merge_key", QStringLiteral("merge keys are not allowed"));
        place(node);
    }

    void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        push(make(mark, tag, anchor), YamlNode::Kind::list, mark);
    }
    void OnSequenceEnd() override { pop(); }
    void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        push(make(mark, tag, anchor), YamlNode::Kind::map, mark);
    }
    void OnMapEnd() override { pop(); }

private:
    struct Level {
        NodePointer node;
        QSet<QString> names;
        bool hasKey = false;
    };

    static QString tooDeep()
    {
        return QStringLiteral("nested more than %1 levels deep").arg(YamlLimits::depthMax);
    }

    QByteArray lineAt(const YAML::Mark &mark) const { return m_lines.value(mark.line); }

    // yaml-cpp counts bytes; people and editors count characters.
    Place placeAt(const YAML::Mark &mark) const
    {
        const QByteArray before = lineAt(mark).left(mark.column);
        const int column =
            before.size() < mark.column ? mark.column : int(QString::fromUtf8(before).size());
        return {m_firstLine + mark.line, column + 1};
    }

    [[noreturn]] void stop(const YAML::Mark &mark, const char *rule, const QString &message)
    {
        m_report.error(placeAt(mark), rule, message);
        throw Stop();
    }

    bool keyExpected() const
    {
        return !m_stack.isEmpty() && m_stack.last().node->kind == YamlNode::Kind::map &&
               !m_stack.last().hasKey;
    }

    NodePointer make(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor)
    {
        auto node = std::make_shared<YamlNode>();
        node->place = placeAt(mark);
        if (!tag.empty() && tag != "?" && tag != "!")
            m_report.error(node->place, "tag",
                           QStringLiteral("tags are not allowed: %1")
                               .arg(QString::fromStdString(tag).left(80)));
        if (anchor)
            m_anchors.insert(anchor, node);
        return node;
    }

    void push(const NodePointer &node, YamlNode::Kind kind, const YAML::Mark &mark)
    {
        if (m_stack.size() >= YamlLimits::depthMax)
            stop(mark, "too_deep", tooDeep());
        if (keyExpected())
            stop(mark, "key_not_text", QStringLiteral("a key must be plain text"));
        node->kind = kind;
        m_stack.append({node, {}, false});
        m_open.insert(node.get());
    }

    void pop()
    {
        const NodePointer node = m_stack.takeLast().node;
        m_open.remove(node.get());
        attach(node);
    }

    void place(const NodePointer &node)
    {
        if (!keyExpected()) {
            attach(node);
            return;
        }
        Level &level = m_stack.last();
        level.hasKey = true;
        if (level.names.contains(node->text))
            m_report.error(node->place, "duplicate_key",
                           QStringLiteral("the key '%1' stands twice").arg(node->text.left(80)));
        level.names.insert(node->text);
        level.node->members.append({node->text, node->place, nullptr});
    }

    void attach(const NodePointer &node)
    {
        if (m_stack.isEmpty()) {
            m_root = node;
            return;
        }
        Level &level = m_stack.last();
        level.node->nodes += node->nodes;
        level.node->height = std::max(level.node->height, node->height + 1);
        if (level.node->kind == YamlNode::Kind::map) {
            level.node->members.last().value = node;
            level.hasKey = false;
        } else {
            level.node->items.append(node);
        }
    }

    Report &m_report;
    const QList<QByteArray> &m_lines;
    int m_firstLine;
    NodePointer m_root;
    QVector<Level> m_stack;
    QHash<YAML::anchor_t, NodePointer> m_anchors;
    QSet<const YamlNode *> m_open;
    int m_aliased = 0;
};

// A document marker ends a document wherever it stands, so the text can be cut there, and one
// broken document does not hide the findings of the next.
struct Chunk {
    QList<QByteArray> lines;
    int firstLine = 1;

    bool isBlank() const
    {
        for (const QByteArray &line : lines) {
            const QByteArray trimmed = line.trimmed();
            if (!trimmed.isEmpty() && !trimmed.startsWith('#') && trimmed != "---" &&
                trimmed != "...")
                return false;
        }
        return true;
    }
};

QVector<Chunk> splitDocuments(const QByteArray &text)
{
    QVector<Chunk> chunks(1);
    int number = 0;
    for (QByteArray line : text.split('\n')) {
        ++number;
        if (line.endsWith('\r'))
            line.chop(1);
        const bool isMarker = (line.startsWith("---") || line.startsWith("...")) &&
                              (line.size() == 3 || line.at(3) == ' ');
        if (isMarker) {
            chunks.append(Chunk());
            chunks.last().firstLine = number;
        }
        chunks.last().lines.append(line);
    }
    return chunks;
}

bool checkLines(const Chunk &chunk, Report &report)
{
    bool good = true;
    bool isFirst = true;
    for (int i = 0; i < chunk.lines.size(); ++i) {
        const QByteArray &line = chunk.lines.at(i);
        const int number = chunk.firstLine + i;
        for (int column = 0; column < line.size() && (line[column] == ' ' || line[column] == '\t');
             ++column) {
            if (line[column] == '\t') {
                report.error({number, column + 1}, "tab",
                             QStringLiteral("a tab in the indentation; use spaces"));
                good = false;
                break;
            }
        }
        for (int column = 0; column < line.size(); ++column) {
            const uchar byte = uchar(line[column]);
            if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
                report.error({number, column + 1}, "control_character",
                             QStringLiteral("a control character"));
                good = false;
                break;
            }
        }
        if (isFirst && line.startsWith('%')) {
            report.error({number, 1}, "directive",
                         QStringLiteral("YAML directives are not allowed"));
            good = false;
        }
        isFirst = isFirst && (line.trimmed().isEmpty() || line.startsWith('#'));
    }
    return good;
}

QString sourceOf(const Chunk &chunk)
{
    QList<QByteArray> lines = chunk.lines;
    if (!lines.isEmpty() && (lines.first() == "---" || lines.first() == "..."))
        lines.removeFirst();
    return QString::fromUtf8(lines.join('\n'));
}

std::optional<YamlDocument> readDocument(const Chunk &chunk, Report &report)
{
    Builder builder(report, chunk.lines, chunk.firstLine);
    try {
        QList<QByteArray> lines = chunk.lines;
        if (lines.first() == "...")
            lines.first().clear(); // it ended the document before this one
        std::istringstream stream(lines.join('\n').toStdString());
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder) || !builder.root())
            return std::nullopt;
        return YamlDocument{builder.root(), sourceOf(chunk)};
    } catch (const Stop &) {
        return std::nullopt;
    } catch (const YAML::Exception &problem) {
        const bool hasMark = !problem.mark.is_null();
        report.error({chunk.firstLine + (hasMark ? problem.mark.line : 0),
                      hasMark ? problem.mark.column + 1 : 1},
                     "yaml", QString::fromStdString(problem.msg));
    } catch (const std::exception &problem) {
        report.error({chunk.firstLine, 1}, "yaml", QString::fromUtf8(problem.what()));
    }
    return std::nullopt;
}
} // namespace

const YamlNode *YamlNode::member(const QString &name) const
{
    for (const Member &each : members) {
        if (each.name == name)
            return each.value.get();
    }
    return nullptr;
}

QJsonValue YamlNode::toJson() const
{
    switch (kind) {
    case Kind::null:
    case Kind::boolean:
    case Kind::number: return literal;
    case Kind::text: return text;
    case Kind::list: {
        QJsonArray array;
        for (const auto &item : items)
            array.append(item->toJson());
        return array;
    }
    case Kind::map: {
        QJsonObject object;
        for (const Member &each : members)
            object.insert(each.name, each.value->toJson());
        return object;
    }
    }
    return {};
}

QVector<YamlDocument> readYaml(const QByteArray &bytes, Report &report)
{
    if (bytes.size() > YamlLimits::bytesMax) {
        report.error({1, 1}, "too_large",
                     QStringLiteral("the file is larger than %1 bytes").arg(YamlLimits::bytesMax));
        return {};
    }
    const QByteArray text = bytes.startsWith("\xEF\xBB\xBF") ? bytes.mid(3) : bytes;
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder(text);
    if (decoder.hasError()) {
        report.error({1, 1}, "not_utf8", QStringLiteral("the file is not valid UTF-8"));
        return {};
    }
    QVector<YamlDocument> documents;
    const QVector<Chunk> chunks = splitDocuments(text);
    for (const Chunk &chunk : chunks) {
        if (chunk.isBlank() || !checkLines(chunk, report))
            continue;
        if (documents.size() == YamlLimits::documentsMax) {
            report.error({chunk.firstLine, 1}, "too_many_documents",
                         QStringLiteral("more than %1 documents").arg(YamlLimits::documentsMax));
            break;
        }
        if (auto document = readDocument(chunk, report))
            documents.append(*document);
    }
    return documents;
}

} // namespace holdfast::contract
