#include "ui/widgets/trend_delegate.h"

#include "ui/style/theme.h"
#include "ui/widgets/json_table_model.h"

#include <QApplication>
#include <QPainter>

namespace holdfast::widgets
{

using style::Token;

void paintTrend(QPainter &painter, const QRectF &area, const QVariantList &values)
{
    if (values.isEmpty() || area.width() < 2)
        return;
    double top = 0;
    for (const QVariant &value : values)
        top = std::max(top, value.toDouble());
    const QColor ink = painter.pen().color();
    const double width = area.width() / double(values.size());
    const double gap = std::min(width / 4, area.height() / 6);
    for (qsizetype i = 0; i < values.size(); ++i) {
        const double value = std::max(0.0, values.at(i).toDouble());
        // A day with one failure among days with thousands is still seen.
        const double least = value > 0 ? area.height() / 8 : area.height() / 24;
        const double height = top > 0 ? std::max(least, value / top * area.height()) : least;
        painter.fillRect(QRectF(area.left() + double(i) * width + gap / 2, area.bottom() - height,
                                std::max(0.5, width - gap), height),
                         ink);
    }
}

void TrendDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    ground.text.clear();
    const QStyle *style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
    const bool isSelected = option.state & QStyle::State_Selected;
    const int gap = option.fontMetrics.averageCharWidth();
    const int pad = option.rect.height() / 5;
    painter->save();
    painter->setPen(isSelected ? option.palette.color(QPalette::HighlightedText)
                               : style::colour(Token::busy));
    paintTrend(*painter, QRectF(option.rect.adjusted(gap, pad, -gap, -pad)),
               index.data(JsonTableModel::figureRole).toList());
    painter->restore();
}

QSize TrendDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {option.fontMetrics.averageCharWidth() * 12, size.height()};
}

} // namespace holdfast::widgets
