// A table over a list of immutable rows. A new list changes only the rows that differ, so selection
// and scroll position survive; what a row is and how it looks stays with the subclass. A row has
// `rowId()` and `==`.
#pragma once

#include <QAbstractTableModel>
#include <QMap>
#include <QSet>
#include <QVector>

namespace holdfast::widgets
{

template <typename Row>
class RowsModel : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;

    const QVector<Row> &rows() const { return m_rows; }
    int rowOf(const QString &id) const
    {
        for (int row = 0; row < m_rows.size(); ++row) {
            if (m_rows.at(row).rowId() == id)
                return row;
        }
        return -1;
    }

    // Rows that changed their order among each other are not worth a clever difference: the model
    // then starts over.
    void setRows(const QVector<Row> &rows)
    {
        if (!keepsOrder(rows)) {
            beginResetModel();
            m_rows = rows;
            endResetModel();
            return;
        }
        removeMissing(rows);
        insertNew(rows);
        for (int row = 0; row < rows.size(); ++row) {
            if (m_rows.at(row) == rows.at(row))
                continue;
            m_rows[row] = rows.at(row);
            Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
        }
    }

    void append(const QVector<Row> &rows)
    {
        if (rows.isEmpty())
            return;
        beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + rows.size()) - 1);
        m_rows += rows;
        endInsertRows();
    }

    // Everything looks different: another theme, or time has passed.
    void repaintAll()
    {
        if (!m_rows.isEmpty())
            Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, columnCount() - 1));
    }

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }

private:
    bool keepsOrder(const QVector<Row> &rows) const
    {
        QMap<QString, qsizetype> places;
        for (qsizetype i = 0; i < rows.size(); ++i)
            places.insert(rows.at(i).rowId(), i);
        if (places.size() != rows.size())
            return false;
        qsizetype last = -1;
        for (const Row &row : m_rows) {
            const qsizetype place = places.value(row.rowId(), -1);
            if (place >= 0 && place <= last)
                return false;
            last = std::max(last, place);
        }
        return true;
    }

    void removeMissing(const QVector<Row> &rows)
    {
        QSet<QString> kept;
        for (const Row &row : rows)
            kept.insert(row.rowId());
        for (int row = int(m_rows.size()) - 1; row >= 0; --row) {
            if (kept.contains(m_rows.at(row).rowId()))
                continue;
            beginRemoveRows({}, row, row);
            m_rows.remove(row);
            endRemoveRows();
        }
    }

    void insertNew(const QVector<Row> &rows)
    {
        if (m_rows.isEmpty()) {
            append(rows);
            return;
        }
        for (int row = 0; row < rows.size(); ++row) {
            if (row < m_rows.size() && m_rows.at(row).rowId() == rows.at(row).rowId())
                continue;
            beginInsertRows({}, row, row);
            m_rows.insert(row, rows.at(row));
            endInsertRows();
        }
    }

    QVector<Row> m_rows;
};

} // namespace holdfast::widgets
