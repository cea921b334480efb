#include "ui/runs/chip.h"

#include "ui/style/theme.h"
#include "ui/widgets/plain_text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextDocument>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr qsizetype shownMax = 48;
}

Chip::Chip(const QString &term, QWidget *parent) : QAbstractButton(parent), m_term(term)
{
    setObjectName(u"chip"_s);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    const QString plain = widgets::plainText(term);
    setAccessibleName(u"Remove %1"_s.arg(plain));
    setToolTip(Qt::convertFromPlainText(u"%1\nClick or press Delete to remove it."_s.arg(plain)));
}

QString Chip::shown() const { return widgets::plainText(m_term, shownMax); }

QSize Chip::sizeHint() const
{
    const int em = fontMetrics().averageCharWidth();
    return {fontMetrics().horizontalAdvance(shown() + u"  ✕"_s) + 3 * em,
            fontMetrics().height() * 3 / 2};
}

QSize Chip::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 10, sizeHint().height()};
}

void Chip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF body = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isLit = hasFocus() || underMouse();
    painter.setPen(style::colour(isLit ? Token::busy : Token::border));
    painter.setBrush(style::colour(Token::raised));
    painter.drawRoundedRect(body, body.height() / 2, body.height() / 2);
    const int em = fontMetrics().averageCharWidth();
    const int cross = fontMetrics().horizontalAdvance(u"✕"_s);
    const QRect inner = rect().adjusted(em * 3 / 2, 0, -em, 0);
    painter.setPen(style::colour(Token::text));
    painter.drawText(inner.adjusted(0, 0, -cross - em, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(shown(), Qt::ElideRight, inner.width() - cross - em));
    painter.setPen(style::colour(isLit ? Token::bad : Token::muted));
    painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter, u"✕"_s);
}

void Chip::keyPressEvent(QKeyEvent *event)
{
    const bool removes = event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace ||
                         event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (removes)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void Chip::enterEvent(QEnterEvent *event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void Chip::leaveEvent(QEvent *event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace holdfast::runs
