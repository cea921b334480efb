#include "ui/overview/legend_button.h"

#include <QEvent>
#include <QPainter>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

LegendButton::LegendButton(QWidget *parent) : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LegendButton::setSeries(const ChartSeries &series, Swatch swatch)
{
    m_series = series;
    m_swatch = swatch;
    // An earlier time has no list of its own to open.
    setEnabled(!series.page.isEmpty());
    setAccessibleName(series.name);
    updateGeometry();
    update();
}

void LegendButton::setValue(const QString &value)
{
    if (value == m_value)
        return;
    m_value = value;
    setAccessibleDescription(u"%1 %2"_s.arg(m_series.name, value));
    updateGeometry();
    update();
}

QSize LegendButton::sizeHint() const
{
    QFont bold = font();
    bold.setBold(true);
    const int unit = fontMetrics().averageCharWidth();
    // Room for a number that changes under the cursor without moving its neighbours.
    const int number = std::max(QFontMetrics(bold).horizontalAdvance(m_value),
                                QFontMetrics(bold).horizontalAdvance(u"000"_s));
    return {fontMetrics().horizontalAdvance(label()) + number + unit * 5,
            fontMetrics().height() + unit / 2};
}

bool LegendButton::event(QEvent *event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    return QAbstractButton::event(event);
}

void LegendButton::paintSwatch(QPainter &painter, const QRectF &area) const
{
    const QColor colour = style::colour(m_series.token);
    if (m_swatch == Swatch::bar) {
        painter.setPen(m_series.isHatched ? QPen(colour, 1) : QPen(Qt::NoPen));
        painter.setBrush(QBrush(colour, m_series.isHatched ? Qt::BDiagPattern : Qt::SolidPattern));
        painter.drawRect(area);
        return;
    }
    painter.setPen(QPen(colour, 1.5, m_swatch == Swatch::outline ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(QPointF(area.left(), area.center().y()),
                     QPointF(area.right(), area.center().y()));
}

void LegendButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int unit = fontMetrics().averageCharWidth();
    if (hasFocus() || (underMouse() && isEnabled())) {
        painter.setPen(style::colour(hasFocus() ? Token::busy : Token::border));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    QRectF swatch(unit * 0.5, 0, unit * 1.4, unit * 1.4);
    swatch.moveCenter({swatch.center().x(), height() / 2.0});
    paintSwatch(painter, swatch);
    const QString drawn = m_swatch == Swatch::bar ? label() : m_series.name;
    QRect text = rect().adjusted(int(unit * 2.5), 0, 0, 0);
    painter.setPen(style::colour(Token::text));
    painter.drawText(text, Qt::AlignVCenter, drawn);
    text.setLeft(text.left() + fontMetrics().horizontalAdvance(drawn) + unit);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(text, Qt::AlignVCenter, m_value);
}

} // namespace holdfast::overview
