// One line of plain text from outside that never asks for more room than there is: what does not
// fit ends in an ellipsis, and the tool tip has the whole.
#pragma once

#include <QLabel>

namespace holdfast::widgets
{

class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget *parent = nullptr);
    ElidedLabel(const QString &objectName, const QString &accessibleName,
                QWidget *parent = nullptr);

    // Made safe to show here; give it the text as it came.
    void setWhole(const QString &text);
    const QString &whole() const { return m_whole; }

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_whole;
};

} // namespace holdfast::widgets
