#include "ui/widgets/json_table_model.h"

#include "ui/widgets/plain_text.h"

#include <QSet>
#include <QTextDocument>
#include <algorithm>

namespace holdfast::widgets
{

JsonTableModel::JsonTableModel(QVector<JsonColumn> columns, Identity identity, QObject *parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)), m_identity(std::move(identity))
{
}

int JsonTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int JsonTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant JsonTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const JsonColumn &column = m_columns.at(index.column());
    const QJsonObject &row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole: return plainText(column.text(row));
    case Qt::ToolTipRole: {
        const QString text = column.text(row);
        return text.isEmpty() ? QVariant() : Qt::convertFromPlainText(plainText(text));
    }
    case Qt::ForegroundRole:
        return column.token ? QVariant(style::colour(column.token(row))) : QVariant();
    case Qt::TextAlignmentRole: return int(column.alignment);
    case figureRole: return column.figure ? column.figure(row) : QVariant(column.text(row));
    default: return {};
    }
}

QVariant JsonTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size())
        return {};
    if (role == Qt::DisplayRole)
        return m_columns.at(section).title;
    if (role == Qt::TextAlignmentRole)
        return int(m_columns.at(section).alignment);
    return {};
}

int JsonTableModel::indexOf(const QString &identity) const
{
    const auto found = std::find_if(m_rows.cbegin(), m_rows.cend(), [&](const QJsonObject &row) {
        return m_identity(row) == identity;
    });
    return found == m_rows.cend() ? -1 : int(found - m_rows.cbegin());
}

void JsonTableModel::setRows(const QJsonArray &rows)
{
    QVector<QJsonObject> wanted;
    QSet<QString> seen; // a row that comes twice would never find its place
    for (const QJsonValue &value : rows) {
        const QJsonObject row = value.toObject();
        if (!seen.contains(m_identity(row)))
            wanted << row;
        seen.insert(m_identity(row));
    }
    wanted = sorted(std::move(wanted));
    removeAllBut(wanted);
    for (int at = 0; at < wanted.size(); ++at)
        bringTo(at, wanted.at(at));
}

void JsonTableModel::appendRows(const QJsonArray &rows)
{
    QVector<QJsonObject> news;
    for (const QJsonValue &value : rows) {
        if (indexOf(m_identity(value.toObject())) < 0)
            news << value.toObject();
    }
    if (news.isEmpty())
        return;
    beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + news.size()) - 1);
    m_rows += news;
    endInsertRows();
}

void JsonTableModel::removeAllBut(const QVector<QJsonObject> &wanted)
{
    QSet<QString> kept;
    for (const QJsonObject &row : wanted)
        kept.insert(m_identity(row));
    for (int at = int(m_rows.size()) - 1; at >= 0; --at) {
        if (kept.contains(m_identity(m_rows.at(at))))
            continue;
        beginRemoveRows({}, at, at);
        m_rows.removeAt(at);
        endRemoveRows();
    }
}

void JsonTableModel::bringTo(int at, const QJsonObject &wanted)
{
    const int from = indexOf(m_identity(wanted));
    if (from < 0) {
        beginInsertRows({}, at, at);
        m_rows.insert(at, wanted);
        endInsertRows();
        return;
    }
    if (from != at) {
        beginMoveRows({}, from, from, {}, at);
        m_rows.move(from, at);
        endMoveRows();
    }
    if (m_rows.at(at) == wanted)
        return;
    m_rows[at] = wanted;
    Q_EMIT dataChanged(index(at, 0), index(at, columnCount() - 1));
}

bool JsonTableModel::isBefore(const QJsonObject &a, const QJsonObject &b) const
{
    const JsonColumn &column = m_columns.at(m_sortColumn);
    if (!column.figure)
        return column.text(a).localeAwareCompare(column.text(b)) < 0;
    const QVariant left = column.figure(a);
    const QVariant right = column.figure(b);
    if (!left.isValid() || !right.isValid()) // what is not known comes last
        return left.isValid() && !right.isValid();
    return QVariant::compare(left, right) == QPartialOrdering::Less;
}

QVector<QJsonObject> JsonTableModel::sorted(QVector<QJsonObject> rows) const
{
    if (m_sortColumn < 0)
        return rows;
    std::stable_sort(rows.begin(), rows.end(), [this](const auto &a, const auto &b) {
        return m_sortOrder == Qt::AscendingOrder ? isBefore(a, b) : isBefore(b, a);
    });
    return rows;
}

void JsonTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column < columnCount() ? column : -1;
    m_sortOrder = order;
    const QVector<QJsonObject> wanted = sorted(m_rows);
    for (int at = 0; at < wanted.size(); ++at)
        bringTo(at, wanted.at(at));
}

} // namespace holdfast::widgets
