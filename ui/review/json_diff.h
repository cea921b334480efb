// Two payloads compared field by field. Text that is itself JSON, such as a body kept as it was
// sent, is taken apart as well: what differs is rarely the whole body.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>

namespace holdfast::review
{

struct DiffRow {
    enum class Mark { same, differs, onlyThis, onlyOther };
    QString path; // "body.lines[0].amount"
    Mark mark = Mark::same;
    QString left; // JSON, empty where there is none
    QString right;

    const QString &rowId() const { return path; }
    bool operator==(const DiffRow &) const = default;
};

constexpr qsizetype diffRowsMax = 2000;

QVector<DiffRow> jsonDiff(const QJsonValue &left, const QJsonValue &right);

} // namespace holdfast::review
