#include "ui/widgets/rate_delegate.h"

#include "ui/style/theme.h"
#include "ui/widgets/json_table_model.h"

#include <QApplication>
#include <QLocale>
#include <QPainter>
#include <cmath>

namespace holdfast::widgets
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr double worrying = 0.99;
constexpr double poor = 0.95;

Token tokenOf(double rate)
{
    if (rate < poor)
        return Token::bad;
    return rate < worrying ? Token::attention : Token::good;
}
} // namespace

QString rateText(double rate)
{
    const double percent = std::floor(rate * 1000) / 10;
    return QLocale().toString(percent, 'f', percent >= 100 || percent <= 0 ? 0 : 1) + u" %"_s;
}

void RateDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    const QString text = ground.text;
    ground.text.clear();
    const QWidget *widget = option.widget;
    QStyle *style = widget ? widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, widget);

    const bool isSelected = option.state & QStyle::State_Selected;
    const QColor ink =
        isSelected ? option.palette.color(QPalette::HighlightedText) : style::colour(Token::text);
    const int gap = option.fontMetrics.averageCharWidth();
    const QRect cell = option.rect.adjusted(gap, 0, -gap, 0);
    const QVariant figure = index.data(JsonTableModel::figureRole);
    painter->save();
    if (!figure.isValid()) {
        painter->setPen(isSelected ? ink : style::colour(Token::muted));
        painter->drawText(cell, Qt::AlignVCenter | Qt::AlignLeft,
                          option.fontMetrics.elidedText(text, Qt::ElideRight, cell.width()));
        painter->restore();
        return;
    }
    const double rate = std::clamp(figure.toDouble(), 0.0, 1.0);
    const int textWidth = option.fontMetrics.horizontalAdvance(u"100.0 %"_s) + gap;
    painter->setPen(ink);
    painter->drawText(QRect(cell.left(), cell.top(), textWidth - gap, cell.height()),
                      Qt::AlignVCenter | Qt::AlignRight, text);
    QRectF track(cell.left() + textWidth, 0, cell.width() - textWidth, cell.height() / 3.0);
    track.moveTop(cell.center().y() - track.height() / 2);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(style::colour(Token::border));
    painter->drawRect(track);
    track.setWidth(track.width() * rate);
    painter->setBrush(isSelected ? ink : style::colour(tokenOf(rate)));
    painter->drawRect(track);
    painter->restore();
}

QSize RateDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {option.fontMetrics.averageCharWidth() * 18, size.height()};
}

} // namespace holdfast::widgets
