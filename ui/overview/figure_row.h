// A name and a number in one line; the number is what the line leads to.
#pragma once

#include "ui/style/theme.h"

#include <QAbstractButton>

namespace holdfast::overview
{

class FigureRow : public QAbstractButton
{
    Q_OBJECT
public:
    FigureRow(const QString &name, const QString &objectName, QWidget *parent = nullptr);

    // `token` colours the number: it is quiet unless it says otherwise.
    void setFigure(const QString &figure, style::Token token = style::Token::text);
    const QString &figure() const { return m_figure; }
    void setNote(const QString &note); // small, after the name

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    const QString m_name;
    QString m_figure = QStringLiteral("–");
    QString m_note;
    style::Token m_token = style::Token::text;
};

} // namespace holdfast::overview
