#include "ui/widgets/wrap_label.h"

#include "ui/widgets/plain_text.h"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>

namespace holdfast::widgets
{

using namespace Qt::StringLiterals;

WrapLabel::WrapLabel(QWidget *parent) : WrapLabel({}, {}, parent) {}

WrapLabel::WrapLabel(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QWidget(parent), m_name(accessibleName)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void WrapLabel::setText(const QString &text)
{
    const QString shown = plainText(text, 4 * plainTextMax);
    if (shown == m_text)
        return;
    m_text = shown;
    setAccessibleName(shown.isEmpty() ? m_name : m_name + u": "_s + shown);
    setToolTip(shown.size() > 120 ? shown.toHtmlEscaped() : QString());
    updateGeometry();
    update();
}

void WrapLabel::setLinesMax(int lines)
{
    m_linesMax = lines;
    updateGeometry();
    update();
}

void WrapLabel::setToken(style::Token token)
{
    m_token = token;
    update();
}

int WrapLabel::layOut(QTextLayout &layout, int width) const
{
    layout.setFont(font());
    layout.setText(m_text);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    int lines = 0;
    qreal y = 0;
    while (lines < m_linesMax) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(std::max(width, 1));
        line.setPosition({0, y});
        y += fontMetrics().lineSpacing();
        ++lines;
    }
    layout.endLayout();
    return lines;
}

int WrapLabel::heightForWidth(int width) const
{
    QTextLayout layout;
    return std::max(layOut(layout, width), 1) * fontMetrics().lineSpacing();
}

QSize WrapLabel::sizeHint() const
{
    const int width = std::min(fontMetrics().horizontalAdvance(m_text.left(200)) + 2,
                               fontMetrics().averageCharWidth() * 80);
    return {width, heightForWidth(width)};
}

QSize WrapLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 10, fontMetrics().lineSpacing()};
}

void WrapLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(style::colour(isEnabled() ? m_token : style::Token::muted));
    QTextLayout layout;
    const int lines = layOut(layout, width());
    if (lines == 0)
        return;
    const QTextLine last = layout.lineAt(lines - 1);
    const bool isCut = last.textStart() + last.textLength() < m_text.size();
    const int whole = isCut ? lines - 1 : lines;
    for (int line = 0; line < whole; ++line)
        layout.lineAt(line).draw(&painter, {0, 0});
    if (isCut) {
        const QString rest = m_text.mid(last.textStart(), last.textLength()) + u'…';
        painter.drawText(QPointF(0, last.y() + last.ascent()),
                         fontMetrics().elidedText(rest, Qt::ElideRight, width()));
    }
}

} // namespace holdfast::widgets
