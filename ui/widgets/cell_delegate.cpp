#include "ui/widgets/cell_delegate.h"

#include <QApplication>
#include <QPainter>

namespace holdfast::widgets
{

namespace
{
bool beginsWithShape(const QString &text)
{
    return text.size() > 2 && text.at(1) == u' ' && !text.at(0).isLetterOrNumber();
}
} // namespace

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    if (cell.features.testFlag(QStyleOptionViewItem::HasCheckIndicator)) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    const QString text = cell.text;
    cell.text.clear();
    const QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const bool isSelected = cell.state.testFlag(QStyle::State_Selected);
    const auto group = !cell.state.testFlag(QStyle::State_Enabled) ? QPalette::Disabled
                       : cell.state.testFlag(QStyle::State_Active) ? QPalette::Active
                                                                   : QPalette::Inactive;
    painter->save();
    painter->setFont(cell.font);
    painter->setPen(
        cell.palette.color(group, isSelected ? QPalette::HighlightedText : QPalette::Text));
    const int em = cell.fontMetrics.averageCharWidth();
    QRect area = cell.rect.adjusted(em * 2 / 3, 0, -em * 2 / 3, 0);
    QString words = text;
    if (beginsWithShape(text)) {
        const QRect box(area.left(), area.top(), em * 2, area.height());
        painter->drawText(box, Qt::AlignCenter, text.left(1));
        area.setLeft(box.right() + em * 2 / 3);
        words = text.mid(2);
    }
    painter->drawText(area, int(cell.displayAlignment) | Qt::TextSingleLine,
                      cell.fontMetrics.elidedText(words, cell.textElideMode, area.width()));
    painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return QStyledItemDelegate::sizeHint(option, index)
        .grownBy(
            {option.fontMetrics.averageCharWidth(), 0, option.fontMetrics.averageCharWidth(), 0});
}

} // namespace holdfast::widgets
