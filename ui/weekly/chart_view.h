// A painted chart with its table twin: the same figures for who reads and does not look.
#pragma once

#include "ui/widgets/json_table_model.h"
#include "ui/widgets/panel.h"

#include <QRectF>
#include <functional>

class QPainter;
class QStackedWidget;
class QToolButton;

namespace holdfast::widgets
{
class SteadyTable;
}

namespace holdfast::weekly
{

class ChartView : public widgets::Panel
{
    Q_OBJECT
public:
    using Paint = std::function<void(QPainter &painter, const QRectF &area)>;

    ChartView(const QString &title, const QString &objectName,
              const QVector<widgets::JsonColumn> &columns, QWidget *parent = nullptr);

    // `description` is the chart in a sentence.
    void show(const QJsonArray &rows, const QString &description, Paint paint);
    void setEmptyText(const QString &text) { m_emptyText = text; }
    widgets::JsonTableModel *model() const { return m_model; }

private:
    friend class ChartCanvas;

    QString m_emptyText;
    Paint m_paint;
    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    QStackedWidget *m_stack = nullptr;
    QToolButton *m_toggle = nullptr;
    QWidget *m_canvas = nullptr;
};

} // namespace holdfast::weekly
