#include "ui/widgets/elided_label.h"

#include "ui/widgets/plain_text.h"

#include <QPainter>
#include <QStyleOption>

namespace holdfast::widgets
{

ElidedLabel::ElidedLabel(QWidget *parent) : QLabel(parent) { setTextFormat(Qt::PlainText); }

ElidedLabel::ElidedLabel(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : ElidedLabel(parent)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
}

void ElidedLabel::setWhole(const QString &text)
{
    m_whole = text;
    setText(plainText(text));
    setToolTip(plainText(text, 4 * plainTextMax).toHtmlEscaped());
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 6, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    style()->drawItemText(&painter, contentsRect(), int(alignment()) | Qt::TextSingleLine,
                          palette(), isEnabled(), shown, foregroundRole());
}

} // namespace holdfast::widgets
