#include "ui/runs/export_format.h"

#include "model/json.h"

#include <QStringList>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;

namespace
{
const QStringList &columns()
{
    static const QStringList names{u"run_id"_s,      u"event_id"_s,
                                   u"workflow"_s,    u"version"_s,
                                   u"status"_s,      u"step"_s,
                                   u"reason"_s,      u"retry_count"_s,
                                   u"created_at"_s,  u"started_at"_s,
                                   u"finished_at"_s, u"updated_at"_s,
                                   u"duration_ms"_s, u"compensation_count"_s,
                                   u"key_outputs"_s};
    return names;
}

QString textOf(const QJsonValue &value)
{
    if (value.isString())
        return value.toString();
    if (value.isNull() || value.isUndefined())
        return {};
    return QString::fromUtf8(model::compactJson(value));
}
} // namespace

QByteArray csvCell(const QString &text)
{
    QString cell = text;
    if (!cell.isEmpty() && u"=+-@\t\r"_s.contains(cell.front()))
        cell.prepend(u'\'');
    const bool isQuoted =
        cell.contains(u'"') || cell.contains(u',') || cell.contains(u'\n') || cell.contains(u'\r');
    if (isQuoted)
        cell = u'"' + cell.replace(u'"', u"\"\""_s) + u'"';
    return cell.toUtf8();
}

QByteArray csvLine(const QJsonObject &run)
{
    QByteArray line;
    for (const QString &column : columns()) {
        if (!line.isEmpty() || column != columns().first())
            line += ',';
        const QJsonValue value = run.value(column);
        // A number is one, whatever its sign; only text can pretend to be a formula.
        line += value.isDouble() ? textOf(value).toUtf8() : csvCell(textOf(value));
    }
    return line + "\r\n";
}

QByteArray exportHead(ExportFormat format)
{
    return format == ExportFormat::csv ? columns().join(u',').toUtf8() + "\r\n" : QByteArray("[");
}

QByteArray exportRuns(ExportFormat format, const QJsonArray &runs, bool isFirst)
{
    QByteArray bytes;
    for (const QJsonValue &run : runs) {
        if (format == ExportFormat::csv) {
            bytes += csvLine(run.toObject());
            continue;
        }
        bytes += isFirst && bytes.isEmpty() ? "\n" : ",\n";
        bytes += model::compactJson(run);
    }
    return bytes;
}

QByteArray exportFoot(ExportFormat format)
{
    return format == ExportFormat::csv ? QByteArray() : QByteArray("\n]\n");
}

} // namespace holdfast::runs
