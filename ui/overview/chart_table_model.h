// The figures of a chart as a table: one row per bucket, one column per series.
#pragma once

#include "ui/overview/chart_data.h"

#include <QAbstractTableModel>

namespace holdfast::overview
{

class ChartTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setData(const ChartData &data, const TimeRange &range);
    using QAbstractTableModel::setData;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    // The latest bucket stands first.
    int bucketOf(int row) const { return rowCount() - 1 - row; }

private:
    QVector<ChartSeries> m_series;
    ChartData m_data;
    TimeRange m_range;
};

} // namespace holdfast::overview
