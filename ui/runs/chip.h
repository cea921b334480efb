// One term of the filter in force. A click, Space, Delete or Backspace takes it away.
#pragma once

#include <QAbstractButton>

namespace holdfast::runs
{

class Chip : public QAbstractButton
{
    Q_OBJECT
public:
    explicit Chip(const QString &term, QWidget *parent = nullptr);

    const QString &term() const { return m_term; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    QString shown() const; // at most so long that a line holds several

    const QString m_term;
};

} // namespace holdfast::runs
