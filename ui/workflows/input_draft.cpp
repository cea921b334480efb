#include "ui/workflows/input_draft.h"

#include <QRegularExpression>
#include <QStringList>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;

namespace
{
// What the schema says of a name in the same file, as far as one line tells it.
QString emptyValue(const QString &source, const QString &name)
{
    const QRegularExpression typed(
        u"^\\s+%1:\\s*(?:\\{\\s*|\\n\\s+)type:\\s*(\\w+)"_s.arg(QRegularExpression::escape(name)),
        QRegularExpression::MultilineOption);
    const QString type = typed.match(source).captured(1);
    if (type == "integer"_L1 || type == "number"_L1)
        return u"0"_s;
    if (type == "boolean"_L1)
        return u"false"_s;
    if (type == "array"_L1)
        return u"[]"_s;
    return type == "object"_L1 ? u"{}"_s : u"\"\""_s;
}
} // namespace

QString inputDraft(const QString &source)
{
    static const QRegularExpression required(
        u"^input:(?:[^\\n]*|\\s*\\n(?:\\s+[^\\n]*\\n)*?\\s+)required:\\s*\\[([^\\]]*)\\]"_s,
        QRegularExpression::MultilineOption);
    static const QRegularExpression plainName(u"^[A-Za-z_][\\w-]*$"_s);
    QStringList lines;
    const QStringList names = required.match(source).captured(1).split(u',', Qt::SkipEmptyParts);
    for (const QString &name : names) {
        if (name.trimmed().contains(plainName))
            lines << u"  \"%1\": %2"_s.arg(name.trimmed(), emptyValue(source, name.trimmed()));
    }
    return lines.isEmpty() ? u"{\n  \n}"_s : u"{\n"_s + lines.join(u",\n"_s) + u"\n}"_s;
}

} // namespace holdfast::workflows
