// A sentence that may hold text from outside: wraps at words, and inside a word when it has to, so
// that a name of ten thousand letters makes it no wider. Shows at most a few lines; the tool tip
// has more.
#pragma once

#include "ui/style/theme.h"

#include <QWidget>

class QTextLayout;

namespace holdfast::widgets
{

class WrapLabel : public QWidget
{
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit WrapLabel(QWidget *parent = nullptr);
    WrapLabel(const QString &objectName, const QString &accessibleName, QWidget *parent = nullptr);

    void setText(const QString &text); // made safe to show here
    const QString &text() const { return m_text; }
    void setLinesMax(int lines);
    void setToken(style::Token token); // its colour, in every theme

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int layOut(QTextLayout &layout, int width) const; // the number of lines shown

    QString m_text;
    QString m_name;
    int m_linesMax = 4;
    style::Token m_token = style::Token::text;
};

} // namespace holdfast::widgets
