#include "ui/review/json_diff.h"

#include "model/json.h"

#include <QSet>
#include <algorithm>

namespace holdfast::review
{

using namespace Qt::StringLiterals;

namespace
{
bool isBranch(const QJsonValue &value) { return value.isObject() || value.isArray(); }

QJsonValue opened(const QJsonValue &value)
{
    const QString text = value.toString();
    if (!text.startsWith(u'{') && !text.startsWith(u'['))
        return value;
    const auto parsed = model::parseJson(text.toUtf8());
    return parsed ? *parsed : value;
}

QString leafText(const QJsonValue &value)
{
    return value.isUndefined() ? QString() : QString::fromUtf8(model::compactJson(value));
}

class Walk
{
public:
    QVector<DiffRow> rows;

    void compare(const QString &path, const QJsonValue &left, const QJsonValue &right)
    {
        if (rows.size() >= diffRowsMax)
            return;
        const QJsonValue a = opened(left);
        const QJsonValue b = opened(right);
        const bool fits =
            isBranch(a) && isBranch(b) ? a.type() == b.type() : a.isUndefined() || b.isUndefined();
        if (fits && (a.isObject() || b.isObject()))
            compareObjects(path, a.toObject(), b.toObject());
        else if (fits && (a.isArray() || b.isArray()))
            compareArrays(path, a.toArray(), b.toArray());
        else
            addLeaf(path, a, b);
    }

private:
    void compareObjects(const QString &path, const QJsonObject &a, const QJsonObject &b)
    {
        QStringList names = a.keys() + b.keys();
        std::sort(names.begin(), names.end());
        names.removeDuplicates();
        for (const QString &name : names)
            compare(path.isEmpty() ? name : path + u'.' + name, valueOf(a, name), valueOf(b, name));
    }

    void compareArrays(const QString &path, const QJsonArray &a, const QJsonArray &b)
    {
        const qsizetype count = std::max(a.size(), b.size());
        for (qsizetype i = 0; i < count; ++i)
            compare(u"%1[%2]"_s.arg(path).arg(i), i < a.size() ? a.at(i) : missing(),
                    i < b.size() ? b.at(i) : missing());
    }

    void addLeaf(const QString &path, const QJsonValue &a, const QJsonValue &b)
    {
        const DiffRow::Mark mark = a.isUndefined()   ? DiffRow::Mark::onlyOther
                                   : b.isUndefined() ? DiffRow::Mark::onlyThis
                                   : a == b          ? DiffRow::Mark::same
                                                     : DiffRow::Mark::differs;
        rows.append({path.isEmpty() ? u"(whole)"_s : path, mark, leafText(a), leafText(b)});
    }

    static QJsonValue missing() { return QJsonValue(QJsonValue::Undefined); }
    static QJsonValue valueOf(const QJsonObject &object, const QString &name)
    {
        return object.contains(name) ? object.value(name) : missing();
    }
};
} // namespace

QVector<DiffRow> jsonDiff(const QJsonValue &left, const QJsonValue &right)
{
    Walk walk;
    walk.compare({}, left, right);
    return walk.rows;
}

} // namespace holdfast::review
