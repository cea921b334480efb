#include "ui/inspector/code_panel.h"

#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/roomy.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;

CodePanel::CodePanel(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QWidget(parent)
{
    setObjectName(objectName);
    m_caption = new widgets::ElidedLabel;
    m_caption->setObjectName(objectName + u"Caption"_s);
    m_caption->setAccessibleName(accessibleName + u": what it is"_s);
    m_view = new widgets::CodeView(accessibleName);
    m_view->setObjectName(objectName + u"Text"_s);
    m_view->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_view->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_view->setFrameShape(QFrame::NoFrame);
    m_head = new QHBoxLayout;
    m_head->addWidget(m_caption, 1);
    auto *column = new QVBoxLayout(this);
    column->addLayout(m_head);
    column->addWidget(m_view, 1);
}

// The same text leaves selection and scroll position alone.
void CodePanel::setText(const QString &caption, const QString &text)
{
    m_caption->setWhole(caption);
    const int place = m_view->verticalScrollBar()->value();
    m_view->setCode(text);
    m_view->verticalScrollBar()->setValue(place);
}

void CodePanel::goToLine(int line)
{
    m_view->goToLine(line);
    QTextCursor cursor = m_view->textCursor();
    cursor.movePosition(QTextCursor::StartOfBlock);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    m_view->setTextCursor(cursor);
}

QPushButton *CodePanel::addButton(const QString &objectName, const QString &text)
{
    auto *button = new QPushButton;
    widgets::setRoomyText(button, text);
    button->setObjectName(objectName);
    button->setAccessibleName(text);
    button->setAutoDefault(false);
    m_head->addWidget(button);
    return button;
}

QString CodePanel::text() const { return m_view->toPlainText(); }

} // namespace holdfast::inspector
