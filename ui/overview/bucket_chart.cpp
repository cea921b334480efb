#include "ui/overview/bucket_chart.h"

#include <QKeyEvent>
#include <QLocale>
#include <QWheelEvent>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSet>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QStackedBarSeries>
#include <QtCharts/QValueAxis>
#include <cmath>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr int ticksWanted = 3;
constexpr double headroom = 1.03;

// 1, 2 or 5 times a power of ten; never below one where things are counted.
double niceTick(double top, bool isPercent)
{
    const double least = isPercent ? 0.001 : 1;
    const double raw = std::max(top / ticksWanted, least);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (step * power >= raw * 0.999)
            return std::max(step * power, least);
    }
    return 10 * power;
}

QString tickText(double value, bool isPercent)
{
    const QLocale locale;
    if (isPercent)
        return locale.toString(value * 100, 'f', value * 100 < 1 && value > 0 ? 1 : 0) + u" %"_s;
    if (value >= 10'000)
        return locale.toString(value / 1000, 'g', 4) + u" k"_s;
    return locale.toString(qint64(value));
}
} // namespace

BucketChart::BucketChart(const QString &title, QWidget *parent)
    : QChartView(parent), m_title(title), m_range(timeRanges().at(1))
{
    setAccessibleName(title);
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setBackgroundBrush(Qt::NoBrush);
    setRenderHint(QPainter::Antialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    chart()->setBackgroundVisible(false);
    chart()->legend()->hide();
    chart()->setMargins({});
    m_categories = new QBarCategoryAxis(this);
    m_values = new QValueAxis(this);
    for (QAbstractAxis *axis :
         {static_cast<QAbstractAxis *>(m_categories), static_cast<QAbstractAxis *>(m_values)}) {
        // Labels and lines are drawn here: Qt cuts labels to "…" in a small chart, and its grid is
        // off by a little when the plot area is set.
        axis->setLabelsVisible(false);
        axis->setGridLineVisible(false);
        axis->setLineVisible(false);
    }
    chart()->addAxis(m_categories, Qt::AlignBottom);
    chart()->addAxis(m_values, Qt::AlignLeft);
}

QSize BucketChart::sizeHint() const { return {480, fontMetrics().height() * 11}; }
QSize BucketChart::minimumSizeHint() const { return {240, fontMetrics().height() * 8}; }

void BucketChart::setData(const ChartData &data, const TimeRange &range)
{
    const bool isOther = range.word != m_range.word;
    const bool moves = !m_data.at.isEmpty() && data.at.value(0) != m_data.at.at(0);
    m_range = range;
    if (m_current >= 0 && moves && !isOther) {
        m_waiting = data;
        m_isWaiting = true;
        return;
    }
    m_isWaiting = false;
    m_data = data;
    if (isOther)
        setCurrent(-1);
    rebuild();
    describe();
    if (m_current >= 0)
        Q_EMIT currentChanged(m_current); // its values may be others now
}

void BucketChart::rebuild()
{
    chart()->removeAllSeries();
    QStringList names;
    for (const model::Instant at : m_data.at)
        names << QString::number(at);
    m_categories->setCategories(names);
    scale();
    addBars();
    for (const ChartSeries &series : m_data.outline)
        addLine(series, true);
    for (const ChartSeries &series : m_data.lines)
        addLine(series, false);
    placePlot();
}

void BucketChart::addBars()
{
    if (m_data.bars.isEmpty())
        return;
    auto *stack = new QStackedBarSeries;
    stack->setBarWidth(0.78);
    for (const ChartSeries &series : m_data.bars) {
        auto *set = new QBarSet(series.name);
        set->append(series.values);
        const QColor colour = style::colour(series.token);
        set->setBrush(QBrush(colour, series.isHatched ? Qt::BDiagPattern : Qt::SolidPattern));
        // A bar without a border would vanish where it is hatched and one pixel high.
        set->setPen(series.isHatched ? QPen(colour, 1) : QPen(Qt::NoPen));
        stack->append(set);
    }
    chart()->addSeries(stack);
    stack->attachAxis(m_categories);
    stack->attachAxis(m_values);
}

// A bucket without a value is a gap, not a zero: the line ends before it and begins anew after it.
void BucketChart::addLine(const ChartSeries &series, bool isOutline)
{
    QList<QPointF> points;
    const auto flush = [&] {
        if (points.isEmpty())
            return;
        auto *line = new QLineSeries;
        line->replace(points);
        QPen pen(style::colour(series.token), isOutline ? 1 : 1.5);
        pen.setStyle(isOutline ? Qt::DotLine : Qt::SolidLine);
        pen.setCosmetic(true);
        line->setPen(pen);
        line->setPointsVisible(points.size() == 1);
        line->setMarkerSize(4);
        chart()->addSeries(line);
        line->attachAxis(m_categories);
        line->attachAxis(m_values);
        points.clear();
    };
    for (qsizetype i = 0; i < series.values.size(); ++i) {
        if (std::isnan(series.values.at(i)))
            flush();
        else
            points << QPointF(double(i), series.values.at(i));
    }
    flush();
}

void BucketChart::scale()
{
    const double top = m_data.top();
    m_tick = niceTick(top, m_data.isPercent);
    m_top = std::max(m_tick, std::ceil(top / m_tick) * m_tick);
    // A line that runs along the top edge would lose half its width.
    m_values->setRange(0, m_top * headroom);
}

void BucketChart::placePlot()
{
    int widest = 0;
    for (double value = 0; value <= m_top * 1.01; value += m_tick)
        widest =
            std::max(widest, fontMetrics().horizontalAdvance(tickText(value, m_data.isPercent)));
    const int gap = fontMetrics().averageCharWidth();
    const int foot = fontMetrics().height() + gap;
    chart()->setPlotArea(QRectF(widest + gap * 1.5, fontMetrics().height() / 2.0,
                                std::max(10.0, width() - widest - gap * 2.5),
                                std::max(10.0, height() - foot - fontMetrics().height() / 2.0)));
}

void BucketChart::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    placePlot();
}

void BucketChart::changeEvent(QEvent *event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rebuild();
}

double BucketChart::heightOf(double value) const
{
    const QRectF plot = chart()->plotArea();
    return std::round(plot.bottom() - value / (m_top * headroom) * plot.height()) + 0.5;
}

QRectF BucketChart::bandOf(int bucket) const
{
    const QRectF plot = chart()->plotArea();
    const double width = plot.width() / std::max<qsizetype>(1, m_data.at.size());
    return {plot.left() + bucket * width, plot.top(), width, plot.height()};
}

QRectF BucketChart::bucketArea(int bucket) const
{
    return mapFromScene(bandOf(bucket)).boundingRect();
}

int BucketChart::bucketAt(const QPointF &position) const
{
    const QRectF plot = chart()->plotArea();
    const QPointF there = mapToScene(position.toPoint());
    if (m_data.at.isEmpty() || there.x() < plot.left() || there.x() >= plot.right())
        return -1;
    return int((there.x() - plot.left()) / plot.width() * double(m_data.at.size()));
}

void BucketChart::setCurrent(int bucket)
{
    if (bucket == m_current)
        return;
    m_current = bucket;
    viewport()->update();
    if (bucket < 0 && m_isWaiting) {
        m_isWaiting = false;
        m_data = m_waiting;
        rebuild();
    }
    describe();
    Q_EMIT currentChanged(m_current);
}

void BucketChart::mouseMoveEvent(QMouseEvent *event) { setCurrent(bucketAt(event->position())); }

void BucketChart::mousePressEvent(QMouseEvent *event)
{
    setCurrent(bucketAt(event->position()));
    event->accept();
}

void BucketChart::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_current >= 0 &&
        m_current == bucketAt(event->position()))
        Q_EMIT opened(m_current);
}

// The page scrolls; a chart has nothing to scroll to.
void BucketChart::wheelEvent(QWheelEvent *event) { event->ignore(); }

void BucketChart::leaveEvent(QEvent *event)
{
    QChartView::leaveEvent(event);
    setCurrent(-1);
}

void BucketChart::focusOutEvent(QFocusEvent *event)
{
    QChartView::focusOutEvent(event);
    setCurrent(-1);
}

void BucketChart::keyPressEvent(QKeyEvent *event)
{
    const int last = int(m_data.at.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left: setCurrent(m_current < 0 ? last : std::max(0, m_current - 1)); return;
    case Qt::Key_Right: setCurrent(m_current < 0 ? 0 : std::min(last, m_current + 1)); return;
    case Qt::Key_Home: setCurrent(last < 0 ? -1 : 0); return;
    case Qt::Key_End: setCurrent(last); return;
    case Qt::Key_Escape:
        if (m_current < 0)
            break;
        setCurrent(-1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0)
            Q_EMIT opened(m_current);
        return;
    default: break;
    }
    event->ignore(); // a chart view would scroll
}

// The figures for those who do not see the picture: of the bucket, or of the whole range.
void BucketChart::describe()
{
    QStringList parts;
    if (m_current >= 0)
        parts << m_range.bucketText(m_data.at.value(m_current));
    for (const auto *all : {&m_data.bars, &m_data.lines, &m_data.outline}) {
        for (const ChartSeries &series : *all) {
            const double value = m_current >= 0 ? series.values.value(m_current) : series.total;
            parts << u"%1 %2"_s.arg(series.name, m_data.valueText(value));
        }
    }
    setAccessibleDescription(parts.join(u", "_s));
}

void BucketChart::drawBackground(QPainter *painter, const QRectF &rect)
{
    QChartView::drawBackground(painter, rect);
    const QRectF plot = chart()->plotArea();
    painter->setPen(QPen(style::colour(Token::border), 1));
    for (double value = 0; value <= m_top * 1.01; value += m_tick)
        painter->drawLine(QPointF(plot.left(), heightOf(value)),
                          QPointF(plot.right(), heightOf(value)));
    if (m_current < 0)
        return;
    QColor band = style::colour(Token::busy);
    band.setAlphaF(0.16F);
    painter->fillRect(bandOf(m_current), band);
}

void BucketChart::drawForeground(QPainter *painter, const QRectF &rect)
{
    QChartView::drawForeground(painter, rect);
    painter->save();
    painter->setFont(font());
    paintLabels(*painter);
    if (hasFocus()) {
        painter->setPen(QPen(style::colour(Token::busy), 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(mapToScene(viewport()->rect().adjusted(0, 0, -1, -1)).boundingRect());
    }
    painter->restore();
}

void BucketChart::paintLabels(QPainter &painter) const
{
    const QRectF plot = chart()->plotArea();
    const QFontMetrics metrics = fontMetrics();
    const int gap = metrics.averageCharWidth();
    painter.setPen(style::colour(Token::muted));
    for (double value = 0; value <= m_top * 1.01; value += m_tick) {
        painter.drawText(QRectF(0, heightOf(value) - metrics.height() / 2.0, plot.left() - gap,
                                metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tickText(value, m_data.isPercent));
    }
    const int widest = metrics.horizontalAdvance(u"00 MMM"_s) + 2 * gap;
    const double width = bandOf(0).width();
    const int every = std::max(1, int(std::ceil(widest / std::max(1.0, width))));
    QString before;
    for (int i = 0; i < m_data.at.size(); i += every) {
        const QString text = m_range.tickText(m_data.at.at(i));
        const QRectF place(bandOf(i).center().x() - widest / 2.0, plot.bottom() + gap / 2.0, widest,
                           metrics.height());
        if (text != before && place.right() <= chart()->size().width() + gap)
            painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop, text);
        before = text;
    }
    if (!m_data.isEmpty())
        return;
    painter.drawText(plot, Qt::AlignCenter, u"Nothing happened in this time."_s);
}

} // namespace holdfast::overview
