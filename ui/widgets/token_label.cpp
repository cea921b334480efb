#include "ui/widgets/token_label.h"

#include "ui/widgets/labels.h"

#include <QEvent>

namespace holdfast::widgets
{

TokenLabel::TokenLabel(const QString &text, style::Token token, QWidget *parent)
    : QLabel(parent), m_token(token)
{
    setTextFormat(Qt::PlainText);
    setText(text);
    applyToken();
}

void TokenLabel::setToken(style::Token token)
{
    if (token == m_token)
        return;
    m_token = token;
    applyToken();
}

void TokenLabel::setSize(double factor, bool bold)
{
    QFont sized = font();
    sized.setPointSizeF(sized.pointSizeF() * factor);
    sized.setBold(bold);
    setFont(sized);
}

void TokenLabel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && !m_isApplying)
        applyToken();
    QLabel::changeEvent(event);
}

void TokenLabel::applyToken()
{
    m_isApplying = true;
    setTextColour(this, style::colour(m_token));
    m_isApplying = false;
}

TokenLabel *heading(const QString &text)
{
    auto *label = new TokenLabel(text, style::Token::muted);
    label->setSize(0.95, true);
    QFont spaced = label->font();
    spaced.setCapitalization(QFont::AllUppercase);
    spaced.setLetterSpacing(QFont::PercentageSpacing, 104);
    label->setFont(spaced);
    return label;
}

} // namespace holdfast::widgets
