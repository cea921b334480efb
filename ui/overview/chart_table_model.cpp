#include "ui/overview/chart_table_model.h"

namespace holdfast::overview
{

using namespace Qt::StringLiterals;

void ChartTableModel::setData(const ChartData &data, const TimeRange &range)
{
    const QVector<ChartSeries> series = data.bars + data.lines + data.outline;
    const bool isSameShape = series.size() == m_series.size() && data.at.size() == rowCount();
    if (!isSameShape)
        beginResetModel();
    m_data = data;
    m_series = series;
    m_range = range;
    if (!isSameShape) {
        endResetModel();
        return;
    }
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int ChartTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_data.at.size());
}

int ChartTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_series.size()) + 1;
}

QVariant ChartTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const bool isTime = index.column() == 0;
    if (role == Qt::TextAlignmentRole)
        return int((isTime ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const int bucket = bucketOf(index.row());
    if (isTime)
        return m_range.bucketText(m_data.at.at(bucket));
    return m_data.valueText(m_series.at(index.column() - 1).values.value(bucket));
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section > m_series.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (section == 0)
        return u"Time"_s;
    const QString name = m_series.at(section - 1).name;
    return QString(name.left(1).toUpper() + name.mid(1));
}

} // namespace holdfast::overview
