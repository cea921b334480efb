// A row of small bars in a cell: one a day, as high as its share of the highest. The text of the
// cell says the same in figures, for who does not see the bars.
#pragma once

#include <QStyledItemDelegate>

namespace holdfast::widgets
{

// Reads JsonTableModel::figureRole: a list of numbers.
class TrendDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

// Draws the bars alone, with a line to stand on, in the painter's pen colour.
void paintTrend(QPainter &painter, const QRectF &area, const QVariantList &values);

} // namespace holdfast::widgets
