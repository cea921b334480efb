// A chart over buckets of time: stacked bars, lines and the outline of an earlier time. It never
// animates, and while the cursor is on it no bucket moves: a later beginning waits until it leaves.
// Left and right walk through the buckets, so that everything the mouse can read the keys can too.
#pragma once

#include "ui/overview/chart_data.h"

#include <QtCharts/QChartView>

class QBarCategoryAxis;
class QStackedBarSeries;
class QValueAxis;

namespace holdfast::overview
{

class BucketChart : public QChartView
{
    Q_OBJECT
public:
    explicit BucketChart(const QString &title, QWidget *parent = nullptr);

    void setData(const ChartData &data, const TimeRange &range);
    const ChartData &data() const { return m_data; }
    int currentBucket() const { return m_current; } // -1: none
    QRectF bucketArea(int bucket) const;            // in the viewport

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void currentChanged(int bucket);
    void opened(int bucket); // clicked, or Return

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void drawBackground(QPainter *painter, const QRectF &rect) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;

private:
    void rebuild();
    void addBars();
    void addLine(const ChartSeries &series, bool isOutline);
    void scale();
    void placePlot();
    void setCurrent(int bucket);
    int bucketAt(const QPointF &position) const;
    QRectF bandOf(int bucket) const; // in the scene
    double heightOf(double value) const;
    void describe();
    void paintLabels(QPainter &painter) const;

    const QString m_title;
    ChartData m_data;
    TimeRange m_range;
    ChartData m_waiting; // came while the cursor was on the chart
    bool m_isWaiting = false;
    int m_current = -1;
    double m_tick = 1;
    double m_top = 1;
    QBarCategoryAxis *m_categories = nullptr;
    QValueAxis *m_values = nullptr;
};

} // namespace holdfast::overview
