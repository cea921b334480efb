#include "ui/review/review_list.h"

#include "ui/review/review_model.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
struct Line {
    QString left;
    QString right;
    QColor leftColour;
    QColor rightColour;
    QFont leftFont;
    QFont rightFont;
};

void drawLine(QPainter *painter, const QRect &rect, const Line &line)
{
    const QFontMetrics leftMetrics(line.leftFont);
    const QFontMetrics rightMetrics(line.rightFont);
    const int gap = rightMetrics.averageCharWidth() * 2;
    const int wanted = rightMetrics.horizontalAdvance(line.right) + 2; // what hinting may add
    const int rightWidth = std::min(wanted, rect.width() / 2);
    const QRect right(rect.right() - rightWidth + 1, rect.top(), rightWidth, rect.height());
    const QRect left(rect.left(), rect.top(), rect.width() - rightWidth - gap, rect.height());
    painter->setFont(line.leftFont);
    painter->setPen(line.leftColour);
    painter->drawText(left, int(Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine),
                      leftMetrics.elidedText(line.left, Qt::ElideRight, left.width()));
    painter->setFont(line.rightFont);
    painter->setPen(line.rightColour);
    painter->drawText(right, int(Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine),
                      rightMetrics.elidedText(line.right, Qt::ElideRight, rightWidth));
}
} // namespace

void ReviewDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                           const QModelIndex &index) const
{
    const auto text = [&](int role) { return index.data(role).toString(); };
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const auto ink = [&](Token token) {
        return isSelected ? style::colour(Token::onAccent) : style::colour(token);
    };
    painter->save();
    QStyle *style = option.widget ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
    const int unit = option.fontMetrics.averageCharWidth();
    const int lineHeight = option.fontMetrics.height();
    const int top = option.rect.top() + (option.rect.height() - 2 * lineHeight) / 2;
    QRect first(option.rect.left() + unit * 4, top, option.rect.width() - unit * 5, lineHeight);
    QFont bold = option.font;
    bold.setBold(true);
    painter->setFont(bold);
    painter->setPen(ink(Token(index.data(ReviewModel::tokenRole).toInt())));
    painter->drawText(QRect(option.rect.left() + unit, top, unit * 3, lineHeight),
                      int(Qt::AlignVCenter | Qt::AlignLeft), text(ReviewModel::shapeRole));
    drawLine(painter, first,
             {text(ReviewModel::whatRole), text(ReviewModel::ageRole), ink(Token::text),
              ink(Token::muted), bold, option.font});
    const bool isUrgent = index.data(ReviewModel::urgentRole).toBool();
    drawLine(painter, first.translated(0, lineHeight),
             {text(ReviewModel::detailRole), text(ReviewModel::stateRole), ink(Token::muted),
              ink(isUrgent ? Token::attention : Token::muted), option.font, option.font});
    painter->setPen(style::colour(Token::border));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
}

ReviewList::ReviewList(QWidget *parent) : SteadyTable(parent)
{
    setItemDelegate(new ReviewDelegate(this));
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAlternatingRowColors(false);
    horizontalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QAbstractItemView::doubleClicked, this, &ReviewList::openWanted);
    fitRows();
}

void ReviewList::fitRows() { verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3); }

QString ReviewList::currentId() const
{
    return currentIndex().data(ReviewModel::idRole).toString();
}

void ReviewList::walk(int rows)
{
    if (!model() || model()->rowCount() == 0)
        return;
    const int at = currentIndex().isValid() ? currentIndex().row() + rows : 0;
    setCurrentIndex(model()->index(std::clamp(at, 0, model()->rowCount() - 1), 0));
}

void ReviewList::keyPressEvent(QKeyEvent *event)
{
    const bool isPlain = !(event->modifiers() & ~Qt::KeyboardModifiers(Qt::ShiftModifier));
    if (isPlain && (event->key() == Qt::Key_J || event->key() == Qt::Key_K)) {
        walk(event->key() == Qt::Key_J ? 1 : -1);
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        Q_EMIT openWanted();
        return;
    }
    if (isPlain && event->text().size() == 1 && event->text().at(0).isLetter()) {
        Q_EMIT letterPressed(event->text().toUpper());
        return;
    }
    SteadyTable::keyPressEvent(event);
}

void ReviewList::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    SteadyTable::currentChanged(current, previous);
    Q_EMIT currentIdChanged(current.data(ReviewModel::idRole).toString());
}

void ReviewList::changeEvent(QEvent *event)
{
    SteadyTable::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitRows();
}

} // namespace holdfast::review
