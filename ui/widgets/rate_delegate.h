// A share as a bar with its figure beside it. A share nobody knows is said in words and has no bar.
#pragma once

#include <QStyledItemDelegate>

namespace holdfast::widgets
{

// Reads JsonTableModel::figureRole: between 0 and 1, or invalid for unknown. The text is the cell's
// own.
class RateDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

// "99.2 %"; never rounded up to 100.
QString rateText(double rate);

} // namespace holdfast::widgets
