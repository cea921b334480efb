// A chart with its heading, a legend whose numbers follow the cursor and lead to their lists, and
// the same figures as a table for those who would rather read them.
#pragma once

#include "ui/overview/bucket_chart.h"
#include "ui/widgets/panel.h"

class QStackedWidget;
class QTableView;
class QToolButton;

namespace holdfast::widgets
{
class ElidedLabel;
class FlowLayout;
class TokenLabel;
} // namespace holdfast::widgets

namespace holdfast::overview
{

class ChartTableModel;
class LegendButton;

class ChartPanel : public widgets::Panel
{
    Q_OBJECT
public:
    ChartPanel(const QString &title, const QString &objectName, QWidget *parent = nullptr);

    void setData(const ChartData &fresh, const TimeRange &range);
    BucketChart *chart() const { return m_chart; }

Q_SIGNALS:
    // The list behind a number: of the whole range, or of one bucket where `since` is an instant.
    void wanted(const QString &page, const QJsonObject &where);

private:
    void build(const QString &title);
    void showBucket(int bucket);
    void showTable(bool shown);
    void open(const ChartSeries &series, int bucket);

    BucketChart *m_chart = nullptr;
    ChartTableModel *m_model = nullptr;
    QTableView *m_table = nullptr;
    QStackedWidget *m_stack = nullptr;
    QToolButton *m_toggle = nullptr;
    widgets::TokenLabel *m_when = nullptr;
    widgets::FlowLayout *m_legendRow = nullptr;
    QVector<LegendButton *> m_legend;
    ChartData m_data;
    TimeRange m_range;
};

} // namespace holdfast::overview
