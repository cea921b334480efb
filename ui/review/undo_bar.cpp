#include "ui/review/undo_bar.h"

#include "ui/review/grace.h"
#include "ui/style/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using style::Token;

UndoBar::UndoBar(Grace &grace, QWidget *parent) : QWidget(parent), m_grace(grace)
{
    setObjectName(u"undoBar"_s);
    m_text = new widgets::ElidedLabel(u"undoText"_s, u"Answer about to be sent"_s);
    QFont bold = m_text->font();
    bold.setBold(true);
    m_text->setFont(bold);
    m_hint = new widgets::ElidedLabel(u"undoHint"_s, u"What leaving or closing does"_s);
    m_hint->setWhole(
        u"Nothing has been sent yet. Leaving this page keeps it waiting; closing the window before "
        "the time is up sends nothing."_s);
    m_undo = new QPushButton(u"Undo  Ctrl+Z"_s);
    m_undo->setObjectName(u"undo"_s);
    m_undo->setAccessibleName(u"Undo the last answer"_s);
    auto *lines = new QVBoxLayout;
    lines->setSpacing(0);
    lines->addWidget(m_text);
    lines->addWidget(m_hint);
    auto *row = new QHBoxLayout(this);
    row->addLayout(lines, 1);
    row->addWidget(m_undo);
    connect(m_undo, &QPushButton::clicked, this, &UndoBar::undoWanted);
    connect(&m_grace, &Grace::changed, this, &UndoBar::refresh);
    refresh();
}

void UndoBar::refresh()
{
    const auto &pending = m_grace.pending();
    setVisible(!pending.isEmpty());
    if (pending.isEmpty())
        return;
    const Grace::Pending &newest = pending.last();
    QString text = u"◷ Sending in %1 s: %2, %3"_s.arg(Grace::secondsLeft(newest))
                       .arg(newest.decision.answer, newest.decision.what);
    if (pending.size() > 1)
        text += u" (and %1 before it)"_s.arg(pending.size() - 1);
    m_text->setWhole(text);
    widgets::setTextColour(m_text, style::colour(Token::text));
    widgets::setTextColour(m_hint, style::colour(Token::muted));
    update();
}

// The ground drains from the right while time runs out; the seconds are said in words as well.
void UndoBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), style::colour(Token::raised));
    if (!m_grace.pending().isEmpty() && m_grace.millis() > 0) {
        const qint64 left = m_grace.pending().last().until.remainingTime();
        const int thick = std::max(2, fontMetrics().height() / 6);
        painter.fillRect(QRect(0, height() - thick, int(width() * left / m_grace.millis()), thick),
                         style::colour(Token::busy));
    }
    painter.setPen(style::colour(Token::border));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void UndoBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace holdfast::review
