// Text in a fixed pitch with a line above it that says what it is, and buttons to take it away.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace holdfast::widgets
{
class CodeView;
class ElidedLabel;
} // namespace holdfast::widgets

namespace holdfast::inspector
{

class CodePanel : public QWidget
{
    Q_OBJECT
public:
    CodePanel(const QString &objectName, const QString &accessibleName, QWidget *parent = nullptr);

    void setText(const QString &caption, const QString &text);
    void goToLine(int line); // and marks it
    QPushButton *addButton(const QString &objectName, const QString &text);
    widgets::CodeView *view() const { return m_view; }
    QString text() const;

private:
    widgets::ElidedLabel *m_caption = nullptr;
    widgets::CodeView *m_view = nullptr;
    QHBoxLayout *m_head = nullptr;
};

} // namespace holdfast::inspector
