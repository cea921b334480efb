// What has been answered and not yet sent, with the seconds left and a way back. It says what
// leaving and closing mean, because both look the same to somebody in a hurry.
#pragma once

#include <QWidget>

class QPushButton;

namespace holdfast::widgets
{
class ElidedLabel;
}

namespace holdfast::review
{

class Grace;

class UndoBar : public QWidget
{
    Q_OBJECT
public:
    explicit UndoBar(Grace &grace, QWidget *parent = nullptr);

    void refresh();

Q_SIGNALS:
    void undoWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    Grace &m_grace;
    widgets::ElidedLabel *m_text = nullptr;
    widgets::ElidedLabel *m_hint = nullptr;
    QPushButton *m_undo = nullptr;
};

} // namespace holdfast::review
