// Labels that know their colour by token, so that a change of theme needs nobody's help, and that
// never interpret what they show.
#pragma once

#include "ui/style/theme.h"

#include <QLabel>

namespace holdfast::widgets
{

class TokenLabel : public QLabel
{
    Q_OBJECT
public:
    explicit TokenLabel(const QString &text = {}, style::Token token = style::Token::text,
                        QWidget *parent = nullptr);

    void setToken(style::Token token);
    style::Token token() const { return m_token; }
    // Relative to the application's font.
    void setSize(double factor, bool bold = false);

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyToken();

    style::Token m_token;
    bool m_isApplying = false; // setting a palette is itself a change of palette
};

// The heading of a section: small, bold, quiet.
TokenLabel *heading(const QString &text);

} // namespace holdfast::widgets
