// One series in the legend: how it is drawn, its name and its number, which leads to the list
// behind it.
#pragma once

#include "ui/overview/chart_data.h"

#include <QAbstractButton>

namespace holdfast::overview
{

class LegendButton : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Swatch { bar, line, outline };

    explicit LegendButton(QWidget *parent = nullptr);

    void setSeries(const ChartSeries &series, Swatch swatch);
    void setValue(const QString &value);
    const ChartSeries &series() const { return m_series; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QString label() const { return m_series.shape + u' ' + m_series.name; }
    void paintSwatch(QPainter &painter, const QRectF &area) const;

    ChartSeries m_series;
    Swatch m_swatch = Swatch::bar;
    QString m_value;
};

} // namespace holdfast::overview
