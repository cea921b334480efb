// Answers one question: does anything need me, and am I bleeding? What needs a person comes first,
// then what stands in the way, then harm, then how things went over time. Every number leads to the
// list behind it.
#pragma once

#include "ui/overview/chart_data.h"
#include "ui/shell/page.h"

#include <QTimer>

class QComboBox;
class QVBoxLayout;

namespace holdfast::widgets
{
class TokenLabel;
}

namespace holdfast::overview
{

class ChartPanel;
class FigureRow;
class GateLines;
class GroupTable;
class NeedTile;
class RateTable;

class OverviewPage : public shell::Page
{
    Q_OBJECT
public:
    explicit OverviewPage(bridge::Bridge &bridge);

    void refresh() override;
    void open(const QJsonObject &where) override;
    QJsonObject where() const override;
    QWidget *first() override;

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void build();
    QWidget *buildTop();
    QWidget *buildTiles();
    QWidget *buildHarm();
    QWidget *buildCharts();
    QWidget *buildTables();
    FigureRow *addFigure(const QString &name, const QString &objectName, QWidget *panel);
    FigureRow *addMeasure(const QJsonObject &measure);
    void connectFigures();

    void showMarks();
    void showChecked();
    void askFigures();
    void askGroups();
    void answered(); // one of the questions under way came back
    void showCharts();
    void showHarm();
    void showMeasures();
    void setRange(int index);
    const TimeRange &range() const { return timeRanges().at(m_rangeIndex); }
    QString sinceWord() const { return QStringLiteral(" since:") + range().word; }
    void goToRuns(const QString &filter);

    int m_rangeIndex = 1;
    int m_outstanding = 0; // questions under way
    bool m_isWanted = false;
    model::Instant m_begin = model::never;        // of the figures asked for
    model::Instant m_earlierBegin = model::never; // of those the outline was read for
    QJsonObject m_series;
    QJsonObject m_earlier;
    QJsonObject m_rates;
    bool m_hasSeries = false;
    QTimer m_clock; // ages grow while nothing changes
    QTimer m_again; // figures are read at most once a second

    QComboBox *m_range = nullptr;
    widgets::TokenLabel *m_heading = nullptr;
    widgets::TokenLabel *m_checked = nullptr;
    widgets::TokenLabel *m_problem = nullptr;
    QVector<NeedTile *> m_tiles;
    GateLines *m_gates = nullptr;
    ChartPanel *m_runs = nullptr;
    ChartPanel *m_retries = nullptr;
    ChartPanel *m_compensations = nullptr;
    GroupTable *m_groups = nullptr;
    model::Instant m_groupsAt = model::never; // when groups were last asked for
    RateTable *m_operations = nullptr;
    RateTable *m_dependencies = nullptr;
    FigureRow *m_duplicates = nullptr;
    FigureRow *m_unresolved = nullptr;
    FigureRow *m_compensated = nullptr;
    FigureRow *m_compensationFailed = nullptr;
    FigureRow *m_retried = nullptr;
    QVBoxLayout *m_measures = nullptr;
    QMap<QString, FigureRow *> m_measureRows; // by name; which there are, the answer says
};

} // namespace holdfast::overview
