#include "ui/overview/figure_row.h"

#include <QEvent>
#include <QPainter>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

FigureRow::FigureRow(const QString &name, const QString &objectName, QWidget *parent)
    : QAbstractButton(parent), m_name(name)
{
    setObjectName(objectName);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
}

void FigureRow::setFigure(const QString &figure, Token token)
{
    m_figure = figure;
    m_token = token;
    setAccessibleName(u"%1: %2"_s.arg(m_name, figure));
    update();
}

void FigureRow::setNote(const QString &note)
{
    m_note = note;
    setAccessibleDescription(note);
    update();
}

QSize FigureRow::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 34, fontMetrics().height() * 7 / 4};
}

bool FigureRow::event(QEvent *event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    return QAbstractButton::event(event);
}

void FigureRow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int unit = fontMetrics().averageCharWidth();
    if (underMouse())
        painter.fillRect(rect(), style::colour(Token::alternate));
    if (hasFocus()) {
        painter.setPen(style::colour(Token::busy));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    const QRect inside = rect().adjusted(unit, 0, -unit, 0);
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.1);
    painter.setFont(bold);
    painter.setPen(style::colour(m_token));
    painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, m_figure);
    int rest = inside.width() - QFontMetrics(bold).horizontalAdvance(m_figure) - 2 * unit;
    painter.setFont(font());
    painter.setPen(style::colour(Token::text));
    const QString name = fontMetrics().elidedText(m_name, Qt::ElideRight, rest);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, name);
    const int taken = fontMetrics().horizontalAdvance(name) + unit;
    rest -= taken;
    if (m_note.isEmpty() || rest < unit * 4)
        return;
    painter.setPen(style::colour(Token::muted));
    painter.drawText(inside.adjusted(taken, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_note, Qt::ElideRight, rest));
}

} // namespace holdfast::overview
