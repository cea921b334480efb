// Draws a cell with room around its text. A text that begins with a shape and a blank, as every
// state does, has the shape in a box of its own, so that the words below each other line up.
#pragma once

#include <QStyledItemDelegate>

namespace holdfast::widgets
{

class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace holdfast::widgets
